"""What the patient calls things: a symptom, a drug, a place on the body."""

import re
from functools import lru_cache

from bedside.cases.fact import AnyFact, Medication, Symptom
from bedside.envs.speech.grammar import first_person, lower_first, plain_case, with_article
from bedside.envs.speech.voice import Voice
from bedside.verifier.language.lexicon import core
from bedside.verifier.language.text import tokenize

__all__ = ["drug_name", "name_of", "place"]


# "Something that hurts" would leave open where, and seem to affirm whatever place was asked about.
_SITED = re.compile(r"(?:pain|a rash|swelling) (?:in|on|of|under) ")


def name_of(fact: AnyFact, voice: Voice, plain: int = 1) -> str:
    """Return the patient's words for a fact.

    Args:
        fact: What is named.
        voice: Chooses among the lay forms; the first is the most usual one.
        plain: 0 prefers the clinical text.
    """
    forms = _forms(fact)
    if plain == 0 and isinstance(fact, Symptom) and len(fact.text.split()) <= 4:
        return _plainly(fact)
    return forms[0] if len(forms) == 1 or voice.chance(voice.usual) else voice.rng.choice(forms[1:])


@lru_cache(maxsize=8192)
def _clinical(text: str) -> str:
    return lower_first(plain_case(first_person(text)))


@lru_cache(maxsize=8192)
def _forms(fact: AnyFact) -> tuple[str, ...]:
    # Some sources list the bare word last: "pain" says less than "pain in the left side of the chest".
    forms = tuple(first_person(lower_first(form)) for form in fact.lay)
    if isinstance(fact, Symptom) and fact.site and forms and _SITED.match(forms[0]):
        forms = tuple(form for form in forms if _SITED.match(form))
    return forms or (_plainly(fact),)


@lru_cache(maxsize=8192)
def _plainly(fact: AnyFact) -> str:
    """The record's name of a fact; a symptom's plain one where that is a doctor's word."""
    text = _clinical(fact.text)
    if not isinstance(fact, Symptom):
        return text
    names = [core()[concept].name for concept in core().named(text)]
    lay = {form.lower() for concept in core().named(text) for form in core()[concept].lay}
    if len(names) == 1 and len(text.split()) == 1 and names[0] != text and text.lower() not in lay:
        # Diaphoresis is sweating.
        text = lower_first(names[0])
    return with_article(text)


def drug_name(fact: Medication, voice: Voice, plain: int = 1) -> str:
    """Return a drug by name or, with little health literacy, by what it is for."""
    if plain >= 2 and fact.purpose and len(fact.purpose.split()) <= 4:
        return voice.pick(f"drug.purpose.{_shape(fact)}", x=first_person(lower_first(fact.purpose)))
    if not fact.lay:
        return with_article(lower_first(plain_case(fact.text)))
    # One word with a capital is a brand's name.
    return with_article(fact.lay[0] if len(fact.lay[0].split()) == 1 else lower_first(fact.lay[0]))


def _shape(fact: Medication) -> str:
    """What a drug looks like to somebody who does not know its name."""
    route = (fact.route or "").lower()
    if "inhal" in route:
        return "inhaler"
    if "skin" in route or "topical" in route:
        return "skin"
    return "pill" if "mouth" in route or "oral" in route else "other"


@lru_cache(maxsize=4096)
def place(site: str, plain: int = 1) -> str:
    """Word a place on the body, in plainer and vaguer words the less literate the patient."""
    site = first_person(lower_first(site))
    if plain == 0:
        return site
    lexicon = core()
    tokens = tokenize(site)
    for mention in reversed(lexicon.find(tokens)):
        concept = next((c for c in mention.concepts if c.startswith("site:")), None)
        if concept is None:
            continue
        if plain >= 3:
            concept = _whole(concept)
        start, end = tokens[mention.first].start, tokens[mention.last].end
        name = lexicon[concept].name
        if lexicon[concept].forms and site[start:end].lower() not in _plain_words(concept):
            site = site[:start] + name + site[end:]
    return site


def _plain_words(concept: str) -> frozenset[str]:
    entry = core()[concept]
    words = {
        entry.name,
        f"{entry.name}s",
        *(f for f in entry.forms if not re.search(r"ic$|al$|ar$|um$|us$|is$|ae$|ium$", f)),
    }
    return frozenset(w for form in words for w in (form, f"{form}s", f"the {form}"))


def _whole(concept: str) -> str:
    """The larger part of the body that a place belongs to."""
    lexicon = core()
    while concept in lexicon and (broader := [b for b in lexicon[concept].broader if b in lexicon]):
        concept = broader[0]
    return concept
