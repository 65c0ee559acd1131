"""Other senses of a name: "the surgery clinic", "tired of waiting", what one forgets in the talk itself.

A table cannot know that "fell asleep" is no fall; what stands beside a name, and what the sentence is about, tells.
"""

import re

from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.pattern import Pattern

__all__ = ["in_passing", "of_the_talk"]

_FED_UP = Pattern(r"\b(?:tired|sick)$", re.IGNORECASE)
_OF = Pattern(r"\s+of\b", re.IGNORECASE)
_VISIT_TO = Pattern(r"\b(?:see|seeing|saw|visit|appointment with|go to|went to) (?:a |an |the |my )?$", re.IGNORECASE)
_FELL = Pattern(r"\b(?:fell|fall|fallen)$", re.IGNORECASE)
_FALLS = Pattern(r"^(?:falls?|fell|falling) (?:down|off|over)$", re.IGNORECASE)
# "I don't trip over anything, I simply go": how one does not fall.
_TRIPS = Pattern(r"^trip", re.IGNORECASE)
_NOT_SO = Pattern(r"(?:\b(?:not|never|without)|n't) (?:\w+ )?$", re.IGNORECASE)
_FELL_OTHERWISE = Pattern(
    r"^ (?:asleep|in love|behind|apart|for|short|ill|sick|silent|into|in line|in with|through|about|to pieces|victim|"
    r"out with|"
    r"prey|back on|from grace)\b",
    re.IGNORECASE,
)
_COLD = Pattern(r"\bcold$", re.IGNORECASE)
_COLD_THING = Pattern(
    r"^ (?:snap|spell|front|drinks?|shower|one|beer|day|night|winter|morning|room|house|bath|wind|war|cuts?|plate|"
    r"supper|"
    r"coffee|tea|water|pizza|call|case|feet about)\b",
    re.IGNORECASE,
)
# Figures of speech that the tables hold as names of something; the others stand in the table of idioms.
_EXCLAIMED = Pattern(
    r"\b(?:a|total|real|such a|absolute|complete) nightmare\b|\bdying to\b|\b(?:scared|worried|bored) (?:to death|"
    r"sick)\b|\b(?:is|are|was|been|'s|right|real|such) (?:such )?a (?:right |real |bit of a )?pain in the neck\b|"
    r"\bsweat(?:ing)? (?:over|bullets (?:about|over|waiting))\b",
    re.IGNORECASE,
)
# What one forgets of dates and names, and how one talks, is said of the talk.
_OF_THE_TALK = Pattern(
    r"\b(?:sorry|excuse me|forgive me|pardon)\b|\b(?:remember|recall|think of|forget|forgot) (?:exactly|"
    r"precisely|off|"
    r"the (?:name|exact|dates?|dose|year|number|word)|its? name|what (?:it|they|he|she|that|the|you|your|his|her)\b|"
    r"when\b|which|how "
    r"(?:long|many|much)|"
    r"if\b|all (?:the|of|my)|everything|every)|\b(?:can't|cannot|couldn't|don't) (?:quite |really |"
    r"honestly )?(?:remember|"
    r"recall)\W*$|"
    r"\bmind (?:goes|went|is going|gone) blank when (?:people|you|they|doctors?|somebody|someone)\b|"
    r"\bmemory(?:'s| is| isn't)? (?:not|isn't|never been|shot|like a sieve|what it)",
    re.IGNORECASE,
)
_OF_MEMORY = frozenset(
    (
        "sx:memory-loss",
        "sx:brain-fog",
        "sx:disorganized-speech",
        "sx:confusion",
        "sx:slowed-thinking",
        "sx:forgetfulness",
    )
)
# "I nearly cried", "sweating bullets just talking about it": what the moment does to anybody.
_OF_THE_MOMENT = Pattern(
    r"\b(?:nearly|almost|about) (?:cr(?:y|ied)|burst)|\b(?:just |only |even )?(?:thinking|talking|reading|"
    r"hearing) about\b|"
    r"\bwaiting (?:for|on|to) (?:\w+ ){0,3}?(?:results?|news|call|hear|see|you|answers?|appointment|doctor)\b|"
    r"\bwhen i'm (?:nervous|stressed|anxious|upset)\b|\b(?:thought|think|felt like|afraid|"
    r"worried|scared) "
    r"(?:that )?i(?:'m| am| was) (?:losing|going)\b|\b(?:waiting|suspense|worry|worrying|job|stress|boredom|"
    r"silence) (?:is|was|"
    r"has been) killing\b|\bfigurative\w*\b|"
    r"\bfrom (?:the |all the |those |chopping |cutting |peeling )*(?:onions?|pepper|campfire|bonfire|barbecue)\b",
    re.IGNORECASE,
)
# "Sore at him", "pulling my hair out over this form", "weak with laughing": moods, however they are put.
_OVER_SOMETHING = Pattern(
    r"^(?: it)?(?: out| up)? (?:at (?:him|her|them|you|everybody|myself for)\b|with (?:laugh\w*|envy|joy|pride|"
    r"excitement|"
    r"boredom|worry|nerves|relief)\b|(?:over|about) (?:the|this|that|these|those|my|our|his|her|"
    r"a) (?:\w+ ){0,2}?(?:forms?|"
    r"bills?|paper\w*|tax\w*|insurance|exams?|tests?|job|work|kids?|wedding|move|house|fence|garden|car|dog|cat|news|"
    r"money|"
    r"price|game|boss|landlord|neighbou?rs?|trip|divorce|election|show|movie|film|whole (?:thing|"
    r"business))\b)",
    re.IGNORECASE,
)
# "The kids can't see me": not the patient does.
_OTHERS_DO = Pattern(
    r"\b(?:the (?:kids|children|neighbou?rs|customers|others|nurses?|doctors?|staff|guys|girls|students)|nobody|"
    r"no one|people|"
    r"everybody|everyone|somebody|anyone|anybody|others|who) (?:can't|cannot|couldn't|can|could|don't|doesn't|won't|"
    r"even |ever )*(?:\w+)?$",
    re.IGNORECASE,
)
_WISHES = Pattern(
    r"\b(?:could (?:use|do with|murder|go for)|would kill for|dying for|need|want|fancy) (?:a|an|some)? ?$",
    re.IGNORECASE,
)
_RUNS = Pattern(r"^(?:running|runs|ran) down$", re.IGNORECASE)
# "Not eating any more than I was" compares.
_THAN = Pattern(
    r"^ (?:any |much |no |a lot )?(?:more|less|worse|better|different\w*|bigger) (?:than|from|to)\b", re.IGNORECASE
)
# "My tool belt falls down": things fall too.
_THING_FALLS = Pattern(
    r"\b(?:my|the|a|an|his|her|our) (?:[a-z]+ ){0,2}(?!wife|husband|mother|father|mom|dad|mum|daughter|son|"
    r"legs?|knees?)"
    r"[a-z]+ (?:just |always |keeps? |nearly )?$",
    re.IGNORECASE,
)
# "I can't see it" is said of the thing, not of the eyes.
_SIGHT_OF = Pattern(
    r"^ (?:it|that|them|this|what|why|how|(?:the|my|a|an|any|your|his|her) (?!\w*(?:print|letter|writing|words?|page|"
    r"numbers?|clock|screen|tv|road|signs?|board|face|steps?|curb|ground|needle|eyes?|left|right|half|lines?)\w*\b)\w+)"
    r"\b",
    re.IGNORECASE,
)
_SEE = Pattern(r"\b(?:see|hear)$", re.IGNORECASE)
_NUMBERED = Pattern(r"\b(?:\d+|keep|kept|my|the|own|of) $", re.IGNORECASE)
_BEEKEEPS = Pattern(r"\b(?:bees?|beekeep\w*|honey)\b", re.IGNORECASE)
_SCRATCH = Pattern(r"^scratch(?:es)?$", re.IGNORECASE)
_ARTICLE = Pattern(r"\b(?:a|an|the|that|this|little|some|few) $", re.IGNORECASE)
_SORES = Pattern(r"^sores$", re.IGNORECASE)
_DRINKING = Pattern(r"\bdr[aiu]nk\w* too much$", re.IGNORECASE)
_NO_ALCOHOL = Pattern(
    r"^ (?:of )?(?:the |that |my |this |sweet |cold |diet |black |hot )*(?:coffee|tea|water|soda|pop|juice|milk|"
    r"cola|coke|pepsi|gatorade|caffeine|fluids?|lemonade|squash|(?:energy|sports|soft|fizzy) drinks?|red bull|"
    r"smoothies?|cocoa)\b",
    re.IGNORECASE,
)
_GOT_HURTS = Pattern(r"\b(?:got|get|getting) hurts$", re.IGNORECASE)
_SQUIRTS = Pattern(r"^squirts?$", re.IGNORECASE)
_COUNTED = Pattern(r"\b(?:\d+|an?|one|few) $", re.IGNORECASE)
_STARS = Pattern(r"^(?:see|saw|seeing|seen) stars$", re.IGNORECASE)
_TOUCHED = Pattern(
    r"\b(?:touch|pat|press|roll|mov|cough|bump|sneez|pok|knock|stub|hit|brush|turn|bit|"
    r"chew)\w*\b",
    re.IGNORECASE,
)
_KIND_OF = Pattern(r"^[ -](?:kind|sort|type)a? of (?:thing|pain|ache|feeling)\b|^[ -](?:ish|like)\b", re.IGNORECASE)
_DREAMT = Pattern(r"\b(?:ha(?:d|ve|ving)|get\w*|from|wak\w+|dream\w*) (?:a|these|the|another)\b", re.IGNORECASE)
_MOVED = Pattern(r"^(?:ing|s)? (?:at|over|watching|when i (?:see|hear|watch)|with (?:joy|laughter))\b", re.IGNORECASE)
# "I wouldn't hurt a fly": somebody else is hurt.
_HURT = Pattern(r"\b(?:hurts?|hurting)$", re.IGNORECASE)
_SOMEONE = Pattern(
    r"^ (?:an? (?:fly|soul|living)|any(?:one|body)|no(?:body| one)|some(?:one|body)|him|her|them|you|people|others|my "
    r"(?:wife|husband|kids?|son|daughter|mother|family|feelings)|\w+'s feelings)\b",
    re.IGNORECASE,
)
_UNHURT = Pattern(
    r"\b(?:nothing|nobody|no one|wasn't|weren't|not|never got|didn't get|without getting|lucky i didn't get) (?:was |"
    r"got )?$",
    re.IGNORECASE,
)
_CRY = Pattern(r"\bcr(?:y|ied|ying|ies)$", re.IGNORECASE)
_REACH = 12
_LACK = Pattern(r"^ (?:deficienc|levels?\b|drive\b|bar\b)", re.IGNORECASE)
_SMOKING = Pattern(r"^(?:smok\w+|drinking|cigarettes?|alcohol|drugs?|tobacco|vaping)$", re.IGNORECASE)
_THOUGHT_OF = Pattern(
    r"^ (?:is|are|was) (?:\w+ )?(?:filthy|dirty|disgusting|nasty|stupid|evil|bad|terrible|awful|wrong|an? (?:sin|waste|"
    r"\w+ habit)|for fools|not for me)\b",
    re.IGNORECASE,
)
_VISITED = Pattern(
    r"^\s*(?:clinic|office|team|doctor|department|nurse|visit|appointment|specialist|program)\b",
    re.IGNORECASE,
)


