"""What the patient makes of a doctor's words: several intents an utterance, each with what it is about.

The knowledge finds what is named, cue rules find what is wanted of it; both act on one segment of a sentence,
so that "when did it start, and any fever?" asks two things. Nothing here depends on a particular sentence:
cues are a table, names come from the lexicon and from the case's own words.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from bedside.envs.hearing.likelihood import likely
from bedside.envs.hearing.questions import asked_of, guessed
from bedside.envs.hearing.segments import Segment, segments
from bedside.envs.hearing.spelling import corrected
from bedside.envs.hearing.statements import offered, told
from bedside.envs.intents import ATTRIBUTES, TALK, Intent
from bedside.verifier.grounding import GroundedCase

__all__ = ["understand"]

# After one of these, "and how often?" still asks about it.
_CONTINUED = frozenset(("alcohol", "tobacco", "drugs", "medications", "dose", "procedures"))
_SHORT = 6
_LIKELY = 0.25
_WORDS_TO_JUDGE = 3


@lru_cache(maxsize=2048)
def understand(utterance: str, grounded: GroundedCase) -> tuple[Intent, ...]:
    """Read a doctor's utterance.

    Args:
        utterance: What the patient heard.
        grounded: The case, whose own words are understood too.

    Returns:
        Intents in the order of the words, without repetition; ``other`` alone when nothing is recognised.
    """
    found: list[Intent] = []
    for sentence in segments(corrected(utterance, grounded.lexicon), grounded):
        found.extend(_tidy(_read(sentence)))
    return _tidy(found) or (Intent("other", asked="?" in utterance),)


def _read(sentence: Sequence[Segment]) -> list[Intent]:
    found: list[Intent] = []
    for asked, run in groupby(sentence, key=lambda segment: segment.asked):
        if not asked:
            statements = tuple(run)
            found += told(statements) or [intent for segment in statements for intent in _leaning(segment)]
            continue
        for segment in run:
            intents = asked_of(segment) or offered(segment) or _supposed(segment)
            if not (found and found[-1].name in _CONTINUED and _continues(intents, segment)):
                found += intents
    return found


def _supposed(segment: Segment) -> list[Intent]:
    """What a question that no cue fits wants: what is likely, or what its words for body and kin suggest."""
    return _leaning(segment) or guessed(segment)


def _leaning(segment: Segment) -> list[Intent]:
    name, probability = likely(segment)
    if name == "other" or probability < _LIKELY or len(segment.text.split()) < _WORDS_TO_JUDGE:
        return []
    return [Intent(name, asked=name not in TALK)]


def _continues(intents: list[Intent], segment: Segment) -> bool:
    """True for "how often?" and "for how long?", which go on about what was just asked for."""
    bare = all(intent.name in (*ATTRIBUTES, "dose") and not intent.target for intent in intents)
    return bare and len(segment.text.split()) <= _SHORT


def _tidy(found: list[Intent]) -> tuple[Intent, ...]:
    """Drop repetitions, and what has no target where the same thing has one."""
    targeted = {intent.name for intent in found if intent.target}
    if any(intent.name == "dose" for intent in found):
        # "How many milligrams, and how often" is about the drug to its end.
        found = [intent for intent in found if intent.name != "timing" or intent.target]
    if found and found[-1].asked:
        # "Thanks for coming in. What's wrong?" is no farewell.
        found = [intent for intent in found if intent.name != "closing"]
    return tuple(
        intent
        for intent in dict.fromkeys(found)
        if intent.target or intent.name not in targeted or intent.name not in (*ATTRIBUTES, "symptom_presence")
    )
