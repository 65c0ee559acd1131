"""What the patient makes of a doctor's words: several intents an utterance, each with what it is about.

The knowledge finds what is named, cue rules find what is wanted of it; both act on one segment of a sentence,
so that "when did it start, and any fever?" asks two things. Nothing here depends on a particular sentence:
cues are a table, names come from the lexicon and from the case's own words.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from bedside.envs.hearing.asides import without_asides
from bedside.envs.hearing.likelihood import likelihoods
from bedside.envs.hearing.questions import asked_for, asked_of, guessed, headings
from bedside.envs.hearing.segments import Segment, segments
from bedside.envs.hearing.spelling import corrected
from bedside.envs.hearing.statements import ONLY_TOLD, asks_whether, offered, told
from bedside.envs.intents import ATTRIBUTES, TALK, Intent
from bedside.verifier.grounding import GroundedCase

__all__ = ["understand"]

# After one of these, "and how often?" still asks about it.
_CONTINUED = frozenset(("alcohol", "tobacco", "drugs", "medications", "dose", "procedures"))
_SHORT = 6
_LIKELY = -1.4
"""Log probability from which the likeliest intent is believed where no cue fits."""
_LIKELY_BESIDE = -0.6
"""The same for a piece of a longer utterance, which may just fill it: "let's hear it, what happened?"."""
_FEW = 2
"""Words that a piece must have for that."""
_TRUST = 3.0
"""How much likelier something else must be (log odds) to overrule a cue."""
_BESIDE = 4.0
"""How much less likely a cue's intent may be (log odds) where the same words have cues of others too."""
_NEVER = -99.0
_WORD = re.compile(r"[a-z]{4,}")
_ANNOUNCED = re.compile(
    r"\W*(?:(?:so|my|the|final|working|likely|main)\W+)*(?:diagnos[ei]s|impression|assessment|dx)\s*[:=-]"
)


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
    said = without_asides(utterance)
    if utterance.strip() and not said.strip():
        return (Intent("other", asked=False),)
    heard = tuple(segments(corrected(said, grounded.lexicon, _own_words(grounded)), grounded))
    alone = sum(map(len, heard)) == 1
    for sentence in heard:
        found.extend(_tidy(_read(sentence, alone=alone)))
    return _tidy(found) or (Intent("other", asked="?" in utterance),)


@lru_cache(maxsize=1024)
def _own_words(grounded: GroundedCase) -> frozenset[str]:
    """Words of the record: who has mucositis knows that it is spelt so."""
    wordings = (wording for known in grounded.record for wording in (known.fact.text, *known.fact.lay))
    return frozenset(word for wording in wordings for word in _WORD.findall(wording.lower()))


def _read(sentence: Sequence[Segment], *, alone: bool) -> list[Intent]:
    found: list[Intent] = []
    for asked, run in groupby(sentence, key=lambda segment: segment.asked):
        said = tuple(run)
        if not asked:
            found += _weighed(told(said), said, alone=alone)
            continue
        for segment in said:
            intents = headings(segment) or _weighed(asked_of(segment) or offered(segment), (segment,), alone=alone)
            if not (found and found[-1].name in _CONTINUED and _continues(intents, segment)):
                found += intents
            elif found[-1].name == "medications":
                # "What do you take, and how much?"
                found.append(found[-1]._replace(name="dose"))
    return found


def _weighed(cued: list[Intent], said: Sequence[Segment], *, alone: bool) -> list[Intent]:
    """Hold what cues say against what the words most likely want."""
    if not cued and len(said) > 1:
        return [intent for segment in said for intent in _weighed([], (segment,), alone=False)]
    odds = likelihoods(*said)
    if any(asks_whether(segment) for segment in said):
        odds = {name: value for name, value in odds.items() if name not in ONLY_TOLD}
    best = max(odds, key=odds.__getitem__)
    if cued:
        behind = {intent.name: odds[best] - odds.get(intent.name, _NEVER) for intent in cued}
        # A recap is known by its build, two facts in a row, and a diagnosis by its label, whatever follows.
        known = "summary" in behind or ("diagnosis_statement" in behind and _ANNOUNCED.match(said[0].text))
        if not known and best not in behind and min(behind.values()) > _TRUST:
            return _wanted(best, said)
        # Of several cues in the same words, those go that are there by accident.
        return [intent for intent in cued if behind[intent.name] < _BESIDE] if len(behind) > len(said) else cued
    enough = _LIKELY if alone else _LIKELY_BESIDE
    if odds[best] >= enough and (alone or len(said[0].text.split()) >= _FEW):
        return _wanted(best, said)
    return [intent for segment in said if segment.asked for intent in guessed(segment)]


def _wanted(name: str, said: Sequence[Segment]) -> list[Intent]:
    """Return an intent with what the words name for it."""
    if name == "other":
        return []
    if name in TALK:
        named = said[0].of("condition")[:1] if name == "diagnosis_statement" else ()
        return [Intent(name, n.surface, n.concept, asked=False) for n in named] or [Intent(name, asked=False)]
    return list(dict.fromkeys(intent for segment in said for intent in asked_for(name, segment)))


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
