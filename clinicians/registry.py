"""Clinicians by name, with the knowledge that some of them need built once."""

from collections.abc import Callable, Sequence
from pathlib import Path

from bedside.cases.case import Case
from bedside.chat.model import Sampling
from bedside.chat.privacy import keep_local
from bedside.chat.providers import chat_model, names_model
from bedside.clinicians.answers import Ear
from bedside.clinicians.case_knowledge import case_knowledge
from bedside.clinicians.clinician import Clinician
from bedside.clinicians.ddxplus_knowledge import ddxplus_knowledge
from bedside.clinicians.diagnosis_model import Knowledge
from bedside.clinicians.doctors import InformationGain, QuestionList
from bedside.clinicians.educators import Checklist, Jargon, KeywordSpam, NoteDump, Silent
from bedside.clinicians.expert import TeachBack
from bedside.clinicians.language_model import LanguageModelClinician

__all__ = ["POLICIES", "make_clinician"]

_EDUCATORS: dict[str, Callable[[], Clinician]] = {
    "silent": Silent,
    "keyword-spam": KeywordSpam,
    "note-dump": NoteDump,
    "jargon": Jargon,
    "checklist": Checklist,
    "teachback": TeachBack,
}
_DOCTORS: dict[str, Callable[[Knowledge, Ear], Clinician]] = {
    "question-list": QuestionList,
    "infogain": InformationGain,
}

POLICIES: dict[str, tuple[str, ...]] = {"discharge": tuple(_EDUCATORS), "diagnosis": tuple(_DOCTORS)}
"""Names of the policies of each encounter, the weakest first."""

_learned: dict[tuple[str, tuple[str, ...]], tuple[Knowledge, Ear]] = {}


def make_clinician(name: str, *, cases: Sequence[Case], source: str, sampling: Sampling | None = None) -> Clinician:
    """Build a clinician.

    Args:
        name: One of :data:`POLICIES`, or a language model as ``provider/model``, e.g. ``openai/gpt-4.1-mini``.
        cases: The cases that will be played. Educators do not look at them. Doctors learn from them only
            where the source has no training data of its own; see :mod:`bedside.clinicians.case_knowledge`.
        source: Where the cases come from, as on the command line: ``open``, ``ddxplus:DIR``,
            ``agentclinic:FILE``, …
        sampling: For a language model; by default that of VeriSim's doctor.

    Returns:
        A fresh clinician; knowledge is shared between those of the same source.

    Raises:
        ValueError: There is no such policy; the message lists those there are. Or credentialed cases would leave
            this machine.
        CaseError: The training data of a source cannot be read.
    """
    if name in _EDUCATORS:
        return _EDUCATORS[name]()
    if name in _DOCTORS:
        return _DOCTORS[name](*_knowledge(cases, source))
    if "/" in name or names_model(name):
        return _language_model(name, cases, sampling)
    known = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in POLICIES.items())
    raise ValueError(f"unknown policy {name!r}; known are {known}; or a model as provider/model")


def _language_model(name: str, cases: Sequence[Case], sampling: Sampling | None) -> Clinician:
    model = chat_model(name)
    keep_local(model, cases)
    return LanguageModelClinician(model, sampling)


def _knowledge(cases: Sequence[Case], source: str) -> tuple[Knowledge, Ear]:
    kind, _, place = source.partition(":")
    trained = kind == "ddxplus" and place and (Path(place) / "release_conditions.json").exists()
    key = (source, () if trained else tuple(case.id for case in cases))
    if key not in _learned:
        knowledge = ddxplus_knowledge(Path(place)) if trained else case_knowledge(cases)
        _learned[key] = knowledge, Ear(knowledge.features)
    return _learned[key]
