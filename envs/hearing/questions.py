"""What a question asks: its cues settled against each other, and tied to what it names."""

import re

from bedside.envs.hearing.cues import match
from bedside.envs.hearing.segments import Named, Segment
from bedside.envs.intents import ATTRIBUTES, Intent

__all__ = ["asked_for", "asked_of", "guessed", "headings"]

_GENERAL = frozenset(("sx:pain", "sx:discomfort", "sx:malaise", "sx:unwell"))
_TOPICAL = frozenset(
    (
        "cond:chronic-disease",
        "sx:worsening-symptoms",
        "cond:allergy",
        "cond:drug-allergy",
        "cond:food-allergy",
    )
)
_WORDS_OF = {
    "allergies": ("-allergy", "allergies", "allergic to", "reaction"),
    "tobacco": ("smok", "tobacco", "nicotine"),
    "alcohol": ("alcohol", "drink"),
    "drugs": ("drug-use", "substance", "needles"),
    "sexual": ("sex", "intercourse", "menopause", "birth control", "contracept", "pregnan", "period", "menstru"),
}
_GENERIC = re.compile(
    r"^(?:surger(?:y|ies)|operations?|procedures?|medications?|medicines?|drugs?|pills?|meds|"
    r"prescriptions?|hospital stays?|hospitali[sz]ations?|tests?|vaccin\w+|injections?|supplements?|"
    r"vitamins?|herbs|inhalers?|painkillers?)$"
)
_SUCH_AS = re.compile(r"\b(?:like|such as|including|for (?:example|instance)|e\.g)\b")
_BODILY = re.compile(
    r"\b(?:sleep\w*|appetite|bowels?|stools?|poop\w*|urinat\w+|pee\w*|urine|water ?works|bladder|energy|"
    r"mood|memory|concentrat\w+|breath\w*|hurts?|hurting|ache\w*|burn\w*|"
    r"bleed\w*|blood|itch\w*|swell\w*|swollen|swallow\w*|weight|temperature|vision|hearing|balance|skin|"
    r"hair|strength|weak\w*|numb\w*|sore\w*|pain\w*|cough\w*|"
    r"sweat\w*|dizz\w+|heartbeat|pulse|taste|smell|voice|speech|walking|chew\w*|digest\w*|gas|gag\w*|"
    r"drool\w*|snor\w*|thirst\w*|hungry|tired\w*|sick|symptoms?|feverish|eat(?:ing)?|keep (?:food|anything|it) down|"
    r"discharge|"
    r"(?:pass(?:ing)?|make|making) water|funny (?:turns?|do|spells?)|off (?:your|his|her) food|"
    r"low in (?:your|him|her)self|(?:clothes|trousers|belt|ring)s? (?:\w+ )?(?:loose|looser|tight|tighter)|"
    r"knocks?|bumps?|poorly|interest|pins and needles|"
    r"fall(?:s|en|ing)?|fell|faint\w*|pop|bruis\w*|tremor\w*|shak\w+|sugars?)\b"
)
_QUALITY = re.compile(
    r"^(?:sharp|dull|burning|aching|achy|stabbing|throbbing|cramp(?:y|ing)|tight|pressing|pressure|"
    r"stinging|itchy|it hurts?|hurts?|(?:worse|better|relieved|hurts?) .*|.*\b(?:spread|radiat|travel).*|steady|"
    r"shooting|spot|bothers?|"
    r"squeezing|crushing|(?:sharp|dull|burning|stabbing|severe|shooting) (?:pain|sensation)|pain)$"
)
_COURSE = re.compile(r"\b(?:com(?:e|es|ing) and go|on and off|constant|how often|time)\b")
# Asked for their own sake even beside something else; "a deep breath" in "worse with a deep breath" is no
# request.
_OWN_TOPICS = frozenset(("travel", "exposure", "pregnancy", "vaccines"))
_EITHER = re.compile(r"\byou or (?:any|your|some|a )|\byourself or\b")
_DRUGS = ("medication", "drug_class")
_SUBSTANCES = ("medication", "drug_class", "substance", "allergy")
# Asked of every symptom named, where other details are about the first: "how long have you had the fever
# and cough".
_OF_EACH = frozenset(("onset", "duration", "timing", "severity"))
_TOUCHED = re.compile(r"\b(?:when|if|where|as) i\b")
_AMOUNT = re.compile(r"\bhow (?:much|many)\b")
_ILLICIT = re.compile(r"recreation|street|illicit|illegal|(?:n't|not) prescribed|substances|opioid|narcotic")
_OTHERS_SMOKE = re.compile(
    r"\b(?:others|other people(?:'s)?|anyone|anybody|someone|somebody|people|housemates?|roommates?|colleagues|"
    r"your (?:husband|wife|partner|parents|family)) (?:else )?(?:\w+ )?smok|second-?\s?hand|passive(?:ly)? smok"
)
_SOFT = re.compile(r"\b(?:energy drinks?|soft drinks?|water|coffee|tea|milk|juice|soda|fluids?|liquids?)\b")
_USE = frozenset(("alcohol", "tobacco", "drugs"))
# A question about one of these has no detail of a symptom in it: "how often do you drink", "at a desk all day".
_OUTRANKED: dict[str, frozenset[str]] = {
    **dict.fromkeys(("occupation", "living", "allergies", "procedures", "age"), frozenset((*ATTRIBUTES, "associated"))),
    **dict.fromkeys(
        (*_USE, "sexual"), frozenset((*ATTRIBUTES, "associated", "dose", "past_conditions", "medications"))
    ),
    "associated": frozenset(("past_conditions", "anything_else", "chief_complaint", "timing")),
    "chief_complaint": frozenset(("character", "timing", "anything_else")),
    "medications": frozenset(("timing",)),
    "radiation": frozenset(("associated",)),
    "relieving": frozenset(("medications", "dose")),
}
"""Intents that give way to another in the same question."""
_OUTRANKED_AMONG = (
    ("severity", re.compile(r"\b(?:put|place|rate|scale|imaginable|unbearable|bearable)\b"), ("site", "character")),
    ("timing", re.compile(r"\b(?:worse|better|stronger) (?:as|each|every|by the day|by over)\b"), ("aggravating",)),
    ("medications", re.compile(r"\b(?:miss|skip)"), ("dose",)),
    ("medications", re.compile(r"\b(?:chemist|pharmacy|pharmacist|doctor|prescribed|herbal)"), ("drugs",)),
    (
        "drugs",
        re.compile(r"\bsmok\w+ (?:\w+ )?(?:pot|weed|hash|joints?|dope|crack|marijuana|cannabis)\b"),
        ("tobacco",),
    ),
    (
        "anything_else",
        re.compile(r"\b(?:should know|to (?:tell|say|ask|add|share|mention|discuss)|(?:on|in) your mind)\b"),
        ("associated",),
    ),
    ("living", re.compile(r"\bfamily (?:close|near|around|who|that|to help)"), ("family_history",)),
)
"""The same, only where these words stand."""
_ASIDE = (
    r"\b(?:(?:with|after|during|since|because of|due to|of|when you (?:get|have|had|feel)) (?:the|your|this|that|"
    r"these|those|it)|"
    r"(?:besides|apart from|other than|aside from|in addition to|along with|alongside|for|to treat)"
    r"(?: the| your| this| that| these| those| any)?) (?:[\w'-]+ )?"
)
_ITEM = re.compile(r"\s*,\s*(?:and |or )?|\s+(?:and|or)\s+")
# Each of these is a heading of the history, asked for by its bare noun in a list: "any illnesses, operations, tablets?"
_HEADINGS = frozenset(
    ("past_conditions", "procedures", "medications", "allergies", "family_history", "alcohol", "tobacco", "drugs")
)
_HEADING_WORDS = 4
_KNOWN_TO_US = re.compile(
    r"\s+(?:that )?(?:i|we) (?:should|need to|ought to|have to) know.*|\s+(?:at all|you have)\b.*|[?.!]+$"
)
_ARTICLES = re.compile(r"^(?:(?:any|some|a|an|the|that|those|this|been|have|had|feeling|seen|you|your)\s+)*")
_NOUNS = re.compile(
    r"(?!(?:it|its|so|do|does|did|is|are|was|if|how|when|what|where|why|who|not|no|any\w*|some\w*|things?|that|this|"
    r"more|less|other|such|like|with|then|at|in|on|or|lately|recently|today|anywhere|to|even|getting|going)\b)"
    r"[a-z'-]{3,}(?: (?!of\b|with\b|when\b|if\b|that\b|at\b|lately\b|recently\b|since\b)[a-z'-]{3,})?"
)
_CLAUSAL = re.compile(
    r" (?:bleed|feel|hurt|swell|ache|is|are|itch|burn|shake|turn|whistle|water|run|sore|stiff|numb|weak|"
    r"\w{3,}(?:ed|en))"
)
# "Have you had loose stools?" asks whether, not what like; "have you had it all day?" knows that it is there.
_WHETHER = re.compile(
    r"^\W*(?:(?:and|so|but|now|okay|ok|well|right)\W+)*"
    r"(?:any|no|have you (?:ever )?(?:had|noticed|been (?:having|getting|feeling)|been|felt|got|seen)|"
    r"do you (?:ever |often |sometimes )?(?:have|get|notice|make)|are you (?:having|getting)|(?:is|are) there|"
    r"did you (?:have|get|notice)) (?!it\b|this\b|that\b|the\b|these\b|those\b|your\b|to\b)"
)
_ITS_DETAILS = frozenset(("character", "site"))
_HURTS = re.compile(r"(?:pain\w*|hurt\w*|ache\w*|symptoms?)$")
# "Did you breastfeed for longer than nine months?" asks for no duration.
_DOING = re.compile(r"^\W*(?:and )?(?:do|did|were|are) you (?!have\b|had\b|having\b|feel|get|notice)")
_AT_LEAST = re.compile(
    r"\b(?:(?:longer|more|less|fewer) than|at least|at most|over) (?:[\w-]+ ){1,2}"
    r"(?:hours?|days?|weeks?|months?|years?|times)\b"
)
_HAD = re.compile(r"\b(?:have|had|having|get|got|getting|feel|felt|feeling|still) (?:\w+ )?$|\bis $")
_WITHOUT = r"(?!(?:when|if|while|after|during|at all|ever|because)\b)"
"""What follows a question that is whole without it."""
_SUBJECT = r"^\W*(?:\w+ ){0,2}?(?:is|are|was|were|does|do|did|has|have) (?:the|your|this|that|these|those) "


