"""Is a case whole: identity, note, plan and questions agree, and the interview's answer stays hidden."""

import re
from collections.abc import Iterator

from bedside.authoring.finding import Finding
from bedside.cases.case import Case, Question
from bedside.cases.chapters import chapter_of
from bedside.cases.fact import AnyFact, Instruction, Medication, ReturnSign
from bedside.verifier.grounding import ground
from bedside.verifier.language.quantities import digits, find_quantities
from bedside.verifier.language.text import plain, tokenize
from bedside.verifier.teaching.phrases import Bag, bag_of, coverage, phrase_of

__all__ = ["identity", "note", "questions", "reconciliation", "secrecy", "wording"]

TOPICS = 6
LEAST_STATED = 0.4
"""Share of a fact's words that its note must hold; notes abbreviate."""
LEAST_ANSWERED = 0.34
"""Share of an answer's words that the plan items hold which the question is about; below it, somebody should look."""
ALSO_TRUE = 0.9
"""Share of a wrong option's words in those items from which it may be a right one."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_ONE_SEX = (
    ("female", ("O", "N70", "N71", "N72", "N73", "N75", "N76", "N77", "N80", "N81", "N83", "N85", "N86", "N87", "N88",
                "N89", "N90", "N91", "N92", "N93", "N94", "N95", "N96", "N97", "C51", "C52", "C53", "C54", "C55",
                "C56", "C57", "C58", "D25", "D26", "D27", "E28", "F53", "Q50", "Q51", "Q52", "Z34", "Z39")),
    ("male", ("N40", "N41", "N42", "N43", "N44", "N45", "N46", "N47", "N48", "N49", "N50", "N51", "N52", "N53", "C60",
              "C61", "C62", "C63", "Q53", "Q54", "Q55", "E29")),
)  # fmt: skip
_CHILDBEARING = range(12, 56)
_DOUBLED = re.compile(r"\b([A-Za-z]{3,}) \1\b", re.IGNORECASE)
_SEX_LINE = re.compile(r"\bSex:\s*([MF])", re.IGNORECASE)
_AGE_IN_NOTE = (
    r"\b{age}\s*[- ]?(?:y/?o\b|yo\b|year|yr|F\b|M\b|female|male|woman|man|{decade}|-?y\b|F,|M,|♀|♂)|"
    r"\bage:?\s*{age}\b|\baged {age}\b"
)


def identity(case: Case) -> Iterator[Finding]:
    """Check that code, chapter, age and sex agree; what is not given is not checked."""
    code = case.diagnosis.icd10
    age, sex = case.demographics.age, case.demographics.sex
    if code is None:
        return
    if case.chapter is not None and chapter_of(code) != case.chapter:
        yield Finding("diagnosis.icd10", f"{code} is not in chapter {case.chapter}")
    if not _is_real(code):
        yield Finding("diagnosis.icd10", f"{code} is not a billable ICD-10-CM code")
    for only, prefixes in _ONE_SEX:
        if code.startswith(prefixes) and sex not in (only, None):
            yield Finding("demographics.sex", f"{code} is a diagnosis of {only} patients")
    if code.startswith("O") and age and age not in _CHILDBEARING:
        yield Finding("demographics.age", f"{code} at {age} years")


def _is_real(code: str) -> bool:
    """Say whether a code can be billed, if ``simple-icd-10-cm`` is here to ask; its form is checked on reading."""
    try:
        import simple_icd_10_cm as icd
    except ImportError:
        return True
    return bool(icd.is_valid_item(code) and icd.is_leaf(code))


def note(case: Case) -> Iterator[Finding]:
    """Check that the note states every fact of the plan, every dose, and the patient's age and sex."""
    if not case.note:
        yield Finding("note", "is missing")
        return
    numbers = case.note.lower().replace(",", "")
    bag = _bag(case.note)
    for fact in case.plan:
        if max(coverage(phrase_of(words), bag) for words in (fact.text, *fact.lay)) < LEAST_STATED:
            yield Finding(f"plan.{fact.id}", f"{fact.text!r} is not in the note")
        if isinstance(fact, Medication):
            for number in _NUMBER.findall((fact.dose or "").replace(",", "")):
                if number not in numbers:
                    yield Finding(f"plan.{fact.id}.dose", f"{fact.dose!r} is not in the note")
            for position, precaution in enumerate(fact.precautions, 1):
                if coverage(phrase_of(precaution), bag) < LEAST_STATED:
                    yield Finding(f"plan.{fact.id}.precaution{position}", f"{precaution!r} is not in the note")
    age, sex = case.demographics.age, case.demographics.sex
    if age and not re.search(_AGE_IN_NOTE.format(age=age, decade="-year"), case.note, re.IGNORECASE):
        yield Finding("note", f"does not state the age, {age}")
    if doubled := _DOUBLED.search(case.note):
        yield Finding("note", f"says {doubled[0]!r}", "caution")
    stated = _SEX_LINE.search(case.note)
    if stated and sex and stated[1].lower() != sex[0]:
        yield Finding("note", f"says sex {stated[1]}, but the patient is {sex}")


