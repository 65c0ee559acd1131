"""Instructions to the patient, as letters and lists write them, sorted into what to do, when to come back, whom to see.

The letter also tells what happened, thanks and greets; none of that is an instruction. A sentence counts only if it
is an order, a permission, or a sign on which to seek help.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from bedside.cases.directions import BLANK
from bedside.cases.freetext import FactList, find_time, is_absence, is_uninformative, items, lower_first

__all__ = ["add_instruction", "add_instructions", "add_return_signs", "add_visit", "add_visits"]

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
_SEEK = re.compile(
    r"\b(?:return to|come (?:back|in)|go to|present to|visit) (?:the |your |us|an? |to )*(?:hospital|emergency|"
    r"e\.?[dr]\b|nearest|clinic)|"
    r"\b(?:call|contact|notify|phone|page|tell|see|alert)\s+(?:[\w.']+ ){0,3}?(?:doctor|physician|pcp|provider|"
    r"surgeon|clinic|office|us|md|"
    r"team|nurse|cardiologist|911|hospital|___)\b[^.]*\b(?:if|for|with|when|should)\b(?! (?:an? |your |"
    r"the )?(?:follow|appointment|result|visit|time|check))|\b911\b|\bseek\b|emergency (?:room|department|care)|"
    r"\bcall\b(?: [\w.']+){0,6}? (?:if|for|with|when)\b(?! (?:an? |your |the )?(?:follow|appointment|result|visit|"
    r"time|check))|"
    r"^(?:and )?if (?:you|your|there|she|he)\b.*\b(?:call|return|go to|come|seek|contact|notify|tell)\b|"
    r"come back (?:if|for)|return (?:if|for|to)\b|get (?:medical )?help|medical attention",
    re.IGNORECASE,
)
_VISIT = re.compile(
    r"(?<!until you )(?<!before you )(?<!unless you )(?:follow(?:ing)?[- ]?up|appointments?|\b(?:see|"
    r"visit) (?:your|dr|the)|\bscheduled (?:to see|with|for)|\bclinic in \d|\breturn to clinic)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^.*?(?:\b(?:if|when|should) (?:you|he|she|the patient|there(?: is| are)?|your)\b(?: (?:have|has|had|develop|"
    r"experience|notice|note|are having|"
    r"start having|begin to have|get|see))?|\b(?:any )?(?:of )?the following(?: \w+)?:?|\b(?:for|with)(?: any| new|"
    r" either)*(?= )|\bif(?= )):?\s*",
    re.IGNORECASE,
)
_ANY = re.compile(
    r"^(?:(?:or|and|any|are|is|has|new(?= or\b)|either|also|you|have|develop|notice|experience|there is|if|"
    r"are having|having|other|for|if you|a|an|the)\s+)+"
    r"(?=\w)",
    re.IGNORECASE,
)
_NO_SIGN = re.compile(
    r"^(?:(?:any )?(?:other )?(?:questions?|concerns?|concerning|problems?|symptoms?|of the following|of these|"
    r"following|issues?|help|further)\b.*|"
    r"(?:call|return|go|please|seek|contact|come)\b.*|.*\b(?:concern(?:s|ing)?(?: to)? you|questions or|"
    r"that concerns?|worr(?:y|ies) you)\b.*)$",
    re.IGNORECASE,
)
_WHERE = re.compile(r"^(?P<what>[\w-]+(?: [\w-]+)?) (?P<where>(?:from|at|around|near|in|of|on) (?:your|the) .+)$")
_WHOM = re.compile(
    r"(?:with|see|by|visit|call)\s+(?:both |your |the |an? |our )*((?:Dr\.? )?(?:[A-Za-z/_'’-]+|"
    r"\([A-Za-z ]+\))(?: [A-Za-z/_'’-]+| \([A-Za-z ]+\)){0,6}?)"
    r"(?=\s+(?:in (?:\d|one|two|three|four|six|a\b|the next)|within|on|at|for|to|next|as|regarding|after|this|upon|"
    r"about|who|so)\b|\s*[.,;:]|\s*$)",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:(?:in|within|after)(?: the next| about| approximately)? (?:\d+|one|two|three|four|five|six|eight|ten|"
    r"twelve|a)(?:\s?(?:-|–|to)\s?(?:\d+|two|three|four))?"
    r"[ -](?:business )?(?:days?|weeks?|wks?|months?|hours?|years?)(?: (?:of|after|from) (?:discharge|surgery|"
    r"leaving))?|next (?:week|month)|"
    r"this week|tomorrow|(?:on )?(?:mon|tues|wednes|thurs|fri)day(?! ___)|on \d{1,2}/\d{1,2}(?:/\d{2,4})?|as needed)\b",
    re.IGNORECASE,
)
_SPECIALTY = re.compile(
    r"\b(cardiology|cardiac \w+|neurology|neurosurgery|nephrology|renal|gastroenterology|gi|oncology|hematology|"
    r"orthop\w+|urology|surgery|vascular|"
    r"pulmonary|pulmonology|endocrinology|psychiatry|dermatology|rheumatology|infectious disease|ophthalmology|"
    r"ob/?gyn|ent|transplant|wound|"
    r"hepatology|liver|pcp|primary care)\b(?: (?:clinic|physician|doctor|surgery|center))?",
    re.IGNORECASE,
)
_PRIMARY = re.compile(
    r"^(?:your )?(?:pcp|primary care (?:physician|doctor|provider|clinic)?|"
    r"primary care)\b.*$",
    re.IGNORECASE,
)
_PURPOSE = re.compile(
    r"\b(?:for|to (?:have|check|discuss|get|review))\s+(?!\d|you\b|"
    r"the next)([a-z][^.;,_]{4,70})",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"^\s*(?P<name>department|specialty|with|when|name|provider|where|location|building|campus|"
    r"best parking|phone|appointment)\s*:",
    re.IGNORECASE,
)

_PLEASANTRY = re.compile(
    r"^\W*(?:dear\b|it (?:was|has been) (?:a|our|an)|thank you|thanks\b|sincerely|we wish|best (?:wishes|regards|"
    r"of)|your .{0,40}(?:team|care)\b.{0,20}$|"
    r"take care|good luck|wishing|with best|warm|regards|be well|congratulations|we (?:hope|are (?:happy|glad)))",
    re.IGNORECASE,
)
_POLITE = re.compile(
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
_ORDER = re.compile(
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
_STARTS_PAST = re.compile(
    r"\b(?:why|what)\b.*\b(?:was|were|did|brought|happened|done|admitted|in the hospital|here)\b|"
    r"reason for (?:your )?(?:admission|hospital)|while (?:you were|in|here)|"
    r"your hospital (?:stay|course)",
    re.IGNORECASE,
)
_STARTS_SIGNS = re.compile(
    r"\bwhen (?:should|to|do)\b.*\b(?:call|return|come|seek|worry)|danger|warning signs?|red flags?|call (?:your|"
    r"the|us|911)|return to|seek|"
    r"(?:any of )?the following|reasons to",
    re.IGNORECASE,
)
_STARTS_VISITS = re.compile(r"follow[- ]?up|appointments?", re.IGNORECASE)
_MEDICINES = re.compile(r"\bmedic(?:ation|ine)s?\b", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*•·–>✓□+#]+\s*|\(?\d{1,2}[.)]\s+|\(?[a-h][.)]\s+)")

Mode = Literal["any", "past", "signs", "visits", "drugs"]


class _Line(NamedTuple):
    text: str
    heading: bool
    bullet: bool


def add_instructions(plan: FactList, text: str) -> None:
    """Add what a letter or list of instructions tells: return signs, visits, and things to do or avoid."""
    mode: Mode = "any"
    area = ""
    urgency = ""
    for line in _lines(text):
        if line.heading:
            mode, area = _mode_of(line.text), line.text
            urgency = _urgency(line.text) if mode == "signs" else ""
            continue
        if (
            mode == "signs"
            and not line.bullet
            and _POLITE.sub("", line.text, count=1)[:1].isupper()
            and _ORDER.match(line.text)
        ):
            mode = "any"
        for sentence in _sentences(line.text):
            if mode == "signs" and not _SEEK.search(sentence) and not _PLEASANTRY.match(sentence):
                _add_signs(plan, sentence, urgency)
            elif mode in ("past", "drugs") and not _SEEK.search(sentence) and not _VISIT.search(sentence):
                continue
            else:
                _add_sentence(plan, sentence, area, visits=mode == "visits")


def _mode_of(heading: str) -> Mode:
    if _STARTS_PAST.search(heading):
        return "past"
    if _STARTS_SIGNS.search(heading):
        return "signs"
    if _STARTS_VISITS.search(heading):
        return "visits"
    return "drugs" if _MEDICINES.search(heading) else "any"


def _lines(text: str) -> Iterator[_Line]:
    """Yield headings, items and paragraphs, with the lines that a narrow page broke joined."""
    held = ""
    bullet = False
    width = max([60, *map(len, text.splitlines())])
    shouted = text.isupper()
    length = 0
    for raw in [*text.splitlines(), ""]:
        line = " ".join(raw.split())
        if BLANK not in line:
            line = line.strip("=_ ")
        starts = _BULLET.match(line) is not None
        heading = bool(line) and _is_heading(line, shouted)
        # Had the next word fitted on the line, the line was ended on purpose.
        ended = bool(line) and line[0].isupper() and length + 1 + len(line.split()[0]) <= width
        length = len(raw.rstrip())
        if held and (not line or starts or heading or ended):
            yield _Line(held, _is_heading(held, shouted), bullet)
            held = ""
        if not line:
            continue
        if heading:
            yield _Line(_BULLET.sub("", line), heading=True, bullet=False)
        elif held:
            held = f"{held} {line}"
            if held.endswith(":"):
                yield _Line(held, heading=True, bullet=False)
                held = ""
        else:
            held, bullet = _BULLET.sub("", line), starts


def _is_heading(line: str, shouted: bool) -> bool:
    """Say whether a line is a heading: by its end, or by capitals where not the whole text is in capitals."""
    words = line.split()
    letters = re.sub(r"[^A-Za-z]", "", line)
    capitals = not shouted and letters.isupper() and len(letters) > 5 and 1 < len(words) < 10
    return line.endswith(":") or (line.endswith("?") and len(words) < 14) or capitals


def _sentences(text: str) -> Iterator[str]:
    for part in re.split(
        r"(?<=[.!?])(?<!\b[DM]r\.)(?<!\bMs\.)(?<!Mrs\.)(?<!\bSt\.)\s+(?=[A-Z\"'(])|;\s+|"
        r"\.(?=[A-Z][a-z])|,? (?:and )?(?=(?:please )?call (?:your |the )?(?:md|doctor)\b[^.]*\bif\b)",
        text,
    ):
        if part.strip(" .;_-"):
            yield part.strip()


def _add_sentence(plan: FactList, sentence: str, area: str, *, visits: bool) -> None:
    if _PLEASANTRY.match(sentence) or is_uninformative(sentence):
        return
    visit = _VISIT.search(sentence) is not None
    alarm = re.search(r"\b(?:if|911|emergency)\b", sentence, re.IGNORECASE) is not None
    if _SEEK.search(sentence) and (alarm or not visit):
        add_return_signs(plan, sentence)
    elif visits or visit:
        for part in re.split(r",? and (?=with\b|your\b.*\bin \d)", sentence):
            add_visit(plan, part)
    else:
        add_instruction(plan, sentence, area)


def add_instruction(plan: FactList, sentence: str, heading: str = "") -> None:
    """Add an order or a permission; what is neither, or is an order about a drug on the list, is passed over."""
    sentence = sentence.strip(" -*•")
    lead = _POLITE.match(sentence)
    order = sentence[lead.end() :] if lead else sentence
    order = order.lower() if order.isupper() else order
    asked = lead is not None and (lead["polite"] or lead["must"])
    if len(order.split()) < 2 or BLANK in order or _DRUG_ORDER.search(order) or not (asked or _ORDER.match(order)):
        return
    plan.add("instruction", order[:1].upper() + order[1:], area=area_of(f"{order} {heading}"))


def area_of(text: str) -> str:
    """Return the area of an instruction, by its words; activity if nothing speaks for another."""
    return next((name for name, pattern in _AREAS.items() if re.search(pattern, text, re.IGNORECASE)), "activity")


def _urgency(text: str) -> str:
    if "911" in text:
        return "911"
    emergency = re.search(
        r"emergency|\be\.?[dr]\b|hospital|return to(?! clinic)|come back|"
        r"come in",
        text,
        re.IGNORECASE,
    )
    calls = re.search(r"\b(?:call|contact|notify|tell|phone)\b", text, re.IGNORECASE)
    return "emergency" if emergency or not calls else "clinic"


def add_return_signs(plan: FactList, sentence: str) -> None:
    """Add the signs of a sentence like "call your doctor if you have fever, chills or redness around your incision"."""
    if lead := _LEAD.match(sentence):
        _add_signs(plan, sentence[lead.end() :], _urgency(sentence))
    elif re.match(r"if\b|for\b", sentence, re.IGNORECASE):
        _add_signs(plan, sentence, _urgency(sentence))


def _add_signs(plan: FactList, text: str, urgency: str) -> None:
    text = re.split(
        r"[,.]? (?:please |then )?(?:call|go to|return to|seek|come (?:back )?to|contact|notify) (?:your|the|us|"
        r"911|an?|immediate|medical|right)\b",
        text,
    )[0]
    signs = [sign for part in items(re.sub(r",? or |,? and/or ", ", ", text)) if (sign := _sign(part))]
    placed: list[str] = []
    where = ""
    for sign in reversed(signs):
        # "Redness, swelling or drainage from your incision": the place is that of all.
        place = _WHERE.match(sign)
        where = place["where"] if place else where if _OF_A_WOUND.fullmatch(sign) else ""
        placed.append(sign if place or not where else f"{sign} {where}")
    for sign in reversed(placed):
        plan.add("return_sign", lower_first(sign), urgency=urgency or "emergency")


_OF_A_WOUND = re.compile(r"redness|swelling|drainage|pus|bleeding|warmth|pain|tenderness|discharge", re.IGNORECASE)


def _sign(part: str) -> str:
    sign = _ANY.sub("", part.strip(" .:-"))
    sign = re.sub(
        r"^(?:your )?weight (?:goes up|increases|"
        r"rises)(?: by)?(?: more than)?",
        "weight gain of more than",
        sign,
        flags=re.I,
    )
    sign = re.sub(r"^(?:are |am )?(?:unable to|cannot|can't|not able to) ", "inability to ", sign, flags=re.I)
    sign = re.sub(r"\s+(?:please|then)$", "", sign)
    return "" if len(sign) < 3 or BLANK in sign or _NO_SIGN.match(sign) or is_uninformative(sign) else sign


def add_visits(plan: FactList, text: str) -> None:
    """Add the visits of a follow-up section: sentences, lines, or appointments with a field a line."""
    fields: dict[str, str] = {}
    free: list[str] = []
    for raw in [*text.splitlines(), ""]:
        field = _FIELD.match(raw)
        if field:
            name = field["name"].lower()
            if name in fields:
                _add_appointment(plan, fields)
                fields = {}
            fields[name] = raw[field.end() :].strip()
        elif not raw.strip():
            _add_appointment(plan, fields)
            fields = {}
        elif not fields:
            free.append(raw)
    for line in _lines("\n".join(free)):
        for sentence in _sentences(line.text.rstrip(":") if line.heading and ":" not in line.text[:-1] else line.text):
            _add_sentence(plan, sentence, "", visits=not line.heading)


def _add_appointment(plan: FactList, fields: dict[str, str]) -> None:
    whom = (
        fields.get("specialty")
        or fields.get("department")
        or fields.get("with")
        or fields.get("name")
        or fields.get("appointment")
        or ""
    )
    if whom := _whom(whom):
        when = _WHEN.search(fields.get("when", "")) or _WHEN.search(fields.get("appointment", ""))
        plan.add("follow_up", whom, when=when and when[0])


def add_visit(plan: FactList, text: str) -> None:
    """Add the visit that a sentence or line tells: whom to see, when, what for."""
    if not text.strip(" _.") or is_absence(text):
        return
    found, when = _WHOM.search(text), _WHEN.search(text)
    name = _whom(found[1]) if found else ""
    if not name:
        named = _SPECIALTY.search(text)
        before = re.split(r"\b(?:in|within|on|at|appointment)\b|[:,;]|(?<!Dr)\.", text, flags=re.IGNORECASE)[0]
        short = not found and 0 < len(before.split()) < 6 and not _VISIT.search(before)
        name = _whom(before) if short else _whom(named[0]) if named else "your doctor" if found else ""
    if not name or re.match(r"(?:please|you|we|follow|a|the|call|if|to|this)\b", name, re.IGNORECASE):
        return
    stated = find_time(text)
    purpose = _PURPOSE.search(text[found.end() :] if found else text)
    plan.add(
        "follow_up",
        name,
        when=when[0].lower() if when else stated and stated.words,
        purpose=purpose and purpose[1].strip(),
    )


def _whom(text: str) -> str:
    """Return whom to see without redacted names; "Dr. ___ (cardiology)" is cardiology."""
    if BLANK in text or re.match(r"dr\b", text, re.IGNORECASE):
        named = _SPECIALTY.search(text)
        text = named[0] if named else "" if BLANK in text else text
    text = re.sub(r"\s*\([A-Z]{2,4}\)", "", text).strip(" -,.:*")
    if _PRIMARY.match(text):
        return "primary care doctor"
    return lower_first(text) if not text.isupper() or len(text) < 5 else text.lower()
