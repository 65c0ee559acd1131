"""Small English grammar: third person into first, phrases fitted into sentences.

Records speak of the patient ("lives with his wife"), the patient speaks of "me". Lay forms may be things ("a
fever") or doings ("getting winded easily"), and want different verbs.
"""

import re
from functools import lru_cache
from typing import Literal

__all__ = [
    "capital",
    "clause",
    "first_person",
    "form_of",
    "listed",
    "lower_first",
    "plain_case",
    "sentence",
    "with_article",
]

Form = Literal["thing", "doing", "mass"]

# Doings that take "I've been"; other words in -ing (swelling, tingling) are things.
_DOINGS = frozenset(
    [
        "feeling",
        "getting",
        "throwing",
        "waking",
        "peeing",
        "passing",
        "losing",
        "seeing",
        "forgetting",
        "falling",
        "spitting",
        "hearing",
        "having",
        "running",
        "going",
        "coming",
        "coughing",
        "vomiting",
        "sweating",
        "shaking",
        "shivering",
        "wheezing",
        "limping",
        "drooling",
        "stumbling",
        "choking",
        "gagging",
        "worrying",
        "crying",
        "sleeping",
        "eating",
        "drinking",
        "talking",
        "walking",
        "dropping",
        "dribbling",
        "leaking",
        "snoring",
        "gasping",
        "hurting",
        "gaining",
        "thinking",
        "wanting",
        "needing",
        "breaking",
        "blacking",
        "passing",
        "zoning",
        "pacing",
        "fidgeting",
        "using",
        "sneezing",
        *"scratching urinating avoiding dozing hurrying panting puffing tripping oversleeping veering paying snapping "
        "belching burping collapsing punching checking bringing finding waiting stopping fainting writing".split(),
    ]
)
_THINGS_ANYWAY = re.compile(
    r"^\w+ing (?:i|that)\b|"
    r"^(?:feeling|running|coming|talking) (?:of|nose)\b|^\w+ing (?:spells?|fits?|chills|gums|stools?|pain|eyes?)\b"
)
# "Pushing up with my hands" is done, "burning in my chest" is had.
_DOES = re.compile(
    r"(?!swelling|itching|burning|aching|bleeding|cramping|throbbing|tingling|ringing|stinging|pulling|bruising)"
    r"\w{2,}ing (?:up|down|out|over|off|myself|things?|my|people)\b"
)
_IRREGULAR = {
    "has": "have",
    "is": "am",
    "does": "do",
    "goes": "go",
    "was": "was",
    "lies": "lie",
    "dies": "die",
    "ties": "tie",
}
_NOT_VERBS = frozenset(
    [
        "previous",
        "always",
        "occasionally",
        "sometimes",
        "previously",
        "across",
        "various",
        "dress",
        "yes",
        "this",
        "his",
        "perhaps",
        "alcoholics",
        "glass",
        "loss",
        "illness",
        "sickness",
        "business",
        "numerous",
    ]
)
_ANOTHER_VERB = re.compile(
    r"(?:(?<=\band )|(?<=\bor ))(?:then |often |also |now |still |sometimes )?("
    r"attends|works|lives|drinks|smokes|eats|takes|stands|cooks|walks|"
    r"runs|swims|shares|"
    r"sleeps|uses|has|is|does|goes|sits|helps|lifts|drives|keeps|gets|plays|teaches|cares|owns|chews|"
    r"vapes|quits|rides|climbs|travels|sings|bikes|cycles|gardens|volunteers|handles|babysits|feels|wants|puts|minds|"
    r"comes|looks|reads|watches|visits|raises|studies|carries|wears|spends|needs|likes|makes|moves|stays|sees|sells)\b"
)
_MINE = {
    "his": "my",
    "he": "I",
    "him": "me",
    "himself": "myself",
    "herself": "myself",
    "she": "I",
    "hers": "mine",
    "their": "my",
    "they": "I",
}
_OBJECT_HER = re.compile(
    r"\bher\b(?=\s+(?:bathe|dress|eat|walk|shop|cook|clean|get|with|to|out|at|when|if|every|and|up|from|"
    r"through|down|on)\b|\s*(?:[.,;]|$))"
)
_PRONOUN = re.compile(r"\b(?:his|himself|herself|hers|him|he|she|her)\b", re.IGNORECASE)


