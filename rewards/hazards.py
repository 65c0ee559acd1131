"""Advice that could hurt this patient, found by a reviewed table of rules.

The table (``data/safety_rules.tsv``) says in words and patterns what no educator should say; a rule may need a
patient for whom it is dangerous ("ibuprofen" is advice for one and harm for another). What is forbidden, asked,
quoted or warned against in the sentence is not advised.
"""

import csv
import re
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from ahocorasick_rs import AhoCorasick

from bedside.cases.fact import Instruction, Medication
from bedside.rewards.dangers import called_medicine, dangers_in
from bedside.rewards.profile import active_concepts, active_drugs, allergens, drugs_of, profile_of, stopped_concepts
from bedside.rewards.safety_terms import compiled
from bedside.verifier.grounding import GroundedCase, mentions_in
from bedside.verifier.language.context import context_of, is_question
from bedside.verifier.language.lexicon import Mention
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import all_days, days, digits
from bedside.verifier.language.text import Sentence, Token, plain, tokens_of
from bedside.verifier.teaching.cautions import plan_says_stop
from bedside.verifier.teaching.disposal import DISCARDS, is_spent
from bedside.verifier.teaching.phrases import FREELY, Bag, bag_of, coverage, phrase_of
from bedside.verifier.teaching.stopping import told_to_keep
from bedside.verifier.teaching.verdicts import verdict

__all__ = ["CAREFUL", "Hazard", "hazard_in", "names_red_flag"]

Status = Literal["questionable", "harmful"]

_TABLE = Path(__file__).parent / "data" / "safety_rules.tsv"

CAREFUL = frozenset(
    f"class:{name}"
    for name in (
        "anticoagulant antiplatelet antithrombotic opioid opioid-agonist-therapy insulin "
        "benzodiazepine hypnotic barbiturate "
        "chemotherapy antineoplastic cardiac-glycoside antiarrhythmic anticonvulsant mood-stabilizer "
        "immunosuppressant "
        "antipsychotic corticosteroid antiretroviral antimycobacterial antidiabetic beta-blocker "
        "thyroid-hormone "
        "stimulant cns-stimulant muscle-relaxant nitrate general-anesthetic anesthetic antidepressant "
        "calcineurin-inhibitor methylxanthine potassium-supplement antibiotic dopamine-agonist antiparkinson"
    ).split()
)
"""Classes with a narrow margin: too little, too much or an unplanned start of these can injure."""

