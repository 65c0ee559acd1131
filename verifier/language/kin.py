"""Who a relative is, by the many names: "my mum's sister" is an aunt on the mother's side."""

import re
from typing import NamedTuple

from bedside.verifier.language.pattern import Pattern

__all__ = ["KIN", "Kin", "compound_in", "kin_named", "same_kin"]

_NAMES = {
    "mom": "mother", "mum": "mother", "mama": "mother", "ma": "mother", "mommy": "mother", "mummy": "mother",
    "dad": "father", "papa": "father", "daddy": "father", "pop": "father", "pa": "father", "old man": "father",
    "grandma": "grandmother", "granny": "grandmother", "nana": "grandmother", "gran": "grandmother",
    "nan": "grandmother", "grandpa": "grandfather", "granddad": "grandfather", "grandad": "grandfather",
    "auntie": "aunt", "aunty": "aunt",
}  # fmt: skip
KIN = Pattern(
    r"\b(mother|mom|mum|mama|father|dad|daddy|papa|brothers?|sisters?|grand(?:mother|father|ma|pa|ad|dad)|gran|nan|nana|"
    r"granny|uncles?|aunt(?:ie|y|s)?|cousins?|twin|wife|husband|son|daughter)\b",
    re.IGNORECASE,
)
_PARENT = r"(mother|mom|mum|mama|father|dad|daddy|papa)"
_COMPOUND = Pattern(
    rf"\b{_PARENT}'s (?:\w+ )?(sister|brother|mother|father|mom|mum|dad)s?\b"
    rf"|\b(grand\w+|aunt\w*|uncle|cousin)s? on (?:my |his |her |the )?{_PARENT}'s side\b"
    r"|\b(maternal|paternal) (grand\w+|aunt|uncle|cousin)s?\b",
    re.IGNORECASE,
)
_ROLES = {"sister": "aunt", "brother": "uncle", "mother": "grandmother", "father": "grandfather"}


class Kin(NamedTuple):
    """A relative; ``side`` is ``maternal``, ``paternal`` or empty where nobody says."""

    role: str
    side: str = ""


def _plain(name: str) -> str:
    name = name.lower()
    return _NAMES.get(name) or _NAMES.get(name.rstrip("s")) or name.rstrip("s")


def _side(parent: str) -> str:
    return "maternal" if _plain(parent) == "mother" else "paternal"


def compound_in(text: str) -> tuple[str, int, int] | None:
    """Return the last relative that a text names by way of a parent, as "maternal aunt", with where it stands."""
    found = None
    for match in _COMPOUND.finditer(text):
        if match[1]:
            found = f"{_side(match[1])} {_ROLES[_plain(match[2])]}", *match.span()
        elif match[3]:
            found = f"{_side(match[4])} {_plain(match[3])}", *match.span()
        else:
            found = f"{match[5].lower()} {_plain(match[6])}", *match.span()
    return found


def kin_named(name: str) -> Kin:
    """Read the name of a relative, of a claim or of a record."""
    if compound := compound_in(name):
        side, role = compound[0].split(" ", 1)
        return Kin(role, side)
    return Kin(_plain(name))


def same_kin(said: str, recorded: str | None) -> bool:
    """True when a relative may be the recorded one; parents are either of two, and no side contradicts none."""
    if not recorded:
        return True
    one, other = kin_named(said), kin_named(recorded.lower())
    if one.role == "parent":
        return True
    if one.role not in recorded.lower() and one.role != other.role:
        return False
    return not (one.side and other.side) or one.side == other.side