def of_the_talk(body: str, span: tuple[int, int], concept: str, grounded: GroundedCase) -> bool:
    """True for what is said of the talk and the moment, not of the illness."""
    kind = grounded.kind(concept)
    if kind == "substance":
        return bool(_WISHES.search(body[: span[0]]))
    if kind == "symptom" and _OVER_SOMETHING.match(body[span[1] :]):
        return True
    if kind not in ("symptom", "condition") or grounded.holds(concept):
        return False
    return (
        (concept in _OF_MEMORY and bool(_OF_THE_TALK.search(body)))
        or bool(_OF_THE_MOMENT.search(body))
        or bool(_OTHERS_DO.search(body[: span[0]]))
    )


# What a name is, and what stands before or after it, where it names nothing of the kind.
_OTHER_SENSES: tuple[tuple[Pattern | None, Pattern | None, Pattern | None], ...] = (
    (None, None, _THAN),
    (_SEE, None, _SIGHT_OF),
    (_HURT, None, _SOMEONE),
    (_HURT, _UNHURT, None),
    (_FALLS, _THING_FALLS, None),
    (_TRIPS, _NOT_SO, None),
    (None, None, _LACK),
    (_FELL, None, _FELL_OTHERWISE),
    (_COLD, None, _COLD_THING),
    (None, None, _KIND_OF),  # "a toothache kind of thing" compares
    (_CRY, None, _MOVED),
    (_SCRATCH, _ARTICLE, None),  # "it was a scratch"
    (_SORES, None, None),  # "any cuts or sores" are seen, and no pain
    (_DRINKING, None, _NO_ALCOHOL),
    (_SMOKING, None, _THOUGHT_OF),  # "smoking is filthy" is no habit
    (_GOT_HURTS, None, None),  # "every muscle I got hurts"
    (_RUNS, None, None),  # "it's running down my leg" tires nobody
    (_SQUIRTS, _COUNTED, None),
    (_STARS, _TOUCHED, None),  # "I pat it and I see stars" tells how it hurts
    (None, _VISIT_TO, None),
    (None, None, _VISITED),
    (_FED_UP, None, _OF),
)


def in_passing(body: str, span: tuple[int, int]) -> bool:
    """True for places ("the surgery clinic"), for being fed up ("tired of waiting"), and other senses of a name."""
    before, name, after = body[: span[0]], body[span[0] : span[1]], body[span[1] :]
    for of_name, of_before, of_after in _OTHER_SENSES:
        if (
            (of_name is None or of_name.search(name))
            and (of_before is None or of_before.search(before))
            and (of_after is None or of_after.match(after))
        ):
            return True
    if _EXCLAIMED.search(body[max(0, span[0] - _REACH) : span[1] + _REACH]) and not _DREAMT.search(body):
        return True
    return name.lower() == "hives" and bool(_BEEKEEPS.search(body) and _NUMBERED.search(before))
