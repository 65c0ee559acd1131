"""Does a sentence say anything at all?

Headings, keyword lists and bare topic words hold the right words and state nothing; they must not teach or score.
"""

import re
from functools import lru_cache
from pathlib import Path

from bedside.cases.fact import AnyFact, Instruction, Medication
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import Quantity, find_quantities
from bedside.verifier.language.text import STOPWORDS, Sentence
from bedside.verifier.teaching.amounts import gives_amount, is_labelled
from bedside.verifier.teaching.appointments import lists_visits
from bedside.verifier.teaching.focus import Focus, orders_taking
from bedside.verifier.teaching.phrases import Bag, coverage, phrase_of
from bedside.verifier.teaching.stopping import told_to_stop

__all__ = ["addresses_patient", "is_own_voice", "is_verbatim", "lists_keywords", "says_something", "wordings_of"]

_VERBS_TABLE = Path(__file__).parent.parent / "data" / "core" / "verbs.tsv"


@lru_cache(maxsize=1)
def _verbs() -> frozenset[str]:
    """Return the forms of the verbs that plans are told with, by any of which a sentence may say something."""
    return frozenset(_VERBS_TABLE.read_text(encoding="utf-8").split()[1:])


# A word that may be a verb: only in a sentence of common length does it make a statement.
_MAYBE_VERB = Pattern(
    r"\b(?:(?!need|bleed|speed|breed|seed|weed|feed|bed|red|med|shed|sled)[a-z]{2,}ed|"
    # "The clinic sees you", "the lab checks your count", "the mask goes on".
    r"(?:we|you|they|it|he|she) [a-z]{3,}|[a-z]{3,}s (?:you|your)|goes|stays|comes)\b",
    re.IGNORECASE,
)
_ORDER = Pattern(
    r"\W*(?:(?:please|also|and|then|always|never)\W+)*(?:take|stop|start|keep|continue|call|come|go|see|avoid|drink|"
    r"eat|walk|rest|lift|do|don't|use|check|weigh|"
    r"watch|inject|inhale|apply|rinse|wear|report|get|limit|finish|stay|shake|change|clean|follow|return|never|"
    r"[A-Z][a-z]+ (?:helps?|can|may|is|was|will|causes?|lowers?|keeps?|prevents?|treats?))\b",
    re.IGNORECASE,
)
_BARE_ORDER = Pattern(
    r"^\W*(?:(?:and|so|also|please|then|until [^,]{1,60},)\W+)*no (?!one\b|need\b|matter\b|doubt\b)\w", re.IGNORECASE
)
_VERBATIM = 0.85
_COMMON = 30
"""Words of a sentence that is spoken in one breath."""

_ITEM = 12
"""Words of an item in a list."""

