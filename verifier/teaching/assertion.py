"""Is what a sentence says put to this patient as so?

"You might take 5 mg", "nobody needs to take 5 mg", "my cat says that you take 5 mg": the words of the plan are all
there, and no one is told to do anything. Such a sentence teaches nothing right. What it says wrongly still counts, for
"there is no need to call" is heard as said.
"""

import re
from functools import lru_cache

from bedside.verifier.language.lexicon import core
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import tokenize

__all__ = ["continues_another", "is_asserted", "is_of_another"]

_DEED = (
    r"(?:take|takes|taking|took|inject\w*|inhale\w*|use|uses|using|swallow\w*|apply|see|sees|stop|stops|start|call|"
    r"calls|come|know|drink|eat|avoid|check|weigh|walk|keep|do|go|have|finish|put|rest|wear|wash|measure|continue|"
    r"raise)"
)
_DUTY = r"(?:should|must|has to|have to|needs? to|takes?|ought to|is (?:supposed|told) to)"
# "You might take": possible, not said. "You may notice" and "you might feel" foretell, and do tell.
_POSSIBLE = Pattern(
    r"^\W*(?:(?:so|and|then|well)\W+)*(?:you|one|1|we|they) (?:might|could|would)"
    rf"(?: (?:also|just|even|then|perhaps|maybe))* {_DEED}\b(?![^.]*\bif\b)|"
    r"^\W*(?:maybe|perhaps|possibly|allegedly|in theory|supposedly)\b",
    re.IGNORECASE,
)
# Said to be needless, forbidden or to be kept from: the order is its object, not what is meant.
_NEEDLESS = Pattern(
    r"\b(?:(?:there is|there's|have|has) no need to|hardly (?:need|have|ever)|(?:had|'d) better not|refrain from|"
    r"forbidden to|(?:don't|do not) you dare|never had to|without having to|avoid having to|"
    r"(?:it is|it's|it would be) (?:optional|pointless|useless|unnecessary|silly|a shame) to|"
    r"(?:nobody|no (?:one|1)|none of (?:us|you|them)) (?:needs?|has|have|should|must|takes?)|"
    r"(?:don't|do not) (?:really |actually |even )?(?:have|need) to)\b|"
    r"^\W*(?:stop|refrain from|never mind|forget|ignore) (?:this|that|it|the following)\W*:",
    re.IGNORECASE,
)
# Another person does it, or another time or world is spoken of.
_ELSEWHERE = Pattern(
    r"\b(?:as a (?:child|kid|baby|boy|girl)|in (?:[1-9]0|\d{3,}) years|some (?:other )?day|"
    r"in another (?:life|world|universe)|if pigs|if wishes|instead of listening|(?:god|who|heaven) knows|i wish|"
    r"i was going to (?:say|tell)|fill in the blank|said (?:nobody|no (?:one|1))|(?:only|just) \w+ people|"
    r"unlike you)\b|"
    rf"^\W*(?:(?:so|and|then|now|well|but)\W+)*(?:he|she|they|one|1)\b,? (?:{_DUTY}|is|was|are|were)\b"
    r"(?! (?:tell|want|expect|ask|advis)\w* you)",
    re.IGNORECASE,
)
# A relative may be told to care for the patient; one who is no kin only where the patient is in what they do.
_KIN = r"(?:brother|sister|mother|father|mom|dad|son|daughter|uncle|aunt|roommate)"
_NO_KIN = r"(?:neighbou?r|co-?worker|colleague|landlord|boss|friend|cousin|dog|cat)"
_FOR_YOU = (
    r"(?:call|come)\b(?: (?!for\b)[\w']+){0,6}? (?:(?:if|when|whenever|in case) (?:you|your)|for you)\b|"
    r"(?:call|come) (?:\w+ )?you\b"
)
_CARES = r"(?:drive|help|give|watch|bring|stay|remind|learn|also|know how|take you)\b"
_ANOTHER = Pattern(
    rf"\byour (?:\w+ )?{_KIN}(?: \w+)? {_DUTY}\b(?! (?:{_CARES}|(?:call|come)\b))|"
    rf"\b(?:your|the) (?:\w+ )?{_NO_KIN}(?: \w+)? {_DUTY}\b(?! (?:{_CARES}|{_FOR_YOU}))",
    re.IGNORECASE,
)
# "Can cause bleeding", "take it at night", "fever": whoever was spoken of is still the one meant.
_OPENING = r"^\W*(?:(?:and|also|then|but|or|always|never|not|do not|don't|even) )*"
_NO_SUBJECT = Pattern(
    rf"{_OPENING}(?:can|could|may|might|should|must|will|is|are|has|have|needs?|causes?|helps?|makes?)\b", re.IGNORECASE
)
_ORDER = Pattern(
    rf"{_OPENING}(?:{_DEED}|report|get|limit|return|seek|hold|skip|follow|watch|lift|drive|shake|change|clean|elevate|"
    r"rinse|chew)\b",
    re.IGNORECASE,
)
_FRAGMENT = 12
"""Words of a fragment at most."""

