"""Whose clause it is: the patient's, that of those who care for them, of the plan and its parts, or somebody else's."""

from functools import lru_cache
from typing import Literal

from bedside.verifier.language.lexicon import core, form_key
from bedside.verifier.language.text import tokenize
from bedside.verifier.teaching.clause import NEGATIONS

__all__ = [
    "CARERS",
    "OF_THE_PLAN",
    "PEOPLE",
    "Subject",
    "befalls",
    "ends_in_medicine",
    "is_of_plan",
    "is_only_named",
    "medical_stems",
    "mentions_medicine",
    "subject_of",
]

Subject = Literal["order", "patient", "care", "thing", "person", "nobody", "stranger"]
"""Whose clause it is: nobody's in so many words, the patient's, of those who care for them, of something of the plan,
of a relative or friend, of "no one", or of somebody or something else."""
CARERS = frozenset(
    """doctor doctors surgeon surgeons team nurse nurses pharmacist pharmacists specialist specialists physician
    physicians therapist therapists midwife dietitian clinic hospital office provider providers dentist staff dr
    everyone""".split()
)
PEOPLE = frozenset(
    """brother sister mother father mom dad son daughter uncle aunt roommate wife husband partner spouse parents child
    children kids family grandson granddaughter caregiver neighbor neighbour neighbors coworker colleague landlord boss
    friend friends cousin he she him her patient patients man woman men women person people folks guy kid baby
    grandfather grandmother twin lady ladies gentleman fellow""".split()
)
OF_THE_PLAN = frozenset(
    """plan plans goal goals aim idea rule rules advice key point points thing things step steps job reason reasons way
    things trick tip tips recommendation recommendations instruction instructions reminder message task part parts dose
    doses
    pill pills tablet tablets capsule drug drugs medicine medicines medication medications visit visits appointment
    appointments follow-up checkup treatment treatments diagnosis condition symptom symptoms sign signs problem problems
    test tests scan scans result results x-ray level levels note notes chart papers paper label list schedule order
    orders request hope food foods diet meal meals drinks activity activities exercise exercises wound incision cut
    bandage dressing stitches staples splint cast boot sling brace tube drain bag machine device monitor effect effects
    danger warning emergency care change changes home morning evening night bedtime day days week weeks month today
    tomorrow
    summary safety priority news side number time times amount route frequency dosage timing duration strength
    purpose directions walker cane crutch crutches wheelchair mask stocking stockings glasses pump meter inhaler stool
    stools urine bowels""".split()
)
"""What belongs to the plan, beside what the lexicon names."""
_UNDERGONE = frozenset("get have feel notice".split())
"""Verbs of what comes over somebody, beside what they do."""

_POINTING = frozenset("it this that these those there here they what which matters counts".split())


def subject_of(words: tuple[str, ...]) -> Subject:
    """Tell whose clause it is."""
    if not words:
        return "order"
    held = frozenset(words)
    if words[0] in NEGATIONS and "else" not in held:
        return "nobody"
    if any(
        (word.endswith("'s") and word[:-2] in PEOPLE) or (word.endswith("'s") and not is_of_plan(word[:-2]))
        for word in words
    ):
        return "stranger"
    if "you" in held:
        return "patient"
    if (
        not held.isdisjoint(("i", "we"))
        or not held.isdisjoint(CARERS)
        or any(w.endswith(("ologist", "ology")) for w in words)
    ):
        return "care"
    if not held.isdisjoint(PEOPLE) and not _names_drug(words):
        return "person"  # but "the baby aspirin" is a thing
    if words[0] in _POINTING:
        return "thing"
    return "thing" if any(is_of_plan(word) for word in words) or mentions_medicine(" ".join(words)) else "stranger"


def is_of_plan(word: str) -> bool:
    """True for a word that names something or someone of the plan, or of medicine."""
    return word in OF_THE_PLAN or word in CARERS or word in ("today", "tomorrow") or mentions_medicine(word)


def is_only_named(subject: tuple[str, ...]) -> bool:
    """True for a subject of medicine that is neither a pronoun nor a part of the plan."""
    return OF_THE_PLAN.isdisjoint(subject) and not (subject and subject[0] in _POINTING)


@lru_cache(maxsize=1)
def medical_stems() -> frozenset[str]:
    """Return the stems of all words that name something of medicine, alone or together."""
    named = (form_key(form).split() for concept in core().concepts.values() for form in concept.forms)
    return frozenset(word for words in named if len(words) <= 3 for word in words)


def befalls(verb: str, rest: tuple[str, ...]) -> bool:
    """True for "get a rash with it", which comes over somebody; false for "get amoxicillin", which is given."""
    end = next((at for at, word in enumerate(rest) if word in ("with", "from", "on", "while")), None)
    thing = rest[:end]
    return verb in _UNDERGONE and not _names_drug(thing) and CARERS.isdisjoint(thing)


def _names_drug(words: tuple[str, ...]) -> bool:
    found = core().find(tokenize(" ".join(words)))
    return any(concept.startswith(("drug:", "class:")) for mention in found for concept in mention.concepts)


def ends_in_medicine(words: tuple[str, ...]) -> bool:
    """True when the noun at the end of a phrase is one of medicine: "blood thinner", not "exam answer"."""
    return any(mention.last == len(words) - 1 for mention in core().find(tokenize(" ".join(words))))


@lru_cache(maxsize=4096)
def mentions_medicine(words: str) -> bool:
    """True when words name something of medicine."""
    return bool(core().find(tokenize(words)))
