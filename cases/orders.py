"""What a patient is asked to do or to leave at home, out of single sentences."""

import re

from bedside.cases.directions import BLANK
from bedside.cases.freetext import FactList

__all__ = ["ORDER", "POLITE", "add_instruction", "area_of"]

_AREAS = {
    "wound": r"wound|incision|dressing|stitch|suture|staple|bandage|shower|bath|swim|hot tub|steri",
    "diet": r"\bdiet|\beat\b|eating|food|drink|fluid|sodium|\bsalt|alcohol|meal|fiber",
    "monitoring": r"weigh|check your|measure|monitor|blood pressure|blood sugar|temperature|record your|keep track|"
    r"log of",
    "device": r"\bdrain\b|catheter|\bbrace|\bsling|\bcast\b|\bsplint|oxygen|cpap|pump|walker|crutch|stockings|"
    r"\bcollar|\bboot\b",
    "rehabilitation": r"therapy|rehab|exercises",
    "safety": r"driv|fall|machinery|safety|heavy equipment|operate",
    "lifestyle": r"smok|tobacco|cigarette|sleep|stress|vaping|\bdrugs\b",
}
POLITE = re.compile(
    r"^\W*(?:(?:and|also|then|so|additionally|in addition|finally|most importantly|importantly|when you (?:go|"
    r"get) home|at home|once (?:you are )?home|"
    r"after discharge|for (?:the )?next [^,]{3,20}),?\s+)*(?:(?P<polite>please|kindly)\s+(?:be sure to |"
    r"make sure (?:to|that you|you) |remember to )?|"
    r"(?P<must>you|patient) (?:should|must|need to|will need to|have to|are (?:advised|asked|encouraged) to|"
    r"ought to)\s+(?!not\b|never\b|be\b)(?:also |always |please |then )*|"
    r"(?:be sure|make sure|remember|try|it is (?:very )?important) (?:to|that you|you)\s+)?(?:also |always )?",
    re.IGNORECASE,
)
_VERBS = (
    "encourage "
    "aim allow apply ask attend avoid bathe bear begin breathe bring brush call carry change check choose clean "
    "complete consult continue cough count cover cut do don don't drink drive eat elevate empty ensure exercise "
    "feel finish flush follow gargle get give go gradually have help hold increase inject inspect irrigate join "
    "keep know lean learn leave let lie lift limit lock log look maintain measure monitor move never no not nothing "
    "obtain only pass pat perform pinch place plan practice press put quit raise read record reduce refrain refuse "
    "remain remember remove report rest restrict resume return rinse roll save schedule show shower sip sit sleep "
    "soak spread squeeze stand stay step stop store stretch swallow swim take talk tell test touch track try turn "
    "use wait walk wash watch wean wear weigh work wrap write"
).split()
ORDER = re.compile(
    rf"(?:{'|'.join(map(re.escape, _VERBS))})\b|(?:it is )?ok(?:ay)? to\b|"
    r"you (?:may|can|should|must|are allowed|will be able|cannot|can't|are not)\b"
    r"(?! (?:also )?(?:feel|notice|experience|see|find|expect|have (?!.*\b(?:diet|food|liquid|drink|meal))))|"
    r"weight ?bearing|"
    r"activity as tolerated",
    re.IGNORECASE,
)
# An unlisted verb shows itself by what follows: "Swing the arm", "Nurse or pump your". A preposition cannot begin one.
_IMPERATIVE = re.compile(
    r"(?!(?:about|after|although|among|around|as|at|because|before|between|both|but|by|despite|during|for|from|if|in|"
    r"into|near|of|on|once|over|per|since|so|that|then|though|through|to|under|unless|until|upon|when|where|whether|"
    r"while|with|without|within|is|are|was|were|has|had|will|would|and|or|than|not|all|half)\b|\w+(?:ly|ed|ing|s)\b)"
    r"[a-z]+(?: (?:and|or) [a-z]+)?(?: (?:up|down|out|off|on|back|away|in|over))? "
    r"(?:your|the|an?|any|no(?! longer)|only|nobody|this|these|it|them)\b",
    re.IGNORECASE,
)
_CONDITIONED = re.compile(
    r"(?:(?:after|before|during|when|while|at|on|each|every|once|until|with|if|for) [^,.;]{3,60},|"
    r"for (?:[\w-]+ ){1,5}?)"
    rf"\s*(?:{ORDER.pattern})",
    re.IGNORECASE,
)
# "2 g sodium diet", "Daily weights": an order without a verb.
_NOUN_ORDER = re.compile(
    r"(?!you\b|we\b|your\b|he\b|she\b)(?:[\w.,/-]+ ){1,6}(?:diet|precautions|weights|restrictions?)\W*$", re.IGNORECASE
)
_DRUG_ORDER = re.compile(
    r"^\W*(?:start(?:ed)?|stop(?:ped)?|chang(?:e|ed)|increas(?:e|ed)|decreas(?:e|ed)|new|held|hold|"
    r"discontinue)\b.*(?:\d|\bmg\b|taking|medicat|: )|"
    r"\btake (?:all |your |all of your )*(?:other )?(?:medications?|medicines?|meds)\b.*(?:prescribed|directed|"
    r"list)|\bmedication (?:changes|list)",
    re.IGNORECASE,
)
_DOSED = re.compile(r"\d\s?(?:mg|mcg|tab(?:let)?s?)\b", re.IGNORECASE)
_REPORTED = re.compile(
    r"^(?:the )?(?:patient|pt|he|she) (?:(?:was|is|has been) (?:advised|instructed|told|asked|counseled|encouraged|"
    r"reminded) (?P<what>(?:not )?to)|(?P<modal>(?:should|must|may|can)(?: not)?)) ",
    re.IGNORECASE,
)
_THIRD = re.compile(
    r"\b(?:he|she)(?P<verb> [a-z]+?(?=s\b))?s?\b|\b(?:his|her)(?= [a-z])|\b(?:him|her)\b", re.IGNORECASE
)