def asked_of(segment: Segment) -> list[Intent]:
    """Return the intents of a question, topic by topic; what one topic has used, the next does not see."""
    topics = match(segment.bare, "topic")
    names = _settled(match(segment.bare, "ask"), segment)
    if "tobacco" in names and _OTHERS_SMOKE.search(segment.text):
        return [Intent("other", concept="topic:exposure")]
    if "exam" in topics and (_TOUCHED.search(segment.text) or not names.keys() & set(ATTRIBUTES)):
        return [Intent("other", concept="topic:exam")]
    findings = _findings(segment, names)
    drugs = segment.of(*_DRUGS)
    if "occupation" in names:
        topics.pop("exposure", None)
    elif "exposure" in topics:
        # "Has anybody at home been ill?" does not ask who is at home.
        names = {name: at for name, at in names.items() if name not in ("living", "family_history")}
    if names.keys() & {*_USE, "family_history", "radiation"}:
        topics.clear()
    if topics.keys() & {"exposure", "pregnancy"} or ("allergies" in names and segment.of(*_SUBSTANCES)):
        # "Around anyone with the flu", "hives from shellfish": not about an illness of theirs.
        findings = ()
    if segment.kin and findings and not drugs:
        family = [Intent("family_history", f.surface, f.concept) for f in findings]
        own = [Intent("past_conditions", f.surface, f.concept) for f in findings]
        return own + family if _EITHER.search(segment.text) else family
    found: list[Intent] = []
    if "allergies" in names:
        found += _about("allergies", segment.of(*_SUBSTANCES))
        names = {n: at for n, at in names.items() if n not in ("allergies", "medications", "drugs")}
    elif (drugs and _AMOUNT.search(segment.text)) or (
        "dose" in names and (drugs or "medications" in names or not findings)
    ):
        found += _about("dose", drugs)
        names = {n: at for n, at in names.items() if n not in ("dose", "medications", "timing", "severity", "drugs")}
    elif "medications" in names or (drugs and not names.keys() & {"relieving", *_USE, "sexual"} and not topics):
        found += _about("medications", drugs)
    found += _details(names, findings)
    found += _rest(segment, names, findings, found)
    found += [Intent("other", concept=f"topic:{topic}") for topic in topics if not found or topic in _OWN_TOPICS]
    return found


