"""What the patient makes of a doctor's words: several intents an utterance, each with what it is about.

The knowledge finds what is named, cue rules find what is wanted of it; both act on one segment of a sentence,
so that "when did it start, and any fever?" asks two things. Nothing here depends on a particular sentence:
cues are a table, names come from the lexicon and from the case's own words.
"""

import re
from functools import lru_cache

from bedside.envs.hearing.cues import match
from bedside.envs.hearing.segments import Named, Segment, segments
from bedside.envs.hearing.spelling import corrected
from bedside.envs.intents import ATTRIBUTES, Intent
from bedside.verifier.grounding import GroundedCase

__all__ = ["understand"]

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
    "allergies": ("-allergy", "allergies", "allergic to", "allergic reaction"),
    "tobacco": ("smok", "tobacco", "nicotine"),
    "alcohol": ("alcohol", "drink"),
    "drugs": ("drug-use", "substance"),
    "sexual": ("sexual", "sexually", "pregnan"),
}
_GENERIC = re.compile(
    r"^(?:surger(?:y|ies)|operations?|procedures?|medications?|medicines?|drugs?|pills?|meds|"
    r"prescriptions?|hospital stays?|hospitali[sz]ations?|tests?|vaccin\w+|injections?|supplements?|"
    r"vitamins?|herbs|inhalers?|painkillers?)$"
)
_SUCH_AS = re.compile(r"\b(?:like|such as|including|for example|e\.g)\b")
_OF_PATIENT = re.compile(
    r"\b(?:do|did|have|are|were|had|don't|haven't|aren't) (?:you|your|they|it|"
    r"there)\b|\byour\b"
)
_BODILY = re.compile(
    r"\b(?:sleep\w*|appetite|bowels?|stools?|poop\w*|urinat\w+|pee\w*|urine|water ?works|bladder|energy|"
    r"mood|memory|concentrat\w+|breath\w*|hurts?|hurting|ache\w*|burn\w*|"
    r"bleed\w*|blood|itch\w*|swell\w*|swollen|swallow\w*|weight|temperature|vision|hearing|balance|skin|"
    r"hair|strength|weak\w*|numb\w*|sore\w*|pain\w*|cough\w*|"
    r"sweat\w*|dizz\w+|heartbeat|pulse|taste|smell|voice|speech|walking|chew\w*|digest\w*|gas|gag\w*|"
    r"drool\w*|snor\w*|thirst\w*|hungry|tired\w*|sick|symptoms?)\b"
)
_QUALITY = re.compile(
    r"^(?:sharp|dull|burning|aching|achy|stabbing|throbbing|cramp(?:y|ing)|tight|pressing|pressure|"
    r"stinging|itchy|it hurts?|hurts?|(?:worse|better|relieved|hurts?) .*|.*\b(?:spread|radiat).*|steady|"
    r"shooting|"
    r"squeezing|crushing)$"
)
_PUT = re.compile(r"\b(?:put|place|rate|scale|imaginable|unbearable|bearable)\b")
_WITH_TIME = re.compile(r"\b(?:worse|better|stronger) (?:as|each|every|by the|day by|over)\b")
_COURSE = re.compile(r"\b(?:com(?:e|es|ing) and go|on and off|constant|how often|time)\b")
# Asked for their own sake even beside something else; "a deep breath" in "worse with a deep breath" is no
# request.
_OWN_TOPICS = frozenset(("travel", "exposure", "pregnancy", "vaccines"))
_PRECEDENCE = (
    "summary",
    "diagnosis_statement",
    "greeting",
    "closing",
    "empathy",
    "reassurance",
    "advice",
    "explanation",
)
_EITHER = re.compile(r"\byou or (?:any|your|some|a )|\byourself or\b")
_DRUGS = ("medication", "drug_class")
_SUBSTANCES = ("medication", "drug_class", "substance", "allergy")
# Asked of every symptom named, where other details are about the first: "how long have you had the fever
# and cough".
_OF_EACH = frozenset(("onset", "duration", "timing", "severity"))


@lru_cache(maxsize=2048)
def understand(utterance: str, grounded: GroundedCase) -> tuple[Intent, ...]:
    """Read a doctor's utterance.

    Args:
        utterance: What the patient heard.
        grounded: The case, whose own words are understood too.

    Returns:
        Intents in the order of the words, without repetition; ``other`` alone when nothing is recognised.
    """
    found: list[Intent] = []
    for segment in segments(corrected(utterance, grounded.lexicon), grounded):
        found.extend(_read(segment))
    return _tidy(found) or (Intent("other", asked="?" in utterance),)


def _tidy(found: list[Intent]) -> tuple[Intent, ...]:
    """Drop repetitions, and what has no target where the same thing has one."""
    targeted = {intent.name for intent in found if intent.target}
    if any(intent.name == "dose" for intent in found):
        # "How many milligrams, and how often" is about the drug to its end.
        found = [intent for intent in found if intent.name != "timing" or intent.target]
    return tuple(
        intent
        for intent in dict.fromkeys(found)
        if intent.target or intent.name not in targeted or intent.name not in (*ATTRIBUTES, "symptom_presence")
    )


