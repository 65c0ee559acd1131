"""Post-discharge reports in simple JSON, as small projects write them: one object a patient, one field a topic.

``patient_name`` and ``discharge_date`` are left out of the case: no question is asked of them, and names are nobody's
business. There is no admission list, so that no drug is called new.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from bedside.cases.case import Case, Demographics, Diagnosis
from bedside.cases.dropped import Dropped
from bedside.cases.drugs import read_drug
from bedside.cases.examination import questions_of
from bedside.cases.freetext import FactList, items, lower_first, outside_parentheses, strings
from bedside.cases.instructions import add_visits
from bedside.cases.jsonl import CaseError, first_problem
from bedside.cases.orders import add_instruction
from bedside.cases.return_signs import add_return_signs

__all__ = ["read_simple"]

FIELDS = (
    "primary_diagnosis",
    "medications",
    "dietary_restrictions",
    "follow_up",
    "warning_signs",
    "discharge_instructions",
)
_STOP = re.compile(r"^(?:discontinue|stop|hold|avoid|no)\s+(?:taking\s+)?", re.IGNORECASE)


def read_simple(path: Path) -> Iterator[Case | Dropped]:
    """Stream the patients of a file.

    Args:
        path: A JSON list of objects with ``primary_diagnosis`` and any of ``medications`` (a list of texts),
            ``dietary_restrictions``, ``follow_up``, ``warning_signs`` and ``discharge_instructions``; or one such
            object, or JSON lines of them.

    Yields:
        Cases named after their place, ``simple-1``, and what was left out.

    Raises:
        CaseError: The file cannot be read or holds something else.
    """
    for number, row in enumerate(_rows(path), 1):
        where = f"{path.name}, patient {number}"
        if not isinstance(row, Mapping):
            yield Dropped(where, "a patient that is no object")
        elif not str(row.get("primary_diagnosis") or "").strip():
            yield Dropped(where, "no primary_diagnosis")
        else:
            yield _case(row, number, where)


def _rows(path: Path) -> list[Any]:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise CaseError(error.strerror or str(error), path=path) from error
    try:
        content = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        try:
            content = [orjson.loads(line) for line in raw.splitlines() if line.strip()]
        except orjson.JSONDecodeError:
            raise CaseError(f"not JSON ({error})", path=path) from error
    rows = content if isinstance(content, list) else [content]
    if rows and not any(isinstance(row, Mapping) and set(FIELDS) & set(row) for row in rows):
        raise CaseError(f"no patient has any of the fields {', '.join(FIELDS)}", path=path)
    return rows


def _case(row: Mapping[str, Any], number: int, where: str) -> Case | Dropped:
    diagnosis = str(row["primary_diagnosis"]).strip()
    plan = FactList()
    plan.add("condition", lower_first(diagnosis))
    for text in strings(row.get("medications")):
        _add_drug(plan, text)
    for text in strings(row.get("dietary_restrictions")):
        for part in outside_parentheses(r"\s*[,;]\s*", text):
            plan.add("instruction", part[:1].upper() + part[1:], area="diet")
    for text in strings(row.get("discharge_instructions")):
        for part in outside_parentheses(r"\s*[,;.]\s+", text):
            add_instruction(plan, part)
    for text in strings(row.get("warning_signs")):
        add_return_signs(plan, f"Call for {text}")
    for text in strings(row.get("follow_up")):
        for part in items(text, split_and=False):
            add_visits(plan, part)
    try:
        case = Case(
            id=f"simple-{number}",
            source="simple",
            licence="as its file says",
            demographics=Demographics(),
            chief_complaint="I don't feel well",
            plan=plan.facts(),
            diagnosis=Diagnosis(text=diagnosis),
        )
    except ValidationError as error:
        field, message = first_problem(error)
        return Dropped(where, "what was read does not make a case", f"{field}: {message}")
    return case.model_copy(update={"questions": questions_of(case)})


def _add_drug(plan: FactList, text: str) -> None:
    stopped = _STOP.match(text)
    drug = read_drug(text[stopped.end() :] if stopped else text)
    if stopped and re.search("[A-Za-z]{3}", drug.name):
        plan.add("medication", drug.name, change="stopped")
    elif re.search("[A-Za-z]{3}", drug.name):
        plan.add("medication", drug.name, change="continued", **drug.attributes())
