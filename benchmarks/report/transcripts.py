"""Episodes in the form in which the page shows them: plain data, cut where something is to be marked.

Texts are cut here rather than in the browser, whose strings count characters in another way than ours. Nothing is
markup: the page puts every piece where only text can be.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from bedside.benchmarks.report.credits import Credit, credits_of, spoken
from bedside.benchmarks.report.glossary import TABLE_SCORES
from bedside.benchmarks.report.scan import Line
from bedside.benchmarks.report.source import Run
from bedside.benchmarks.transcript import printable
from bedside.cases.case import Case, Question
from bedside.envs.episode import Answer, Episode, Turn
from bedside.verifier.verdict import Verdict

__all__ = ["address", "show_episode"]

Shown = dict[str, Any]


def address(run: Run, line: Line) -> str:
    """Return the id of an episode: its run and its line, as ``bedside show`` takes them."""
    return f"{run.label}/{line.number}"


def show_episode(run: Run, line: Line, episode: Episode, case: Case | None) -> Shown:
    """Lay an episode out for the page.

    Args:
        run: Its run.
        line: Its place there.
        episode: What happened.
        case: Its case; None if that is not at hand, and then nothing is said of exam and credits.
    """
    row = run.scores.slice(line.number - 1, 1).to_pylist()[0]
    found = credits_of(episode, case) if case and not episode.fault else []
    shown = {
        "id": address(run, line),
        "run": run.label,
        "number": line.number,
        "policy": episode.policy,
        "headline": TABLE_SCORES[run.kind][0],
        "case": episode.case,
        "repetition": episode.run,
        "chapter": row["chapter"],
        "problem": case.diagnosis.text if case and case.diagnosis.known else "",
        "persona": _persona(episode),
        "stop": episode.stop,
        "fault": episode.fault or row["fault"],
        "opening": episode.opening,
        "turns": [_turn(number, turn, found) for number, turn in enumerate(episode.turns)],
        "credits": [_credit(credit) for credit in found],
        "exam": _exam(episode, case) if case else [],
        "recall": _recall(episode, row),
        "diagnosis": episode.diagnosis,
        "summary": episode.summary,
        "checklist": episode.checklist,
        "scores": {name.removeprefix("score."): value for name, value in row.items() if name.startswith("score.")},
        "parts": _parts(row),
    }
    printed: Shown = _made_printable(shown)
    return printed


def _made_printable(value: Any) -> Any:
    """Apply :func:`printable` to every text, at any depth."""
    match value:
        case str():
            return printable(value)
        case dict():
            return {printable(name): _made_printable(item) for name, item in value.items()}
        case list() | tuple():
            return [_made_printable(item) for item in value]
    return value


def _persona(episode: Episode) -> Shown:
    persona = episode.persona
    return {
        "personality": persona.personality,
        "education": persona.education,
        "literacy": persona.literacy,
        "recall": persona.recall,
        "noise": persona.noise.active,
    }


def _turn(number: int, turn: Turn, found: Sequence[Credit]) -> Shown:
    marks = {sentence.number: list[int]() for sentence in spoken(turn.heard)}
    unplaced = []
    for index, credit in enumerate(found):
        if credit.turn == number and credit.sentence is not None:
            marks[credit.sentence].append(index)
        elif credit.turn == number:
            unplaced.append(index)
    pieces: list[tuple[str, list[int]]] = []
    end = 0
    for sentence in spoken(turn.heard):
        # White space between sentences belongs to none of them.
        start = sentence.start + len(sentence.text) - len(sentence.text.lstrip())
        if start > end:
            pieces.append((turn.heard[end:start], []))
        pieces.append((turn.heard[start : sentence.end], marks[sentence.number]))
        end = sentence.end
    if end < len(turn.heard):
        pieces.append((turn.heard[end:], []))
    return {
        "clinician": pieces,
        "elsewhere": unplaced,
        "full": turn.clinician if turn.clinician.strip() != turn.heard.strip() else "",
        "patient": _said(turn.patient, turn.verdict),
        "withheld": [_said(attempt.text, attempt.verdict) for attempt in turn.rejected],
        "repairs": turn.repairs,
        "fallback": turn.fallback,
        "oversight": turn.oversight,
    }


def _said(text: str, verdict: Verdict) -> Shown:
    """Cut an utterance of the patient at the ends of its claims; each piece names the claims that cover it."""
    spans = [
        (max(0, min(judgment.claim.start, len(text))), max(0, min(judgment.claim.end, len(text))))
        for judgment in verdict.judgments
    ]
    cuts = sorted({0, len(text), *(place for span in spans for place in span)})
    pieces = [
        (text[start:end], [index for index, (first, last) in enumerate(spans) if first <= start and end <= last])
        for start, end in pairwise(cuts)
    ]
    return {
        "text": pieces,
        "claims": [
            {
                "said": ("no " if judgment.claim.denied else "") + judgment.claim.surface,
                "label": judgment.label,
                "why": judgment.reason,
            }
            for judgment in verdict.judgments
        ],
        "violations": verdict.violations,
        "feedback": verdict.feedback,
    }


def _credit(credit: Credit) -> Shown:
    place = None if credit.turn is None else [credit.turn, credit.sentence]
    shown = {"score": credit.score, "part": credit.part, "tone": credit.tone, "why": credit.why, "place": place}
    # What is marked in the talk need not be quoted again.
    return shown if credit.sentence is not None else shown | {"said": credit.said}


def _exam(episode: Episode, case: Case) -> list[Shown]:
    sittings = {"before": episode.exam_before, "after": episode.exam, "summary": episode.exam_summary}
    chosen = {name: {answer.question: answer for answer in answers} for name, answers in sittings.items() if answers}
    if not chosen:
        return []
    return [
        {
            "stem": question.stem,
            "topic": question.topic,
            "answer": question.answer,
            **{name: _choice(answers.get(question.id), question) for name, answers in chosen.items()},
        }
        for question in case.questions
    ]


def _choice(answer: Answer | None, question: Question) -> Shown | None:
    if answer is None or answer.chosen is None:
        return None
    return {"text": getattr(question, answer.chosen), "kind": answer.chosen}


def _recall(episode: Episode, row: Shown) -> list[Shown]:
    before = {answer.area: answer.text for answer in episode.recall_before}
    return [
        {
            "area": answer.area,
            "before": before.get(answer.area, ""),
            "after": answer.text,
            "grade_before": row.get(f"part.scs_before.{answer.area}"),
            "grade": row.get(f"part.scs.{answer.area}"),
        }
        for answer in episode.recall
    ]


def _parts(row: Shown) -> dict[str, dict[str, float | None]]:
    parts: dict[str, dict[str, float | None]] = {}
    for column, value in row.items():
        if column.startswith("part."):
            score, _, part = column.removeprefix("part.").partition(".")
            parts.setdefault(score, {})[part] = value
    # The grid is the same for both rates of the safety audit.
    if "wrong_instruction" in parts:
        parts["safety"] = parts.pop("wrong_instruction")
        parts.pop("unsafe_advice", None)
    return parts
