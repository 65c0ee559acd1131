"""Claims about what makes a complaint worse or better: climbing stairs, lying flat, a hot shower."""

import re
from collections.abc import Iterator
from functools import lru_cache

from bedside.verifier.claim import Claim
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.language.context import context_of
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["NOTHING_SAID", "conditions_in", "kin_of", "modifiers_of"]

# Conditions under which complaints change, each with the words for it.
_CONDITIONS = {
    "lying": r"roll\w* on(?:to)? (?:my|the)\b|l(?:ie|ies|ying|ay|aying|ain)\b(?! to)|flat\b|reclin\w+|on my (?:back|"
    "stomach|side)\b",
    "sitting": r"s(?:it|its|itting|at)\b(?! around)|upright",
    "forward": r"forwards?|lean\w*|hunch\w*",
    "bending": r"bend\w*|stoop\w*|tie my shoes",
    "bent": r"(?:keep|hold|kept|held)\w* it bent|bent knee",
    "standing": r"stand\w*|stood|get(?:ting)? up\b(?! at night)",
    "walking": r"walk\w*|step on|on (?:my|her|his) feet",
    "stairs": r"stairs?|steps|hills?|uphill|climb\w*|flights?",
    "exertion": r"exert\w*|exercis\w*|efforts?|activit\w*|active|lift\w*|carry\w*|run(?:ning)?\b(?! in)|"
    r"workouts?|sports?|groceries|shopping|exercise",
    "breathing": r"breath(?:s|ing|e)?\b|inhal\w*|(?:pull|draw|suck|take)\w* (?:in )?air|fill\w* (?:up )?my lungs|"
    r"fill up\b",
    "coughing": r"cough\w*",
    "sneezing": r"sneez\w*",
    "swallowing": r"swallow\w*",
    "eating": r"eat\w*|meals?|food|fatty|greasy|spicy|dinners?|lunch|breakfast",
    "moving": r"mov(?:e|es|ing|ement)\b|motion",
    "turning": r"turn(?:s|ing)? (?:over|my|to|in)|roll\w*\b(?! on)|twist\w*",
    "rest": r"rest(?:s|ed|ing)?\b|keep\w* still|hold\w* still|relax\w*|stop and",
    "cold": r"cold (?:air|weather|wind)|in the cold\b(?! p)|the cold\b(?! p)",
    "ice": r"ice\b|cold pack|icing",
    "heat": r"heat\b|heating pad|warm \w+|hot (?:shower|bath|pack|water)|hot days?",
    "sun": r"sun(?:light|shine)?\b",
    "dark": r"dark\w*|lights? (?:off|out|low)\b|(?:curtains|blinds|shades) (?:down|drawn|closed|shut)|"
    r"eyes (?:shut|closed)",
    "light": r"light (?!touch|off\b|out\b|low\b)|lights?\b(?= \w*$|\W*$)(?! (?:off|out|low)\b)|bright\w*|screens?\b",
    "noise": r"nois\w+|sounds?",
    "touch": r"(?<!a )touch\w*|press\w*|push(?:ing)? on|poke\w*|squeez\w+ it|bump\w*",
    "night": r"nights?|nighttime|bedtime",
    "morning": r"mornings?|wak(?:e|ing) up",
    "evening": r"evenings?",
    "afternoon": r"afternoons?",
    "outdoors": r"outdoors?|outside|fresh air|in the (?:yard|garden|street)|on the (?:porch|balcony)|backyard",
    "indoors": r"indoors?|in(?:side)? the house|in the (?:barn|basement|workshop)",
    "stress": r"stress\w*|upset",
    "urinating": r"pee\w*|urinat\w*|pass(?:ing)? water|pass(?:es)? urine",
    "chewing": r"chew\w*",
    "driving": r"driv\w+|in the car",
    "talking": r"talk\w*(?! about| to (?:you|my|the))|speak\w*",
    "straining": r"strain\w*",
    "medicine": r"tylenol|advil|ibuprofen|acetaminophen|aspirin|antacids?|tums|painkillers?|pain pills?|"
    r"inhaler|albuterol|ondansetron",
}
_CONDITION = Pattern("|".join(f"(?P<{name}>\\b(?:{words}))" for name, words in _CONDITIONS.items()), re.IGNORECASE)
# One name for what is nearly the same, so that "resting" is borne out by "sitting down".
_KIN_OF = {
    "stairs": {"exertion", "walking"},
    "exertion": {"stairs", "walking", "moving"},
    "walking": {"exertion", "stairs", "moving", "standing"},
    "rest": {"sitting", "lying"},
    "sitting": {"rest"},
    "lying": {"rest"},
    "touch": {"moving"},
    "moving": {"walking", "turning", "bending", "exertion", "touch"},
    "turning": {"moving"},
    "evening": {"night"},
    "night": {"evening", "lying"},
    "forward": {"sitting"},
    "sun": {"light"},
    "dark": {"evening", "night"},
    "sneezing": {"coughing", "straining"},
    "coughing": {"sneezing"},
    "eating": {"swallowing", "chewing"},
    "chewing": {"eating"},
    "swallowing": {"eating"},
    "bending": {"moving"},
}
_WORSE = Pattern(
    r"\b(?:worse|worst|worsens?|worsened|aggravates?|brings? (?:it|this|that|the \w+(?: \w+)?|\w+ pain) "
    r"(?:on|out)|brings? (?:on|out)|sets? (?:it|this|them) off|"
    r"triggers?|flares?(?: up)?|acts? up|comes? on|does it|murder|hurts?(?: more| worse| most| a lot| bad(?:ly)?|"
    r" like \w+)?(?= "
    r"(?:when|if|to|with|at night|in the morning|after|every time))|"
    r"bad (?=at night|in the (?:morning|evening))|hurts?\W*$|(?:make|makes|made) (?:it|me|the \w+|my \w+) "
    r"(?:hurt|worse|dizzy|short)|hurting(?= when| if)|kills me (?:when|if|to)|can't breathe|every "
    r"time)\b|\bmakes it hurt\b",
    re.IGNORECASE,
)
_BETTER = Pattern(
    r"\b(?:better|eases?(?: off| up)?|(?<!to )helps?\b(?! me\b| us\b| out\b| you\b)|helped|relie(?:ves?|"
    r"ved)|improves?|improved|(?:fixes|cures|settles|calms|clears|sorts) (?:it|that|them|me|things)\b|"
    r"sees (?:it|them) off|"
    r"br(?:ings|ought) (?:it|them|me) round|takes the edge off|lets up|go(?:es)? away|soothes?|stops? hurting|"
    r"the only thing)\b",
    re.IGNORECASE,
)
_PARTS = Pattern(
    r",? (?:and|but|so|then) (?=\w+(?: \w+)* (?:makes?|eases?|helps?|brings?|sets?|hurts?|fixes|"
    r"cures|sorts|settles|calms|kills)\b)|, (?=(?:if|"
    r"when)\b.{8})|;|\. ",
    re.IGNORECASE,
)
# "Worse since last night" says when, not under what.
_SINCE = Pattern(
    r"\b(?:since|until|till|last|this|yesterday|that|tomorrow)(?: \w+)? (?:nights?|mornings?|evenings?|afternoons?)\b",
    re.IGNORECASE,
)
NOTHING_SAID = Pattern(r"\b(?:no|not|nothing|never|doesn't|don't|didn't|isn't|wouldn't|hardly)\b", re.IGNORECASE)
# "I was sitting at the desk when": what one was doing sets the scene.
_STORY = Pattern(r"\bi(?:'d)? (?:was|been) (?:just |only )?\w+ing\b.*?(?=,| and | when |$)", re.IGNORECASE)
# "It could be worse", "waiting for it to turn into something worse": nothing has changed.
_NO_CHANGE = Pattern(
    r"\b(?:something|nothing|anything|could be|might be|far|much|a lot) worse\b(?! (?:when|if|with|at|after|in|on)\b)|"
    r"\b(?:when|if) (?:my|the|it|it's|they|her|his) ?(?:\w+ )?(?:acts?|flares?|plays?|kicks?|gets?|is|are)? ?(?:up|"
    r"bad|sore|worse)\b|"
    r"\b(?:can't|cannot|couldn't|won't|wouldn't|doesn't|never|not) (?:do any |even )?(?:hurt|harm)\b|"
    r"\bfor it to\b|\bworse (?:things|off|than that|luck)\b",
    re.IGNORECASE,
)
_ASIDE = Pattern(
    r"\bi(?:'m| am| was|, i'm)* (?:\w+ ){0,3}(?:upset|sorry|ashamed|embarrassed|scared|nervous)\b.*|"
    r"\bi (?:shouldn't|can't|couldn't|won't|would|goes)\b.*|\bit goes against\b.*|\bspeaking of \w+|\b(?:always|"
    r"i) (?:say|talk)\b.*|(?<!with )(?<!in )(?<!on )(?<!under )(?<!against )\b(?:my|the|we|they|our) .*",
    re.IGNORECASE,
)
_LIST = Pattern(r",? (?:and|or|plus|as well as) |, ", re.IGNORECASE)
_TIMES_OF_DAY = frozenset(("night", "morning", "evening", "afternoon"))


