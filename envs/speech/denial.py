"""Words for what is not there: a denial must fit whatever the doctor called it."""

import re
from functools import lru_cache

from bedside.envs.intents import Intent
from bedside.envs.noise.literacy import is_jargon
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.lexicon import Lexicon

__all__ = ["deniable"]

_STATES = frozenset("unwell ill sick poorly tired dizzy weak numb confused breathless nauseous feverish faint".split())
"""What one is, not what one has: "no unwell" is nobody's English."""
_LESS = re.compile(r"(?:decreased|reduced|increased|abnormal|low|high) (?!blood|fever|cholesterol|sugar)")


def deniable(intent: Intent, grounded: GroundedCase) -> str:
    """Return a noun phrase that fits after "no", or nothing where only a bare "no" is natural.

    The doctor's words are echoed when they are a thing ("fever"); doings ("passed out") and words that the
    patient would not use are replaced by the plain name of the concept, if that is one.
    """
    if not intent.target or not intent.concept or intent.concept.startswith("case:"):
        return ""
    return _echo(intent.target, intent.concept, grounded.lexicon)


@lru_cache(maxsize=16384)
def _echo(target: str, concept: str, lexicon: Lexicon) -> str:
    if concept not in lexicon:
        return ""
    if target.lower() in _STATES:
        return ""
    entry = lexicon[concept]
    things = {form.lower() for form in entry.forms} - {form.lower() for form in entry.lay}
    if target.lower() in things and not is_jargon(target):
        return target
    name = entry.name.lower() if entry.name[1:] == entry.name[1:].lower() else entry.name
    name = re.sub(r"\b(?:ii|iii|iv)\b", lambda m: m[0].upper(), name)
    return name if len(name.split()) <= 3 and not is_jargon(name) and not _LESS.match(name) else ""
