"""What a patient's words lend to the answer that follows them.

"Can I drive?" - "Not for a week." tells to do something only together with the question; so does "I have some of my
sister's pills." - "Good, take one at night." What the patient said never counts by itself, only what the educator
makes of it.
"""

import re
from functools import lru_cache

from bedside.verifier.claims.wording import normalise
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence, plain, sentences
from bedside.verifier.teaching.approval import allows
from bedside.verifier.teaching.framing import spoken

__all__ = ["LEANING", "affirms", "confirms", "leans", "lent_by", "recites", "refuses", "taken_up"]

LEANING = 2
"""Sentences of a turn that can lean on the patient's words before it."""

_OPENING = 200
"""Characters of a turn in which a confirmation can stand."""
_CONFIRMS = Pattern(
    r"^\W*(?:(?:yes|yeah|yep|exactly|correct|right|perfect|that's (?:right|correct|it|exactly right)|"
    r"absolutely|great|excellent|very good|good)\b[\s,.!-]*)+",
    re.IGNORECASE,
)
_CORRECTS = Pattern(
    r"\b(?:not quite|almost|but|actually|no,|close|one correction|instead|except|wait)\b", re.IGNORECASE
)
_SHORT = 9
_ANAPHOR = Pattern(
    r"\b(?:it|its|that|this|them|those|these|they|one|ones|1|some|hers|his|theirs|there|then|so|him|her|either|both|"
    r"any|same|such|half|enough|plenty)\b",
    re.IGNORECASE,
)
_OPENS = Pattern(
    r"^\W*(?:yes|yeah|yep|sure|of course|absolutely|certainly|definitely|right|exactly|correct|great|good|fine|okay|ok|"
    r"smart|perfect|no|not|nope|never|only|just|as|until|after|once|when|why not|go ahead|feel free|help yourself|"
    r"you bet|be my guest|by all means|let|put|take|use|start|ask|lay)\b",
    re.IGNORECASE,
)
# About the talk itself: it answers nobody.
_OF_TALK = Pattern(
    r"^\W*(?:(?:so|and|now|okay|good|well|then)\W+)*(?:"
    r"(?:let me|let us|let's|i (?:want to|will|would like to|'ll)) (?:just |also |now )*"
    r"(?:make sure|say|add|explain|repeat|tell|talk|look|turn|go|start|begin|move|show|check)|"
    r"there (?:is|are) (?:just |only |still )*(?:\w+ ){1,3}more\b|"
    r"the (?:next|last|first|other) (?:part|point|thing|topic)\b|"
    r"(?:here is|here comes|now (?:to|for)|next comes?|on to) the (?:next|last|first|other)\b)",
    re.IGNORECASE,
)
_SAYS_AGAIN = Pattern(
    r"\blet me (?:say|repeat|explain|go over)\b|\ba lot to (?:take in|remember)\b|"
    r"\bsay it (?:again|(?:in )?another way)\b|"
    r"\bgo (?:over|through) (?:it|that|this|them)\b",
    re.IGNORECASE,
)
_REFUSES = Pattern(
    r"^\W*(?:(?:well|oh|i'm afraid|sorry|unfortunately|actually|hmm|please)\W+)*(?:no|not|nope|never|don't|do not|"
    r"better not|absolutely not|rather not|please don't)\b(?!\W+(?:problem|harm|worries|need|reason|big deal|trouble|"
    r"issue|point|sense|call))",
    re.IGNORECASE,
)
_AFFIRMS = Pattern(
    r"^\W*(?:(?:oh|well|and|so|then|yes)\W+)*(?:yes|yeah|yep|sure|of course|absolutely|certainly|definitely|exactly|"
    r"great|smart|good idea|perfect|why not|go ahead|feel free|you bet|be my guest|by all means|she has a point|"
    r"he has a point)\b",
    re.IGNORECASE,
)
_TAKES_UP = Pattern(
    r"\b(?:start|take|use|try|have|keep|finish|borrow|swap|trade|swallow|drink|eat|lend|put|rub|wear|let|"
    r"help yourself to|go for|stick with) "
    r"(?:it|1|one|some|them|that|those|him|her|half|hers|his|theirs|a few|a (?:sip|swig|bit|drop|spoonful|little)|both|"
    r"2|two)\b|\b(?:1|half|some|a few|2|3) of (?:it|them|those|these|hers|his|theirs|the)\b|"
    r"^\W*as \w+ as\b",
    re.IGNORECASE,
)
# "Okay, thanks for being straight with me": what was said is welcome, not what it speaks of.
_THANKS = Pattern(r"\bthank(?:s| you) for (?:being|telling|letting|sharing|saying|your honesty)\b", re.IGNORECASE)
_POLAR = Pattern(
    r"^\W*(?:(?:so|and|but|then|well|or|okay)\W+)*(?:can|could|may|might|should|do|will|would) you (?:still |just |"
    r"also |maybe |then |now |have to |need to |get to |be able to )*",
    re.IGNORECASE,
)
# What the patient says back of the plan.
_RECITES = Pattern(
    r"\b(?:supposed to|(?:i|you) (?:need|ought) to|i have to (?:take|call|see|use|check|keep|drink|eat|wear|stop|put|"
    r"swallow|inject|have|rinse)|i should|i must|i'll|i will|appointment|twice a day|\d ?mg)\b|"
    r"\bi (?:come|call|go|stop|take|use|check|keep|see) [^?]*\b(?:if|when)\b|\bi'm going to see\b|"
    r"\bi (?:got|had|was given) (?:the|an?)\b|\bthey (?:did|gave|took|found)\b|\ball i have\b|"
    r"\bi (?:don't|do not|no longer|stop|quit|have to|need to|should) tak(?:e|ing)\b|\banymore\b|"
    r"\bi(?:, i)? take [\w -]{3,40}, \d",
    re.IGNORECASE,
)
_ASKS_MEANING = Pattern(
    r"\bwhat (?:does|do|did)\b.{0,60}\bmean\b|"
    r"\bwhat(?:'s| is| are) (?:an? )?[\w -]{1,30}\?$",
    re.IGNORECASE,
)
_WHAT_IF = re.compile(r"\b(?:what if|if|when) (?!can\b|do\b|will\b|should\b|may\b)([^.?]+)", re.IGNORECASE)
_LEAD = Pattern(r"^\W*(?:(?:so|and|but|then|well|or|okay|what about|how about|even)\W+)+", re.IGNORECASE)


