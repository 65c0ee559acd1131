"""Signs on which a patient seeks help, and how urgently, out of sentences and lists."""

import re

from bedside.cases.directions import BLANK
from bedside.cases.freetext import FactList, is_uninformative, items, lower_first

__all__ = ["SEEK", "add_return_signs", "add_signs", "urgency_of"]

SEEK = re.compile(
    r"^\W*(?:please )?report (?:any|an?|new)\b|"
    r"\b(?:return to|come (?:back|in)|go to|present to|visit) (?:the |your |us|an? |to )*(?:hospital|emergency|"
    r"e\.?[dr]\b|nearest|clinic)|"
    r"\btell\s+(?:[\w.']+ ){0,3}?(?:doctor|physician|pcp|provider|surgeon|us|team|nurse)\b[^.]*\b(?:if|when)\b|"
    r"\b(?:call|contact|notify|phone|page|see|alert)\s+(?:[\w.']+ ){0,3}?(?:doctor|physician|pcp|provider|"
    r"surgeon|clinic|office|us|md|"
    r"team|nurse|cardiologist|911|hospital|___)\b[^.]*\b(?:if|for|with|when|should)\b(?! (?:an? |your |"
    r"the )?(?:follow|appointment|result|visit|time|check))|\b911\b|\bseek\b|emergency (?:room|department|care)|"
    r"\bcall\b(?: [\w.']+){0,6}? (?:if|for|with|when)\b(?! (?:an? |your |the )?(?:follow|appointment|result|visit|"
    r"time|check))|"
    r"^(?:and )?if (?:you|your|there|she|he)\b.*\b(?:call|return|go to|come|seek|contact|notify|tell)\b|"
    r"(?:come|bring \w+) back\b[^.]*? (?:if|for|with)\b|"
    r"return (?:if|for|to)\b(?! (?:work|school|driving|sports?|exercise|(?:your |all )?(?:normal|usual|regular))\b)|"
    r"get (?:medical )?help|medical attention",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^.*?(?:\breport (?:any|an?|new)\b|\b(?:if|when|should) (?:you|he|she|the patient|there(?: is| are)?)\b"
    r"(?: (?:have|has|had|develop|"
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
    r"^(?:(?:persistent|increas(?:ed|ing)|worsening|worse|severe|sudden|frequent)|"
    r"(?:any )?(?:other )?(?:medical )?(?:questions?|concerns?|concerning|problems?|symptoms?|of the following|"
    r"of these|"
    r"following|issues?|help|further)\b.*|"
    r"(?:call|return|go (?:to|in|back|straight)|please|seek|contact|come)\b.*|"
    r"(?:any|some|other)\w*\b.*\b(?:concern(?:s|"
    r"ing)?(?: to)? you|that concerns?|worr(?:y|ies) you)\b.*|.*\bquestions or\b.*)$",
    re.IGNORECASE,
)
_WHERE = re.compile(r"^(?P<what>[\w-]+(?: [\w-]+)?) (?P<where>(?:from|at|around|near|in|of|on) (?:your|the) .+)$")
_BEYOND = r"(?:higher|more|above|greater|over|less|lower|below|longer)\W*(?:[,.;]|$)"
"""What ends a limit: "101 or higher" is no second sign."""
_OF_A_WOUND = re.compile(
    r"bruising|oozing|numbness|itching|redness|swelling|drainage|pus|bleeding|warmth|pain|tenderness|discharge",
    re.IGNORECASE,
)


def urgency_of(text: str) -> str:
    """Return how urgently a sentence or heading tells to seek help: ``911``, ``emergency`` or ``clinic``."""
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
        add_signs(plan, sentence[lead.end() :], urgency_of(sentence))
    elif re.match(r"if\b|for\b", sentence, re.IGNORECASE):
        add_signs(plan, sentence, urgency_of(sentence))


def add_signs(plan: FactList, text: str, urgency: str) -> None:
    """Add the signs that a text enumerates, all of one urgency."""
    text = re.split(
        r"[,.]? (?:please |then )?(?:call|go to|return to|seek|come (?:back )?to|contact|notify) (?:your|the|us|"
        r"911|an?|immediate|medical|right)\b",
        text,
    )[0]
    text = re.sub(rf",? or (?!{_BEYOND})|,? and/or ", ", ", text, flags=re.IGNORECASE)
    # "Your heart races and you feel confused" is one sign, "fever and chills" are two.
    text = re.sub(r" and (?=(?:you|your|it|they) )", " & ", text)
    signs = [sign for part in items(text) if (sign := _sign(part.replace(" & ", " and ")))]
    placed: list[str] = []
    where = ""
    for sign in reversed(signs):
        # "Redness, swelling or drainage from your incision": the place is that of all.
        place = _WHERE.match(sign)
        where = place["where"] if place else where if _OF_A_WOUND.fullmatch(sign) else ""
        placed.append(sign if place or not where else f"{sign} {where}")
    for sign in reversed(placed):
        plan.add("return_sign", lower_first(sign), urgency=urgency or "emergency")


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
    sign = re.sub(
        r"^your (?=(?:blood|weight|temperature|sugar|pulse|oxygen|heart rate|pain|symptoms|fever)\b)",
        "",
        sign,
        flags=re.I,
    )
    sign = re.sub(r"\s+(?:please|then)$", "", sign)
    return "" if len(sign) < 3 or BLANK in sign or _NO_SIGN.match(sign) or is_uninformative(sign) else sign
