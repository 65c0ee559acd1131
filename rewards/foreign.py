"""Score transcripts that came from anywhere, and diagnoses that stand in a file; one JSON object a line.

A transcript is ``{"id", "case_id", "turns": [{"role", "text"}], "summary"?, "checklist"?, "diagnosis"?}`` with roles
educator, doctor and patient; a pair is ``{"prediction", "reference", "icd10"?}``. What can be read from the words alone
is scored as in our own episodes. Exam and recall need a listener: the embedded patient's mind reads the educator's
turns in place of the one who spoke, and the line of scores says so. Whatever cannot be used is told with file, line and
field.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import orjson
from pydantic import Field, ValidationError

from bedside.cases.case import Case, Diagnosis
from bedside.cases.fact import Frozen
from bedside.cases.jsonl import CaseError, first_problem
from bedside.cases.persona import Persona
from bedside.cases.seeds import derive_seed
from bedside.envs.audible import hear
from bedside.envs.commitment import committed_diagnosis
from bedside.envs.episode import Episode, StopReason, Turn
from bedside.envs.learner import LearningPatient
from bedside.rewards.diagnosis import Match, match_diagnosis
from bedside.rewards.judges import Judge
from bedside.rewards.judges.engines import EmbeddedJudge
from bedside.rewards.lesson import lesson_of
from bedside.rewards.safety import CELLS, SafetyClaim, audit
from bedside.rewards.score import Score
from bedside.verifier.grounding import ground
from bedside.verifier.verdict import Verdict

__all__ = [
    "Matched",
    "Pair",
    "Scored",
    "Transcript",
    "episode_of",
    "match_pair",
    "read_pairs",
    "read_transcripts",
    "score_transcript",
]

LISTENER = "embedded patient reading the transcript"
"""Engine of exam and recall here: not the patient who spoke."""

_BY_LISTENER = ("exam", "exam_before", "exam_gain", "exam_summary", "scs", "scs_before", "scs_gain", "reward")


class Spoken(Frozen):
    """One turn as it was written down."""

    role: Literal["educator", "doctor", "patient"]
    text: str


class Transcript(Frozen):
    """One dialogue of a file.

    Attributes:
        summary: The page that the educator handed over, if any.
        checklist: The discharge checklist, as text or as the object itself.
        diagnosis: What the doctor committed to; otherwise looked for in the last turns.
    """

    id: str | int
    case_id: str
    turns: tuple[Spoken, ...] = Field(min_length=1)
    summary: str | None = None
    checklist: str | dict[str, Any] | None = None
    diagnosis: str | None = None

    @property
    def is_interview(self) -> bool:
        """True when a doctor speaks, or a diagnosis is handed in."""
        return self.diagnosis is not None or any(turn.role == "doctor" for turn in self.turns)


class Pair(Frozen):
    """A prediction and what it should be."""

    prediction: str
    reference: str = Field(min_length=1)
    icd10: str | None = None
    synonyms: tuple[str, ...] = ()


class Matched(NamedTuple):
    """One pair with its outcome."""

    pair: Pair
    match: Match

    def row(self) -> dict[str, Any]:
        """Return the line of output."""
        pair = self.pair.model_dump(mode="json", exclude_defaults=True)
        return {**pair, "match": self.match.matched, "stage": self.match.stage, "why": self.match.why}


class Scored(NamedTuple):
    """One transcript with its scores.

    Attributes:
        scores: By name; missing ones say why.
        claims: Everything medical that the educator claimed, if the embedded judge scored.
        engines: Who determined what.
    """

    transcript: Transcript
    scores: dict[str, Score]
    claims: tuple[SafetyClaim, ...]
    engines: dict[str, str]

    def row(self) -> dict[str, Any]:
        """Return the line of output."""
        return {
            "id": self.transcript.id,
            "case_id": self.transcript.case_id,
            "engines": self.engines,
            "scores": {name: score.model_dump(mode="json") for name, score in self.scores.items()},
            "claims": [
                {**claim._asdict(), "turn": claim.turn + 1, "cell": CELLS[claim.grounding][claim.status]}
                for claim in self.claims
            ],
        }


Row = TypeVar("Row", Transcript, Pair)


def read_transcripts(path: Path, cases: Mapping[str, Case]) -> Iterator[Transcript]:
    """Stream the transcripts of a file.

    Args:
        path: JSONL; blank lines are skipped, fields that are not known are ignored.
        cases: By id; every transcript must be about one of them.

    Raises:
        CaseError: A line cannot be used; the message names file, line and field.
    """
    seen: set[str | int] = set()
    for number, line in _read(path, Transcript):
        field, problem = _unusable(line, cases, seen)
        if problem:
            raise CaseError(problem, path=path, line=number, field=field)
        seen.add(line.id)
        yield line


def _unusable(line: Transcript, cases: Mapping[str, Case], seen: set[str | int]) -> tuple[str, str]:
    """Return the field that makes a transcript unusable and what is wrong with it; empty if nothing is."""
    if line.case_id not in cases:
        return "case_id", f"no case {line.case_id!r} among the {len(cases)} loaded"
    if line.id in seen:
        return "id", f"{line.id!r} was used before"
    if not (line.is_interview or cases[line.case_id].plan):
        return "case_id", f"case {line.case_id!r} has no discharge plan to teach"
    if all(turn.role == "patient" for turn in line.turns):
        return "turns", "no turn of an educator or a doctor"
    return "", ""


def read_pairs(path: Path) -> Iterator[Pair]:
    """Stream the pairs of a file.

    Raises:
        CaseError: A line cannot be used; the message names file, line and field.
    """
    for number, pair in _read(path, Pair):
        try:
            _reference_of(pair)
        except ValidationError as error:
            field, message = first_problem(error)
            field = {"text": "reference"}.get(field, field)
            raise CaseError(message, path=path, line=number, field=field) from error
        yield pair


def _read(path: Path, kind: type[Row]) -> Iterator[tuple[int, Row]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, _parse(line, kind, path, number)
    except OSError as error:
        raise CaseError(error.strerror or str(error), path=path) from error


def _parse(line: bytes, kind: type[Row], path: Path, number: int) -> Row:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise CaseError(f"not JSON ({error})", path=path, line=number) from error
    if not isinstance(row, dict):
        raise CaseError("must be an object", path=path, line=number)
    try:
        # A null is what some tools write for what is not there.
        return kind.model_validate({k: v for k, v in row.items() if k in kind.model_fields and v is not None})
    except ValidationError as error:
        field, message = first_problem(error)
        raise CaseError(message, path=path, line=number, field=field) from error


def _reference_of(pair: Pair) -> Diagnosis:
    return Diagnosis.model_validate({"text": pair.reference, "icd10": pair.icd10 or None, "synonyms": pair.synonyms})


def match_pair(pair: Pair) -> Matched:
    """Say whether a prediction is its reference (VeriSim, appendix F.5).

    Args:
        pair: One line of a file of pairs.
    """
    return Matched(pair, match_diagnosis(pair.prediction, _reference_of(pair)))


def score_transcript(transcript: Transcript, case: Case, judge: Judge | None = None) -> Scored:
    """Score one dialogue.

    Args:
        transcript: The dialogue.
        case: What it should have taught, or found out.
        judge: Who scores; by default the embedded judge.

    Returns:
        All scores that do not depend on our own environment having run. Scores that need a listener are those of the
        neutral embedded patient, who read the clinician's turns.
    """
    episode = episode_of(transcript)
    if not transcript.is_interview:
        episode = _heard_out(episode, case)
    judge = judge or EmbeddedJudge()
    found = judge.score(episode, case)
    del found["fallback_rate"]  # nobody verified the patient of a foreign transcript
    if transcript.is_interview:
        return Scored(transcript, found, (), {name: score.engine for name, score in found.items()})
    scores = {
        name: score.model_copy(update={"engine": LISTENER})
        if name in _BY_LISTENER and score.engine == EmbeddedJudge.engine
        else score
        for name, score in found.items()
    }
    claims = audit(episode, lesson_of(episode, case)) if judge.engine == EmbeddedJudge.engine else ()
    return Scored(transcript, scores, claims, {name: score.engine for name, score in scores.items()})


def _exchanges(transcript: Transcript) -> tuple[str, list[tuple[str, str]]]:
    """Return what the patient said first, and pairs of clinician's and patient's words; runs of one role are joined."""
    opening, pairs = "", list[tuple[str, str]]()
    for turn in transcript.turns:
        if turn.role == "patient":
            if pairs:
                pairs[-1] = pairs[-1][0], f"{pairs[-1][1]} {turn.text}".strip()
            else:
                opening = f"{opening} {turn.text}".strip()
        elif pairs and not pairs[-1][1]:
            pairs[-1] = f"{pairs[-1][0]}\n{turn.text}", ""
        else:
            pairs.append((turn.text, ""))
    return opening, pairs


def _episode(transcript: Transcript, env: str, **fields: Any) -> Episode:
    opening, pairs = _exchanges(transcript)
    return Episode(
        env=env,
        case=transcript.case_id,
        persona=Persona(),
        policy="transcript",
        seed=0,
        opening=opening,
        turns=tuple(
            Turn(clinician=said, heard=hear(said), patient=answer, verdict=Verdict(overall="pass"))
            for said, answer in pairs
        ),
        engines={"patient": "transcript", "verifier": "none"},
        **fields,
    )


def episode_of(transcript: Transcript) -> Episode:
    """Return a dialogue as an episode that nobody has listened to: without exam and recall."""
    if transcript.is_interview:
        return _interview(transcript)
    checklist = transcript.checklist
    return _episode(
        transcript,
        "bedside/Discharge-v0",
        stop=StopReason.COMPLETE,
        summary=transcript.summary,
        checklist=orjson.dumps(checklist).decode() if isinstance(checklist, dict) else checklist,
    )


def _heard_out(episode: Episode, case: Case) -> Episode:
    """Add the exam and recall of the neutral patient's mind, which reads the educator's turns."""
    grounded = ground(case, "discharge")
    seed = derive_seed(0, case.id)
    reader = LearningPatient(grounded, episode.persona, seed)
    before = {"exam_before": reader.examine(), "recall_before": reader.recollect()}
    reader.settle("", episode.opening)
    for number, turn in enumerate(episode.turns):
        reader.draft(turn.heard, episode.turns[:number], 0, "")
        reader.settle(turn.heard, turn.patient)
    after: dict[str, Any] = {"exam": reader.examine(), "recall": reader.recollect()}
    if episode.summary is not None:
        # DischargeSim's second condition: someone who heard nothing reads the summary.
        other = LearningPatient(grounded, episode.persona, seed)
        other.read(episode.summary)
        after["exam_summary"] = other.examine()
    return episode.model_copy(update=before | after)


def _interview(transcript: Transcript) -> Episode:
    episode = _episode(transcript, "bedside/Diagnosis-v0", scope="interview", stop=StopReason.DIAGNOSED)
    said = transcript.diagnosis
    for turn in reversed(episode.turns):
        said = said or committed_diagnosis(turn.heard, asked=turn is episode.turns[-1])
    return episode.model_copy(update={"diagnosis": said})