def _bag(text: str) -> Bag:
    text = digits(plain(text))
    return bag_of(text, tokenize(text), frozenset())


def questions(case: Case) -> Iterator[Finding]:
    """Check number, topics and options: one option is right, one could be, and length does not tell which."""
    if not 8 <= len(case.questions) <= 10:
        yield Finding("questions", f"{len(case.questions)} questions; 8 to 10 are wanted")
    if len({q.topic for q in case.questions}) < TOPICS:
        yield Finding("questions", "not every topic is asked")
    for question in case.questions:
        yield from _question(question, case)
    longest = sum(len(q.answer) > max(len(q.distractor), len(q.irrelevant)) for q in case.questions)
    if longest > len(case.questions) * 0.6:
        yield Finding("questions", f"the answer is the longest option in {longest} of {len(case.questions)}")


def _question(question: Question, case: Case) -> Iterator[Finding]:
    field = f"questions.{question.id}"
    items = [case.plan_items[item] for item in question.about]
    topics = {item.topic for item in items}
    if question.topic not in topics:
        yield Finding(f"{field}.topic", f"is {question.topic}, but the items are of {', '.join(sorted(topics))}")
    told = " ; ".join((*(text for item in items for text in _told(item.fact, item.attribute)), question.stem))
    numbers = set(_NUMBER.findall(f"{told} {digits(told)}".replace(",", "")))
    for number in _NUMBER.findall(question.answer.replace(",", "")):
        if number not in numbers:
            yield Finding(f"{field}.answer", f"{question.answer!r}: no {number} in {', '.join(question.about)}")
    source = _bag(told)
    if coverage(phrase_of(question.answer), source) < LEAST_ANSWERED:
        told_by = ", ".join(question.about)
        yield Finding(f"{field}.answer", f"{question.answer!r} in other words than {told_by}; does it follow?", "caution")
    for name in ("distractor", "irrelevant"):
        option = getattr(question, name)
        if not _NUMBER.search(digits(option)) and coverage(phrase_of(option), source) >= ALSO_TRUE:
            yield Finding(f"{field}.{name}", f"{option!r} may be true too, by {', '.join(question.about)}", "caution")


_ACTION = {"911": "Call 911 at once.", "emergency": "Go to the emergency room.", "clinic": "Call the clinic."}


def _told(fact: AnyFact, attribute: str | None) -> tuple[str, ...]:
    """Return what an item teaches, with the words of its fact, which give it its context."""
    words = (fact.text, *fact.lay)
    if isinstance(fact, ReturnSign):
        return (*words, _ACTION[fact.urgency])
    if isinstance(fact, Medication) and fact.change == "stopped":
        words = (*words, "Stop taking it.")
    if attribute is None:
        return words
    if attribute.startswith("precaution"):
        return (*words, *getattr(fact, "precautions", ()))
    return (*words, getattr(fact, attribute, None) or "")


def secrecy(case: Case) -> Iterator[Finding]:
    """Check that neither the record nor the ids give away the diagnosis that an interview is to find."""
    grounded = ground(case, "interview")
    names = [plain(name).lower() for name in (case.diagnosis.text, *case.diagnosis.synonyms) if len(name) > 3]
    for known in grounded.record:
        fact = known.fact
        if known.concept in grounded.diagnosis and fact.kind == "condition":
            yield Finding(f"record.{fact.id}", "names the diagnosis that an interview is to find")
        elif fact.kind != "family":
            text = " | ".join((fact.text, *fact.lay)).lower()
            for name in names:
                if re.search(rf"\b{re.escape(name)}\b", text):
                    yield Finding(f"record.{fact.id}", f"says {name!r}, a name of the hidden diagnosis")
    for name in names:
        if re.search(rf"\b{re.escape(name)}\b", case.chief_complaint.lower()):
            yield Finding("chief_complaint", f"says {name!r}, a name of the hidden diagnosis")
    short = re.sub(r"[^a-z]", "", case.id.lower())
    if any(len(word) > 3 and word in short for name in names for word in name.split()):
        yield Finding("id", f"{case.id!r} tells the diagnosis; ids are shown to policies")