def _read(segment: Segment) -> list[Intent]:
    if segment.asked:
        return _asked(segment) or _offered(segment) or _guessed(segment)
    told = _told(segment)
    if told:
        return told
    if segment.confirms:
        found = _asked(segment)
        facts = [i for i in found if i.name != "other"]
        return [Intent("summary", asked=False)] if len(facts) >= 2 and len(segment.text) > 40 else found
    return []


def _offered(segment: Segment) -> list[Intent]:
    """Statements in the dress of a question: "can we draw some blood?", "I'd like to examine you, okay?"."""
    return [] if _OF_PATIENT.search(segment.text) else _told(segment)


def _guessed(segment: Segment) -> list[Intent]:
    """A question that no cue fits is most likely about a symptom, if body or its functions are in it."""
    if segment.kin:
        return [Intent("family_history")]
    return [Intent("symptom_presence")] if _BODILY.search(segment.text) or segment.of("site") else []


def _asked(segment: Segment) -> list[Intent]:
    """Intents of a question, topic by topic; what one topic has used, the next does not see."""
    names = _settled(match(segment.bare, "ask"), segment)
    findings = _findings(segment, names)
    drugs = segment.of(*_DRUGS)
    topics = match(segment.bare, "topic")
    if "occupation" in names:
        topics.pop("exposure", None)
    if topics.keys() & {"exposure", "exam", "pregnancy"} or ("allergies" in names and drugs):
        # "Around anyone with the flu", "does it hurt when I press here": not about an illness of theirs.
        findings = ()
    if segment.kin and findings and not drugs:
        family = [Intent("family_history", f.surface, f.concept) for f in findings]
        own = [Intent("past_conditions", f.surface, f.concept) for f in findings]
        return own + family if _EITHER.search(segment.text) else family
    found: list[Intent] = []
    if "allergies" in names:
        found += _about("allergies", segment.of(*_SUBSTANCES))
        names = {n: at for n, at in names.items() if n not in ("allergies", "medications", "drugs")}
    elif "dose" in names and (segment.of(*_DRUGS) or "medications" in names or not findings):
        found += _about("dose", segment.of(*_DRUGS))
        names = {n: at for n, at in names.items() if n not in ("dose", "medications", "timing", "severity", "drugs")}
    elif "medications" in names or (drugs and "relieving" not in names and not topics):
        found += _about("medications", segment.of(*_DRUGS))
    found += _details(names, findings)
    found += _rest(segment, names, findings, found)
    found += [Intent("other", concept=f"topic:{topic}") for topic in topics if not found or topic in _OWN_TOPICS]
    return found


def _settled(names: dict[str, int], segment: Segment) -> dict[str, int]:
    """Settle cues that compete for the same words."""
    dropped: set[str] = set()
    if "family_history" in names and segment.kin:
        dropped |= {"allergies", "past_conditions"}
    if "associated" in names:
        dropped.add("anything_else")
    if "character" in names and not _COURSE.search(segment.text):
        dropped.add("timing")
    if "relieving" in names:
        dropped.add("medications")
    if "living" in names:
        dropped |= {"relieving", "site"}
    if "occupation" in names:
        dropped.add("relieving")
    if "severity" in names and _PUT.search(segment.text):
        dropped |= {"site", "character"}
    if "timing" in names and _WITH_TIME.search(segment.text):
        dropped.add("aggravating")
    if names.keys() & {"alcohol", "tobacco", "drugs"}:
        dropped.add("past_conditions")
    # One question, one detail: the first cue leads. Only "better or worse" is two.
    details = [name for name in names if name in ATTRIBUTES and name not in dropped]
    if not {"aggravating", "relieving"} <= set(details):
        dropped.update(details[1:])
    return {name: at for name, at in names.items() if name not in dropped}


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
    details = any(name in ATTRIBUTES for name in names) or ("associated" in names and not _SUCH_AS.search(segment.text))
    rest: list[Intent] = []
    if segment.kin and "family_history" not in names and not (names or findings):
        rest.append(Intent("family_history"))
    for name in names:
        if name in done or name in ATTRIBUTES or name == "dose":
            continue
        if name == "past_conditions":
            every = "history of" in segment.text
            rest += _about(name, tuple(f for f in findings if every or f.kind == "condition"))
            details = details or every
        elif name == "procedures":
            rest += _about(name, segment.of("procedure"))
        elif (
            name == "drugs"
            and "medications" in done
            and not re.search(r"recreation|street|illicit|illegal", segment.text)
        ):
            continue
        else:
            rest.append(Intent(name))
    if not details:
        rest += [
            Intent("symptom_presence" if f.kind == "symptom" else "past_conditions", f.surface, f.concept)
            for f in findings
        ]
    return rest


def _told(segment: Segment) -> list[Intent]:
    """The intent of a statement: the most telling one, for one clause does one thing."""
    names = match(segment.text, "talk")
    conditions = segment.of("condition")
    if "advice" in names and not conditions:
        names.pop("diagnosis_statement", None)
    name = next((name for name in _PRECEDENCE if name in names), None)
    if name is None:
        return []
    target = conditions[0] if name == "diagnosis_statement" and conditions else None
    return [Intent(name, target.surface if target else None, target.concept if target else None, asked=False)]
