"""Exam questions that a language model writes, as the papers make theirs, for cases that came without (DischargeSim 2.3).

The model sees the plan, item by item, and nothing else of the case. What it writes is checked against the items: an
answer that its item does not state, or a question about no item, is sent back. What cannot be used is not used.
"""

import re
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError

from bedside.cases.case import Case, Question
from bedside.cases.directions import BLANK
from bedside.cases.examination import MOST_QUESTIONS
from bedside.cases.fact import Topic
from bedside.chat.delimited import check_key, data_block, request_key
from bedside.chat.model import ChatModel, Message, Sampling
from bedside.chat.privacy import keep_local
from bedside.chat.structured import ask

__all__ = ["write_questions"]

_PROMPT = Path(__file__).parent / "prompts" / "questions.txt"
_FEWEST = 4
_SAMPLING = Sampling(temperature=0.0, max_tokens=3000)
_SMALL_WORDS = frozenset("a an the of to in on for and or with your you it is at by from after".split())
_LEAST_STATED = 0.5
"""Share of an answer's words that its item must have; the rest may be put more plainly."""


class _Written(BaseModel):
    topic: Topic
    stem: str = Field(min_length=5, max_length=300)
    answer: str = Field(min_length=1, max_length=200)
    distractor: str = Field(min_length=1, max_length=200)
    irrelevant: str = Field(min_length=1, max_length=200)
    about: str


class _Exam(BaseModel):
    key: str
    questions: list[_Written] = Field(max_length=20)


def write_questions(case: Case, model: ChatModel) -> tuple[Question, ...] | None:
    """Have a model write the questions of a case.

    Args:
        case: Its plan is asked about; redacted values are not shown to the model.
        model: Whom to ask.

    Returns:
        Questions whose ``writer`` is the model's name; None if none could be used.

    Raises:
        ValueError: The case is credentialed and the model is not on this machine.
        ChatError: The model cannot be reached.
    """
    keep_local(model, (case,))
    items = [item for item in case.plan_items.values() if BLANK not in f"{item.value} {item.fact.text}"]
    if not items:
        return None
    plan = [
        {"id": i.id, "topic": i.topic, "fact": i.fact.text, "attribute": i.attribute, "value": i.value} for i in items
    ]
    key = request_key("questions", case.id, *(item.id for item in items))
    data = data_block({"key": key, "number": min(MOST_QUESTIONS, len(items)), "plan": plan})
    messages = [
        Message(role="system", content=_PROMPT.read_text(encoding="utf-8")),
        Message(role="user", content=data),
    ]

    def check(exam: _Exam) -> None:
        check_key(exam.key, key)
        if len(_usable(exam, case, model.name)) < min(_FEWEST, len(items)):
            raise ValueError(_complaint(exam, case, model.name))

    exam, _ = ask(model, messages, _Exam, _SAMPLING, check=check)
    return None if exam is None else _usable(exam, case, model.name)[:MOST_QUESTIONS]


def _usable(exam: _Exam, case: Case, writer: str) -> tuple[Question, ...]:
    found = [q for written in exam.questions if isinstance(q := _question(written, case, writer), Question)]
    return tuple(q.model_copy(update={"id": f"q{number}"}) for number, q in enumerate(found, 1))


def _complaint(exam: _Exam, case: Case, writer: str) -> str:
    problems = [p for written in exam.questions if isinstance(p := _question(written, case, writer), str)]
    return " ".join(problems[:3]) or "There are too few questions."


def _question(written: _Written, case: Case, writer: str) -> Question | str:
    """Return the question, or what is wrong with it."""
    item = case.plan_items.get(written.about)
    if item is None:
        return f"There is no item {written.about!r}."
    options = (written.answer, written.distractor, written.irrelevant)
    if BLANK in "".join((written.stem, *options)):
        return f"The question about {written.about!r} has a blank."
    if not _states(f"{item.value} {item.fact.text}", written.answer):
        return f"The answer {written.answer!r} is not what {written.about!r} says."
    try:
        return Question(
            id="q",
            topic=item.topic,
            stem=written.stem,
            answer=written.answer,
            distractor=written.distractor,
            irrelevant=written.irrelevant,
            about=(item.id,),
            writer=writer,
        )
    except ValidationError:
        return f"The options of the question about {written.about!r} do not differ."


def _states(told: str, answer: str) -> bool:
    """Say whether a text has all numbers of an answer, and most of its words."""
    words = re.findall(r"[a-z0-9.]+", answer.lower().rstrip("."))
    known = set(re.findall(r"[a-z0-9.]+", told.lower()))
    if any(word[0].isdigit() and word not in known for word in words):
        return False
    meaning = [word for word in words if word not in _SMALL_WORDS]
    return sum(word in known for word in meaning) >= _LEAST_STATED * len(meaning)