def reconciliation(case: Case) -> Iterator[Finding]:
    """Check that every home drug is accounted for, and that every drug to take has a dose, a route and a frequency."""
    planned = {fact.text.lower() for fact in case.plan if isinstance(fact, Medication)}
    home = {fact.text.lower(): fact for fact in case.record if isinstance(fact, Medication)}
    for name, taken in home.items():
        if name not in planned:
            told = f"home medication {taken.text} is neither continued, changed nor stopped"
            yield Finding(f"record.{taken.id}", told)
    for fact in case.plan:
        if isinstance(fact, Medication):
            yield from _prescription(fact, home.get(fact.text.lower()))


def _prescription(fact: Medication, home: Medication | None) -> Iterator[Finding]:
    field = f"plan.{fact.id}"
    if fact.change == "new" and home is not None:
        yield Finding(f"{field}.change", f"{fact.text} is new, but the patient takes it at home")
    if fact.change in ("continued", "changed", "stopped") and home is None:
        yield Finding(f"{field}.change", f"{fact.text} is {fact.change}, but no home medication", "caution")
    if fact.change == "stopped":
        if not fact.purpose:
            yield Finding(f"{field}.purpose", "say why it was stopped")
        return
    for name in ("dose", "route", "frequency", "purpose"):
        if not getattr(fact, name):
            yield Finding(f"{field}.{name}", "is missing")
    if fact.change == "changed" and not fact.previous:
        yield Finding(f"{field}.previous", "say what it was before")
    if fact.change == "continued" and home is not None:
        for name in ("dose", "frequency"):
            if getattr(home, name) and getattr(home, name) != getattr(fact, name):
                told = f"{getattr(fact, name)!r}, but at home {getattr(home, name)!r}"
                yield Finding(f"{field}.{name}", f"{fact.text} is continued at {told}")
    if fact.change == "new" and not fact.precautions:
        yield Finding(f"{field}.precautions", "a new drug needs one")
    kinds = {q.kind for q in find_quantities((fact.dose or "").lower())}
    if fact.dose and "dose" not in kinds and re.search(r"\d", fact.dose):
        yield Finding(f"{field}.dose", f"{fact.dose!r} cannot be read as number and unit")


def wording(case: Case) -> Iterator[Finding]:
    """Check that patients and clinicians can speak the fields: see ``docs/cases.md``."""
    for part, facts in (("record", case.record), ("plan", case.plan)):
        for fact in facts:
            yield from _worded(fact, f"{part}.{fact.id}")


def _worded(fact: AnyFact, field: str) -> Iterator[Finding]:
    for text in fact.lay:
        if fact.kind != "instruction" and (text.startswith(("I ", "I'm ", "My ")) or text.endswith(".")):
            yield Finding(f"{field}.lay", f"{text!r} must fit after \"I have had\"")
    if fact.kind == "condition" and re.match(r"(?:no|denies|without)\b", fact.text, re.IGNORECASE):
        yield Finding(f"{field}.text", f"{fact.text!r}: leave out what the patient does not have")
    purpose = getattr(fact, "purpose", None) or ""
    if purpose.lower().startswith(("for ", "to ", "because ")):
        yield Finding(f"{field}.purpose", f"{purpose!r} must fit after \"for\"; leave that word out")
    if isinstance(fact, Instruction) and not re.match(r"[A-Z].*[.!]$", fact.text, re.DOTALL):
        yield Finding(f"{field}.text", f"{fact.text!r} must be a sentence")
    if isinstance(fact, Medication):
        for number, text in enumerate(fact.precautions, 1):
            if not re.match(r"[A-Z0-9].*[.!]$", text, re.DOTALL):
                yield Finding(f"{field}.precaution{number}", f"{text!r} must be a sentence")
    if isinstance(fact, ReturnSign) and (re.match(r"(?:if|call|when)\b", fact.text, re.IGNORECASE) or fact.text[-1:] == "."):
        yield Finding(f"{field}.text", f"{fact.text!r} must fit after \"if you have\"")