def recites(text: str) -> bool:
    """True for what a patient says back of the plan, and asks nothing: "I'm supposed to lift nothing"."""
    return bool(_RECITES.search(text)) and not text.rstrip().endswith("?")


def confirms(text: str) -> bool:
    """True when a turn opens by confirming what the patient said, and does not go on to correct it."""
    if not _CONFIRMS.match(text):
        return False
    opening = sentences(normalise(spoken(text)))[:2]
    return not any(_CORRECTS.search(s.text[: max(0, _OPENING - s.start)]) for s in opening)


@lru_cache(maxsize=8192)
def lent_by(line: str) -> str:
    """Return what a patient's line lends: its last question, else its last sentence, said to the patient.

    Args:
        line: What the patient said.

    Returns:
        The same in the educator's person, without question mark; "my pills" are "your pills".
    """
    said = sentences(plain(line))
    if not said:
        return ""
    asked = [sentence for sentence in said if sentence.asks]
    last = asked[-1] if asked else said[-1]
    # "I have some Septra left. Can I take it?": the question leans on what stands before it.
    whole = [said[last.number - 1], last] if last.number and _ANAPHOR.search(last.text) else [last]
    if any(recites(s.text) for s in whole) or _ASKS_MEANING.search(last.text):
        return ""
    return spoken(" ".join(s.text.strip().rstrip("?").rstrip() for s in whole), as_you=True)


def leans(sentence: Sentence) -> bool:
    """True when a sentence at the head of a turn needs what was said before it."""
    if sentence.number >= LEANING or _OF_TALK.match(sentence.text) or _SAYS_AGAIN.search(sentence.text):
        return False
    return len(sentence.tokens) <= _SHORT or bool(_OPENS.search(sentence.text)) or bool(_ANAPHOR.search(sentence.text))


def affirms(answer: str) -> bool:
    """True for an answer that begins with a yes."""
    return bool(_AFFIRMS.match(answer))


def refuses(answer: str) -> bool:
    """True for an answer that begins with a no."""
    return bool(_REFUSES.match(answer))


def taken_up(lent: str, answer: str) -> str:
    """Return lent words and answer as one statement of the educator's.

    Args:
        lent: From :func:`lent_by`.
        answer: A sentence that leans on it.

    Returns:
        "You can drive, sure, for short trips." Empty when the answer does not take up what the patient brought up.
    """
    answer = answer.strip()
    if _THANKS.search(answer):
        return ""
    if case := _WHAT_IF.search(lent):
        return "" if refuses(answer) else f"If {case[1]}, {answer[0].lower()}{answer[1:]}"
    if refuses(answer) or not (_AFFIRMS.search(answer) or _TAKES_UP.search(answer) or allows(answer)):
        return ""
    rest = _POLAR.sub("", lent)
    if rest != lent:
        return f"You can {rest}, {answer[0].lower()}{answer[1:]}"
    return f"{_LEAD.sub('', lent)}, {answer[0].lower()}{answer[1:]}"
