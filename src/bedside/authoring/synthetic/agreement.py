"""How far imported cases agree with the answers of synthetic notes, field by field."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bedside.authoring.synthetic.hospital import Answer
from bedside.cases.case import Case

__all__ = ["Agreement", "agreement", "f1", "fields_of"]

_PLAIN = {"condition": "diagnoses", "procedure": "procedures", "instruction": "do", "return_sign": "sign"}


@dataclass
class Agreement:
    """Counts of fields: ``right``, ``extra`` and ``missed``.

    Attributes:
        kinds: By kind of field.
        habits: By habit of the form, for drugs' fields and for the others: ``("hand", "told", "drugs")``.
        wrong: Stay, ``extra`` or ``missed``, and the field.
        outcome: Notes: ``kept``, ``dropped``, and both when they ought not to be.
    """

    kinds: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    habits: dict[tuple[str, str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    wrong: list[tuple[str, ...]] = field(default_factory=list)
    outcome: Counter[str] = field(default_factory=Counter)


def agreement(cases: Iterable[Case], answers: Iterable[Answer]) -> Agreement:
    """Compare imported cases with the answers; both are in the order of the notes."""
    result = Agreement()
    found = {case.id.removeprefix("mimic-"): case for case in cases}
    for answer in answers:
        case = found.get(answer.stay)
        if case is None or answer.dropped:
            good = "dropped" if answer.dropped else "kept"
            result.outcome[good if (case is None) == bool(answer.dropped) else f"not {good}"] += 1
            continue
        result.outcome["kept"] += 1
        told = set(fields_of(case))
        for item in told | answer.fields:
            verdict = "right" if item in told and item in answer.fields else "extra" if item in told else "missed"
            group = "drugs" if item[0].startswith("drug") else "others"
            result.kinds[item[0]][verdict] += 1
            for habit, value in answer.form.items():
                result.habits[habit, str(value), group][verdict] += 1
            if verdict != "right":
                result.wrong.append((answer.stay, verdict, *item))
    return result


def fields_of(case: Case) -> Iterator[tuple[str, ...]]:
    """Yield what a case says, in the form of the answers."""
    who = {"age": case.demographics.age, "sex": case.demographics.sex, "chapter": case.chapter}
    for name, value in who.items():
        if value is not None:
            yield name, str(value).lower()
    for fact in case.record:
        if fact.kind == "allergy":
            yield "allergies", fact.text.lower()
    for fact in case.plan:
        name = fact.text.lower()
        if fact.kind in _PLAIN:
            yield _PLAIN[fact.kind], name.rstrip(".")
        elif fact.kind == "follow_up":
            yield "visit", name
            if fact.when:
                yield "visit when", name, fact.when.lower()
        elif fact.kind == "medication":
            yield "drug", name
            yield "drug change", name, fact.change or ""
            for attribute in ("dose", "route", "frequency"):
                if value := getattr(fact, attribute):
                    yield f"drug {attribute}", name, value.lower()


def f1(counts: Counter[str]) -> float:
    """Return the F1 of counts of right, extra and missed fields; 1 where there is nothing to find."""
    wrong = counts["extra"] + counts["missed"]
    return 2 * counts["right"] / (2 * counts["right"] + wrong) if counts["right"] or wrong else 1.0