_CONSUME = Pattern(
    r"\b(?:take|taking|use|using|try|start\w*|begin|inject|inhale|swallow|apply|add|have|give|"
    r"put you on|switch\w* to|go back (?:on|to)|"
    r"no harm in|nothing wrong with|reach for|go for|help yourself to|(?:quickest|best|first) (?:thing|choice|pick) is|"
    r"(?:okay|ok|fine|safe) to (?:take|use|have)|can (?:take|use|have)|prescrib\w+|going home (?:on|with))\b",
    re.IGNORECASE,
)
_QUOTES = Pattern(
    r"\b(?:(?:some |many |most |other )?(?:people|folks)(?: \w+)? (?:say|think|believe|ask|want)|tempt\w*|"
    r"(?:people|friends?|family|somebody|someone)(?: \w+)? (?:will|may|might) (?:say|tell)|"
    r"myths?|(?:you|she|he|they|friends?|neighbou?rs?) (?:said|asked|mentioned|told me|were thinking|"
    r"might think|may think|may hear|might hear)|"
    r"heard (?:that|from)|contrary to|used to (?:say|think))\b",
    re.IGNORECASE,
)
_WARNS = Pattern(
    r"(?<!not )(?<!n't )(?<!never )\b(?:dangerous|(?:a )?bad idea|not safe|unsafe|isn't safe|harmful|"
    r"mistake|risky|makes? (?:it|things) worse|"
    r"(?:can|could|may|might|will|would) (?:cause|lead to|bring|be (?:serious|dangerous|deadly|fatal)|"
    r"hurt (?:you|your)|harm|make (?:you|it|things) (?:worse|sick))|puts? you at|raises? (?:your|"
    r"the) (?:risk|chance)|"
    r"is not (?:okay|ok|safe|allowed|enough)|isn't (?:okay|ok|allowed|enough))",
    re.IGNORECASE,
)
_CONDITION_OPENS = Pattern(
    r"\b(?:if|unless|in case|whether|when|what happens if|even if)\s+(?:(?:you|they|someone|anyone|"
    r"a person|your \w+)(?:'ve|'re|'d)?\s*)?(?:(?:have|had|ever|do|did|are|were)\s*){0,2}$",
    re.IGNORECASE,
)
_CONDITION = Pattern(r"\b(?:if|when|once|after|as soon as|whenever|because|since|to)\b", re.IGNORECASE)
# "It can raise potassium, and you shouldn't use salt substitutes": what may happen is no leave.
_TURNED = re.compile(r"(?:can|may)\b.*\b(?:should|must|do|can)(?:n't| not)\b", re.IGNORECASE)
_CANNOT = re.compile(r"(?:can't|cannot|can not|may not)\b", re.IGNORECASE)
# "Salt substitutes are off the table": the verdict stands in the clause of the thing.
_BARRED = Pattern(rf"\b(?:{verdict('barred')})\b", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,;:]")
_LATER = Pattern(
    r"\b(?:you(?:'ll| will| are going to)? see|visit|appointment|(?:doctor|clinic|team|specialist|"
    r"\w+ologist) (?:may|will|might|can)|discuss|talk about|later on|next step|thinking about|"
    r"consider)\b",
    re.IGNORECASE,
)
_FREELY = Pattern(rf"\b(?:{FREELY}|nothing wrong)\b", re.IGNORECASE)
# What ends a treatment, if it is done to medicine that the patient is to take.
_PARTING = Pattern(rf"\b(?:stop|quit)(?: taking| using)?\b|{DISCARDS.expression}", re.IGNORECASE)
# "Try to stop taking ginkgo", "what helps: quit the nightcap": the thing is given up.
_GIVEN_UP = Pattern(
    r"\b(?:stop|quit|give up|avoid)(?: (?:taking|using|drinking|having|the|your|all|any))*\W", re.IGNORECASE
)
# "Don't forget to take both": nothing was missed.
_REMINDS = Pattern(r"\b(?:do not|don't|never) forget(?: to)?\b", re.IGNORECASE)
_NOT_OBJECT = Pattern(
    r"\b(?:it|them|this|that|on|with|after|before|while|during|until|than|when|because|as)\b",
    re.IGNORECASE,
)
_RED_FLAG = compiled(r"\b<RED_FLAG>\b")
_MILD = compiled(r"\b<MILD>\b")
_SAME_ADVICE = 0.5
"""Share of a plan sentence that advice must hold to be that sentence."""


class Hazard(NamedTuple):
    """One piece of dangerous or careless advice.

    Attributes:
        rule: Name of the rule.
        breaks: Kind of plan item that such advice goes against; empty if the plan need not speak of it.
    """

    rule: str
    status: Status
    breaks: str


class _Rule(NamedTuple):
    hazard: Hazard
    triggers: tuple[str, ...]
    pattern: Pattern
    unless: Pattern | None
    needs: Pattern | None

    @property
    def of_patient(self) -> bool:
        """True for what is dangerous for some patients only, and by no word of the plan."""
        return self.needs is not None and not self.hazard.breaks


@lru_cache(maxsize=1)
def _rules() -> tuple[_Rule, ...]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(
            _Rule(
                Hazard(row["id"], "harmful" if row["status"] == "harmful" else "questionable", row["breaks"]),
                tuple(row["triggers"].split("|")),
                compiled(row["pattern"]),
                compiled(row["unless"]) if row["unless"] else None,
                compiled(row["needs"]) if row["needs"] else None,
            )
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        )


def hazard_in(sentence: Sentence, grounded: GroundedCase) -> Hazard | None:
    """Return the worst hazard that a sentence advises, if any.

    Args:
        sentence: Of the educator, with numbers in digits.
        grounded: The patient's case.
    """
    return _hazard_in(sentence.text, grounded)