# Illnesses named after people keep their capital.
_NAMES = frozenset(
    "Lyme Crohn Hashimoto Parkinson Graves Addison Cushing Raynaud Meckel Marfan Hodgkin Alzheimer Down Turner "
    "Sjogren Sjögren Bell Barrett Wilson Kawasaki Tourette Guillain Ebola Swiss Asian English".split()
)


def plain_case(text: str) -> str:
    """Undo headline capitals: "Ulcerative Colitis" is no name."""
    words = text.split(" ")
    if len(words) < 2 or not words[1][:1].isupper() or words[0] in ("I", "My"):
        return text
    kept = (w if w in _NAMES or w[1:] != w[1:].lower() or "'" in w or len(w) == 1 else w.lower() for w in words)
    return " ".join(kept)


_CONTRACTED = frozenset(
    "It's There's That's What's Here's He's She's Where's Who's How's Let's Nobody's Everybody's".split()
)


def lower_first(text: str) -> str:
    """Lower the first letter, unless the first word is an abbreviation, a name with digits or "I"."""
    first = text.split(" ", 1)[0].strip(",.…")
    if first in _NAMES or (first.endswith("'s") and first not in _CONTRACTED):
        return text
    if first[1:] != first[1:].lower() or first in ("I", "I'm", "I've", "I'd", "I'll"):
        return text
    return text[:1].lower() + text[1:]


def capital(text: str) -> str:
    """Raise the first letter."""
    return text[:1].upper() + text[1:]


