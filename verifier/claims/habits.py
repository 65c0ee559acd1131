"""Claims about what is smoked, drunk and taken for pleasure, and how much of it."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bedside.verifier.claim import Claim
from bedside.verifier.claims.amounts import AMOUNT, AMOUNT_ALONE, BARE_AMOUNT, doses_a_day, period_in
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import context_of
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import days, find_quantities
from bedside.verifier.language.text import Sentence

__all__ = ["EVER", "as_over", "aspect_of", "habits_asked", "habits_of", "left_open"]

_HABITS = (
    ("sub:vaping", "tobacco", r"vap(?:e|es|ed|ing)\b"),
    (
        "sub:chewing-tobacco",
        "tobacco",
        r"(?<!when )(?<!if )(?<!time )i (?:still )?chew(?: tobacco\b|\W*$)|"
        r"chews? tobacco",
    ),
    (
        "sub:cannabis",
        "drugs",
        r"(?<!a )(?<!the )(?<!flower )pot\b(?! of| roast| belly)|(?:some |smok\w+ )(?:weed|grass|dope)|"
        r"joints?\b(?= (?:a|every|on|now|here)\b)",
    ),
    ("sub:cocaine", "drugs", r"(?<!my )(?<!diet )(?<!like )(?<!cherry )coke\b(?! zero| and| can| bottle| with)"),
    (
        "sub:tobacco",
        "tobacco",
        r"(?:don't|do not|doesn't|never|not|used to|still|i|i've|sneak a|cigarette|"
        r"(?:my|her|his) \w+|"
        r"started|quit|stopped|gave up|who|do) (?:\w+ )?smok(?:e|es|ed|ing)\b(?! (?:weed|marijuana|pot|"
        r"crack|dope|a joint|cannabis))|smoker\b(?!'s)|(?:(?<!-)(?<!six )(?<!6 )packs?|cigarettes?|smokes|cigs|"
        r"fags) (?:a|"
        r"per|every|each) "
        r"(?:day|week|night)|a cigarette\b|ex-smoker|nonsmoker|non-smoker",
    ),
    (
        "sub:alcohol",
        "alcohol",
        r"(?:don't|do not|doesn't|never|not|used to|still|i|i've|hardly|barely|"
        r"really|who|to|quit|stopped) (?:\w+ )?(?:drink|drinks|drank|drunk|drinking)\b(?= (?:at all|any "
        r"?more|much|socially|a lot|heavily|too much|alcohol|at parties|parties|on (?:weekends|\w+days|"
        r"holidays)|at weekends|every (?:day|night|evening)|most|\d|a (?:beer|glass|six|bottle|few|couple)|"
        r"at christmas|beers?|wine|hard|liquor|now and then|occasionally|sometimes|little|once|twice|or "
        r"(?:smoke|use))|[.,;!?]|$)|sober\b(?! house| living)|teetotal\w*|touch(?:ed)? (?:alcohol|the stuff|a drop)",
    ),
)
_HABIT = Pattern("|".join(f"(?P<h{i}>\\b(?:{p}))" for i, (_, _, p) in enumerate(_HABITS)), re.IGNORECASE)
# "I can hardly drink" tells of the throat.
_ABLE_TO = Pattern(
    r"\b(?:can|could|can't|couldn't|cannot) (?:hardly |barely |only |not |even |"
    r"scarcely )*drink$",
    re.IGNORECASE,
)
_NOT_ALCOHOL = Pattern(
    r"\b(?:water|juice|soda|coffee|tea|milk|fluids?|liquids?|enough|thirst\w*|swallow\w*|hurts to)\b",
    re.IGNORECASE,
)
_SO_OFTEN = Pattern(r"\b(?:every|daily|most|each|nightly|weekends?|weekly)\b", re.IGNORECASE)


def _claim(kind: str, concept: str, sentence: Sentence, span: tuple[int, int], details: dict[str, str]) -> Claim:
    return claim_of(kind, concept, sentence, span, context_of(sentence.text, *span), details)


_PAST_USE = Pattern(r"\b(?:smoked|drank|drunk|vaped|chewed|injected|snorted|tried)\b", re.IGNORECASE)
_STUFF = (
    r"(?:smok\w+|cigarettes?|cigars?|pipe|tobacco|fags|cigs|drink\w*|booze|bottle|beers?|wine|whisk\w+|vodka|gin|"
    r"liquor|alcohol|weed|pot|dope|heroin|meth|crack|cocaine|coke|pills|needles?|stuff|drugs|street drugs)"
)
_USES = Pattern(
    r"\b(?:beers?|ales?|lagers?|ciders?|wine|vodka|whisk\w+|scotch|bourbon|brand(?:y|ies)|gin|rum|tequila|port|"
    r"sherry|"
    r"champagne|cigar\w*|cigs?|fags?|roll-?ups|rollies|(?<!cold )(?<!ice )(?<!heat )(?<!hot )packs?|smok\w*|drink\w*|"
    r"cocktails?|glass(?:es)?|pints?|nightcaps?|weed|marijuana|heroin|cocaine|meth|vap\w+|liquor|alcohol|fifth|"
    r"six-?packs?|"
    r"6[ -]packs?)\b",
    re.IGNORECASE,
)


# "I've never smoked" denies what is over too.
EVER = Pattern(
    r"\bnever (?:in my life |once |even |actually )?(?:\w+ed|drank|drunk|did|done|been|was|had|took|taken|put|an?)\b|"
    r"\bnot (?:once|a single)\b|\bin (?:all )?my (?:whole |entire )?life\b",
    re.IGNORECASE,
)
_BACK_THEN = Pattern(r"\b(?:before that|back then|in those days|until|till|at the time|used to)\b", re.IGNORECASE)
# "Not for ten years", "dry fourteen months": for how long it has been over.
_SINCE = Pattern(
    r"\b(?:not|none|nothing|haven't|hasn't|sober|clean|dry|off)\b[^,.]* (?:for|in) (?:about |over |almost |nearly |"
    r"some |the last |the past )*$",
    re.IGNORECASE,
)
_SO_LONG = Pattern(
    r"\b(?:sober|clean|dry|off (?:it|them|the \w+))(?: for)?(?: going on| about| nearly| almost| over)? "
    r"(?P<span>\d+ (?:days|weeks|months|years))\b(?! ago)",
    re.IGNORECASE,
)
# However the end of a habit is put; "them" and "it" are what was asked after.
_OVER = Pattern(
    r"\b(?:quit|(?:gave|given|give) (?:it|them|that|those|\w+ing|the \w+)(?: all)? up|gave up|stopped|"
    rf"(?:put|laid|set) (?:down|aside|away) (?:the |my |those )?{_STUFF}|(?:been|came|come|got|stayed|i'm|i am) "
    rf"off (?:of )?(?:the |my )?{_STUFF}|(?:done|finished|through) with (?:the |it|them|that|{_STUFF})|"
    r"walked away from|"
    r"(?:cigarettes?|cigs|smok(?:es|ing)|booze|drink(?:ing)?|bottle|beers?),? i "
    r"(?:dropped|quit|ditched|stop(?:ped)?|kicked|gave up)|"
    r"(?:packed|jacked) (?:it|them|that|\w+ing)(?: all)? in|kicked (?:it|them|the habit|the \w+)|"
    r"knocked (?:it|that|\w+ing) on the head|(?:put|laid) (?:it|them|those|the \w+) (?:down|aside|away)|"
    r"laid off (?:it|them|the \w+)|threw (?:them|'em|it|my \w+) \w+|"
    r"(?:been |now |come |came )?off (?:it|them|those|the (?:booze|drink|fags|cigarettes|bottle|sauce|smokes|stuff))|"
    r"(?:till|until) (?:(?:19|20)\d\d|\d+ \w+ (?:ago|back)|last (?:year|month|winter|summer|spring|fall))|"
    r"(?:not|none|nothing) (?:since|for \d+ (?:years|months))|not any ?more|(?:sober|clean|dry) (?:for|since|now|of)|"
    r"(?:been|got|"
    r"gone) (?:sober|clean|dry)|"
    r"(?:years|months|weeks) (?:sober|clean|dry|smoke-free)|my last (?:drink|cigarette|one|smoke) was|"
    r"haven't (?:had|touched|smoked|drunk|taken) (?:one |it |them |any |a \w+ |a |anything )*(?:in|since|for))\b",
    re.IGNORECASE,
)
_NOT_OVER = Pattern(
    r"\b(?:gum|patch(?:es)?|lozenges?|hypnosis)\b|\b(?:about|going|trying|try|want|like|need|plan\w*|hope|ready|tried|"
    r"got|have|can't|couldn't) to (?:quit|stop|"
    r"give)|"
    r"(?:never|haven't|don't|can't|won't|ain't|not|if i|should|could|wish i'?d?) (?:\w+ )?(?:quit|stop|give|stopped|"
    r"given)\b",
    re.IGNORECASE,
)
# "I haven't touched it in nine days" is a pause.
_PAUSES = Pattern(
    r"\bhaven't\b.* (?:in|for) (?:about |over |almost )?(?:\d{1,2}|a few) (?:hours|days)\b|"
    r"\b(?:not|none|nothing) since (?:(?:sun|mon|tues|wednes|thurs|fri|satur)day|yesterday|last (?:night|week)|"
    r"this morning|the weekend)\b",
    re.IGNORECASE,
)
_WAS = Pattern(
    r"^\W*(?:well\W+|oh\W+)?i (?:did|"
    r"used to(?=\W*$| (?:smoke|drink|use|chew|vape|be an?)\b| (?:have|do|take|enjoy|like|get) (?:it|that|them|some|one|"
    r"an?|the (?:odd|occasional))\b)|"
    r"was(?=\W*$| an?\b| smok| drink| until))\b(?! not|n't)",
    re.IGNORECASE,
)
_STILL = Pattern(r"\b(?:i|i'm|i'll|i've) (?:still |now |just |only )?(?:smok|drink|vap|have|do\b)", re.IGNORECASE)
_OTHER_DRINKS = Pattern(
    r"\b(?:energy|soft|sports?|fizzy|hot|cold|protein|diet|sugary) drinks?\b|\b(?:coffees?|teas?|sodas?|colas?|"
    r"water|juice|"
    r"milk|smoothies?|caffeine)\b",
    re.IGNORECASE,
)
_DRINKS = Pattern(r"\bdr[aiu]nk\w*", re.IGNORECASE)
_SENTENCE = Pattern(r"[.!?;]+\s+")
_NEXT = Pattern(r",? (?:and|but|plus) |; |, (?=(?:i|on|at|a|no)\b)", re.IGNORECASE)
_ANSWERS = 2
_BARE = 7
_HOW_MUCH = Pattern(r"\bhow (?:much|many)\b(?!.*\bweek)", re.IGNORECASE)
_NONE = Pattern(r"\b(?:no|not|never|don't|quit|stopped|used to|without)\b", re.IGNORECASE)


def habits_of(sentence: Sentence, focus: Focus) -> Iterator[Claim]:
    """Find claims about habits.

    Args:
        sentence: A sentence of the patient, numbers in digits.
        focus: What the question was about.

    Yields:
        Claims of kind ``substance`` and ``habit``.
    """
    body = sentence.text
    for match in _HABIT.finditer(body):
        concept, aspect, _ = _HABITS[int(str(match.lastgroup)[1:])]
        if (aspect == "alcohol" and _NOT_ALCOHOL.search(body)) or _ABLE_TO.search(body[: match.end()]):
            continue
        # What is denied or over stands at the head of the match: "I've never smoked", "quit smoking".
        last = re.search(r"\w+\W*$", match.group())
        start = match.start() + (last.start() if last else 0)
        context = context_of(body, start, match.end())
        details = {"aspect": aspect} | ({"tense": "past"} if _PAST_USE.search(body) else {})
        if context.denied and EVER.search(body):
            details["ever"] = "1"
        yield claim_of("substance", concept, sentence, match.span(), context, details)
    asked = habits_asked(focus) if sentence.number <= _ANSWERS else frozenset()
    if sentence.number == 0 and "sub:cannabis" in {c for thing in focus.named for c in thing.concepts}:
        asked = frozenset(("drugs",))
    if not (asked or _USES.search(body)):
        return
    if _is_over(body) or (asked and _WAS.search(body)):
        aspect = _aspect_of(body) or (next(iter(asked)) if len(asked) == 1 else "")
        if aspect:
            yield _ended(sentence, aspect)
    for part in _each_habit(sentence):
        yield from _amounts(part, focus, asked)


def substance_of(habit: str) -> str:
    """Return the concept that a habit is the use of, whatever is used."""
    return "sub:illicit-drugs" if habit == "drugs" else f"sub:{habit}"


def habits_asked(focus: Focus) -> frozenset[str]:
    """Return the habits that a question was about; "any drugs?" beside medicines asks for those."""
    street = {"drugs"} if "street" in focus.topics and not focus.topics & {"drugs", "allergy"} else set()
    return frozenset(focus.topics & {"alcohol", "tobacco"} | street)


def left_open(focus: Focus, text: str) -> Focus:
    """Return what a question about two habits leaves to "I did, once" where the answer names one of them elsewhere."""
    named = {aspect for part in _SENTENCE.split(text) if (aspect := _aspect_of(part))}
    both = focus.topics & {"alcohol", "tobacco"}
    return focus._replace(topics=focus.topics - named) if len(both) > 1 and len(named & both) == 1 else focus


def _is_over(body: str) -> bool:
    return bool(_OVER.search(body)) and not (_NOT_OVER.search(body) or _PAUSES.search(body))


def _ended(sentence: Sentence, aspect: str) -> Claim:
    """What is over, with when it ended."""
    body = sentence.text
    details = {"aspect": aspect}
    for quantity in find_quantities(body):
        if quantity.kind in ("ago", "year"):
            details.setdefault(quantity.kind, quantity.value)
        elif quantity.kind == "in" or (quantity.kind == "duration" and _SINCE.search(body[: quantity.start])):
            details.setdefault("ago", quantity.value)
    if (span := _SO_LONG.search(body)) and (over := days(span["span"])):
        details.setdefault("ago", f"{over:g}")
    end = _OVER.search(body) or _WAS.search(body)
    at = end.start() if end else 0
    context = context_of(body, at, at)._replace(denied=False, time="past")
    return claim_of("substance", substance_of(aspect), sentence, (0, len(body.rstrip(" .!"))), context, details)


def _each_habit(sentence: Sentence) -> Iterator[Sentence]:
    """A sentence, or its parts where they tell of two habits: "I vape all day, and on weekends there's weed"."""
    cuts = [0, *(m.end() for m in _NEXT.finditer(sentence.text)), len(sentence.text)]
    parts = [sentence.text[a:b] for a, b in pairwise(cuts)]
    if len({aspect for part in parts if (aspect := _aspect_of(part))}) < len(parts):
        yield sentence
        return
    for part, first in zip(parts, cuts, strict=False):
        yield sentence._replace(text=part, start=sentence.start + first)


def _amounts(sentence: Sentence, focus: Focus, asked: frozenset[str]) -> Iterator[Claim]:
    body = sentence.text
    if _OTHER_DRINKS.search(focus.spoken) and not _aspect_of(body):
        return  # "Two cans a day" to "Any energy drinks?"
    if _OTHER_DRINKS.search(body) and not _aspect_of(_DRINKS.sub(" ", _OTHER_DRINKS.sub(" ", body))):
        return  # "three energy drinks a day"
    rate, period = doses_a_day(body), period_in(body)
    counted = AMOUNT.search(body) or BARE_AMOUNT.search(body)
    if not counted and not asked:
        rate = None if rate is not None and max(rate) < 1.0 else rate  # "weekends only" gives no amount
    if len(asked) == 1 and _HOW_MUCH.search(focus.spoken) and (each := AMOUNT_ALONE.match(body)):
        rate = doses_a_day(f"{each[1]} a day")  # "A pack, more on weekends"
    if rate is None and len(asked) == 1 and (some := AMOUNT.search(body)) and not _NONE.search(body):
        aspect = _aspect_of(body) or next(iter(asked))
        claim = _claim("substance", substance_of(aspect), sentence, some.span(), {"aspect": aspect})
        yield claim.model_copy(update={"time": "past"}) if _BACK_THEN.search(body) else claim
    aspect = _aspect_of(counted.group() if counted else "") or _aspect_of(body)
    aspect = aspect or (next(iter(sorted(asked))) if len(asked) == 1 else "")
    bare = len(sentence.tokens) <= _BARE or counted or _USES.search(body)
    unsaid = period is None or not (asked or _SO_OFTEN.search(body)) or not bare or _NONE.search(body)
    if not aspect or (rate is None and unsaid) or _is_over(body):
        return
    details = {"aspect": aspect}
    if rate is not None and counted:
        details["rate"] = " ".join(dict.fromkeys(f"{amount:g}" for amount in rate))
    if period is not None:
        details["period"] = f"{period:g}"
    claim = _claim("habit", f"habit:{aspect}", sentence, counted.span() if counted else (0, len(body)), details)
    over = _PAST_USE.search(body) or _BACK_THEN.search(body)
    yield claim.model_copy(update={"time": "past"}) if over else claim


def as_over(claims: list[Claim], sentences: Sequence[Sentence], grounded: GroundedCase) -> list[Claim]:
    """Put into the past what another sentence ends, as in "A pack a day. Quit in 2015".

    Args:
        claims: All claims of an utterance.
        sentences: Its sentences.
        grounded: The case.

    Returns:
        The same claims; those of a habit that is over are past, unless their sentence says "I still".
    """
    over = {aspect_of(c, grounded) for c in claims if c.kind == "substance" and c.time == "past" and not c.denied}
    if not over:
        return claims
    still = {s.number for s in sentences if _STILL.search(s.text)}
    return [
        c.model_copy(update={"time": "past"})
        if c.kind in ("substance", "habit")
        and not c.denied
        and c.sentence not in still
        and aspect_of(c, grounded) in over
        else c
        for c in claims
    ]


def aspect_of(claim: Claim, grounded: GroundedCase) -> str:
    """Return which habit a claim is about: ``alcohol``, ``tobacco``, ``drugs``, or ``other``."""
    if "aspect" in claim.attributes:
        return claim.attributes["aspect"]
    if claim.concept not in grounded.lexicon:
        return "other"
    return (grounded.lexicon[claim.concept].relations.get("aspect") or ("other",))[0]


def _aspect_of(text: str) -> str:
    low = text.lower()
    if re.search(
        r"\bpipes?\b|pack(?! of beer)s?\b(?<!six pack)(?<!6 pack)(?<!six-pack)(?<!6-pack)|cigar|\bcigs?\b|\bfags?\b|"
        r"smok|vap|"
        r"ten a day",
        low,
    ) and not re.search(r"weed|marijuana|cannabis|hash|joints?\b|pot\b", low):
        return "tobacco"
    if re.search(
        r"beer|wine|vodka|whisk|\bgin\b|drink|drank|drunk|sherry|cocktail|liquor|alcohol|six|6.pack|fifth|margarita|"
        r"seltzer|booze|scotch|bourbon|brand(?:y|ie)|tequila|champagne|lager|cider|nightcap|sober|"
        r"\b(?:rum|pints?|ales?|port)\b",
        low,
    ):
        return "alcohol"
    return "drugs" if re.search(r"weed|marijuana|cannabis|cocaine|coke|heroin|meth\b|\bjoints?\b|spliff", low) else ""
