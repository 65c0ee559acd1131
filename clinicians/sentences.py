"""A plan in sentences: what the checklist reader and the teach-back expert say of each fact.

One fact becomes a few lines; each line knows what it states, so that the expert can say again just what was
missed. The two styles differ in form alone (one compact sentence against several short ones), never in
content.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from bedside.cases.fact import (
    AnyFact,
    Condition,
    FollowUp,
    Instruction,
    Medication,
    Procedure,
    ReturnSign,
    Test,
    Treatment,
)
from bedside.clinicians.grammar import (
    aim,
    as_clause,
    capitalised,
    effect,
    is_action,
    is_clause,
    lowered,
    mentions_drug,
    reason,
    warning,
    with_article,
)
from bedside.verifier.language.quantities import canonical_route

__all__ = ["Line", "Style", "frequency_words", "lines_of", "visit_words"]

Style = Literal["plain", "compact"]

_RENAME_EVERY = 3
"""Lines after which "it" has gone stale and the drug is named again."""

_ONLY_IF = ", only if you need it"
_ACT = {
    "911": "Call 911 right away for",
    "emergency": "Come to the emergency room for",
    "clinic": "Call the clinic for",
}
_VERB_OF_ROUTE = {
    "subcutaneous": "Inject",
    "intramuscular": "Inject",
    "inhaled": "Breathe in",
    "topical": "Put",
    "ophthalmic": "Put",
    "otic": "Put",
    "sublingual": "Put",
    "oral": "Take",
}
_PLACED = (
    "clinic",
    "unit",
    "center",
    "educator",
    "nurse",
    "counselor",
    "therapist",
    "line",
    "team",
    "office",
)
_QUALITY = re.compile(
    r"^(?:strongly |mildly |very )?(?:negative|positive|normal|high|low|raised|removed|closed|"
    r"\d[\d.]*(?: percent)?)"
    r"(?=$|,| (?:so|in|for|from|all|at|with|after)\b)"
)
_LOOKS = re.compile(r"scop|biops|sample|aspirat|camera|look|swab|exam", re.IGNORECASE)
_PLURAL = re.compile(r"\b(?:tests|antibodies|cultures|scans|metanephrines)\b")
_TEST_WORD = re.compile(r"\b(?:tests?|scans?|checks?|monitoring|x-rays?)\b", re.IGNORECASE)


class Line(NamedTuple):
    """One sentence.

    Attributes:
        says: What it states of the fact: ``fact``, or the name of an attribute (``dose``, ``precaution2``).
        text: The sentence in its place, where "it" is understood.
        alone: The sentence when said by itself.
    """

    says: frozenset[str]
    text: str
    alone: str


def _line(text: str, *says: str, alone: str = "") -> Line:
    return Line(frozenset(says), text, alone or text)


def lines_of(fact: AnyFact, style: Style, *, first: bool = True) -> tuple[Line, ...]:
    """Say a fact of a plan.

    Args:
        fact: What to say.
        style: ``plain`` for short sentences with terms explained, ``compact`` for one sentence with the names
            as given.
        first: False for a fact that follows another of its kind ("We also found …").

    Returns:
        Grammatical sentences that together state the fact and all its attributes.
    """
    match fact:
        case Medication():
            return _drug(fact, style)
        case Condition():
            return _condition(fact, style, first=first)
        case Test() | Procedure():
            return _finding(fact, style)
        case Treatment():
            return (_treatment(fact, style),)
        case ReturnSign():
            return (_line(f"{_ACT[fact.urgency]} {lowered(fact.text)}.", "fact"),)
        case FollowUp():
            return _visit(fact, style)
        case Instruction():
            lead, _, rest = fact.text.rstrip(".").partition("; ")
            return (_line(f"{as_clause(lead, rest)}.", "fact"),)
        case _:
            return (_line(f"{capitalised(fact.text.rstrip('.'))}.", "fact"),)


# Diagnosis, and what was done


def _condition(fact: Condition, style: Style, *, first: bool) -> tuple[Line, ...]:
    lead = "You were in the hospital for" if first else "We also found"
    if not fact.lay:
        return (_line(f"{lead} {with_article(fact.text)}.", "fact"),)
    if style == "compact":
        return (_line(f"{lead} {with_article(fact.text)} ({fact.lay[0]}).", "fact"),)
    return (
        _line(f"{lead} {with_article(fact.text)}.", "fact"),
        _line(f"That means {with_article(fact.lay[0])}.", "fact", alone=f"{lead} {with_article(fact.lay[0])}."),
    )


def _speakable(fact: AnyFact) -> str:
    """Return the first lay wording that can follow "You had": a noun phrase, not "closing the hole"."""
    for wording in fact.lay:
        if is_action(wording):
            continue
        # A test needs a wording that sounds like one; "blood cells under the microscope" does not.
        if not isinstance(fact, Test) or with_article(wording) != wording or _TEST_WORD.search(wording):
            return wording
    return ""


def _done(fact: AnyFact, style: Style) -> str:
    name = with_article(fact.text)
    spoken = _speakable(fact)
    if style == "plain" and spoken:
        return with_article(spoken)
    return f"{name} ({fact.lay[0]})" if fact.lay else name


def _finding(fact: Test | Procedure, style: Style) -> tuple[Line, ...]:
    done = _done(fact, style)
    had = _line(f"You had {done}.", "fact")
    if not fact.result:
        return (had,)
    shown = _shown(fact, done, fact.result.replace("; ", ", and "))
    return (had, _line(shown, "result", alone=f"You had {done}. {shown}"))


def _shown(fact: Test | Procedure, done: str, result: str) -> str:
    looks = isinstance(fact, Test) or _LOOKS.search(f"{fact.text} {done}")
    if re.match(r"(?:fell|rose|came) ", result):
        return f"It {result}."
    if _QUALITY.match(result):
        return f"The result was {result}." if looks else f"It was {result}."
    if looks:
        return f"{'They' if _PLURAL.search(done) else 'It'} showed {with_article(result)}."
    return f"{capitalised(result)}." if is_clause(result) else f"The result was {with_article(result)}."


def _treatment(fact: Treatment, style: Style) -> Line:
    purpose = f" {aim(fact.purpose)}" if fact.purpose else ""
    return _line(f"You had {_done(fact, style)}{purpose}.", "fact", "purpose")


# Medication


def _drug(fact: Medication, style: Style) -> tuple[Line, ...]:
    if fact.change == "stopped":
        return _stopped(fact)
    lines = [*_introduced(fact), *_regimen(fact)] if style == "plain" else [_compact(fact)]
    for number, precaution in enumerate(fact.precautions, 1):
        lines.append(_warned(fact, warning(precaution), f"precaution{number}"))
    return tuple(_renamed(fact.text, lines))


def _renamed(name: str, lines: Sequence[Line]) -> Iterator[Line]:
    """Name the drug again where "it" has gone stale or would mean another one."""
    for number, line in enumerate(lines):
        near = f"{lines[number - 1].text if number else ''} {line.text}"
        stale = number and number % _RENAME_EVERY == 0
        yield line._replace(text=line.alone) if stale or mentions_drug(near.replace(name, "")) else line


def _stopped(fact: Medication) -> tuple[Line, ...]:
    stop = _line(f"Stop taking {fact.text}.", "fact")
    if not fact.purpose:
        return (stop,)
    why = reason(fact.purpose)
    alone = f"We stopped {fact.text} {why}."
    return (stop, _line(alone if mentions_drug(why) else f"We stopped it {why}.", "purpose", alone=alone))


def _introduced(fact: Medication) -> list[Line]:
    name = fact.text
    lines = [
        {
            "new": _line(f"You have a new medicine called {name}.", "fact"),
            "changed": _line(f"The dose of your {name} has changed.", "fact"),
            "continued": _line(f"Keep taking your {name}.", "fact"),
        }[fact.change or "new"]
    ]
    if fact.change == "changed" and fact.previous:
        lines.append(_line(f"Before, it was {frequency_words(fact.previous)}.", alone=""))
    elif fact.change == "new" and fact.lay and not set(fact.lay[0].lower().split()) & set(name.lower().split()):
        brand = fact.lay[0][:1].isupper()
        also = f"Another name for it is {fact.lay[0]}." if brand else f"It is {with_article(fact.lay[0])}."
        lines.append(_line(also, "fact"))
    if fact.purpose:
        what = effect(fact.purpose)
        lines.append(_line(f"It {what}.", "purpose", alone=f"{capitalised(name)} {what}."))
    return lines


def _regimen(fact: Medication) -> list[Line]:
    stepped = bool(fact.duration and ", then " in fact.duration)
    alone = _doing(fact, named=True)
    # A drop or a patch is named; after "take" and "inject" the dose alone is clear.
    doing = alone if _verb(fact) in ("Put", "Breathe in") else _doing(fact, named=False)
    if stepped:
        until = f" {frequency_words(fact.duration or '')}"
        return [_line(f"{doing}{until}.", "dose", "route", "frequency", "duration", alone=f"{alone}{until}.")]
    lines = [_line(f"{doing}.", "dose", "route", "frequency", alone=f"{alone}.")] if doing else []
    if fact.duration:
        verb = "Take" if _verb(fact) == "Take" else "Use"
        lines.append(_line(f"{verb} it {fact.duration}.", "duration", alone=f"{verb} {fact.text} {fact.duration}."))
    return lines


def _compact(fact: Medication) -> Line:
    """Say a drug in one sentence, the condition "only if you need it" last."""
    said = _doing(fact, named=fact.change == "new") or f"take {fact.text}"
    said += f" {frequency_words(fact.duration)}" if fact.duration else ""
    if _ONLY_IF in said:
        said = f"{said.replace(_ONLY_IF, '', 1)}{_ONLY_IF}"
    said += f", {aim(fact.purpose)}" if fact.purpose else ""
    if fact.change == "continued":
        said = f"Continue {fact.text}: {lowered(said)}"
    elif fact.change == "changed":
        was = f" from {frequency_words(fact.previous)}" if fact.previous else ""
        said = f"Your {fact.text} has changed{was}: now {lowered(said)}"
    return _line(f"{capitalised(said)}.", "fact", "dose", "route", "frequency", "duration", "purpose")


def _verb(fact: Medication) -> str:
    route = canonical_route(fact.route or "") or "oral"
    rinse = any("rinse" in name or "wash" in name for name in (fact.text, *fact.lay))
    return "Use" if rinse else _VERB_OF_ROUTE.get(route, "Use")


def _doing(fact: Medication, *, named: bool) -> str:
    """Return "Take 5 mg of apixaban by mouth, twice a day", with as much of it as the plan has."""
    amount = _amount(fact, named=named)
    route = "" if fact.route in (None, "inhaled") or " nostril" in amount or " eye" in amount else f" {fact.route}"
    often = f" {frequency_words(fact.frequency)}" if fact.frequency else ""
    return f"{_verb(fact)} {amount}{route}{often}" if fact.dose or fact.route or fact.frequency else ""


def _amount(fact: Medication, *, named: bool) -> str:
    dose, name = fact.dose, fact.text
    if dose is None:
        return name if named else "it"
    patch = any("patch" in text for text in (name, *fact.lay))
    if patch and "patch" not in dose:
        return f"a {dose} {name if 'patch' in name else f'{name} patch'}" if named else f"a {dose} patch"
    if not named:
        return dose
    # "1 drop in each eye": the name goes with the drop.
    amount, place = re.match(r"(.*?)((?: (?:in|per) .*)?)$", dose).groups()  # type: ignore[union-attr]
    return f"{amount} of {name}{place}"


def _warned(fact: Medication, sentence: str, says: str) -> Line:
    name = fact.text
    if name not in sentence and mentions_drug(sentence):
        # Another drug is named, so that "it" would be read as that one.
        if sentence.startswith("It "):
            return _line(f"{capitalised(name)} {sentence.removeprefix('It ')}", says)
        if re.search(r"\bit\b", sentence):
            return _line(re.sub(r"\bit\b", name, sentence, count=1), says)
        return _line(f"{sentence.rstrip('.')} while you take {name}.", says)
    if sentence.startswith("It "):
        return _line(sentence, says, alone=f"{capitalised(name)} {sentence.removeprefix('It ')}")
    return _line(sentence, says, alone=f"About your {name}: {lowered(sentence)}")


def frequency_words(text: str) -> str:
    """Say a frequency as people do: "twice a day", "every 6 hours, only if you need it"."""
    text = re.sub(r"\b(once|twice|times) (?=daily|weekly|monthly)", r"\1 a ", text)
    text = re.sub(
        r"\ba (daily|weekly|monthly)",
        lambda m: {"daily": "a day", "weekly": "a week", "monthly": "a month"}[m[1]],
        text,
    )
    return re.sub(r",? as needed", _ONLY_IF, text)


# Follow-up


def visit_words(fact: FollowUp) -> str:
    """Return whom to see, with an article where one is needed: "the cardiology clinic"."""
    text = fact.text
    if text.split()[0].lower() in ("your", "the", "a", "an", "my"):
        return text
    return f"the {text}" if text.lower().endswith(_PLACED) else text


def _visit(fact: FollowUp, style: Style) -> tuple[Line, ...]:
    whom = visit_words(fact)
    when = f" {fact.when}" if fact.when else ""
    if not fact.purpose:
        return (_line(f"You have an appointment with {whom}{when}.", "fact", "when"),)
    purpose = aim(fact.purpose)
    if style == "compact":
        return (_line(f"You have an appointment with {whom}{when} {purpose}.", "fact", "when", "purpose"),)
    return (
        _line(f"You have an appointment with {whom}{when}.", "fact", "when"),
        _line(f"The visit is {purpose}.", "purpose", alone=f"Your appointment with {whom} is {purpose}."),
    )
