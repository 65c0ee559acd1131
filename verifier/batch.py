"""Verdicts for utterances that stand in a file, one JSON object a line.

A line is ``{"id", "case_id", "doctor", "utterance", "history"?, "claims"?, "noise"?}``: given claims are judged as they
are, else the utterance is decomposed. Whatever cannot be used is told with file, line and field.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from pydantic import Field, ValidationError

from bedside.cases.case import Case
from bedside.cases.fact import Frozen
from bedside.cases.jsonl import CaseError, first_problem
from bedside.cases.noise import NoiseProfile
from bedside.verifier.grounding import GroundedCase, ground
from bedside.verifier.llm.verifier import LLMVerifier
from bedside.verifier.statements import judge_claims
from bedside.verifier.verdict import Judgment, Label, Verdict, Violation
from bedside.verifier.verifier import Verifier

__all__ = [
    "Line",
    "Utterance",
    "Verified",
    "VerifiedClaim",
    "read_lines",
    "verify_line",
    "verify_lines",
]


class Utterance(Frozen):
    """One turn of an earlier talk."""

    role: str
    text: str


class Line(Frozen):
    """One line of input.

    Attributes:
        doctor: What the utterance answers.
        history: Earlier turns, in order; the patient's count for consistency.
        claims: Claims to judge instead of those that would be extracted.
        noise: What the patient may bend, level by pillar.
    """

    id: str | int
    case_id: str
    doctor: str = ""
    utterance: str
    history: tuple[Utterance, ...] = ()
    claims: tuple[str, ...] | None = None
    noise: NoiseProfile = Field(default_factory=NoiseProfile)


class VerifiedClaim(Frozen):
    """One claim with its verdict, and the facts that decided it."""

    text: str
    verdict: Label
    reason: str
    evidence: tuple[str, ...] = ()


class Verified(NamedTuple):
    """One line of output, with the line it is about."""

    line: Line
    overall: str
    claims: tuple[VerifiedClaim, ...]
    violations: tuple[Violation, ...]
    judgments: tuple[Judgment, ...] = ()

    def row(self) -> dict[str, Any]:
        """Return the line of output as it is written."""
        return {
            "id": self.line.id,
            "overall": self.overall,
            "claims": [claim.model_dump(mode="json") for claim in self.claims],
            "violations": list(self.violations),
        }


def read_lines(path: Path, cases: Mapping[str, Case]) -> Iterator[Line]:
    """Stream the lines of a file.

    Args:
        path: JSONL; blank lines are skipped, fields that are not known are ignored.
        cases: By id; every line must be about one of them.

    Raises:
        CaseError: The file cannot be read or a line cannot be used; says which line and field.
    """
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                if raw.strip():
                    yield _parse(raw, path, number, cases)
    except OSError as error:
        raise CaseError(error.strerror or str(error), path=path) from error


def _parse(raw: bytes, path: Path, number: int, cases: Mapping[str, Case]) -> Line:
    try:
        row = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise CaseError(f"not JSON ({error})", path=path, line=number) from error
    if not isinstance(row, dict):
        raise CaseError("must be an object", path=path, line=number)
    known = {name: value for name, value in row.items() if name in Line.model_fields}
    # A null is what some tools write for what is not there.
    known = {name: value for name, value in known.items() if value is not None}
    if isinstance(known.get("claims"), list):
        # Labelled claims carry their text with other fields.
        known["claims"] = [c.get("text") if isinstance(c, dict) else c for c in known["claims"]]
    try:
        line = Line.model_validate(known)
    except ValidationError as error:
        field, message = first_problem(error)
        raise CaseError(message, path=path, line=number, field=field) from error
    if line.case_id not in cases:
        raise CaseError(f"no case {line.case_id!r}", path=path, line=number, field="case_id")
    return line


def verify_line(line: Line, case: Case, verifier: Verifier) -> Verified:
    """Judge one line.

    Returns:
        The verdict. With given claims, these decide about the facts; manner and consistency are judged on the words.
    """
    grounded = ground(case, "interview")
    history = tuple(turn.text for turn in line.history if turn.role.lower() == "patient")
    verdict = verifier.verify(line.utterance, grounded, line.noise, history, line.doctor)
    if line.claims is None:
        found = tuple(
            VerifiedClaim(text=_text_of(j), verdict=j.label, reason=j.reason, evidence=j.evidence)
            for j in verdict.judgments
        )
        return Verified(line, verdict.overall, found, verdict.violations, verdict.judgments)
    opinions = [_opinions(line, grounded, member) for member in getattr(verifier, "members", (verifier,))]
    claims = tuple(
        max(views, key=lambda c: c.verdict == "fabricated") for views in zip(*(o[0] for o in opinions), strict=True)
    )
    violations = [v for _, found in opinions for v in found]
    violations += [v for v in _of_the_words(verdict) if v not in violations]
    overall = "regenerate" if violations else "pass"
    return Verified(line, overall, claims, tuple(dict.fromkeys(violations)), verdict.judgments)


def _opinions(line: Line, grounded: GroundedCase, verifier: Verifier) -> tuple[list[VerifiedClaim], list[Violation]]:
    """Let one verifier judge the claims that a line gives."""
    assert line.claims is not None
    if isinstance(verifier, LLMVerifier):
        judged = verifier.judge_statements(line.claims, grounded, line.noise, line.utterance, line.doctor)
        if judged is None:  # fails closed: nothing is believed that could not be read
            reason = "the model's judgment could not be read"
            return [VerifiedClaim(text=t, verdict="unverifiable", reason=reason) for t in line.claims], ["unreadable"]
        claims = [
            VerifiedClaim(text=text, verdict=j.label, reason=j.reason, evidence=j.evidence)
            for text, j in zip(line.claims, judged, strict=True)
        ]
        return claims, ["fabrication"] if any(j.label == "fabricated" for j in judged) else []
    opinions = judge_claims(line.claims, grounded, line.noise, line.utterance, line.doctor)
    claims = [VerifiedClaim(text=o.text, verdict=o.label, reason=o.reason, evidence=o.evidence) for o in opinions]
    return claims, [o.ruling.violation for o in opinions if o.ruling and o.ruling.violation]


def _text_of(judgment: Judgment) -> str:
    claim = judgment.claim
    return ": ".join(filter(None, (claim.surface.strip(), claim.attributes.get("stated", ""))))


def _of_the_words(verdict: Verdict) -> tuple[Violation, ...]:
    kept = ("contradiction", "ai_disclosure", "role_reversal", "unreadable")
    return tuple(v for v in verdict.violations if v in kept)


def verify_lines(lines: Iterable[Line], cases: Mapping[str, Case], verifier: Verifier) -> Iterator[Verified]:
    """Judge lines one after the other.

    Args:
        lines: From :func:`read_lines` or built by hand.
        cases: By id.
        verifier: Who judges; see :func:`~bedside.verifier.engines.make_verifier`.

    Yields:
        A verdict a line, in order.
    """
    for line in lines:
        yield verify_line(line, cases[line.case_id], verifier)
