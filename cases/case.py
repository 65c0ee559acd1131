"""A case: everything that is true of one patient and of what they must learn.

The same case serves both encounters. ``record`` is what the patient lived through and can be asked about; ``plan``
is what they must know when they leave; ``diagnosis`` and ``questions`` are never shown to a clinician.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from bedside.cases.fact import (
    AnyFact,
    Fact,
    FollowUp,
    Frozen,
    Medication,
    Procedure,
    Test,
    Text,
    Topic,
    Treatment,
)

__all__ = ["CHAPTERS", "NOT_GIVEN", "Case", "Demographics", "Diagnosis", "PlanItem", "Question"]

CHAPTERS = {
    "BLD": "Diseases of the blood and blood-forming organs",
    "CIR": "Diseases of the circulatory system",
    "CON": "Congenital anomalies and perinatal conditions",
    "DIG": "Diseases of the digestive system",
    "END": "Endocrine, nutritional and metabolic diseases",
    "FHS": "Factors influencing health status and contact with health services",
    "GEN": "Diseases of the genitourinary system, pregnancy and childbirth",
    "INF": "Infectious and parasitic diseases",
    "INJ": "Injury, poisoning and other external causes",
    "MEN": "Mental and behavioural disorders",
    "MUS": "Diseases of the musculoskeletal system and connective tissue",
    "NEO": "Neoplasms",
    "NER": "Diseases of the nervous system and sense organs",
    "RES": "Diseases of the respiratory system",
    "SKN": "Diseases of the skin and subcutaneous tissue",
    "SYM": "Symptoms, signs and abnormal findings",
}
"""The 16 merged ICD chapters of DischargeBench (table 1); a partition of ICD-10-CM, whatever the merged names."""

NOT_GIVEN = "(not given)"
"""Text of a diagnosis that a source does not tell."""

TOPIC_OF_KIND = {
    "condition": Topic.DIAGNOSIS,
    "test": Topic.TREATMENTS,
    "treatment": Topic.TREATMENTS,
    "procedure": Topic.TREATMENTS,
    "medication": Topic.MEDICATION,
    "instruction": Topic.POST_DISCHARGE,
    "return_sign": Topic.RETURN_SIGNS,
    "follow_up": Topic.FOLLOW_UP,
}


class Demographics(Frozen):
    """Who the patient is; nothing here may change during an encounter. None is not known, and is never guessed."""

    age: int | None = Field(default=None, ge=0, le=120)
    sex: Literal["female", "male"] | None = None
    race: str | None = None
    occupation: str | None = None


class Diagnosis(Frozen):
    """The answer of a diagnostic interview.

    Attributes:
        text: Clinical name.
        icd10: ICD-10-CM code, if known.
        synonyms: Other clinical and lay names that mean the same.
    """

    text: Text
    icd10: Annotated[str, StringConstraints(pattern=r"^[A-Z][0-9][0-9A-Z](\.[0-9A-Z]{1,4})?$")] | None = None
    synonyms: tuple[Text, ...] = ()

    @property
    def known(self) -> bool:
        """False for cases that came without an answer; they can be played and not be scored."""
        return self.text != NOT_GIVEN


class Question(Frozen):
    """One multiple-choice question of the comprehension exam (DischargeSim, section 2.3).

    Attributes:
        about: Ids of the plan items that one must know to answer.
        writer: Which program or model wrote it; None if the case's author did.
    """

    id: Text
    topic: Topic
    stem: Text
    answer: Text
    distractor: Text
    irrelevant: Text
    about: tuple[Text, ...] = Field(min_length=1)
    writer: Text | None = None

    @model_validator(mode="after")
    def _options_differ(self) -> Self:
        if len({self.answer.lower(), self.distractor.lower(), self.irrelevant.lower()}) < 3:
            raise ValueError("answer, distractor and irrelevant option must differ")
        return self


class PlanItem(Frozen):
    """The smallest thing that can be taught: a plan fact, or one attribute of it.

    Attributes:
        id: The fact's id, or ``fact.attribute``; ``apixaban``, ``apixaban.dose``, ``fu-cardiology.when``.
        attribute: None for the fact itself.
        value: What must be known.
    """

    id: str
    fact: AnyFact
    attribute: str | None
    value: str
    topic: Topic


def _attributes(fact: Fact) -> Iterator[tuple[str, str | None]]:
    match fact:
        case Medication():
            # A drug that was stopped has no dose to learn, only that it stays stopped, and why.
            if fact.change == "stopped":
                yield "purpose", fact.purpose
                return
            for name in ("dose", "route", "frequency", "duration", "purpose"):
                yield name, getattr(fact, name)
            for number, precaution in enumerate(fact.precautions, 1):
                yield f"precaution{number}", precaution
        case Test() | Procedure():
            yield "result", fact.result
        case Treatment():
            yield "purpose", fact.purpose
        case FollowUp():
            yield "when", fact.when
            yield "purpose", fact.purpose


class Case(Frozen):
    """One patient.

    Attributes:
        record: Symptoms, history, home medication, allergies, habits: what the patient can be asked about.
        plan: Diagnosis, what was done, medication, instructions, return signs, follow-up: what is taught.
        note: The discharge note, as a clinician wrote it; empty for purely diagnostic cases.
        credentialed: True for texts that may not leave the machine (MIMIC).
    """

    id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    source: Text
    licence: Text
    credentialed: bool = False
    chapter: str | None = None
    demographics: Demographics
    chief_complaint: Text
    record: tuple[AnyFact, ...] = ()
    plan: tuple[AnyFact, ...] = ()
    diagnosis: Diagnosis
    questions: tuple[Question, ...] = ()
    note: str = ""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.chapter is not None and self.chapter not in CHAPTERS:
            raise ValueError(f"chapter {self.chapter!r} is not one of {', '.join(CHAPTERS)}")
        ids = [fact.id for fact in (*self.record, *self.plan)]
        if repeated := sorted({i for i in ids if ids.count(i) > 1}):
            raise ValueError(f"fact ids used twice: {', '.join(repeated)}")
        for fact in self.plan:
            if fact.kind not in TOPIC_OF_KIND:
                raise ValueError(f"plan fact {fact.id!r}: a {fact.kind} cannot be part of a plan")
            if isinstance(fact, Medication) and fact.change is None:
                raise ValueError(f"plan fact {fact.id!r}: say new, changed, continued or stopped in 'change'")
        for question in self.questions:
            if unknown := [i for i in question.about if i not in self.plan_items]:
                raise ValueError(f"question {question.id!r}: no plan item {', '.join(unknown)}")
        return self

    @cached_property
    def plan_items(self) -> dict[str, PlanItem]:
        """Everything that can be taught, by id, in the plan's order."""
        items = {}
        for fact in self.plan:
            topic = TOPIC_OF_KIND[fact.kind]
            items[fact.id] = PlanItem(id=fact.id, fact=fact, attribute=None, value=fact.text, topic=topic)
            for name, value in _attributes(fact):
                if value:
                    key = f"{fact.id}.{name}"
                    items[key] = PlanItem(id=key, fact=fact, attribute=name, value=value, topic=topic)
        return items
