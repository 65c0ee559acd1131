"""Whom is a sentence said to? "Take it at night, nurse" and "Mr. Smith, drink more" have another listener.

A vocative is a name or a noun for a person, alone between a comma and an end of the sentence. It is the patient's own
if it is an endearment, or a title that fits; a title of the other sex or a word for the staff is somebody else's.
"""

from functools import lru_cache
from typing import Literal

from bedside.verifier.teaching.clause import words_of
from bedside.verifier.teaching.subject import CARERS

__all__ = ["is_said_to_another"]

Sex = Literal["female", "male"]

_TITLES: dict[str, Sex] = {
    "mr": "male",
    "sir": "male",
    "man": "male",
    "gentleman": "male",
    "boy": "male",
    "lad": "male",
    "mrs": "female",
    "ms": "female",
    "miss": "female",
    "madam": "female",
    "ma'am": "female",
    "lady": "female",
    "woman": "female",
    "girl": "female",
}
_BEFORE = frozenset("my our dear young old good hey hello hi oh okay well now so please listen yes".split())
"""What may stand before the word for whom one calls."""

_STAFF = (CARERS - {"everyone", "clinic", "hospital", "office", "staff", "team"}) | frozenset(
    """colleague colleagues student students intern interns trainee trainees class resident residents boss captain
    sergeant officer father reverend rabbi judge professor reader readers viewers listeners kids children siri
    alexa""".split()
)
_NAMED = frozenset("nurse doctor dr professor captain sergeant officer father".split())
"""What stands before a name; "class IV" calls nobody."""

_LOVED = frozenset("dear friend love darling sweetheart honey hon buddy pal folks man lady boy girl son god".split())
"""What one calls a patient one likes: "my dear"."""

_LONGEST = 4


@lru_cache(maxsize=16384)
def is_said_to_another(sentence: str, sex: Sex | None = None) -> bool:
    """True when the one whom a sentence calls by name or title cannot be the patient.

    Args:
        sentence: Of an educator.
        sex: The patient's, if known.
    """
    words = words_of(sentence)
    commas = [at for at, word in enumerate(words) if word == ","]
    if not commas:
        return False
    ends = (words[: commas[0]], words[commas[-1] + 1 :])
    return _calls_another(ends[0], sex) or (_calls_another(ends[1], sex) or _mocks(ends[1]))


def _calls_another(called: tuple[str, ...], sex: Sex | None) -> bool:
    if not 0 < len(called) <= _LONGEST:
        return False
    at = 0
    while at < len(called) - 1 and called[at] in _BEFORE:
        at += 1
    rest = called[at:]
    if rest[0] in _TITLES:
        return sex is not None and _TITLES[rest[0]] != sex and len(rest) <= 2
    return rest[0] in _STAFF and len(rest) <= 1 + (rest[0] in _NAMED) and called[:1] != ("your",)


def _mocks(called: tuple[str, ...]) -> bool:
    """True for "my eye" at the end, which calls nobody and believes nothing."""
    return len(called) == 2 and called[0] == "my" and called[1] not in _LOVED and called[1] not in _STAFF
