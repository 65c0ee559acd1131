"""What a scripted educator knows: the discharge plan, read back from the text of the briefing.

A clinician sees text only. The scripted ones would be poor references if they read the case behind it, so the
plan is parsed from the same lines that a language model gets. Parsing is tolerant: a line that it cannot take
apart still becomes a fact with that text, and a briefing without headings becomes an empty plan.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from bedside.cases.fact import (
    AnyFact,
    Condition,
    FollowUp,
    Frozen,
    Instruction,
    Medication,
    Procedure,
    ReturnSign,
    Test,
    Treatment,
)
from bedside.envs.briefing import SECTIONS
from bedside.verifier.language.quantities import canonical_dose, canonical_frequency, canonical_route

__all__ = ["Plan", "parse_plan"]

_HEADING = re.compile(
    rf"^({'|'.join(map(re.escape, (*SECTIONS, 'PATIENT', 'NOTE')))})\s*:?\s*$", re.MULTILINE | re.IGNORECASE
)
_WHO = re.compile(r"(\d+)-year-old (woman|man)")
_LAY = re.compile(r"^(?P<name>.*?)\s*\(in plain words: (?P<lay>.*)\)$")
_CHANGE = re.compile(r"^(NEW|CHANGED|CONTINUED|STOPPED)\s+(?P<rest>.+)$")
_DURATION = re.compile(r"^(?:for (?:up to |about |at least |the next |another )?\d+|until\b|for life)", re.IGNORECASE)
_ROUTE = re.compile(
    r"^(?:by mouth|inhaled|(?:under|in|into|on|onto|through|to|per) "
    r"(?:the |a |an |your |each |both )?\w+(?: \w+)?)$"
)
_URGENCY = {"911": "911", "emergency": "emergency", "clinic": "clinic", "office": "clinic"}
_SENTENCE_END = re.compile(r"(?<=[A-Za-z0-9)][.!]) +(?=[A-Z])")
_PROCEDURE = re.compile(
    r"\b(?:\w+(?:ectomy|otomy|ostomy|oscopy|plasty|tripsy|centesis)|surgery|biops\w+|"
    r"catheteri[sz]ation with|closure|drainage|removal|repair|resection|extraction|delivery|"
    r"aspiration|placement|stent|nailing|pacemaker|line|catheter)\b",
    re.IGNORECASE,
)


class Plan(Frozen):
    """A discharge plan as an educator can read it.

    Attributes:
        age: Of the patient, if the briefing tells.
        sex: ``female`` or ``male``, if the briefing tells.
        facts: What is to be taught, in the order of the briefing. Ids are made up here (``plan-1``, …).
        note: The discharge note; empty if there is none.
    """

    age: int | None = None
    sex: str | None = None
    facts: tuple[AnyFact, ...] = ()
    note: str = ""

    def of(self, *kinds: type) -> tuple[AnyFact, ...]:
        """Return the facts of some kinds."""
        return tuple(fact for fact in self.facts if isinstance(fact, kinds))

    @property
    def medications(self) -> tuple[Medication, ...]:
        """All drugs, those that were stopped included."""
        return tuple(fact for fact in self.facts if isinstance(fact, Medication))


@lru_cache(maxsize=256)
def parse_plan(briefing: str) -> Plan:
    """Read the plan back from a briefing.

    Args:
        briefing: The text under ``briefing`` of an observation.

    Returns:
        What could be read; sections that are missing are empty.
    """
    # The note comes last and has headings of its own, so it is cut off before anything else is looked for.
    head, _, note = briefing.partition("\n\nNOTE\n")
    who = _WHO.search(head)
    facts: list[AnyFact] = []
    for heading, body in _sections(head):
        for line in body.splitlines():
            if heading in SECTIONS and (text := line.strip().removeprefix("-").strip()):
                facts.append(_fact(heading, text, f"plan-{len(facts) + 1}"))
    return Plan(
        age=int(who[1]) if who else None,
        sex={"woman": "female", "man": "male"}[who[2]] if who else None,
        facts=tuple(facts),
        note=note.strip(),
    )


def _sections(head: str) -> Iterator[tuple[str, str]]:
    found = list(_HEADING.finditer(head))
    ends = [match.start() for match in found[1:]] + [len(head)]
    for match, end in zip(found, ends, strict=False):
        yield match[1].upper(), head[match.end() : end]


def _named(text: str) -> tuple[str, tuple[str, ...]]:
    if match := _LAY.match(text):
        return match["name"] or text, tuple(filter(None, map(str.strip, match["lay"].split(";"))))
    return text, ()


def _fact(heading: str, line: str, fact_id: str) -> AnyFact:
    first, *fields = (part.strip() for part in line.split(" | "))
    fields = [field for field in fields if field]
    match heading:
        case "MEDICATIONS":
            return _medication(first, fields, fact_id)
        case "DONE IN HOSPITAL":
            return _done(first, fields, fact_id)
    name, lay = _named(first)
    match heading:
        case "DIAGNOSIS":
            return Condition(id=fact_id, text=name, lay=lay)
        case "COME BACK OR CALL":
            urgency = next((u for word, u in _URGENCY.items() if word in " ".join(fields)), "emergency")
            return ReturnSign.model_validate({"id": fact_id, "text": name, "lay": lay, "urgency": urgency})
        case "FOLLOW-UP":
            purposes = [field.removeprefix("for ") for field in fields if field.startswith("for ")]
            whens = [field for field in fields if not field.startswith("for ")]
            when, purpose = (next(iter(found), None) for found in (whens, purposes))
            return FollowUp(id=fact_id, text=name, lay=lay, when=when, purpose=purpose)
    # The briefing does not tell the area of an instruction, and no wording depends on it.
    return Instruction(id=fact_id, text=name, lay=lay, area="lifestyle")


def _done(first: str, fields: list[str], fact_id: str) -> AnyFact:
    """Tell tests, procedures and treatments apart by what is said of them."""
    name, lay = _named(first)
    result = next((f.removeprefix("result: ") for f in fields if f.startswith("result: ")), None)
    purpose = next((f.removeprefix("for ") for f in fields if f.startswith("for ")), None)
    procedure = any(_PROCEDURE.search(text) for text in (name, *lay))
    if purpose or not (result or procedure):
        return Treatment(id=fact_id, text=name, lay=lay, purpose=purpose)
    if procedure:
        return Procedure(id=fact_id, text=name, lay=lay, result=result)
    return Test(id=fact_id, text=name, lay=lay, result=result)


def _medication(first: str, fields: list[str], fact_id: str) -> Medication:
    change = _CHANGE.match(first)
    name, lay = _named(change["rest"] if change else first)
    found: dict[str, object] = {}
    for field in fields:
        slot, value = _slot(field, found)
        found.setdefault(slot, value)
    return Medication.model_validate(
        {
            "id": fact_id,
            "text": name,
            "lay": lay,
            "change": change[1].lower() if change else "new",
            **found,
        }
    )


def _slot(field: str, found: dict[str, object]) -> tuple[str, object]:
    """Decide which field a piece of a drug's line is; empty fields leave no gap, so place does not tell."""
    if field.startswith("before: "):
        return "previous", field.removeprefix("before: ")
    if field.startswith("because "):
        return "purpose", field.removeprefix("because ")
    if _DURATION.match(field):
        return "duration", field
    if field.startswith("for "):
        return "purpose", field.removeprefix("for ")
    if field.endswith((".", "!")):
        return "precautions", tuple(_SENTENCE_END.split(field))
    if "route" not in found and (_ROUTE.match(field) or (canonical_route(field) and not canonical_dose(field))):
        return "route", field
    if "route" in found or canonical_frequency(field):
        return "frequency", field
    return ("dose", field) if "dose" not in found else ("frequency", field)
