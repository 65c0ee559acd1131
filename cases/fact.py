"""Facts: the atoms of truth that everything else is measured against.

A patient's record and discharge plan are lists of facts. The patient may word a fact in any way, the verifier asks
whether a claim agrees with one, the exam asks what is remembered of one. One class a kind keeps the attributes
typed, and the JSON flat: ``{"kind": "medication", "id": "apixaban", "text": "apixaban", "dose": "5 mg", ...}``.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

__all__ = [
    "Allergy",
    "AnyFact",
    "Condition",
    "Fact",
    "FamilyHistory",
    "FollowUp",
    "Frozen",
    "Instruction",
    "Medication",
    "Procedure",
    "ReturnSign",
    "SocialHistory",
    "Symptom",
    "Test",
    "Text",
    "Topic",
    "Treatment",
]

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Frozen(BaseModel):
    """Immutable data that rejects unknown fields, so that a misspelt field in a file is found."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Topic(StrEnum):
    """The six topics of discharge education (DischargeSim, section 2.2)."""

    DIAGNOSIS = "diagnosis"
    TREATMENTS = "treatments"
    MEDICATION = "medication"
    POST_DISCHARGE = "post_discharge"
    RETURN_SIGNS = "return_signs"
    FOLLOW_UP = "follow_up"


class Fact(Frozen):
    """What every kind of fact has.

    Attributes:
        id: Short name, unique in its case; ``apixaban`` or ``rs-bleeding``.
        text: The clinical wording.
        lay: Other wordings that a patient or a plain-speaking clinician would use.
        code: A code in any terminology (ICD-10-CM, UMLS CUI, DDXPlus evidence), if there is one.
    """

    id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_@-]*$")]
    text: Text
    lay: tuple[Text, ...] = ()
    code: str | None = None


class Symptom(Fact):
    """Something the patient feels or has noticed; present unless the case says nothing of it (closed world)."""

    kind: Literal["symptom"] = "symptom"
    site: str | None = None
    onset: str | None = None
    duration: str | None = None
    character: str | None = None
    severity: int | None = Field(default=None, ge=0, le=10)
    radiation: str | None = None
    aggravating: tuple[Text, ...] = ()
    relieving: tuple[Text, ...] = ()
    timing: str | None = None
    setting: str | None = None


class Medication(Fact):
    """A drug with how it is taken; in a plan, ``change`` says what discharge did to it."""

    kind: Literal["medication"] = "medication"
    dose: str | None = None
    route: str | None = None
    frequency: str | None = None
    duration: str | None = None
    purpose: str | None = None
    precautions: tuple[Text, ...] = ()
    change: Literal["new", "changed", "continued", "stopped"] | None = None
    previous: str | None = None


class Condition(Fact):
    """A disease the patient has, or, in a plan, one that was diagnosed in this stay."""

    kind: Literal["condition"] = "condition"
    since: str | None = None


class Procedure(Fact):
    """An operation or intervention."""

    kind: Literal["procedure"] = "procedure"
    when: str | None = None
    result: str | None = None


class Allergy(Fact):
    """A substance and what it does to the patient."""

    kind: Literal["allergy"] = "allergy"
    reaction: str | None = None


class FamilyHistory(Fact):
    """A relative's illness; ``text`` names the illness."""

    kind: Literal["family"] = "family"
    relative: str | None = None


class SocialHistory(Fact):
    """Habits and circumstances; ``text`` is a phrase after "the patient"."""

    kind: Literal["social"] = "social"
    aspect: Literal[
        "alcohol",
        "tobacco",
        "drugs",
        "sexual",
        "occupation",
        "living",
        "diet",
        "exercise",
        "travel",
        "exposure",
        "other",
    ]


class Test(Fact):
    """An investigation and what it showed."""

    __test__ = False  # pytest collects classes named Test*

    kind: Literal["test"] = "test"
    result: str | None = None
    when: str | None = None


class Treatment(Fact):
    """Something done for the patient in hospital that is not an operation."""

    kind: Literal["treatment"] = "treatment"
    purpose: str | None = None


class Instruction(Fact):
    """Something to do or to avoid at home; ``text`` is an imperative sentence."""

    kind: Literal["instruction"] = "instruction"
    area: Literal["activity", "diet", "wound", "monitoring", "device", "rehabilitation", "lifestyle", "safety"]


class ReturnSign(Fact):
    """A sign on which to seek help, and how urgently."""

    kind: Literal["return_sign"] = "return_sign"
    urgency: Literal["911", "emergency", "clinic"] = "emergency"


class FollowUp(Fact):
    """An appointment; ``text`` names whom to see."""

    kind: Literal["follow_up"] = "follow_up"
    when: str | None = None
    purpose: str | None = None


AnyFact = Annotated[
    Symptom
    | Medication
    | Condition
    | Procedure
    | Allergy
    | FamilyHistory
    | SocialHistory
    | Test
    | Treatment
    | Instruction
    | ReturnSign
    | FollowUp,
    Field(discriminator="kind"),
]
