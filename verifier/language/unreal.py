"""How people put that they, or somebody asked, see or hear what is not there."""

import re

from bedside.verifier.language.pattern import Pattern

__all__ = ["NOT_THERE"]

_PERCEIVE = r"(?:see(?:s|ing|n)?|saw|hear(?:s|ing|d)?)"
_WHAT = r"[a-z]{3,}"
_ABSENT = (
    r"(?:(?:'s|'re| is| are| was| were) not|(?: is| are| was| were)n't)(?: really| actually)? (?:there|real)|"
    r" (?:other people|others|no ?one else|nobody else) (?:can't|don't|can|could|sees?|hears?|do|does)"
)
NOT_THERE = Pattern(rf"\b{_PERCEIVE}\b[^.;?]{{0,30}}?\b{_WHAT}(?: (?:that|which|who))?(?:{_ABSENT})\b", re.IGNORECASE)
"""For example "seeing or hearing anything that's not there"."""
