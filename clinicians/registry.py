"""Scripted clinicians by name, with the knowledge that some of them need built once."""

from collections.abc import Callable, Sequence

from bedside.cases.case import Case
from bedside.clinicians.clinician import Clinician
from bedside.clinicians.educators import Checklist, Jargon, KeywordSpam, NoteDump, Silent
from bedside.clinicians.expert import TeachBack

__all__ = ["POLICIES", "make_clinician"]

_EDUCATORS: dict[str, Callable[[], Clinician]] = {
    "silent": Silent,
    "keyword-spam": KeywordSpam,
    "note-dump": NoteDump,
    "jargon": Jargon,
    "checklist": Checklist,
    "teachback": TeachBack,
}

POLICIES: dict[str, tuple[str, ...]] = {"discharge": tuple(_EDUCATORS), "diagnosis": ()}


def make_clinician(name: str, *, cases: Sequence[Case], source: str) -> Clinician:
    return _EDUCATORS[name]()
