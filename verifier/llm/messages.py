"""The two messages that a judging model gets: instructions of ours, then one block of data.

Whatever a patient or a case says stands in the data, as JSON in which no tag can be closed. The hidden diagnosis is
shown to the judge alone, who needs it to notice a leak.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from bedside.cases.noise import NoiseProfile
from bedside.chat.delimited import data_block, request_key
from bedside.chat.model import Message
from bedside.verifier.claim import Claim
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment.allowances import allowances

__all__ = ["COMPLAINT", "DEMOGRAPHICS", "Spoken", "extract_messages", "judge_messages", "key_of", "record_ids"]

# No fact can be called so: ids of facts hold no colon.
DEMOGRAPHICS, COMPLAINT = "record:demographics", "record:complaint"
_PROMPTS = Path(__file__).parent / "prompts"


class Spoken(NamedTuple):
    """What is to be checked: the utterance and what surrounds it."""

    utterance: str
    history: tuple[str, ...] = ()
    question: str = ""


def key_of(spoken: Spoken, grounded: GroundedCase, call: str) -> str:
    """Return the code that an answer must carry: the same for the same request, unknown to whoever is judged."""
    return request_key(call, grounded.case.id, spoken.question, *spoken.history, spoken.utterance)


def record_ids(grounded: GroundedCase) -> frozenset[str]:
    """Return the ids that may be named as evidence."""
    return frozenset((*grounded.facts, DEMOGRAPHICS, COMPLAINT))


def extract_messages(spoken: Spoken, key: str) -> list[Message]:
    """Return the request for call 1."""
    return _messages("extract", {"key": key, "doctor": spoken.question, "utterance": spoken.utterance})


def judge_messages(
    spoken: Spoken,
    claims: Sequence[Claim],
    evidence: Sequence[Sequence[str]],
    grounded: GroundedCase,
    noise: NoiseProfile,
    key: str,
) -> list[Message]:
    """Return the request for call 2.

    Args:
        spoken: The utterance and what surrounds it.
        claims: What to judge.
        evidence: Described evidence for each claim.
        grounded: The case.
        noise: What the patient may bend.
        key: See :func:`key_of`.
    """
    data = {
        "key": key,
        "doctor": spoken.question,
        "earlier": list(spoken.history),
        "utterance": spoken.utterance,
        "claims": [_claim(n, *pair) for n, pair in enumerate(zip(claims, evidence, strict=True), 1)],
        "record": _record(grounded),
        "permits": allowances(noise),
        "hidden_diagnosis": _hidden(grounded),
    }
    return _messages("judge", data)


def _messages(prompt: str, data: Mapping[str, Any]) -> list[Message]:
    return [Message(role="system", content=_prompt(prompt)), Message(role="user", content=data_block(data))]


@lru_cache(maxsize=2)
def _prompt(name: str) -> str:
    return (_PROMPTS / f"{name}.txt").read_text(encoding="utf-8").strip()


def _claim(number: int, claim: Claim, evidence: Sequence[str]) -> dict[str, Any]:
    return {
        "claim": number,
        "statement": claim.attributes.get("statement", claim.surface),
        "words": claim.surface,
        "about": claim.experiencer,
        "denied": claim.denied,
        "certainty": claim.certainty,
        "time": claim.time,
        "evidence": list(evidence),
    }


def _record(grounded: GroundedCase) -> list[dict[str, Any]]:
    case = grounded.case
    entries: list[dict[str, Any]] = [
        {"id": DEMOGRAPHICS, **case.demographics.model_dump(exclude_none=True)},
        {"id": COMPLAINT, "complaint": case.chief_complaint},
    ]
    for known in grounded.record:
        fact = known.fact.model_dump(mode="json", exclude_none=True)
        entries.append({name: value for name, value in fact.items() if value not in ([], "")})
    return entries


def _hidden(grounded: GroundedCase) -> dict[str, Any] | None:
    if grounded.scope == "discharge":
        return None
    diagnosis = grounded.case.diagnosis
    return {"names": [diagnosis.text, *diagnosis.synonyms], "icd10": diagnosis.icd10}
