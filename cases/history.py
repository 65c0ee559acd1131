"""Facts from the sections of a written history: past, family, social history, drugs, and review of systems.

Each section has its own habits of style, and one function here. Statements of absence give no fact (the
record is a closed world) except in the social history, where "does not smoke" is worth being able to say.
"""

import re
from collections.abc import Iterator

from bedside.cases.drugs import read_drug
from bedside.cases.freetext import (
    FactList,
    find_time,
    is_absence,
    is_uninformative,
    items,
    lower_first,
    outside_parentheses,
    sentences,
)

__all__ = ["add_allergies", "add_drugs", "add_family", "add_past", "add_review", "add_social", "family_in"]

RELATIVE = (
    r"(?:older |younger |maternal |paternal |half-)?"
    r"(?:mother|father|brother|sister|son|daughter|uncle|aunt|cousin|grandmother|grandfather|husband|"
    r"wife|sibling)"
)
_PROCEDURE = re.compile(
    r"ectomy\b|plasty\b|otomy\b|ostomy\b|surg|operat|transplant|bypass|catheteri|\bstent|cesarean|"
    r"caesarean|deliver|"
    r"\bremoval\b|\brepair|replacement|biops|appendec|\bgraft|amputat|dialysis|angiogra|radiotherapy|"
    r"chemotherapy|"
    r"\bexcision|implant|fixation|ligation|vasectomy|circumcis|endoscop|arthroscop",
    re.IGNORECASE,
)
_ALLERGY = re.compile(r"\ballerg(?:y|ies|ic) to (.+)|^(?:an? )?([\w -]+?) allerg(?:y|ies)\b", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:the|his|her|its?|an?|he|she|patient(?:[’']s)?|child|infant|also|has|have|had|is|was|been|"
    r"being|known|past|"
    r"long(?:standing)?|medical|surgical|personal|history|of|significant|only|for|notable|diagnosed|"
    r"diagnosis|with|"
    r"recent|recently|currently|previously|treated|treatment|includes?|including|reported|underwent|"
    r"undergone|noted|mentions?|"
    r"reports?|pertinent|positive|and)\b[:,]?\s*",
    re.IGNORECASE,
)
_EXCEPT = re.compile(
    r"\b(?:except|aside from|apart from|other than)(?: (?:for|the|noted|a|only))*\s+(.+)", re.IGNORECASE
)
_MANAGED = re.compile(
    r"(?:^|(?<![,\s])[,\s]++)(?:which |that |and |is |was |are |well[- ]|now |being |currently |recently )*"
    r"(?:(?:managed|controlled|treated|medicated) (?:with|on|by)|(?:current )?treatment includes|taking|"
    r"takes|uses|"
    r"started(?: on| taking)?|(?:currently|maintained) on)(?: an?)?(?: low dose of| stable regimen of)? "
    r"(?=\w)(.+)$",
    re.IGNORECASE,
)
_PAST_TREATMENT = re.compile(r"\btreated (?:for\b|\w+ (?:years?|months?|weeks?|days?) ago|in the past)")
_NO_CONDITION = re.compile(
    r"(?:which|who|that|failing|because|where|when|so|at|in|on|during|from|by|discontinued|stopped|"
    r"ceased|respectively|"
    r"lasting|antenatal complications|newborn)\b",
    re.IGNORECASE,
)
_DRUG_SECTION = re.compile(
    r"^(?:current |home |his |her )?(?:medications?|drugs?)\b[^:]{0,15}?(?::|include|are)s?\s*", re.IGNORECASE
)
_NO_DRUG = re.compile(
    r"\b(?:medications?|medicines?|drugs?|treatment|therapy|diet\w*|remed\w+|exercise|regimen|follow|"
    r"ago|condom\w*|"
    r"recently|until|none|respectively|weekends?|hand|mother|family|stopped|discontinued|past|daily "
    r"life|bed ?rest|antibiotics? treatment|ice)\b",
    re.IGNORECASE,
)
_DRUG_LEAD = re.compile(r"^(?:(?:recently|currently|is|has|started|takes|taking|on|with|an?|the)\s+)+", re.IGNORECASE)
MAX_DRUG_WORDS = 4
_FAMILY = (
    re.compile(
        r"famil(?:y|ial) history (?:is )?(?:of|includes|notable for|significant for|positive for) "
        rf"(?:the )?(?:patient[’']s |an? |his |her )?(?P<relative>{RELATIVE})(?:[’']s)? (?:who (?:had|"
        rf"has) |with )?"
        r"(?P<illness>.+)$",
        re.IGNORECASE,
    ),
    re.compile(
        r"famil(?:y|ial) history (?:is )?(?:of|includes|notable for|significant for|positive for) "
        r"(?P<illness>.+?)"
        rf"(?: in (?:his|her|the|a|an|patient[’']s)?\s*(?P<relative>{RELATIVE}))?$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?P<relative>{RELATIVE})(?:[’']s)? (?:also |who |occasionally )*"
        r"(?:(?:had|has|have|with) (?!noticed|reported|been|observed|a history|history)|"
        r"(?:has |had |have )?(?:a )?history of |underwent surgery for |(?=died ))(?P<illness>.+)$",
        re.IGNORECASE,
    ),
)
_NOT_ILLNESS = re.compile(r"prenatal|\bvaccin|immuni[sz]|unconscious|to assume|uneventful|smok", re.IGNORECASE)
_ASPECTS = {
    "tobacco": r"smok|cigar|tobacco|pack[- ]year|packs? (?:per|a) day",
    "alcohol": r"alcohol|\bdrink|\bbeers?\b|\bwine\b|vodka|liquor",
    "drugs": r"\bdrugs?\b|cocaine|cannabis|marijuana|ecstasy|heroin|anabolic|substance|opioid",
    "sexual": r"sexual|\bsex\b|condom|\bpartners?\b(?!.*\blives)",
    "travel": r"travel|\btrip\b|immigrat|\bvisit (?:to|from)|returned from",
    "exposure": r"expos|sick contact|\bpets?\b|daycare|livestock|contact with",
    "occupation": r"\bwork|retired|teacher|student|\bjob\b|engineer|employ|occupation|profession|"
    r"\bgrade\b|school|kindergarten",
    "living": r"\blives?\b|\bliving\b|married|divorced|widow|prison|incarcer|homeless|household|relationship",
    "diet": r"\bdiet|\beats?\b|breastf|breast-f|vegetarian|vegan|formula",
    "exercise": r"\bgym|\bsport|exercis|\bgolf|volleyball|hiking|\bactive\b|athlet|gardening|bodybuild",
}
_NEXT_STATEMENT = (
    r"\s+(?:and|but)\s+"
    r"(?=(?:drinks|has|works|lives|denies|smokes|is|uses|consumes|takes|notes|mentions|reports)\b)"
)
_USES = {"tobacco": "smoke", "alcohol": "drink alcohol", "drugs": "use drugs"}
_SOCIAL_VERB = re.compile(
    r"^(?:\w+ly |has |is |was |does |did |can |also )*(?:[a-z]*[a-rt-z]s|does|has|is|was|met|went|quit|can|"
    r"(?:stopp|mov|join|return|ceas|travell?|us|liv|work|attend|immigrat|start)ed)\b"
    r"(?! (?:use|abuse|intake|consumption|history|smoker|teacher|worker|farmer|student|up[- ]to)\b)",
)
_PHRASES = (
    (r"^(?:the )?(?:patient[’']s )?(mother|father) (?=(?:is|was|took|has|had)\b)", r"has a \1 who "),
    (r"^((?:(?:current|former|occasional|heavy|regular|ex)[- ])*(?:smoker|drinker|gym-goer)\b)", r"is a \1"),
    (r"^retired (?=[a-z])", "is a retired "),
    (
        r"^(married|divorced|widowed|single|retired|unemployed|enrolled|sexually active|pregnant|"
        r"currently in)\b",
        r"is \1",
    ),
    (r"^((?:previously )?employed|born|delivered|found|released)\b", r"was \1"),
    (r"^(?!(?:works|is|was|has|lives)\b)((?:[\w-]+ ){0,3}student\b)", r"is a \1"),
    (
        r"^(?!(?:works|is|was|has|lives)\b)((?:[\w-]+ ){0,3}(?:teacher|worker|engineer|farmer|driver|"
        r"nurse|clerk)(?: by profession)?$)",
        r"is a \1",
    ),
    (r"^first child\b", "is the first child"),
    (r"^immunizations (?:are )?up[- ]to[- ]date.*", "is up to date on immunizations"),
    (r"^up[- ]to[- ]date", "is up to date"),
    (r"^exclusive breastfeeding", "is exclusively breastfed"),
    (r"^exclusively breastfed", "is exclusively breastfed"),
    (r"^den(?:ies|y) (?:any )?", "has no "),
    (r"^are ", "is "),
)
_SUBJECT = re.compile(
    r"^(?:the |this )?(?:patient|child|infant|boy|girl|baby|newborn|he|she|they)(?= )\s+(?!['’])",
    re.IGNORECASE,
)
_REPORTS = re.compile(
    r"\b(?:reports?|complains? of|positive for|mentions?|experiences?|notes?|admits(?: to)?|endorses?|"
    r"shows signs of)(?: feeling| having| experiencing)? (?!that\b|no\b|(?:the )?baby\b)(.+)$",
    re.IGNORECASE,
)


def add_past(facts: FactList, section: object) -> None:
    """Add conditions, operations, drugs and allergies of a past medical history."""
    for sentence in sentences(section):
        exception = _EXCEPT.search(sentence)
        if exception:
            _add_past_list(facts, exception[1])
        elif match := _DRUG_SECTION.match(sentence):
            add_drugs(facts, sentence[match.end() :])
        elif re.search(r"allerg", sentence, re.IGNORECASE):
            add_allergies(facts, sentence)
        elif not is_uninformative(sentence) and not is_absence(sentence):
            _add_past_list(facts, sentence)


def _add_past_list(facts: FactList, text: str) -> None:
    family = list(family_in(text))
    if family:
        for relative, illness in family:
            facts.add("family", illness, relative=relative)
        return
    if re.match(r"menarche|(?:the )?mother\b|newborn\b|birth was", text, re.IGNORECASE):
        return
    if match := re.search(r"\b(?:treatment|treated) for (.+?) with ([\w-]+)$", text.rstrip(".")):
        facts.add("condition", lower_first(match[1]))
        add_drugs(facts, match[2], purpose=match[1])
        return
    named: list[str] = []
    for part in items(text, split_and=False):
        if family := list(family_in(part)):
            for relative, illness in family:
                facts.add("family", illness, relative=relative)
            continue
        drug_part = None if _PAST_TREATMENT.search(part) else _MANAGED.search(part)
        here = _add_conditions(facts, part[: drug_part.start()] if drug_part else part)
        named += here
        if drug_part:
            # Of several conditions before "managed with" nobody can say which one the drug is for.
            add_drugs(facts, drug_part[1], purpose=(here or named)[0] if len(here or named) == 1 else "")


def _add_conditions(facts: FactList, text: str) -> list[str]:
    """Add what one stretch of a past history names and return the conditions."""
    found = []
    for item in items(re.sub(r" for which (?:he|she) underwent ", ", ", re.sub(r"^as well as ", "", text))):
        if is_absence(item) or is_uninformative(item) or _NO_CONDITION.match(item):
            continue
        time = find_time(item)
        name = item if time is None else (item[: time.start] + item[time.end :]).strip(" ,").replace(" ()", "")
        when = None if time is None else time.words if time.name == "onset" else f"for {time.words}"
        name = re.sub(r"(?:\s*\b(?:diagnosed|prior|treated(?: in the past)?|ago|recently))+\s*$", "", _strip_lead(name))
        if match := re.search(r"^(.+?) \((\w+) performed\)$", name):
            name = match[1]
            facts.add("procedure", lower_first(match[2]))
        if len(name) < 3:
            continue
        if re.search("|".join(_ASPECTS[key] for key in _USES), name, re.IGNORECASE):
            add_social(facts, item)
        elif re.match(
            r"born\b|birth\b|delivered\b|immuni|vaccin|up[- ]to[- ]date|met all|non-?complian|exclusive ",
            name,
            re.I,
        ):
            facts.add("social", _social_phrase(name), aspect=_aspect(name) or "other")
        elif _PROCEDURE.search(name):
            facts.add("procedure", lower_first(name), when=when)
        else:
            found.append(lower_first(name))
            facts.add("condition", found[-1], since=when)
    return found


def _strip_lead(text: str) -> str:
    while (shorter := _LEAD.sub("", text, count=1)) != text:
        text = shorter
    return text


def family_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield relative and illness for what a sentence tells of the family's health."""
    if is_absence(text) or _NOT_ILLNESS.search(text):
        return
    for pattern in _FAMILY:
        if match := pattern.search(text.strip(" .")):
            relative = (match["relative"] or "family member").lower()
            for illness in items(match["illness"].split(" but ")[0]):
                text = re.sub(r"^(?:an? )?(?:history of )?", "", illness)
                if named := re.match(rf"({RELATIVE}) with (?:an? )?(.+)", text, re.IGNORECASE):
                    yield named[1].lower(), lower_first(named[2])
                elif text and not is_absence(text):
                    yield relative, lower_first(text)
            return


def add_family(facts: FactList, section: object) -> None:
    """Add illnesses of relatives; a bare list of illnesses is taken as the family's."""
    for sentence in sentences(section):
        if is_absence(sentence) or is_uninformative(sentence):
            continue
        found = list(family_in(sentence))
        for relative, illness in found or [("family member", lower_first(text)) for text in items(sentence)]:
            facts.add("family", illness, relative=relative)


def add_drugs(facts: FactList, section: object, purpose: str = "") -> None:
    """Add the drugs of a list or of a stretch of prose; words that name no drug are passed over."""
    for sentence in sentences(section):
        for item in items(sentence):
            drug = read_drug(_DRUG_LEAD.sub("", item))
            time = find_time(item)
            lasting = f"for {time.words}" if time and time.name == "duration" else None
            if drug.name and not _NO_DRUG.search(drug.name) and not is_absence(drug.name):
                facts.add(
                    "medication",
                    drug.name if len(drug.name.split()) <= MAX_DRUG_WORDS else "",
                    **{"purpose": purpose, "duration": lasting} | drug.attributes(),
                )


def add_allergies(facts: FactList, section: object) -> None:
    """Add allergies; "no known allergies" adds none."""
    for sentence in sentences(section):
        for item in items(sentence):
            match = _ALLERGY.search(item)
            name = (match[1] or match[2]) if match else item
            if (
                not is_absence(item)
                and not is_uninformative(item)
                and not re.search(r"\bnkd?a\b|history of", name, re.I)
            ):
                substance, _, reaction = name.partition("(")
                facts.add("allergy", lower_first(_strip_lead(substance)), reaction=reaction.strip(" )"))


def _aspect(text: str) -> str | None:
    """Return the aspect whose keyword comes first."""
    found = {name: re.search(pattern, text, re.IGNORECASE) for name, pattern in _ASPECTS.items()}
    places = [(match.start(), name) for name, match in found.items() if match]
    return min(places)[1] if places else None


def add_social(facts: FactList, section: object) -> None:
    """Add habits and circumstances, each as a phrase that fits after "the patient"."""
    for sentence in sentences(section):
        if is_uninformative(sentence):
            continue
        sentence = _SUBJECT.sub("", sentence.rstrip("."))
        family = list(family_in(sentence))
        for relative, illness in family:
            facts.add("family", illness, relative=relative)
        if family:
            continue
        for clause in _clauses(sentence):
            if re.search(r"allerg| includes ", clause):
                continue
            denied = _denied_habits(clause)
            for aspect, phrase in denied:
                facts.add("social", phrase, aspect=aspect)
            if not denied:
                facts.add("social", _social_phrase(clause), aspect=_aspect(clause) or "other")


def _clauses(sentence: str) -> list[str]:
    """Split a sentence into statements, unless one denial governs all of it."""
    if (is_absence(sentence) and re.search(r"\bor\b", sentence)) or re.match(r"without\b", sentence):
        return [sentence]
    statements: list[str] = []
    separate = re.sub(r" with (?=no history of)| (?=without (?:any|significant)\b)", "; ", sentence)
    for part in [piece for text in separate.split(";") for piece in items(text, split_and=False) or [text]]:
        for piece in outside_parentheses(_NEXT_STATEMENT, part):
            # A piece without a verb or topic of its own continues the one before.
            topic = _aspect(piece)
            open_end = (
                topic is None
                or piece.split()[0].endswith("ing")
                or topic == _aspect(statements[-1] if statements else "")
            )
            if statements and open_end and not is_absence(piece) and not _SOCIAL_VERB.match(piece):
                statements[-1] += ", " + piece
            else:
                statements.append(piece)
    return statements


def _denied_habits(clause: str) -> list[tuple[str, str]]:
    if re.match(r"non-?smoker", clause, re.IGNORECASE):
        return [("tobacco", "does not smoke")]
    if not is_absence(clause) or re.search(r"regularly|\bhistory of travel|\bfamily\b", clause):
        return []
    habits = [name for name in _USES if re.search(_ASPECTS[name], clause, re.IGNORECASE)]
    if re.search(r"abuse|misuse", clause):
        return [(name, f"has no history of {'drug' if name == 'drugs' else name} abuse") for name in habits]
    return [(name, f"does not {_USES[name]}") for name in habits if not re.search(r"expos", clause)]


def _social_phrase(clause: str) -> str:
    text = re.sub(r"^reported | reported$", "", lower_first(clause))
    for pattern, replacement in _PHRASES:
        changed = re.sub(pattern, replacement, text)
        if changed != text:
            return re.sub(r"^(is|was) a (?=[aeiou])", r"\1 an ", changed)
    return text if _SOCIAL_VERB.match(text) else f"has {text}"


def add_review(facts: FactList, section: object) -> None:
    """Add the symptoms that a review of systems reports; what it denies is absent anyway."""
    for sentence in sentences(section):
        for clause in re.split(r"[;,]?\s+but\s+|;\s*", sentence.rstrip(".")):
            reported = None if is_absence(clause) else _REPORTS.search(clause)
            if reported is None or is_uninformative(clause) or re.search(r"\bresolved\b|history of", clause):
                continue
            for item in items(reported[1].split(" along with ")[0]):
                text = lower_first(re.sub(r"^(?:an?|some|any|the|has) ", "", item))
                if not is_absence(text) and not re.match(r"possibly\b", text) and not _told(facts, text):
                    facts.add("symptom", text)


def _told(facts: FactList, text: str) -> bool:
    words = set(text.lower().split())
    return any(words <= set(row["text"].lower().split()) for row in facts.rows("symptom"))