_EMPTY_SHARE = 0.12
_PROMISES = Pattern(
    r"\b(?:we(?:'ll| will| can| could| should)|i(?:'ll| will| can| could| would like to| want to)|"
    r"let's|let me|let us)\b"
    r"[^.:]{0,25}\b(?:talk|go over|discuss|cover|tell you about|explain|review|speak|look at|"
    r"turn to)\b(?! that| to you that)[^:]*$",
    re.IGNORECASE,
)
_OTHERS = Pattern(
    # What makes some people sleepy may make this one so.
    r"(?<!make )(?<!makes )(?<!gives )\b(?:some|most|many|a lot of|a few|few) (?:people|folks|patients) "
    r"(?!get\b|feel\b|notice\b|become\b|gain\b|"
    r"have (?:a|some|trouble)\b)|"
    r"\b(?:my|some|most|many|other|another|a lot of) (?:neighbou?rs?|friends?|patient|other (?:people|patients)|wife|"
    r"husband|mother|father|"
    r"brothers?|sisters?|uncles?|aunts?|colleagues?)\b(?! (?:told|gave|asked) you|(?<=, my friend)\W*$)",
    re.IGNORECASE,
)
_SUPPOSES = Pattern(
    r"\bif (?:you|it|this|there|they) (?:had|were|was|ever had)\b|\b(?:imagine|(?<!i )suppose|let's say|"
    r"hypothetically)\b",
    re.IGNORECASE,
)
_TO_THE_JUDGE = Pattern(
    r"\b(?:judges?|evaluators?|graders?|scor(?:e|es|ing)|rubric|full (?:marks|credit)|reward|award|"
    r"topics? covered|covered topics?|"
    r"checklist items?|\"\s*:\s*[\"\[{]|(?:this|the) (?:educator|clinician|model|assistant|transcript|"
    r"conversation) (?:has|have|did|covered?|should))\b",
    re.IGNORECASE,
)
# "I doubt that you should", "it is not true that": what follows is not said to be so.
_UNASSERTED = Pattern(
    r"\b(?:doubt\w*|den(?:y|ied|ies)|(?:don't|do not|didn't|did not|can't|cannot|never|nobody|no one|"
    r"not) (?:\w+ )?(?:know|knows|think|"
    r"believe|believes|say|says|said|mean|claim|sure|certain|true|right|correct|clear|the case|real)|"
    r"isn't (?:true|right|certain|clear|the case)|"
    r"untrue|false|wrong|a (?:lie|myth|rumou?r|joke)|unlikely|impossible|nonsense|unknown|pretend\w*|forget|"
    r"forgot|wonder\w*)"
    r"(?: (?:to say|to think|to believe|me|if|anyone))?,?\s+(?:that(?!'s\b)|whether|if|how|why)\b",
    re.IGNORECASE,
)
# Asked, whatever the punctuation.
_ASKED = Pattern(
    r"^\W*(?:(?:so|and|okay|now|well)\W+)*(?:do|did|have|can|could|would|are|were) you (?:ever |already |"
    r"still )?(?:know|remember|recall|think|"
    r"believe|heard?|aware|tell|guess|imagine|say|told)\b|^\W*(?:who|why|what|which|when|where|how) (?:says?|"
    r"said|do|does|did|would|should|told|"
    r"are|is|if)\b(?!.*\bis that\b)",
    re.IGNORECASE,
)
# Of someone else, or in the patient's own voice.
_THIRD = Pattern(
    r"^\W*(?:the|this|that|our) (?:other )?patient (?:is|was|has|had|must|should|needs?|will|would|can|may|"
    r"takes?|knows?)\b|"
    r"^\W*(?:(?:so|and|also|then|now|well|note|system|remember)\W+)*(?:the |this |a |an |our |my |any |every |"
    r"each )?(?:patients?|persons?|man|woman|"
    r"person|client|customer|user|he|she|someone|somebody|everyone|everybody|anyone|one|nobody|mr\.? \w+|"
    r"mrs\.? \w+|ms\.? \w+)"
    r"(?: (?:now|also|always|only|here))? (?:is|was|has|had|have|takes?|must|should|shall|needs?|will|would|"
    r"can|may|ought|does|knows?|understands?|"
    r"stops?|sees?|calls?|uses?|drinks?|eats?)\b(?!.*\byou\b)",
    re.IGNORECASE,
)
_MY_OWN = Pattern(
    r"^\W*(?:(?:so|and|also|then|now|well|yes|okay)\W+)*I(?:'m| am)? (?:(?:will|must|should|can|have to|"
    r"need to|am to|supposed to|going to|'ll) )?"
    r"(?:take|taking|stop|use|using|call|see|know that I|keep|drink|eat|avoid|check|come back|was|had|"
    r"have an?|suffer|do not|don't|inject|"
    r"inhale|apply|go|walk|rest|raise|wear|weigh|wash|finish|never)\b(?!.*\b(?:you|your|we)\b)",
)
_HEADED = Pattern(
    r"\b(?:you|you're|you've|you'll|we|we're|we've|i|i'm|it|it's|this|these|they|take|call|come|go|"
    r"return|watch|avoid|do|don't|"
    r"please|remember|keep|seek|is|are|was|were|have|had|get|stop|start|use|eat|drink|see|tell|make|"
    r"bring|if|when|for)\b",
    re.IGNORECASE,
)


