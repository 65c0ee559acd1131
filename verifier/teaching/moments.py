"""At what time of the day a drug is told to be taken, against the plan.

"Once a day with breakfast" and "once daily with the evening meal" are the same number of times and not the same order:
a drug that makes one dizzy, sleepless or pass water goes with its time of day.
"""

from bedside.cases.fact import Medication
from bedside.verifier.language.pattern import Pattern

__all__ = ["moment_missed"]

_MOMENTS = {
    "in the morning": Pattern(r"\b(?:mornings?|breakfast|on waking|wak(?:e|ing) up|get(?:ting)? up|first thing)\b"),
    "in the afternoon": Pattern(r"\b(?:afternoons?|noon|midday|lunch)\b"),
    "in the evening": Pattern(
        r"\b(?:evenings?|supper|dinner|bedtime|(?:before|to) bed|(?:at|every|each) night|nightly|last thing)\b"
    ),
}
# When to measure, what else is done then, and what happens then, is not when to take.
_ELSEWHERE = Pattern(
    r"\b(?:check\w*|measur\w*|weigh\w*|test\w*|if|when (?!you (?:wake|get up))|trouble|nausea|because|since|so that|"
    r"stiff\w*|until|unless|next|tomorrow|yesterday|today|tonight|this (?:morning|evening)|last (?:night|dose)|"
    r"hours?|miss\w*|forg\w+|not|never|don't|instead of|or)\b"
)


def moment_missed(fact: Medication, part: str) -> str:
    """Return the time of day that a sentence gives for a drug if the plan has others, and no longer that one.

    Args:
        fact: The drug.
        part: What of a sentence is about it.

    Returns:
        Empty when they agree, or when either says nothing of the time of day.
    """
    planned = _moments((fact.frequency or "").lower())
    if not planned or _ELSEWHERE.search(part.lower()):
        return ""
    told = _moments(part.lower())
    return next((moment for moment in told if moment not in planned), "")


def _moments(text: str) -> tuple[str, ...]:
    return tuple(moment for moment, words in _MOMENTS.items() if words.search(text))
