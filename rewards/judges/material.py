"""What a judge is shown of an encounter: only what its question needs, as plain data.

The clinician's turns are shown as the patient heard them, so that reasoning and markup persuade nobody.
"""

from collections.abc import Callable
from typing import Any

from bedside.cases.case import Case
from bedside.cases.fact import Fact
from bedside.envs.episode import Episode, Recollection

__all__ = ["MATERIAL"]


def _talk(episode: Episode, case: Case) -> list[dict[str, Any]]:
    del case
    speaker = "doctor" if episode.scope == "interview" else "educator"
    lines: list[dict[str, Any]] = [{"turn": 0, "role": "patient", "text": episode.opening}] if episode.opening else []
    for number, turn in enumerate(episode.turns, 1):
        lines.append({"turn": number, "role": speaker, "text": turn.heard})
        lines.append({"turn": number, "role": "patient", "text": turn.patient})
    return lines


def _facts(facts: tuple[Fact, ...]) -> list[dict[str, Any]]:
    dumped = (fact.model_dump(mode="json", exclude_none=True, exclude={"code", "id"}) for fact in facts)
    return [{name: value for name, value in fact.items() if value not in ([], "")} for fact in dumped]


def _patient(episode: Episode, case: Case) -> dict[str, Any]:
    return {
        **case.demographics.model_dump(exclude_none=True),
        **episode.persona.model_dump(mode="json", exclude={"noise"}),
        "noise": episode.persona.noise.active,
    }


def _record(episode: Episode, case: Case) -> list[dict[str, Any]]:
    del episode
    complaint = {"kind": "complaint", "text": case.chief_complaint}
    return [complaint, *_facts(case.record)]


def _answers(recall: tuple[Recollection, ...]) -> dict[str, str]:
    return {answer.area: answer.text for answer in recall}


MATERIAL: dict[str, Callable[[Episode, Case], Any]] = {
    "talk": _talk,
    "plan": lambda _, case: _facts(case.plan),
    "note": lambda _, case: case.note,
    "record": _record,
    "patient": _patient,
    "answers": lambda episode, _: _answers(episode.recall),
    "answers_before": lambda episode, _: _answers(episode.recall_before),
    "summary": lambda episode, _: episode.summary or "",
    "checklist": lambda episode, _: episode.checklist or "",
    "prediction": lambda episode, _: episode.diagnosis or "",
    "reference": lambda _, case: [case.diagnosis.text, *case.diagnosis.synonyms],
}
"""Everything that may be shown, by the name that prompts use."""