def listed(parts: list[str], word: str = "and") -> str:
    """Join as speech does: "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def sentence(text: str) -> str:
    """Make a sentence: a capital and an end mark."""
    text = capital(text.strip())
    return text if text[-1:] in ".!?…" else f"{text}."


@lru_cache(maxsize=8192)
def form_of(phrase: str) -> Form:
    """Say what verb a noun phrase wants.

    Returns:
        ``doing`` for "getting winded" ("I've been …"), ``mass`` for what starts with "no" or "less" ("I've
        had …", never "there's a …"), else ``thing``.
    """
    first = phrase.split(" ", 1)[0].lower()
    low = phrase.lower()
    if (first in _DOINGS or _DOES.match(low)) and not _THINGS_ANYWAY.match(low):
        return "doing"
    return "mass" if first in ("no", "less", "more", "not", "much", "some", "my") else "thing"


@lru_cache(maxsize=8192)
def first_person(text: str) -> str:
    """Turn third-person pronouns into the speaker's."""
    text = re.sub(r"\b(?:the|this) patient's\b", "my", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(?:the|this) patient\b", "I", text, flags=re.IGNORECASE)
    text = _OBJECT_HER.sub("me", text)
    text = _PRONOUN.sub(lambda m: _MINE.get(m[0].lower(), "my"), text)
    text = re.sub(r"\bI (?:is|has)\b", lambda m: "I'm" if m[0].endswith("is") else "I have", text)
    text = re.sub(r"\bI (\w+s)\b", lambda m: f"I {_bare(m[1])}", text)
    return re.sub(r"\b(?:her|his) own\b", "my own", text)


def _bare(verb: str) -> str:
    """Return the first-person form of a third-person verb."""
    low = verb.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if not low.endswith("s") or low.endswith("ss") or low in _NOT_VERBS:
        return verb
    if low.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if re.search(r"(?:ch|sh|ss|x|zz|o)es$", low) else verb[:-1]


@lru_cache(maxsize=8192)
def clause(text: str) -> str:
    """Turn a phrase after "the patient" into a clause: "lives with his wife" becomes "I live with my wife".

    Returns:
        The clause without an end mark; a phrase without a verb comes back as it was, in the first person.
    """
    text = lower_first(text.strip(" .;"))
    text = re.sub(r"^(?:the |this )?patient (?=\w)", "", text)
    text = re.sub(r"^(?:he|she) (?=\w)", "", text)
    # Nobody says "or" of oneself.
    text = re.sub(r"^attends or works in (?=a )", "spends time at ", text)
    first, _, rest = text.partition(" ")
    rest = first_person(rest)
    rest = _ANOTHER_VERB.sub(lambda m: m[0].replace(m[1], _bare(m[1])), rest)
    if first == "is":
        return f"I'm {rest}"
    if first in ("has", "had") and re.match(
        r"(?:never|not|always|been|quit|used|smoked|had|traveled|travelled|worked|lived|recently|lost|"
        r"no longer|touched|started)\b",
        rest,
    ):
        return f"I've {rest}" if first == "has" else f"I had {rest}"
    if first == "does" and rest.startswith("not "):
        return f"I don't {rest[4:]}"
    if first == "denies":
        return f"I don't do {rest}" if not rest.endswith("use") else f"no {rest}"
    if first in ("never", "no", "not", "non-smoker", "nonsmoker"):
        return (
            f"I {first} {_bare(rest.split(' ', 1)[0])} {rest.partition(' ')[2]}".strip() if first == "never" else text
        )
    if first in (
        "last",
        "frequently",
        "currently",
        "occasionally",
        "sometimes",
        "rarely",
        "often",
        "still",
        "usually",
        "recently",
        "previously",
        "also",
        "often",
        "only",
    ):
        verb, _, tail = rest.partition(" ")
        return f"I {first} {_bare(verb)} {tail}".strip() if verb.endswith(("s", "ed")) else text
    if _is_verb(first):
        return f"I {_bare(first)} {rest}".strip()
    return first_person(text)


_PAST = frozenset(
    [
        "quit",
        "used",
        "drove",
        "worked",
        "lived",
        "smoked",
        "drank",
        "began",
        "started",
        "stopped",
        "grew",
        "moved",
        "lost",
        "ate",
        "took",
        "had",
        "was",
        "went",
        "came",
        "did",
        "kept",
        "sold",
        "left",
        "served",
        "taught",
        "recently",
        "breastfed",
        "gave",
    ]
)


def _is_verb(word: str) -> bool:
    return (
        word in _PAST
        or (word.endswith("s") and not word.endswith("ss") and word not in _NOT_VERBS)
        or word.endswith("ed")
    )


_COUNTED = re.compile(
    r"\b(?:rash|ache|feeling|sensation|cough|headache|fever|reaction|attack|stroke|seizure|clot|bleed|"
    r"tendon|stomach|throat|"
    r"face|tongue|mouth|ectomy|\w+ectomy|\w+otomy|\w+ostomy|\w+oscopy|\w*plasty|"
    r"replacement|repair|removal|section|bypass|transplant|operation|biopsy|scan|catheterization|"
    r"reconstruction|fixation|ligation|fusion|graft|amputation|stent|"
    r"pacemaker|delivery|ulcer|tumor|murmur|hernia|goiter|stone|aneurysm|infarction|fracture|"
    r"thyroid|pouch|prostate|knee|hip|shoulder|wrist|back|heart|heartbeat|camera|scope|cast|port|lump|knot|polyp|cyst|"
    r"line|tube|catheter|check|test|disc|disk|valve|infection|allergy|disorder|syndrome|defect|injury|concussion|"
    r"wound|tremor|spasm|mole|bump|blister|bruise|burn|scar|mass|growth|nodule|lesion|limp|temper|"
    r"vitamin|inhaler|tracing|ultrasound|picture|sample|drip|mask|shot|exam|transfusion|wire|opening|treatment|"
    r"antibiotic|antiviral|echocardiogram|electrocardiogram|EKG|MRI|angiogram|monitor|gland|kidney|bladder|liver|"
    r"embolism|abscess|tooth|eye|patch|implant|pump)$"
)
# "An MRI" and "an ulcer", but "a urine test" and "a one-time dose".
_VOWEL = re.compile(r"(?!ur[ie]|uni|use|one\b|once\b)(?:[aeiouAEIO]|[FHLMNRSX](?=[A-Z]))")
_UNCOUNTED = re.compile(r"^(?:hay fever|heartburn|weak|thin|worn-out knees)\b")


@lru_cache(maxsize=8192)
def with_article(phrase: str, *, always: bool = False) -> str:
    """Put "a" or "an" before a thing that one has or had one of; before anything if ``always``."""
    low = phrase.lower()
    if re.match(r"(?:an?|the|my|no|some|both|two|three|several|many|one)\b", low):
        return phrase
    if re.match(r"\w+ (?:taken out|removed|tied|pulled|fixed|repaired|replaced)\b", low):
        return f"my {phrase}"
    head = re.split(
        r" (?:at|in|of|with|for|from|to|after|treated|last\w*|on|under|through|put|that|as|worse|relieved|over)\b|,",
        low,
        maxsplit=1,
    )[0]
    if not always and (_UNCOUNTED.match(low) or not _COUNTED.search(head)):
        return phrase
    return f"{'an' if _VOWEL.match(phrase) else 'a'} {phrase}"
