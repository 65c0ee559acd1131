"""A patient played by a model sits its exam and tells what it remembers (DischargeSim 2.3, DischargeBench table 6).

The model sees what the patient knew, what was said in the talk or stood in the summary, and the questions; it never
sees which option is right. One call for a sitting. What cannot be read is asked for again and then stays unanswered,
question by question: neither right nor wrong.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from pydantic import BaseModel, Field

from bedside.cases.case import Case
from bedside.cases.persona import Persona
from bedside.cases.seeds import derive_seed
from bedside.chat.delimited import check_key, data_block, request_key
from bedside.chat.model import ChatModel, Message, Sampling
from bedside.chat.structured import Parsed, Tally, ask
from bedside.envs.episode import Answer, Recollection
from bedside.envs.llm.actor import prompt
from bedside.envs.manner import manner
from bedside.envs.mind import shuffled_options
from bedside.envs.retelling import areas_of

__all__ = ["ExamTaker", "Taught"]

_QUESTIONS: Mapping[str, str] = MappingProxyType(
    {
        "diagnosis": "Why were you in hospital; what is it that you have?",
        "treatments": "What was done for you in hospital: tests, treatments, operations?",
        "post_discharge": "What should you do and not do at home?",
        "follow_up": "Whom do you see after you leave, when, and what for?",
        "return_signs": "Which signs mean that you must call or come back at once?",
        "medications": "Which medicines do you take: how much, how often, what for, and what must you look out for?",
    }
)
_LETTERS = "ABC"
_LETTER = re.compile(r"\A\W*(?:option\s+)?([ABC])\b", re.IGNORECASE)
_SAMPLING = Sampling(temperature=0.0, max_tokens=1024)
_RETRIES = 2


class Choice(BaseModel):
    """A letter for one question."""

    question: int
    choice: str = Field(max_length=400)


class Sheet(BaseModel):
    """The filled-in exam."""

    key: str
    answers: list[Choice] = Field(max_length=200)


class Told(BaseModel):
    """A free answer to one question, which is named."""

    question: str
    answer: str = Field(max_length=4000)


class Memories(BaseModel):
    """All free answers."""

    key: str
    answers: list[Told] = Field(max_length=50)


class Taught(NamedTuple):
    """What the patient has to go by.

    Attributes:
        talk: What was said, clinician and patient by turns; empty if there was no talk.
        document: What it was given to read; empty if nothing.
    """

    talk: Sequence[Mapping[str, str]] = ()
    document: str = ""


class ExamTaker:
    """Answers for one patient."""

    def __init__(
        self, model: ChatModel, usage: Tally, case: Case, persona: Persona, known: Mapping[str, Any], seed: int
    ) -> None:
        """Make an exam taker.

        Args:
            model: Who answers.
            usage: Where to count what was asked for.
            case: Whose exam it is.
            persona: How the patient is.
            known: What the patient knew beforehand.
            seed: Of the patient.
        """
        self._model, self._usage, self._case, self._seed = model, usage, case, seed
        self._patient = {"who_you_are": list(manner(persona)), "known": dict(known)}

    def examine(self, taught: Taught) -> tuple[Answer, ...]:
        """Sit the multiple-choice exam.

        Raises:
            ChatError: The model could not be reached.
        """
        questions = self._case.questions
        if not questions:
            return ()
        orders = [shuffled_options(self._case.id, question.id) for question in questions]
        asked = [
            {"question": number, "stem": q.stem}
            | {letter: getattr(q, option) for letter, option in zip(_LETTERS, order, strict=True)}
            for number, (q, order) in enumerate(zip(questions, orders, strict=True), 1)
        ]
        letters: dict[int, str] = {}

        def take(sheet: Sheet) -> None:
            found = _agreed((c.question, match[1].upper()) for c in sheet.answers if (match := _LETTER.match(c.choice)))
            letters.update((number, letter) for number, letter in found.items() if 1 <= number <= len(questions))
            if missing := [n for n in range(1, len(questions) + 1) if n not in letters]:
                raise ValueError(f"There is no single letter for question {', '.join(map(str, missing))}.")

        self._ask("exam", asked, taught, Sheet, take)
        return tuple(
            Answer(
                question=question.id,
                order=order,
                chosen=order[_LETTERS.index(letters[number])] if number in letters else None,
            )
            for number, (question, order) in enumerate(zip(questions, orders, strict=True), 1)
        )

    def recollect(self, taught: Taught) -> tuple[Recollection, ...]:
        """Answer the recall questions that apply to the case; an answer that could not be had is blank.

        Raises:
            ChatError: The model could not be reached.
        """
        areas = areas_of(self._case)
        if not areas:
            return ()
        told: dict[str, str] = {}

        def take(memories: Memories) -> None:
            found = _agreed((t.question.strip(), " ".join(t.answer.split())) for t in memories.answers)
            told.update((area, text) for area, text in found.items() if area in areas and text)
            if missing := [area for area in areas if area not in told]:
                raise ValueError(f"There is no single answer to {', '.join(missing)}.")

        self._ask("recall", {area: _QUESTIONS[area] for area in areas}, taught, Memories, take)
        return tuple(Recollection(area=area, text=told.get(area, "")) for area in areas)

    def _ask(
        self, name: str, questions: Any, taught: Taught, schema: type[Parsed], take: Callable[[Parsed], None]
    ) -> None:
        """Ask until every question has an answer; ``take`` keeps what is usable and says what is missing."""
        data = self._patient | {"talk": list(taught.talk) or None, "document": taught.document or None}
        key = request_key(name, self._case.id, repr(data))

        def check(answer: Any) -> None:
            check_key(answer.key, key)
            take(answer)

        block = data_block({"key": key} | data | {"questions": questions})
        messages = [Message(role="system", content=prompt(name)), Message(role="user", content=block)]
        sampling = _SAMPLING.model_copy(update={"seed": derive_seed(self._seed, name, key) % 2**31})
        _, completions = ask(self._model, messages, schema, sampling, _RETRIES, check)
        self._usage.add(completions)


def _agreed(answers: Any) -> dict[Any, str]:
    """Keep one answer a question; two that differ are none."""
    found: dict[Any, set[str]] = {}
    for question, answer in answers:
        found.setdefault(question, set()).add(answer)
    return {question: next(iter(given)) for question, given in found.items() if len(given) == 1}
