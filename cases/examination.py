"""Exam questions for cases that came without: asked of what the plan says, with distractors of the same kind.

The papers have a language model write the questions; this is the offline generator. It asks only what was read from the
source and not redacted: an answer is a field of a plan item, and ``about`` names that item. Distractors come from the
plan's own drugs and times, or from ``data/distractors.tsv``, and never name what is true of the patient.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

from bedside.cases.case import Case, Question
from bedside.cases.directions import BLANK
from bedside.cases.fact import (
    Condition,
    FollowUp,
    Instruction,
    Medication,
    Procedure,
    ReturnSign,
    Topic,
    Treatment,
)
from bedside.cases.seeds import stream

__all__ = ["MOST_QUESTIONS", "WRITER", "questions_of"]

WRITER = "embedded"
MOST_QUESTIONS = 10
"""DischargeSim asks ten (section 2.3)."""
_MOST_OF_A_TOPIC = 4
_LONGEST = 90
"""Characters of an answer that can be read aloud as an option."""
_TABLE = Path(__file__).parent / "data" / "distractors.tsv"
_OFTEN = ("once daily", "twice daily", "three times daily", "once a week", "every other day")
_LATER = ("in 3 days", "in 2 weeks", "in 6 weeks", "in 3 months", "in 1 year")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@lru_cache(maxsize=1)
def _pools() -> dict[tuple[str, str], tuple[str, ...]]:
    pools: dict[tuple[str, str], tuple[str, ...]] = {}
    for row in _rows():
        key = row["topic"], row["group"]
        pools[key] = (*pools.get(key, ()), row["text"])
    return pools


@lru_cache(maxsize=1)
def _unless() -> dict[str, re.Pattern[str]]:
    """Return, by distractor, the words of a record that might make it true."""
    return {row["text"]: re.compile(row["unless"], re.IGNORECASE) for row in _rows() if row["unless"]}


def _rows() -> Iterator[dict[str, str]]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


class _Exam:
    """Questions in the making."""

    def __init__(self, case: Case, rng: Random) -> None:
        self._case = case
        self._rng = rng
        told = [case.diagnosis.text, *case.diagnosis.synonyms, *(item.value for item in case.plan_items.values())]
        self._told = " ; ".join([*told, *(fact.text for fact in case.record)]).lower()

    def question(
        self, topic: Topic, stem: str, answer: str, about: str, distractors: Sequence[str], irrelevant: str
    ) -> Question | None:
        """Return a question, or None if the answer is hidden or too long, or no distractor is surely wrong."""
        if BLANK in answer or BLANK in stem or len(answer) > _LONGEST:
            return None
        wrong = [text for text in distractors if self._is_wrong(text, answer)]
        if not wrong:
            return None
        return self._made(topic, stem, answer, about, self._rng.choice(wrong), irrelevant)

    def _made(self, topic: Topic, stem: str, answer: str, about: str, distractor: str, irrelevant: str) -> Question:
        return Question(
            id="q",
            topic=topic,
            stem=stem,
            answer=_option(answer),
            distractor=_option(distractor),
            irrelevant=self._rng.choice(_pools()["irrelevant", irrelevant]),
            about=(about,),
            writer=WRITER,
        )

    def _is_wrong(self, text: str, answer: str) -> bool:
        """Say whether an option is surely not true of the patient."""
        if text.lower().rstrip(".") in self._told or text.lower() == answer.lower():
            return False
        return not (text in _unless() and _unless()[text].search(self._told))

    def conditions(self) -> Iterator[Question | None]:
        fact = next((fact for fact in self._case.plan if isinstance(fact, Condition)), None)
        if fact is not None:
            everywhere = tuple(text for (topic, _), pool in _pools().items() if topic == "diagnosis" for text in pool)
            near = _pools().get(("diagnosis", self._case.chapter or ""), everywhere)
            yield self.question(Topic.DIAGNOSIS, "Why were you in the hospital?", fact.text, fact.id, near, "diagnosis")

    def treatments(self) -> Iterator[Question | None]:
        for fact in self._case.plan:
            if isinstance(fact, Procedure | Treatment):
                stem = "Which of these was done for you in the hospital?"
                yield self.question(
                    Topic.TREATMENTS, stem, fact.text, fact.id, _pools()["treatments", "any"], "treatments"
                )

    def drugs(self) -> Iterator[Question | None]:
        # What changed comes first: that is what teaching is about.
        order = {"new": 0, "changed": 1, "stopped": 2, "continued": 3}
        drugs = sorted(
            (f for f in self._case.plan if isinstance(f, Medication)), key=lambda f: order[f.change or "continued"]
        )
        twice = {f.text.lower() for f in drugs if sum(other.text.lower() == f.text.lower() for other in drugs) > 1}
        for fact in drugs:
            if fact.change == "stopped":
                kept = [other.text for other in drugs if other.change != "stopped"]
                yield self._which("Which medicine should you no longer take?", fact, kept)
            elif fact.text.lower() not in twice:
                yield from self._how(fact)
                if fact.change == "new":
                    old = [other.text for other in drugs if other.change == "continued"]
                    yield self._which("Which of these medicines is new for you?", fact, old)

    def _which(self, stem: str, fact: Medication, others: list[str]) -> Question | None:
        """Ask which drug it is; another drug of the plan is the best distractor, and true of another question."""
        if not others:
            return self.question(
                Topic.MEDICATION, stem, fact.text, fact.id, _pools()["medication", "any"], "medication"
            )
        wrong = [name for name in others if name.lower() != fact.text.lower()]
        return (
            self._made(Topic.MEDICATION, stem, fact.text, fact.id, self._rng.choice(wrong), "medication")
            if wrong
            else None
        )

    def _how(self, fact: Medication) -> Iterator[Question | None]:
        name = fact.text
        if fact.frequency:
            others = [often for often in _OFTEN if not _same_often(often, fact.frequency)]
            yield self._attribute(f"How often should you take {name}?", fact, "frequency", others)
        if fact.dose and (number := _NUMBER.search(fact.dose)) and "-" not in fact.dose:
            others = [_with_number(fact.dose, number, factor) for factor in (2, 0.5, 4)]
            yield self._attribute(f"How much {name} should you take each time?", fact, "dose", others)

    def _attribute(self, stem: str, fact: Medication, name: str, others: list[str]) -> Question | None:
        """Ask for a field of a drug; what is true of another drug is no less wrong here."""
        answer = getattr(fact, name)
        others = [text for text in others if text.lower() != answer.lower()]
        if BLANK in f"{answer} {stem}" or not others:
            return None
        return self._made(Topic.MEDICATION, stem, answer, f"{fact.id}.{name}", self._rng.choice(others), name)

    def instructions(self) -> Iterator[Question | None]:
        for fact in self._case.plan:
            if isinstance(fact, Instruction):
                stem = "Which of these were you told for your time at home?"
                pool = _pools()["instruction", fact.area]
                yield self.question(Topic.POST_DISCHARGE, stem, fact.text, fact.id, pool, "instruction")

    def signs(self) -> Iterator[Question | None]:
        for fact in self._case.plan:
            if isinstance(fact, ReturnSign):
                stem = "For which of these should you call or come in?"
                pool = _pools()["return_signs", "mild"]
                yield self.question(Topic.RETURN_SIGNS, stem, fact.text, fact.id, pool, "return_signs")

    def visits(self) -> Iterator[Question | None]:
        for fact in self._case.plan:
            if isinstance(fact, FollowUp):
                stem = "Whom should you see after you leave?"
                yield self.question(
                    Topic.FOLLOW_UP, stem, fact.text, fact.id, _pools()["follow_up", "any"], "follow_up"
                )
                if fact.when and _NUMBER.search(fact.when):
                    stem, about = f"When should you see {fact.text}?", f"{fact.id}.when"
                    yield self.question(Topic.FOLLOW_UP, stem, fact.when, about, _LATER, "when")


def questions_of(case: Case) -> tuple[Question, ...]:
    """Return at most ten questions about a case's plan, over as many topics as it has.

    Args:
        case: Its own questions are not looked at. The same case always gets the same questions.
    """
    exam = _Exam(case, stream("examination", case.id))
    makers = (exam.conditions, exam.treatments, exam.drugs, exam.instructions, exam.signs, exam.visits)
    found = [[question for question in make() if question is not None][:_MOST_OF_A_TOPIC] for make in makers]
    chosen: list[Question] = []
    # In rounds, so that no topic crowds out another.
    for place in range(_MOST_OF_A_TOPIC):
        chosen += [group[place] for group in found if place < len(group)]
    ordered = sorted(chosen[:MOST_QUESTIONS], key=lambda question: list(Topic).index(question.topic))
    return tuple(q.model_copy(update={"id": f"q{number}"}) for number, q in enumerate(ordered, 1))


def _option(text: str) -> str:
    return text[:1].upper() + text[1:]


def _with_number(dose: str, number: re.Match[str], factor: float) -> str:
    changed = dose[: number.start()] + f"{float(number[0]) * factor:g}" + dose[number.end() :]
    singular = re.sub(r"^1 (tablet|capsule|puff|unit|spray|drop|application|packet|lozenge)s\b", r"1 \1", changed)
    return re.sub(
        r"^([2-9]|\d\d+) (tablet|capsule|puff|unit|spray|drop|application|packet|"
        r"lozenge)\b",
        r"\1 \2s",
        singular,
    )


_SAME_OFTEN = {
    "once daily": ("every 24 hours", "daily", "every day"),
    "twice daily": ("every 12 hours",),
    "three times daily": ("every 8 hours",),
}


def _same_often(often: str, stated: str) -> bool:
    stated = stated.lower()
    return often in stated or any(same in stated for same in _SAME_OFTEN.get(often, ()))
