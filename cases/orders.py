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
    "avoid allow apply ask attend bathe bear bring call change check clean complete consult continue cover cut do "
    "don don't drink drive eat elevate empty "
    "ensure exercise finish flush follow get give gradually have hold inject inspect increase irrigate keep leave "
    "lift limit lie log maintain measure monitor move never "
    "no nothing not obtain only pat perform place practice put quit raise read record reduce refrain remain remove "
    "report rest restrict resume rinse schedule shower "
    "sit sleep soak stay stop swim take test touch track try use wait walk wash watch wean wear weigh work"
).split()
ORDER = re.compile(
    rf"(?:{'|'.join(map(re.escape, _VERBS))})\b|you (?:may|can|should|must|are allowed|will be able|cannot|can't|"
    rf"are not)\b|"
    r"(?:low|regular|cardiac|diabetic|heart|soft|full|clear|high)[ -][\w ,-]*diet\b|weight ?bearing|"
    r"activity as tolerated",
    re.IGNORECASE,
)
_DRUG_ORDER = re.compile(
    r"^\W*(?:start(?:ed)?|stop(?:ped)?|chang(?:e|ed)|increas(?:e|ed)|decreas(?:e|ed)|new|held|hold|"
    r"discontinue)\b.*(?:\d|\bmg\b|taking|medicat|: )|"
    r"\btake (?:all |your |all of your )*(?:other )?(?:medications?|medicines?|meds)\b.*(?:prescribed|directed|"
    r"list)|\bmedication (?:changes|list)|"
    r"\b(?:mg|mcg|tablets?)\b",
    re.IGNORECASE,
)


def add_instruction(plan: FactList, sentence: str, heading: str = "") -> None:
    """Add an order or a permission; what is neither, or is an order about a drug on the list, is passed over."""
    sentence = sentence.strip(" -*•")
    lead = POLITE.match(sentence)
    order = sentence[lead.end() :] if lead else sentence
    order = order.lower() if order.isupper() else order
    asked = lead is not None and (lead["polite"] or lead["must"])
    if len(order.split()) < 2 or BLANK in order or _DRUG_ORDER.search(order) or not (asked or ORDER.match(order)):
        return
    plan.add("instruction", order[:1].upper() + order[1:], area=area_of(f"{order} {heading}"))


def area_of(text: str) -> str:
    """Return the area of an instruction, by its words; activity if nothing speaks for another."""
    return next((name for name, pattern in _AREAS.items() if re.search(pattern, text, re.IGNORECASE)), "activity")
