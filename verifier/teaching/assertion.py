"""Is what a sentence says put to this patient as so?

"You might take 5 mg", "nobody needs to take 5 mg", "my cat says that you take 5 mg": the words of the plan are all
there, and no one is told to do anything. Such a sentence teaches nothing right. What it says wrongly still counts, for
"there is no need to call" is heard as said.
"""

import re
from functools import lru_cache

from bedside.verifier.language.pattern import Pattern

__all__ = ["is_asserted"]

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
    r"\byour (?:neighbou?r|brother|sister|mother|father|mom|dad|son|daughter|uncle|aunt|cousin|friend|roommate|boss|"
    rf"dog|cat)(?: \w+)? {_DUTY}\b"
    r"(?! (?:call|drive|help|give|watch|bring|come|stay|remind|learn|also|know how|take you)\b)|"
    rf"^\W*(?:(?:so|and|then|now|well|but)\W+)*(?:he|she|they|one|1)\b,? (?:{_DUTY}|is|was|are|were)\b"
    r"(?! (?:tell|want|expect|ask|advis)\w* you)",
    re.IGNORECASE,
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
    if _POSSIBLE.search(sentence) or _NEEDLESS.search(sentence) or _ELSEWHERE.search(sentence):
        return False
    says = _WHO_SAYS.match(sentence)
    # "Wear a bracelet that says penicillin": a thing that bears words puts nothing in another's mouth.
    return (
        says is None
        or bool(_BEARS.search(says["who"]))
        or (bool(_OF_CARE.match(says["who"])) and not _TRAINED.search(says[0]))
    )