# Held at a distance: of a dream, of hearsay, of the past, or as what would be wrong to do.
_DISTANCED = Pattern(
    r"\bin (?:your|my|his|a|the) (?:dreams?|story|movie|film|book|game|novel)\b|\brumou?rs?\b|\bin theory\b|"
    r"\baccording to (?!your|our|the plan|the doctors?|the team|us|what we)|\b(?:some|they|people|others) say\b|"
    r"\b(?:next (?:room|door|bed)|other (?:room|bed))\b|^\W*(?:so |and )?you used to\b(?!.*\bnow\b)|"
    r"^\W*(?:yesterday|last (?:week|month|year)|once upon)\b.*\byou had to\b|"
    r"\b(?:too late|refuse[sd]?|(?<!not )(?<!n't )(?<!never )forget|a mistake|wrong|hate|silly|stupid|foolish|"
    r"useless|pointless) (?:it )?"
    r"(?:to|when|if|that)\b|"
    r"\b(?:find out|ask (?:someone|somebody|around)) (?:whether|if)\b|\blet me guess\b|^\W*(?:say|pretend|"
    r"repeat after me)\b.{0,8}\byou\b|"
    r"^\W*(?:wrong|false|incorrect|untrue|lie|myth|false statement|fiction)\W*:|"
    r"\b(?:allegedly|supposedly|as (?:if|though))\b",
    re.IGNORECASE,
)
_ASIDE = (_DISTANCED, _PROMISES, _OTHERS, _SUPPOSES, _TO_THE_JUDGE, _UNASSERTED, _ASKED, _THIRD)


def says_something(sentence: Sentence, focus: Focus, quantities: tuple[Quantity, ...]) -> bool:
    """False for headings, keyword lists and other text in which no one asserts anything."""
    words = len(sentence.tokens)
    dosed = any(q.kind in ("dose", "frequency") for q in quantities)
    if dosed and words <= 40 and (focus.named or (focus.still(sentence.number) and orders_taking(sentence.text))):
        return True
    if focus.still(sentence.number) and (is_labelled(sentence.text) or gives_amount(sentence.text, quantities)):
        return True
    if words <= _COMMON and _BARE_ORDER.match(sentence.text):
        return True  # "no smoking, no vaping"
    if focus.named and any(told_to_stop(sentence.text, span) for spans in focus.spans.values() for span in spans):
        return True  # "the main thing: no aspirin"
    if not dosed and any(q.kind == "in" for q in quantities) and (words <= _ITEM or lists_visits(sentence.text)):
        return True  # who and when: an appointment in a list of such
    empty = sum(t.text.lower() in STOPWORDS for t in sentence.tokens)
    if focus.alarmed(sentence.number) and sentence.number != focus.alarm and words <= 20:
        return True  # items of a list of warning signs need no verb of their own
    acts = any(token.text.lower() in _verbs() for token in sentence.tokens)
    acts = acts or bool(words <= _COMMON and _MAYBE_VERB.search(sentence.text))
    if not (acts or focus.alarm == sentence.number):
        return False
    if words <= 12 and _ORDER.match(sentence.text):
        return True
    # A sentence has words that carry no content; a string of keywords has none.
    return empty >= 1 and (words <= 8 or empty / words >= 0.12)


@lru_cache(maxsize=16384)
def addresses_patient(sentence: str) -> bool:
    """False for what is promised, supposed, told of others or said to a judge: it tells the patient nothing."""
    return not any(pattern.search(sentence) for pattern in _ASIDE)


def is_own_voice(sentence: str) -> bool:
    """True for "I take aspirin": whoever says that of themselves instructs nobody."""
    return bool(_MY_OWN.match(sentence))


def lists_keywords(sentence: Sentence, quantities: tuple[Quantity, ...]) -> bool:
    """True for bare words between commas, with hardly a word that joins them into a sentence."""
    parts = sentence.text.split(",")
    if len(parts) < 4:
        return False
    joining = sum(token.text.lower() in STOPWORDS for token in sentence.tokens)
    if joining < _EMPTY_SHARE * len(sentence.tokens) and not quantities:
        return True
    regimens = sum(len(part.split()) >= 4 and bool(find_quantities(part)) for part in parts)
    return len(parts) >= 6 and not _HEADED.search(parts[0]) and regimens < 0.3 * len(parts)


def is_verbatim(sentence: Sentence, bag: Bag, grounded: GroundedCase) -> bool:
    """True for terse sentences that are next to the plan's own, as in "Report unexplained muscle pain"."""
    words = len(sentence.tokens)
    return any(
        len(phrase.split()) * 1.5 + 2 >= words >= 3 and coverage(phrase_of(phrase), bag) >= _VERBATIM
        for known in grounded.plan
        for phrase in _sentences_of(known.fact)
    )


def _sentences_of(fact: AnyFact) -> tuple[str, ...]:
    match fact:
        case Instruction():
            return wordings_of(fact)
        case Medication():
            return fact.precautions
    return ()


def wordings_of(fact: AnyFact) -> tuple[str, ...]:
    """Return all wordings of a fact, its clinical text first."""
    return (fact.text, *fact.lay)