def headings(segment: Segment) -> list[Intent]:
    """Return the headings of the history that a list of bare nouns goes through; none where it is no such list."""
    found: dict[str, None] = {}
    items = [_KNOWN_TO_US.sub("", item) for item in _ITEM.split(segment.text)]
    for number, item in enumerate(items):
        words = item.split()
        if number and (len(words) > _HEADING_WORDS or "you" in words):
            return []
        # The first may have the question before it: "do you have any illnesses, ...".
        named = _HEADINGS & match(" ".join(words[-_HEADING_WORDS:]), "ask").keys()
        if len(named) != 1:
            return []
        found.update(dict.fromkeys(named))
    return [Intent(name) for name in found] if len(found) > 1 else []


def asked_for(name: str, segment: Segment) -> list[Intent]:
    """Return what a question asks that is known to want one thing, with what it names for that."""
    if name == "symptom_presence":
        return _presence(segment, _findings(segment, {}), alone=True) or guessed(segment) or [_unnamed(segment)]
    if name in ("allergies", "medications", "dose"):
        return _about(name, segment.of(*(_SUBSTANCES if name == "allergies" else _DRUGS)))
    findings = _findings(segment, {name: 0})
    if name in ATTRIBUTES:
        return _details({name: 0}, findings)
    if name in ("past_conditions", "family_history"):
        return _about(name, findings)
    return _about(name, segment.of("procedure")) if name == "procedures" else [Intent(name)]


