"""What a question is about, so that a bare answer can be understood: a number, a yes, a "never had it".

A patient leaves out what the doctor has just named. The question's concepts are then what the answer speaks of, and
its topic says in which respect.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import digits
from bedside.verifier.language.text import plain, sentences
from bedside.verifier.language.unreal import NOT_THERE

__all__ = ["NOTHING", "Focus", "Named", "focus_of"]

_TOPICS = {
    "allergy": r"allerg\w*\b(?! (?:rhinitis|asthma|dermatitis|conjunctivitis))|react(?:s|ions?)?\b|"
        r"can'?t (?:you )?(?:eat|take|tolerate|have)\b|is \w+ ok(?:ay)? for you|bad with|"
        r"disagrees? with|(?:hurt|harm(?:ed)?|upset|bother(?:s|ed)?) you\b|(?:trouble|"
        r"problems?) with (?:any )?(?:med|drug|antib)\w*|"
        r"tolerate|intoleran\w+|sensitive to|made you (?:sick|ill)|(?:must|should)n't take|have to avoid",
    "reaction": r"what happens|reaction|what does it do",
    "drugs": r"\b(?:medicines?|medications?|meds|pills?|inhalers?|prescriptions?|drops?|vitamins?|"
        r"painkillers?|take|taking|birth control)\b",
    "family": r"\b(?:famil\w+|run in|runs in|relatives?|parents?|siblings?|mother|father|brothers?|sisters?|mom|mum|"
    "dad|"
        r"grandparents?|(?:any(?:one|body)|does any\w+) (?:else )?(?:with|have|had|has|got|at home with))\b",
    "worse": r"\b(?:worse|aggravat\w+|brings? (?:it|this|that|the \w+)? ?on|trigger\w*|sets? (?:it|this) "
        r"off|provok\w+)\b",
    "better": r"\b(?:better|reliev\w+|eases?|helps?|improve\w*|relief)\b",
    "where": r"\b(?:where|which (?:side|knee|arm|leg|foot|hand|eye|ear|hip|shoulder|one)|side)\b",
    "spreads": r"\b(?:spread\w*|radiat\w+|go anywhere|move\w* anywhere|travel\w*|pain go)\b",
    "when": r"\b(?:when|how long|since|start\w*|began|begin|onset)\b",
    "quality": r"\b(?:how(?:'s| is| are| does| do) (?:your|the) (?:pee|urine|stools?|poop|\w+) look\w*|what (?:is|"
        r"does) (?:it|the \w+|your \w+) (?:like|look|feel)|colou?r|describe|feel "
        r"like|look like|what kind of)\b",
    "severity": r"\b(?:how bad|scale|rate|severe|pain level|how (?:strong|intense))\b",
    "age": r"\bhow old|your age|years? (?:of age|old)|of (?:sixty|fifty|forty|60|50|40|70)\b",
    "job": r"\b(?:do you do|work|job|living|occupation|studying|employed)\b",
    "home": r"\b(?:lives?|living|at home|home|married|household|who(?:'s| is) with|someone with|share (?:a|your))\b",
    "children": r"\b(?:kids|children|babies)\b(?! (?:sick|ill|around|at home with))",
    "travel": r"\b(?:travel\w*|abroad|trips?|overseas|vacation|holiday|journeys?)\b",
    "alcohol": r"\b(?:drink|drinks|drinking|alcohol|booze|whiskey|wine|beer)\b",
    "tobacco": r"\b(?:smok\w+|tobacco|cigarettes?|vap\w+|smoke)\b",
    "street": r"\b(?:drugs?|weed|marijuana|cocaine|street)\b",
    "pregnant": r"\bpregnan\w*|expecting\b",
    "operation": r"\b(?:surger\w+|operations?|procedures?|operated)\b",
    "fever": r"\b(?:fever|temperature)\b",
    "hospital": r"\b(?:hospital\w*|admitted|emergency (?:room|department)|ER|ICU)\b",
    "opinion": r"\b(?:what|any idea|why|do) .*\b(?:you|your) (?:think|guess|suspect|believe|reckon|figure|own idea|"
        r"wor\w+|fear\w*|"
    r"afraid|scared)|do you (?:think|reckon|suspect)|(?:afraid|worried|scared) (?:of|about|it)",
    "lasts": r"\bhow long (?:did|does|do|were|was|have|has|are|is) .*\b(?:last|out\b|unconscious|go on|each|"
    "at a time)",
    "before": r"\b(?:happened|had (?:this|it|that|anything like (?:this|it|that))|felt (?:this|like this)|"
        r"been like this) (?:\w+ )?"
    r"before|before this\b|ever had (?:this|anything like)|first time|earlier (?:spells?|episodes?|attacks?)",
    "weight": r"\bweigh\w*|\bpounds\b",
    "weeks": r"\bhow far along|how many weeks|weeks pregnant|due date\b",
    "sleep": r"\bsleep\w*\b",
}  # fmt: skip
# "Are you managing to drink?" asks for water.
_FLUIDS = Pattern(
    r"\b(?:manag\w+|able|trying|keep\w*|enough|plenty|fluids?|water|eat(?:ing)?,? (?:and|or)|food,? (?:and|or)|"
    r"liquids?)\b[^?]*\bdrink\w*|"
    r"\bdrink\w* (?:enough|fluids?|water|plenty|normally|all right|ok(?:ay)?|(?:and|or) eat\w*)\b",
    re.IGNORECASE,
)
_ALCOHOLIC = Pattern(r"\b(?:alcohol\w*|booze|whiske?y|wine|beer|liquor|spirits|smok\w+)\b", re.IGNORECASE)
_TOPIC = {name: Pattern(pattern, re.IGNORECASE) for name, pattern in _TOPICS.items()}
_PRESENCE = Pattern(
    r"\b(?:any|ever|do you|don't you|did you|have you|has there|is there|are there|are you|were you|had "
    r"you|(?:did|have|has|do|does) (?:they|he|she|any\w+|some\w+)|(?:do|does|did|is|are|has|have|was|were) your)\b|"
    r"^\W*(?!(?:how|what|where|when|why|which|who|whose)\b)[\w']++(?:[ -][\w']++){0,2}[ -]?\?\W*$|"
    r"^\W*(?!(?:how|what|where|when|why|which|who|whose|is|are|was|were|do|does|did|can|could|will|would|should|tell|"
    r"describe|rate|show|walk|let)\b)[\w']++(?:[ -][\w']++){3,5}[ -]?\?\W*$",
    re.IGNORECASE,
)
# A definite thing is spoken of as there already; to deny the question is not to deny it.
_DEFINITE = Pattern(
    r"\b(?:the|your|this|that|these|those|for|with|during|after|before|of|when|since|about|as|"
    r"like)\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)
# "Did your tongue swell?" asks whether it did; "is your headache …" takes the headache for granted.
_YOURS = Pattern(
    r"^\W*(?:and |so |ok(?:ay)?,? )?(?:do|does|did|is|are|has|have|was|were) (?:any of )?your (?:\w+ )?$", re.IGNORECASE
)
_CHANGE = Pattern(
    r"\b(?:worse|better|changed?|same|always|how|when|where|what|why|which|who|help(?:s|ed)?|still|think)\b",
    re.IGNORECASE,
)
_HOW = Pattern(r"\b(?:how|when|where|what|why|which|who)\b", re.IGNORECASE)
_NARROWS = Pattern(r"^ (?:that|which|who|when|while|if|with|during)\b", re.IGNORECASE)
_ASKED_OF = Pattern(
    r"^\W*(?:and |so )?(?:(?:how|when|what|why|where) )?(?:did|does|do|has|have|is|was) (?:your )?(mother|mom|mum|"
    r"father|dad|brother|sister|grandmother|"
    r"grandfather|aunt|uncle)s?\b|^\W*(?:(?:and|what about|how about) )?(?:your |the )?(mother|mom|mum|"
    r"father|dad|brother|sister|grand\w+|aunt|uncle|son|daughter)s?\W*\?",
    re.IGNORECASE,
)


# "Any operations?" asks for a list; "yes" to it names none.
_UMBRELLA = frozenset(("proc:surgery", "cond:allergy", "cond:cancer", "cond:infection"))


_HALLUCINATIONS = "sx:hallucinations"


class Named(NamedTuple):
    """Something that was named: its concepts, and the words for it."""

    concepts: tuple[str, ...]
    words: str


class Focus(NamedTuple):
    """What a question is about.

    Attributes:
        named: Everything the question names, in order.
        asked: Of that, what "yes" would affirm and "no" would deny.
        topics: In which respects it asks.
        relative: The relative it asks about and nothing else, if so.
        spoken: The words that ask.
        presence: True when it asks whether there is something, so that yes and no are answers.
        qualified: Of what is asked, that which a clause narrows: "pain that comes with walking".
    """

    named: tuple[Named, ...] = ()
    asked: tuple[Named, ...] = ()
    topics: frozenset[str] = frozenset()
    relative: str = ""
    presence: bool = False
    spoken: str = ""
    qualified: tuple[Named, ...] = ()


NOTHING = Focus()


def focus_of(question: str, grounded: GroundedCase) -> Focus:
    """Read a question.

    Args:
        question: What the clinician said last; only its questions count, if there are any.
        grounded: The case, whose own words are understood.

    Returns:
        Its focus; :data:`NOTHING` for silence.
    """
    return _focus(question, grounded) if question.strip() else NOTHING


def _topics(spoken: str) -> frozenset[str]:
    topics = {name for name, pattern in _TOPIC.items() if pattern.search(spoken)}
    if "alcohol" in topics and _FLUIDS.search(spoken) and not _ALCOHOLIC.search(spoken):
        topics = topics - {"alcohol"} | {"fluids"}
    return frozenset(topics)


@lru_cache(maxsize=1024)
def _focus(question: str, grounded: GroundedCase) -> Focus:
    text = digits(plain(question))
    pieces = sentences(text)
    asking = tuple(s for s in pieces if s.asks) or pieces
    named: list[Named] = []
    asked: list[Named] = []
    qualified: list[Named] = []
    for sentence in asking:
        presence = _PRESENCE.search(sentence.text) and not _CHANGE.search(sentence.text)
        for mention in grounded.mentions(sentence.text):
            if not _UMBRELLA.isdisjoint(mention.concepts):
                continue
            start, end = sentence.tokens[mention.first].start, sentence.tokens[mention.last].end
            thing = Named(mention.concepts, text[start:end])
            named.append(thing)
            whole = mention.last > mention.first and _YOURS.search(text[sentence.start : start])
            if presence and (whole or not _DEFINITE.search(text[sentence.start : start])):
                asked.append(thing)
                if _NARROWS.match(text[end : sentence.end]):
                    qualified.append(thing)
        if (unreal := NOT_THERE.search(sentence.text)) and not any(_HALLUCINATIONS in t.concepts for t in asked):
            named = [t for t in named if _HALLUCINATIONS not in t.concepts]
            thing = Named((_HALLUCINATIONS,), unreal.group())
            named.append(thing)
            asked.append(thing)
    spoken = " ".join(s.text for s in asking)
    relative = _ASKED_OF.match(spoken)
    return Focus(
        tuple(named),
        tuple(asked),
        _topics(spoken),
        (relative[1] or relative[2]).lower() if relative else "",
        presence=bool(NOT_THERE.search(spoken))
        or any(_PRESENCE.search(s.text) and not _HOW.search(s.text) for s in asking),
        spoken=spoken,
        qualified=tuple(qualified),
    )
