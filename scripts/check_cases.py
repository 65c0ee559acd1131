"""Enforce on a case file what can be enforced: ``python scripts/check_cases.py [FILE.jsonl …]``.

A wrong dose cannot be found by a program, but much of what makes a case unusable can: a plan that its own note does
not state, a record that gives the diagnosis away, a question that cannot be answered, an option that its length
betrays, a plan that perfect teaching does not get full marks for.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from bedside.cases.case import CHAPTERS, Case
from bedside.cases.chapters import chapter_of
from bedside.cases.fact import Medication
from bedside.cases.jsonl import CaseError, read_cases
from bedside.cases.sources import OPEN_CASES
from bedside.clinicians.educators import Checklist
from bedside.clinicians.rollout import rollout
from bedside.envs.discharge import DischargeEnv
from bedside.rewards.scoring import score_episode
from bedside.verifier.grounding import ground
from bedside.verifier.language.quantities import digits, find_quantities
from bedside.verifier.language.text import plain, tokenize
from bedside.verifier.teaching.phrases import bag_of, coverage, phrase_of

TOPICS = 6
LEAST_TCS = 0.95
LEAST_STATED = 0.4
"""Share of a fact's words that its note must hold; notes abbreviate."""
_DOSE = re.compile(r"\d+(?:[.,]\d+)*")


def problems(case: Case) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a case, as field and message."""
    yield from _identity(case)
    yield from _note(case)
    yield from _questions(case)
    yield from _secrecy(case)
    yield from _reconciliation(case)
    score = score_episode(rollout(DischargeEnv([case]), Checklist(), 0), case)["tcs"].value
    if score is None or score < LEAST_TCS:
        yield "plan", f"an educator who states everything gets a TCS of {score}, not {LEAST_TCS}"


def _identity(case: Case) -> Iterator[tuple[str, str]]:
    if case.chapter is None or chapter_of(case.diagnosis.icd10 or "") != case.chapter:
        yield "diagnosis.icd10", f"{case.diagnosis.icd10} is not in chapter {case.chapter}"
    if len(case.diagnosis.synonyms) < 2:
        yield "diagnosis.synonyms", "give at least two"
    if not case.demographics.age or case.demographics.age < 18:
        yield "demographics.age", "the open set is of adults"


def _note(case: Case) -> Iterator[tuple[str, str]]:
    note = case.note.lower().replace(",", "")
    text = digits(plain(case.note))
    bag = bag_of(text, tokenize(text), frozenset())
    for fact in case.plan:
        if max(coverage(phrase_of(words), bag) for words in (fact.text, *fact.lay)) < LEAST_STATED:
            yield f"plan.{fact.id}", f"{fact.text!r} is not in the note"
        if isinstance(fact, Medication) and fact.dose:
            for number in _DOSE.findall(fact.dose.replace(",", "")):
                if number not in note:
                    yield f"plan.{fact.id}.dose", f"{fact.dose!r} is not in the note"


def _questions(case: Case) -> Iterator[tuple[str, str]]:
    if not 8 <= len(case.questions) <= 10:
        yield "questions", f"{len(case.questions)} questions; 8 to 10 are wanted"
    if len({q.topic for q in case.questions}) < TOPICS:
        yield "questions", "not every topic is asked"
    for question in case.questions:
        topics = {case.plan_items[item].topic for item in question.about}
        if question.topic not in topics:
            yield f"questions.{question.id}.topic", f"is {question.topic}, but the items are of {', '.join(topics)}"
    longest = sum(len(q.answer) > max(len(q.distractor), len(q.irrelevant)) for q in case.questions)
    if longest > len(case.questions) * 0.6:
        yield "questions", f"the answer is the longest option in {longest} of {len(case.questions)}"


def _secrecy(case: Case) -> Iterator[tuple[str, str]]:
    grounded = ground(case, "interview")
    for known in grounded.record:
        if known.concept in grounded.diagnosis and known.fact.kind == "condition":
            yield f"record.{known.fact.id}", "names the diagnosis that an interview is to find"


def _reconciliation(case: Case) -> Iterator[tuple[str, str]]:
    planned = {fact.text.lower() for fact in case.plan if isinstance(fact, Medication)}
    for fact in case.record:
        if isinstance(fact, Medication) and fact.text.lower() not in planned:
            yield f"record.{fact.id}", f"home medication {fact.text} is neither continued, changed nor stopped"
    for fact in case.plan:
        if not isinstance(fact, Medication) or fact.change == "stopped":
            continue
        for name in ("dose", "route", "frequency"):
            if not getattr(fact, name):
                yield f"plan.{fact.id}.{name}", "is missing"
        if fact.change == "new" and not fact.precautions:
            yield f"plan.{fact.id}.precautions", "a new drug needs one"
        kinds = {q.kind for q in find_quantities((fact.dose or "").lower())}
        if fact.dose and "dose" not in kinds and re.search(r"\d", fact.dose):
            yield f"plan.{fact.id}.dose", f"{fact.dose!r} cannot be read as number and unit"


def _table(cases: Iterable[Case]) -> Table:
    table = Table("chapter", "cases", "drugs", "questions", "words in a note", title="Open cases")
    by_chapter: dict[str, list[Case]] = {}
    for case in cases:
        by_chapter.setdefault(case.chapter or "-", []).append(case)
    for chapter, members in sorted(by_chapter.items()):
        drugs = Counter(f.text for c in members for f in c.plan if isinstance(f, Medication))
        words = sorted(len(c.note.split()) for c in members)
        table.add_row(
            f"{chapter} {CHAPTERS.get(chapter, '')}",
            str(len(members)),
            str(len(drugs)),
            str(sum(len(c.questions) for c in members)),
            f"{words[0]}-{words[-1]}",
        )
    return table


def main(
    files: Annotated[list[Path] | None, typer.Argument(help="Case files; the open set if none is given.")] = None,
) -> None:
    """Check case files; print a table, or every problem as file, case, field. Exit code 1 if there is any."""
    found: list[Case] = []
    bad = 0
    for path in files or sorted(OPEN_CASES.glob("*.jsonl")):
        try:
            cases = list(read_cases(path))
        except CaseError as error:
            typer.echo(f"error: {error}", err=True)
            raise typer.Exit(2) from None
        for case in cases:
            for field, message in problems(case):
                bad += 1
                typer.echo(f"{path.name}: {case.id}: {field}: {message}", err=True)
        found += cases
    Console().print(_table(found))
    typer.echo(f"{len(found)} cases, {bad} problems")
    raise typer.Exit(1 if bad else 0)


if __name__ == "__main__":
    typer.run(main)
