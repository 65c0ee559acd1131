"""The discharge checklist that the clinician hands in: its published form, and what belongs where in it.

The form follows AHRQ's guide for patients who leave hospital ("Taking Care of Myself"; DischargeSim, section 2.3): what
to do and to avoid, medicines by time of day, and the six topics of the talk. Its JSON schema stands in
``docs/checklist.schema.json``. What cannot be read as this form is told with the field that is wrong.
"""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from bedside.chat.structured import read_json
from bedside.verifier.language.quantities import canonical_frequency

__all__ = [
    "PERIODS",
    "Checklist",
    "MedicineEntry",
    "MedicineTimes",
    "Section",
    "forbids",
    "periods_of",
    "read_checklist",
    "section_of",
]

Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2000)]
Lines = Annotated[list[Line], Field(max_length=100)]
Section = Literal["exercises", "food", "activities_to_avoid", "food_to_avoid"]

PERIODS = ("morning", "afternoon", "evening", "as_needed")
"""Times of day of the form; bedtime is evening, and what is taken only when needed has its own list."""


class MedicineEntry(BaseModel):
    """One medicine at one time of day."""

    name: Annotated[Line, StringConstraints(min_length=1)] = Field(description="Name of the medicine.")
    dose: Line = Field("", description="How much at this time, with its unit.")
    reason: Line = Field("", description="What it is for, in the patient's words.")
    how_to_take: Line = Field("", description="By mouth, under the skin, with food …, and what to watch for.")


class MedicineTimes(BaseModel):
    """Medicines by time of day; one that is taken twice stands in two lists."""

    morning: Annotated[list[MedicineEntry], Field(max_length=60)] = []
    afternoon: Annotated[list[MedicineEntry], Field(max_length=60)] = []
    evening: Annotated[list[MedicineEntry], Field(max_length=60, description="Evening and bedtime.")] = []
    as_needed: Annotated[list[MedicineEntry], Field(max_length=60, description="Only when needed; say when.")] = []

    def entries(self) -> list[tuple[str, MedicineEntry]]:
        """Return all entries with their time of day."""
        return [(period, entry) for period in PERIODS for entry in getattr(self, period)]


class Checklist(BaseModel):
    """What a patient takes home on paper (AHRQ; DischargeSim, section 2.3)."""

    diagnosis: Line = Field(description="Why the patient was in the hospital.")
    treatments: Lines = Field([], description="What was done in the hospital, with results.")
    medicines: MedicineTimes = Field(MedicineTimes(), description="Medicines to take now; none that were stopped.")
    exercises: Lines = Field([], description="Activity and exercise to do.")
    activities_to_avoid: Lines = Field([], description="What not to do.")
    food: Lines = Field([], description="What to eat and drink.")
    food_to_avoid: Lines = Field([], description="What not to eat or drink.")
    after_discharge: Lines = Field([], description="All else to do at home: wound, monitoring, devices, safety.")
    return_signs: Lines = Field([], description="Signs on which to come back or call.")
    follow_up: Lines = Field([], description="Appointments: with whom, when, what for.")


def read_checklist(text: str) -> Checklist:
    """Read what a clinician handed in, with whatever stands around the JSON.

    Args:
        text: The document.

    Raises:
        ValueError: It is not a checklist; the message names what is wrong.
    """
    return read_json(text, Checklist)


_FOOD = re.compile(
    r"\b(?:eat|eating|drink|drinking|food|foods|meals?|diet|fluids?|liquids?|salt|salty|sugar|fiber|fruits?|"
    r"vegetables?|meat|breakfast|snacks?|alcohol|beer|wine|caffeine|coffee|grapefruit|glasses of|water a day|sodium|"
    r"protein|dairy|calories)\b",
    re.IGNORECASE,
)
_MOVING = re.compile(
    r"\b(?:walk\w*|exercis\w*|stretch\w*|climb\w*|stairs|lift\w*|swim\w*|driv\w+|run|running|jog\w*|sports?|bend\w*|"
    r"twist\w*|rest|work|activit\w+|active|therapy|move|moving|raise|weight on|school|sex|bath\w*|fly|dive|strain\w*|"
    r"sit|stand|crutches|walker)\b",
    re.IGNORECASE,
)
_MONITORS = re.compile(r"^\W*(?:check|measure|weigh|take your|have|write|look at|call|wash|use)\b", re.IGNORECASE)
_FORBIDS = re.compile(
    r"^\W*(?:do not|don't|never|no|avoid|stop|stay (?:off|away|out)|limit|skip|lift nothing|put nothing|eat less)\b|"
    r"\b(?:do not|don't|lift nothing|avoid)\b",
    re.IGNORECASE,
)
_EVENING = re.compile(r"\b(?:bed|bedtime|evening|night|dinner|supper)\b", re.IGNORECASE)
_AFTERNOON = re.compile(r"\b(?:noon|midday|lunch|afternoon)\b", re.IGNORECASE)
_NEEDED = re.compile(r"\bas needed\b|\bif needed\b|\bwhen needed\b|\bat the first sign\b", re.IGNORECASE)


def forbids(line: str) -> bool:
    """True for "do not drive" and "avoid alcohol", not for "driving"."""
    return bool(_FORBIDS.search(line))


def section_of(instruction: str) -> Section | None:
    """Return the list of the form that an instruction belongs in; None for what only ``after_discharge`` holds.

    Args:
        instruction: An imperative sentence of the plan.
    """
    if forbids(instruction):
        return "food_to_avoid" if _FOOD.search(instruction) else "activities_to_avoid"
    if _MONITORS.match(instruction):
        return None
    if _FOOD.search(instruction):
        return "food"
    return "exercises" if _MOVING.search(instruction) else None


def periods_of(frequency: str) -> tuple[str, ...]:
    """Return the times of day at which a drug is listed; what is rarer than daily stands in the morning.

    Args:
        frequency: As a plan writes it: "twice daily", "once daily at bedtime", "every 6 hours as needed".
    """
    if _NEEDED.search(frequency):
        return ("as_needed",)
    rate = (canonical_frequency(frequency) or "").partition("/day")[0]
    if re.fullmatch(r"[34](?:\.0)?|[5-9]|\d\d+", rate):
        return ("morning", "afternoon", "evening")
    if rate == "2":
        return ("morning", "afternoon") if _AFTERNOON.search(frequency) else ("morning", "evening")
    if _EVENING.search(frequency):
        return ("evening",)
    return ("afternoon",) if _AFTERNOON.search(frequency) else ("morning",)