@lru_cache(maxsize=8192)
def conditions_in(text: str) -> frozenset[str]:
    """Return the conditions that a text names, such as "walking" or "night"."""
    return frozenset(str(m.lastgroup) for m in _CONDITION.finditer(text))


def kin_of(name: str) -> frozenset[str]:
    """Return a condition and those that bear it out."""
    return frozenset((name, *_KIN_OF.get(name, ())))


def modifiers_of(sentence: Sentence, focus: Focus) -> Iterator[Claim]:
    """Find claims about what makes it worse or better.

    Args:
        sentence: A sentence of the patient, numbers in digits.
        focus: What the question was about.

    Yields:
        Claims of kind ``modifier``.
    """
    body = sentence.text
    start = 0
    answered = False
    for part in _parts(body):
        way = "worse" if _WORSE.search(part) else "better" if _BETTER.search(part) else ""
        rest = _SINCE.sub(" ", _BETTER.sub(" ", _WORSE.sub(" ", _STORY.sub(" ", part)))) if way else ""
        if not way and not answered and sentence.number == 0 and focus.topics & {"worse", "better"}:
            way, rest = ("worse" if "worse" in focus.topics else "better"), _ASIDE.sub(" ", part)
        start = body.find(part, start)
        span = (start, start + len(part.rstrip(" .!?")))
        start += len(part)
        if not way or NOTHING_SAID.search(part) or _NO_CHANGE.search(part):
            continue
        for found in _alternatives(rest, way):
            answered = True
            details = {"way": way, "what": " ".join(sorted(found))}
            yield claim_of("modifier", "modifier", sentence, span, context_of(body, *span), details)


def _alternatives(text: str, way: str) -> Iterator[frozenset[str]]:
    """What each member of a list names: "sitting forward and a hot water bottle" are two things that help."""
    for member in _LIST.split(text):
        found = conditions_in(member)
        if way == "better":
            found -= _TIMES_OF_DAY
        if "bent" in found:
            found -= {"bending", "rest"}
        if found:
            yield found


def _parts(body: str) -> list[str]:
    return [part for part in _PARTS.split(body) if part]