def _unnamed(segment: Segment) -> Intent:
    """A symptom that no table knows, by the last word about it: beside others it is one more ("or are you windy?")."""
    words = [word for word in _WORDS.findall(segment.text) if len(word) > _SHORT_WORD and word not in _FILLERS]
    return Intent("symptom_presence", words[-1] if words else None)


_WORDS = re.compile(r"[a-z']+")
_SHORT_WORD = 3
_FILLERS = frozenset(
    "lately recently today then either maybe perhaps anything something that this have been with".split()
)


def guessed(segment: Segment) -> list[Intent]:
    """Return what a question that no cue fits most likely asks: a symptom, if body or its functions are in it."""
    if segment.kin:
        return [Intent("family_history")]
    bodily = _BODILY.search(segment.text)
    if bodily:
        return [Intent("symptom_presence", bodily[0])]
    return [Intent("symptom_presence")] if segment.of("site") else []


def _settled(names: dict[str, int], segment: Segment) -> dict[str, int]:
    """Settle cues that compete for the same words."""
    text = segment.text
    if "alcohol" in names and _SOFT.search(text):
        names = {name: at for name, at in names.items() if name != "alcohol"}
    dropped = {loser for winner, losers in _OUTRANKED.items() if winner in names for loser in losers}
    dropped.update(
        loser
        for winner, words, losers in _OUTRANKED_AMONG
        if winner in names and words.search(text)
        for loser in losers
    )
    if "family_history" in names and segment.kin:
        # "Fibroids treated with surgery" of a mother asks for none of one's own.
        dropped |= {"allergies", "past_conditions", "living", "associated", "medications", "procedures", "dose"}
        dropped |= {*ATTRIBUTES}
    if "anything_else" in names and "associated" not in names:
        dropped.add("living")
    if "character" in names and not _COURSE.search(text):
        dropped.add("timing")
    if "character" in names and text.startswith(("any ", "no ")):
        dropped.add("character")
    if segment.of(*_DRUGS):
        dropped.add("timing")
        dropped.discard("dose")
    if {"timing", "aggravating", "relieving"} <= names.keys() - dropped:
        dropped |= {"aggravating", "relieving"}
    if _WHETHER.match(text) and _of_body(segment):
        dropped |= _ITS_DETAILS
    if _DOING.match(text) and _AT_LEAST.search(text):
        dropped |= {"duration", "timing", "onset"}
    # One question, one detail: the first cue leads. Only "better or worse" is two.
    details = [name for name in names if name in ATTRIBUTES and name not in dropped]
    leading = {"aggravating", "relieving"}
    if not leading <= set(details):
        leading = {"radiation"} if "radiation" in details else set(details[:1])
    dropped.update(name for name in details if name not in leading)
    return {name: at for name, at in names.items() if name not in dropped}


def _of_body(segment: Segment) -> bool:
    """True when a symptom is named, or something of the body that can go wrong; pain may be what is known."""
    named = any(n.concept not in _GENERAL for n in segment.of("symptom"))
    return named or any(not _HURTS.match(match[0]) for match in _BODILY.finditer(segment.text))


