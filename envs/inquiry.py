"""What a patient asks about a plan item that did not stay."""

from random import Random

from bedside.cases.fact import AnyFact, FollowUp, Medication
from bedside.envs.retelling import to_first_person

__all__ = ["inquiry"]


def inquiry(fact: AnyFact, item: str, rng: Random) -> str:
    """Word a question about one plan item.

    Args:
        fact: Of the plan.
        item: Id of the item that is asked about.
        rng: Chooses among wordings.

    Returns:
        The question; empty when there is no natural one.
    """
    attribute = item.partition(".")[2]
    if isinstance(fact, Medication):
        take = "take" if not fact.route or "mouth" in fact.route else "use"
        wording = {
            "dose": (f"How much of the {{}} do I {take}?", "What was the dose of the {} again?"),
            "frequency": (f"How often do I {take} the {{}}?", f"When do I {take} the {{}}, again?"),
            "purpose": ("What is the {} for?", "Why do I need the {}?"),
            "duration": (f"How long do I {take} the {{}}?",),
        }.get(attribute)
        if fact.change == "stopped":
            wording = ("Why did you stop the {}, again?",) if attribute == "purpose" else None
        return rng.choice(wording).format(fact.text) if wording else ""
    if isinstance(fact, FollowUp):
        whom = to_first_person(fact.text)
        whom = whom if whom.startswith(("my ", "the ")) else f"the {whom}"
        return (
            rng.choice(("When do I see {}?", "When was it with {}, again?")).format(whom) if attribute == "when" else ""
        )
    return ""