@lru_cache(maxsize=16384)
def _hazard_in(text: str, grounded: GroundedCase) -> Hazard | None:
    # Much of a talk is said to the same patient again, in the next run or by the next educator.
    if is_question(text) or _QUOTES.search(text):
        return None
    if "forget" in text:
        text = _REMINDS.sub("", text)
    tokens = tokens_of(text)
    active = active_concepts(grounded)
    masked = called_medicine(text, tokens, (m for m in grounded.mentions(text) if not active.isdisjoint(m.concepts)))
    rules = _advised(masked, text, grounded)
    if masked != text:
        # What the plan prescribes is not contraindicated: rules about the patient do not see the names of its drugs.
        rules += [rule for rule in _advised(text, text, grounded) if not rule.of_patient]
    found = [rule.hazard for rule in rules] + _named_drugs(text, tokens, grounded)
    found += (Hazard(danger.rule, "harmful", danger.breaks) for danger in dangers_in(text, tokens, grounded))
    return min(found, key=lambda hazard: hazard.status != "harmful", default=None)


def names_red_flag(text: str) -> bool:
    """True for words that name a sign of something grave, and do not call it mild."""
    return bool(_RED_FLAG.search(text)) and not _MILD.search(text)


def _advised(text: str, said: str, grounded: GroundedCase) -> list[_Rule]:
    """Return the rules that a text breaks; ``said`` is the same before its drugs were masked."""
    matcher, owners = _triggers()
    numbers = {
        n for trigger, *_ in matcher.find_matches_as_indexes(text.lower(), overlapping=True) for n in owners[trigger]
    }
    return [
        rule
        for rule in (_rules()[number] for number in sorted(numbers))
        if _advises(rule, text, grounded) and not _sanctioned(rule, said, grounded)
    ]


@lru_cache(maxsize=1)
def _triggers() -> tuple[AhoCorasick, tuple[tuple[int, ...], ...]]:
    """Return a matcher for the words without which rules need not be tried, and the rules of each word."""
    found: dict[str, list[int]] = {}
    for number, rule in enumerate(_rules()):
        for trigger in rule.triggers:
            found.setdefault(trigger, []).append(number)
    return AhoCorasick(list(found)), tuple(tuple(rules) for rules in found.values())


def _sanctioned(rule: _Rule, text: str, grounded: GroundedCase) -> bool:
    """True when the plan itself says this: in illness, some patients are to double a dose.

    It excuses only a sentence about the same: a plan that lets one drug be stopped lets no other be stopped.
    """
    bag = bag_of(text, tokens_of(text), frozenset(c for m in grounded.mentions(text) for c in m.concepts))
    told = _told_against(grounded).get(rule.hazard.rule, ())
    if any(coverage(phrase_of(own), bag) >= _SAME_ADVICE for own in told):
        return True
    if rule.hazard.breaks != "drug":
        return False
    meant = [fact for fact in active_drugs(grounded) if _names(fact, bag, grounded)]
    if any(plan_says_stop(fact, bag) for fact in meant):
        return True
    # "After the 3 days you just stop": the course is over, of the drug named or of the one spoken of.
    planned = {days(fact.duration or "") for fact in meant or active_drugs(grounded)}
    return not planned.isdisjoint(all_days(text))


def _names(fact: Medication, bag: Bag, grounded: GroundedCase) -> bool:
    return grounded.facts[fact.id].concept in bag.concepts


@lru_cache(maxsize=1024)
def _told_against(grounded: GroundedCase) -> dict[str, tuple[str, ...]]:
    """Return the sentences of the plan that a rule would object to, by rule."""
    told = []
    for known in grounded.plan:
        fact = known.fact
        if isinstance(fact, Medication) and fact.change != "stopped":
            told.append(f"Take {fact.text} {fact.dose or ''} {fact.frequency or ''} for {fact.purpose or 'you'}.")
            told += fact.precautions
        elif isinstance(fact, Instruction):
            told.append(fact.text)
    texts = [digits(plain(text)) for text in told]
    found = {rule.hazard.rule: tuple(t for t in texts if _advises(rule, t, grounded)) for rule in _rules()}
    return {name: own for name, own in found.items() if own}


def _advises(rule: _Rule, text: str, grounded: GroundedCase) -> bool:
    for match in rule.pattern.finditer(text):
        if not _asserted(text, *_deed(match)):
            continue
        if rule.unless and rule.unless.search(text):
            continue
        if rule.of_patient and _GIVEN_UP.search(match[0]):
            continue
        if rule.hazard.breaks == "drug" and _discards_spent(match, grounded):
            continue
        return rule.needs is None or bool(rule.needs.search(profile_of(grounded)))
    return False