_PREDICATE = Pattern(
    r"\b(?:is|are|was|were|am|has|have|had|does|do|did|will|can|could|may|might|should|must|needs?|"
    r"\w+'(?:s|re|ve|ll))\b",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(
    r"\b(?:if|when|whenever|while|until|unless|because|that|after|before|as|so|even)\b", re.IGNORECASE
)
_TO_YOU = re.compile(r"\b(?:you|your|yours|yourself|we|us|i|please|let's)\b", re.IGNORECASE)
# "It is illegal to", "it makes no sense to": only some judgments of a deed ask for it.
_JUDGED = Pattern(
    rf"^\W*(?:(?:so|and|but|then|well)\W+)*(?:it|that|this)(?:'s| is| was| costs?| makes?|"
    rf" would be) (?!(?:\w+ ){{0,2}}(?:important|best|"
    r"better|safe|good|great|okay|ok|fine|essential|vital|crucial|critical|normal|helpful|wise|key|time|necessary|"
    r"easy|easier|"
    r"common|used|meant|here|there|there's|needed|taken|given|safer|smart|worth|up to you|a good)\b)"
    rf"[^,;:.]{{0,30}}?\bto {_DEED}\b|"
    r"^\W*(?:what a (?:pity|shame)|i am not allowed|i'm not allowed|i forgot|i refuse)\b",
    re.IGNORECASE,
)
# Left open, put off to another time or world, or taken back in its last words.
_LEFT_OPEN = Pattern(
    r"\b(?:ask|learn|wonder|see|know|hear|decide)\b[^.;:]{0,20}\b(?:whether|if) (?:or not )?(?:you (?:should|must|"
    r"need to|"
    r"have to|ought to)|to)\b|\bon (?:mars|the moon)\b|\bin the old days\b|\bbefore you were born\b|"
    r"\bwere you (?:an?|the)\b|"
    r"^\W*(?:rarely|seldom|hardly ever|if ever|unless you want)\b|\bor the other way round\b|\bor not to\b|"
    r"\bthat is the question\b|\bunless you should not\b|\bend of quote\b|\bpay if you\b",
    re.IGNORECASE,
)
# What stands before a colon must be about the patient's care: "At home: ...", and not "Title of a song: ...".
_HEAD = re.compile(r"^\W*([^.:;,]{3,40}):(?!\d)")
_HEADING = Pattern(
    r"\b(?:medic\w*|drugs?|tablets?|pills?|dose|home|hospital|first|second|third|next|then|also|remember|important|"
    r"please|"
    r"wound|food|diet|eat|drink|activity|exercises?|appointments?|visits?|follow\w*|signs?|warning|return|"
    r"emergency|call|danger|"
    r"watch|when|if|side|effects?|how|what|why|new|stopped|changed|one|1|two|2|three|3|things?|so|and|now|here|"
    r"plan|summary|steps?|"
    r"reason|safety|tests?|results?|treatments?|diagnosis|about|for|morning|evening|night|bedtime|we|you|your|"
    r"daily|care|rules?|"
    r"this|again|come|take|stop|go|do|don't|keep|use|showed|today|tomorrow|also|too|pain|fever|it)\b",
    re.IGNORECASE,
)
_FALSE_HEAD = re.compile(
    r"\b(?:opposite|truth|self|song|wall|answer|quote|poem|title|joke|exam|later|if you like)\b", re.IGNORECASE
)
# "Robots take 5 mg": whoever they are.
_STRANGER = re.compile(
    r"^\W*(?!(?:please|always|never|just|only|also|then|and|so|but|or|now|you|we|they|it|i|do|don't|to|first|next|"
    r"today|"
    r"tonight|tomorrow|kindly|instead|still|simply|well|okay|yes|no|not|please,|finally|otherwise|daily|remember|"
    r"patients)\b)"
    r"([A-Za-z]+s) (?:take|use|see|stop|call|drink|eat|avoid|check|inject|inhale|know|count|carry|weigh|"
    r"walk|wear|wash|sleep)\b"
)
_WHO_SAYS = re.compile(
    r"^\W*(?:(?:so|and|now|as|well|but|then)\W+)*(?P<who>(?:\w+[' ]?){1,4}?)\s+(?:(?:just|also|once|always) )?"
    r"(?:says|said|tells|told|thinks|thought|claims|heard|wants|hopes|sings|dreamt|pretends|was told|were told|"
    r"(?:am|is|are) (?:trained|paid|programmed) to)\b",
    re.IGNORECASE,
)
# Who may speak for the plan.
_OF_CARE = re.compile(
    r"^(?:i|we|you|it|this|that|what|which|when|if|here|please|dr\.? \w+|(?:your|the|our|my) (?:\w+ )?"
    r"(?:doctors?|surgeons?|team|nurses?|pharmacists?|plan|notes?|chart|tests?|scans?|x-rays?|results?|specialist|"
    r"\w+ologists?|clinic|hospital|"
    r"psychiatrists?|physicians?|therapists?|midwife|dietitian|papers?|label)|doctors|nurses|the \w+ doctors?)\b",
    re.IGNORECASE,
)
_BEARS = re.compile(
    r"\b(?:bracelet|card|tag|necklace|band|sign|label|note|letter|list|form)s? (?:that|which)$", re.IGNORECASE
)
_TRAINED = re.compile(r"\b(?:am|is|are) (?:trained|paid|programmed) to\b", re.IGNORECASE)


@lru_cache(maxsize=16384)
def is_asserted(sentence: str) -> bool:
    """False for what is only possible, needless, for others, elsewhere, or said by someone who has no say.

    Args:
        sentence: One sentence of an educator.
    """
    if any(pattern.search(sentence) for pattern in (_POSSIBLE, _NEEDLESS, _ELSEWHERE, _ANOTHER, _JUDGED, _LEFT_OPEN)):
        return False
    if _of_strangers(sentence) or _under_a_false_head(sentence):
        return False
    says = _WHO_SAYS.match(sentence)
    # "Wear a bracelet that says penicillin": a thing that bears words puts nothing in another's mouth.
    return (
        says is None
        or bool(_BEARS.search(says["who"]))
        or (bool(_OF_CARE.match(says["who"])) and not _TRAINED.search(says[0]))
    )


def is_of_another(sentence: str) -> bool:
    """True for "your neighbor should take it": what is to be done is someone else's to do."""
    return bool(_ANOTHER.search(sentence))


@lru_cache(maxsize=8192)
def continues_another(sentence: str) -> bool:
    """True for what goes on about the person last spoken of: it has no subject, and its main clause no "you".

    Args:
        sentence: One that follows a sentence of somebody else.
    """
    main = _SUBORDINATE.split(sentence, maxsplit=1)[0]
    if _TO_YOU.search(main):
        return False
    if _NO_SUBJECT.search(sentence):
        return True
    if _ORDER.search(sentence):
        # An order that names its own drug is heard as one to the listener.
        return not any(c.startswith("drug:") for m in core().find(tokenize(main)) for c in m.concepts)
    return len(tokenize(sentence)) <= _FRAGMENT and not _PREDICATE.search(main)


def _under_a_false_head(sentence: str) -> bool:
    """True for an order after a colon, under a heading that is about something else."""
    head = _HEAD.match(sentence)
    if head is None:
        return False
    return bool(_FALSE_HEAD.search(head[1])) or not (_HEADING.search(head[1]) or _mentions(head[1]))


def _of_strangers(sentence: str) -> bool:
    who = _STRANGER.match(sentence)
    return who is not None and not _mentions(who[1])


@lru_cache(maxsize=4096)
def _mentions(words: str) -> bool:
    """True when words name something of medicine."""
    return bool(core().find(tokenize(words)))