def add_instruction(plan: FactList, sentence: str, heading: str = "", *, asked: bool = False) -> None:
    """Add an order or a permission; what is neither, or is an order about a drug on the list, is passed over.

    Args:
        plan: Where to add it.
        sentence: What may be an order.
        heading: What stands above it; it tells the area.
        asked: True if it is an item of a list of orders: then it needs no verb that is known as one.
    """
    sentence = _to_the_patient(sentence.strip(" -*•"))
    lead = POLITE.match(sentence)
    order = sentence[lead.end() :] if lead else sentence
    order = order.lower() if order.isupper() else order
    polite = lead is not None and (lead["polite"] or lead["must"])
    area = area_of(f"{order} {heading}")
    if len(order.split()) < 2 or BLANK in order or _DRUG_ORDER.search(order):
        return
    if (area != "diet" and _DOSED.search(order)) or not (
        polite or _is_order(order) or (asked and not _TELLING.match(order))
    ):
        return
    plan.add("instruction", order[:1].upper() + order[1:], area=area)


# What is told rather than asked: "Your stitches will dissolve", "This is normal".
_TELLING = re.compile(
    r"(?:you|your|we|our|i|he|she|it|its|this|that|these|those|there|the|an?|his|her|some|most)\b|\w+ing\b",
    re.IGNORECASE,
)


def _is_order(text: str) -> bool:
    return any(form.match(text) for form in (ORDER, _IMPERATIVE, _NOUN_ORDER, _CONDITIONED))


def _to_the_patient(sentence: str) -> str:
    """Say "The patient was advised to rest her knee" as it was said to her: "Rest your knee"."""
    if (told := _REPORTED.match(sentence)) is None:
        return sentence
    rest = _THIRD.sub(_second_person, sentence[told.end() :])
    if told["modal"]:
        return f"You {told['modal']} {rest}"
    return f"Do not {rest}" if told["what"].lower().startswith("not") else rest[:1].upper() + rest[1:]


def _second_person(word: re.Match[str]) -> str:
    if word[0].lower().startswith(("he ", "she ")) or word[0].lower() in ("he", "she"):
        return f"you{word['verb'] or ''}"
    return "your" if word[0].lower() == "his" or word.string[word.end() :][:1] == " " else "you"


def area_of(text: str) -> str:
    """Return the area of an instruction, by its words; activity if nothing speaks for another."""
    return next((name for name, pattern in _AREAS.items() if re.search(pattern, text, re.IGNORECASE)), "activity")