def _findings(segment: Segment, names: dict[str, int]) -> tuple[Named, ...]:
    """Symptoms and conditions named; bare "pain" only where nothing more precise is.

    "Allergies", "smoker" or "health problems" name the topic of a question, not an illness.
    """
    named = tuple(
        n
        for n in segment.of("symptom", "condition")
        if n.concept not in _TOPICAL
        and not any(t in n.concept or t in n.surface for name in names for t in _WORDS_OF.get(name, ()))
    )
    precise = tuple(n for n in named if n.concept not in _GENERAL)
    return precise or named


def _about(name: str, named: tuple[Named, ...]) -> list[Intent]:
    precise = [n for n in named if not _GENERIC.match(n.surface)]
    return [Intent(name, n.surface, n.concept) for n in precise] or [Intent(name)]


def _details(names: dict[str, int], findings: tuple[Named, ...]) -> list[Intent]:
    found: list[Intent] = []
    for name in names:
        if name in ATTRIBUTES:
            about = tuple(f for f in findings if not _QUALITY.match(f.surface))
            found += _about(name, about if name in _OF_EACH else about[:1])
    return found


def _rest(segment: Segment, names: dict[str, int], findings: tuple[Named, ...], found: list[Intent]) -> list[Intent]:
    done = {intent.name for intent in found}
    if names.keys() & _USE and not names.keys() & {"past_conditions"}:
        # "Do you ever black out from drinking" is about the drinking.
        findings = ()
    details = any(name in ATTRIBUTES for name in names) or ("associated" in names and not _SUCH_AS.search(segment.text))
    rest: list[Intent] = []
    if segment.kin and "family_history" not in names and not (names or findings):
        rest.append(Intent("family_history"))
    for name in names:
        if name in done or name in ATTRIBUTES or name == "dose":
            continue
        if name == "past_conditions":
            every = bool(re.search(r"history of|told|diagnosed", segment.text))
            rest += _about(name, tuple(f for f in findings if every or f.kind == "condition"))
            details = details or every
        elif name == "procedures":
            rest += _about(name, segment.of("procedure"))
        elif name == "drugs" and "medications" in done and not _ILLICIT.search(segment.text):
            continue
        else:
            rest.append(Intent(name))
    if not details:
        rest += _presence(segment, findings, alone=not (found or rest))
    return rest


def _presence(segment: Segment, findings: tuple[Named, ...], *, alone: bool) -> list[Intent]:
    """What is asked for by name, without what is named only in passing: "what do you take for your diabetes"."""
    if alone and findings and all(_given(f, segment) for f in findings):
        return []
    asked = tuple(f for f in findings if not re.search(_ASIDE + re.escape(f.surface), segment.text))
    if not asked and alone:
        asked = findings
    if alone and len(asked) == 1 and asked[0].kind == "symptom" and _predicated(asked[0], segment):
        return [Intent("character", asked[0].surface, asked[0].concept)]
    found = [
        Intent("symptom_presence" if f.kind == "symptom" else "past_conditions", f.surface, f.concept) for f in asked
    ]
    return found + [Intent("symptom_presence", word) for word in _listed(segment, asked)] if alone else found


def _listed(segment: Segment, asked: tuple[Named, ...]) -> list[str]:
    """Words in a list of symptoms that no table knows: "any leg swelling or redness"."""
    symptoms = [f.surface for f in asked if f.kind == "symptom"]
    items = _ITEM.split(segment.text)
    if not symptoms or len(items) < 2:
        return []
    plain = (_ARTICLES.sub("", item).strip(" ?.!") for item in items[1:])
    return [
        item
        for item in plain
        if _NOUNS.fullmatch(item) and not any(n.surface in item or item in n.surface for n in segment.named)
    ]


def _given(finding: Named, segment: Segment) -> bool:
    """True for "the pain is strong?": what has an article is known to be there, unless one asks whether it is had."""
    if finding.concept not in _GENERAL:
        return False
    article = re.search(r"\b(?:the|this|that) (?:\w+ )?" + re.escape(finding.surface) + r"\b", segment.text)
    return article is not None and not _HAD.search(segment.text[: article.start()])


def _predicated(finding: Named, segment: Segment) -> bool:
    """True for "is the cough productive": what is known to be there is asked about, not whether it is."""
    if _CLAUSAL.search(finding.surface):
        return False
    return bool(re.search(_SUBJECT + re.escape(finding.surface) + rf"\b[\s,]+{_WITHOUT}\w", segment.text))