def _discards_spent(match: re.Match[str], grounded: GroundedCase) -> bool:
    """True when the advice found is to throw away, or to stop, what this patient is not to take anyway."""
    start, _ = _deed(match)
    verb = _PARTING.search(match.string[: match.end()], start)
    if verb is None:
        return False
    thing = match.string[verb.end() :]
    named = {concept for mention in grounded.mentions(thing) for concept in mention.concepts}
    stopped = not named.isdisjoint(stopped_concepts(grounded)) and named.isdisjoint(active_concepts(grounded))
    return stopped or is_spent(thing)


def _deed(match: re.Match[str]) -> tuple[int, int]:
    """Return where the advice stands in a match that begins with its condition ("if you miss one, take two")."""
    return next((match.span(name) for name, words in match.groupdict().items() if words), match.span())


def _asserted(text: str, start: int, end: int) -> bool:
    """True when what stands there is advised: not forbidden, not a mere case considered, not warned against."""
    before = text[:start]
    if _CANNOT.match(text[start:]) or _TURNED.match(text[start:end]):
        return False
    if _WARNS.search(text) or _CONDITION_OPENS.search(before) or _BARRED.search(_CLAUSE_END.split(text[start:])[0]):
        return False
    comma = before.rfind(",")
    # "If you can't sleep, double it": the negation belongs to the condition. "Don't stop, skip or double" is a list.
    first = comma + 1 if comma >= 0 and _CONDITION.search(before[:comma]) else 0
    context = context_of(text[first:], start - first, end - first)
    return not context.denied and context.act != "question"


def _named_drugs(text: str, tokens: tuple[Token, ...], grounded: GroundedCase) -> list[Hazard]:
    """Advice to take a drug the patient is allergic to, or a prescription drug that nobody prescribed."""
    if _LATER.search(text):
        return []
    found = []
    # "There's no harm in a Valium": a negation that permits denies nothing.
    permitted = _FREELY.sub(lambda match: " " * len(match[0]), text)
    for mention in grounded.mentions(text):
        start, end = tokens[mention.first].start, tokens[mention.last].end
        if "," in text[start:end] or not _known_to_plan(grounded).isdisjoint(mention.concepts):
            continue
        verb = _last_verb(text[:start])
        if verb is None and told_to_keep(text, (start, end)):
            verb = start  # "half a Valium will take the edge off"
        if verb is None or not _asserted(permitted, verb, end):
            continue
        if not _asserted(permitted, start, end) or _forbids(text[:start]):
            continue
        found += _drug_hazards(mention, grounded)
    return found


@lru_cache(maxsize=1024)
def _known_to_plan(grounded: GroundedCase) -> frozenset[str]:
    """Return the concepts that the plan's own texts name: a drug to be started at the next visit is not made up."""
    texts = (text for item in grounded.case.plan_items.values() for text in (item.value, *item.fact.lay))
    return frozenset(concept for text in texts for concept in mentions_in(grounded.lexicon, text))


def _last_verb(before: str) -> int | None:
    verbs = list(_CONSUME.finditer(before))
    if not verbs or _NOT_OBJECT.search(before[verbs[-1].end() :]):
        return None
    return verbs[-1].start() if len(before[verbs[-1].end() :].split()) <= 6 else None


def _forbids(before: str) -> bool:
    return bool(
        re.search(
            r"\b(?:avoid|without|instead of|rather than|stay away from|allerg\w+|stop\w*)\b",
            before,
            re.IGNORECASE,
        )
    )


def _drug_hazards(mention: Mention, grounded: GroundedCase) -> list[Hazard]:
    drugs = drugs_of(mention, grounded)
    if not drugs:
        return []
    lineage = frozenset(broader for c in drugs for broader in grounded.broader(c))
    planned = {g.concept for g in grounded.record if isinstance(g.fact, Medication)}
    if lineage & allergens(grounded) and planned.isdisjoint(mention.concepts):
        return [Hazard("allergy", "harmful", "")]
    prescribed = frozenset(b for g in grounded.record if isinstance(g.fact, Medication) for b in g.broader)
    given = {g.concept for g in grounded.record if g.fact.kind == "treatment"}
    if not planned.isdisjoint(mention.concepts) or not given.isdisjoint(mention.concepts):
        return []
    # The class itself, not a wider one: metformin makes insulin no drug of this patient.
    if all(grounded.kind(c) == "drug_class" for c in drugs) and set(drugs) & prescribed:
        return []
    return [Hazard("not-prescribed", "harmful", "")] if lineage & CAREFUL else []
