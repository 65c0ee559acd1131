"""Facts in the form that these tests compare."""

from pathlib import Path

DATA = Path(__file__).parents[1] / "data"


def brief(facts):
    """Facts as (kind, text) pairs with their attributes."""
    return {
        (fact.kind, fact.text): fact.model_dump(exclude_defaults=True, exclude={"id", "text", "lay", "code"})
        for fact in facts
    }
