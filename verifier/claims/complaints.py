"""Complaints that no table knows: "rainbows around the lights", "my knee's been buckling", "blood on the paper".

They are recognised by how a complaint is put: a part of the body and something that is wrong with it, a frame such as
"I've been getting", or what should not come out of anybody.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from bedside.verifier.claim import Claim
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.claims.places import sites_of
from bedside.verifier.claims.wording import normalise
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import clause_bounds, context_of, is_question
from bedside.verifier.language.happenings import HAPPENINGS
from bedside.verifier.language.natures import SAID
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence, sentences

__all__ = ["FRAME", "channels_in", "complaint_in", "complaints_of"]

FRAME = Pattern(
    r"\b(?:i(?:'ve)? (?:also )?(?:have|had|got|been having|been getting|get|feel|felt|noticed|can't|cannot|"
    r"see|saw|hear)|there's|there is|i'm (?:also )?(?:having|getting|seeing|hearing)|"
    r"my (?:whole |left |right |own )?\w+(?: \w+)? (?:is|are|feels?|has gone|have gone|went|gets?|keeps?|"
    r"turned|won't|looks?)|(?:it|they)(?:'s|'ve| has| have) been)\b",
    re.IGNORECASE,
)
_CUE = Pattern(
    r"\b(?:(?<!for )trouble|difficulty|hard time|feelings?|spells?|loss of|pain\w*|ach\w+|hurt\w*|swoll\w+|swell\w*|"
    r"numb\w*|weak\w*|blind\w*|blur\w*|spots?|bumps?|lumps?|sores?|bleed\w*|blood\w*|"
    r"itch\w*|burn\w*|sting\w*|twitch\w*|spasms?|stiff\w*|tight\w*|heaviness|pressure|squeez\w*|"
    r"throb\w*|tingl\w*|cramps?|puffy|droop\w*|crooked|drag\w*|"
    r"thick|raw|dry|cold|blue|hot|red|jolts?|jerk\w*|shak\w+|"
    r"loose|runny|watery|rings?|rainbows?|curtain|double|voices|sleep|appetite|urge|bathroom|memory|vision|balance|"
    r"breath|"
    r"thoughts|energy)\b",
    re.IGNORECASE,
)
# What is wrong with a part that is named as the subject: "my lips are cracked", "my knee gives way".
_WRONG = re.compile(
    r"(?:[^\w']|'(?!(?:s|ve)\b))*+"
    r"(?:'s|'ve|is|are|was|were|has|have|had|been|be|being|both|all|also|just|even|now|still|kind of|sort of|"
    r"a bit|"
    r"a little|so|very|really|pretty|always|sometimes|completely|totally|half|badly|slightly|constantly|often|"
    r"feels?|felt|feeling|gets?|getting|got|goes|go|going|gone|went|keeps?|kept|turn(?:s|ed|ing)?|looks?|looking|"
    r"looked|come|came|started|starts|starting|to|covered|full|swollen|up|all over|in|with|of|like|out|"
    rf"(?P<wrong>{SAID}|(?:did|does|do|doing|has|had) (?:exactly )?the same|goosebumps)"
    r")\b",
    re.IGNORECASE,
)
_STEPS = 7
# Of the mind, or of anybody: "my heart is heavy", "my head's burning with questions".
_FIGURATIVE = frozenset(
    f"site:{name}" for name in ("heart", "head", "blood", "whole-body", "skin", "stomach", "back", "brain", "face")
)
_OWN = Pattern(r"\b(?:my|both|one|each|the|this|that|these) (?:\w+ ){0,2}$", re.IGNORECASE)
# What should not be seen anywhere, unless the word is part of another name.
_MATTER = Pattern(
    r"(?<!high )(?<!low )(?<!your )\b(blood(?:y)?|pus|slime|worms)\b(?![ -](?:pressures?|sugars?|tests?|work|types?|"
    r"draws?|drawn|thinners?|"
    r"clots?|counts?|relatives?|flow|donors?|vessels?|oranges?|taken|transfusions?|bank|levels?|glucose|relations?|"
    r"cells?|shot|stream|thirsty|hell)\b)",
    re.IGNORECASE,
)
# Blood that is told by its colour: "streaks of red in it", "some pink on the paper".
_RED = Pattern(
    r"\b(?:streaks?|specks?|spots?|drops?|flecks?|tinges?|threads?) of (?:bright |dark )?(?:red|pink)\b|"
    r"\b(?:pink|red|rusty|bloody)(?:ish)? (?:froth|foam|streaks?|specks?|flecks?|tinge|stain\w*)\b|"
    r"\b(?:some|bit of|little|of|saw|see|seen) (?:bright )?(?:pink|red) (?:on|in) (?:the|my|it|there)\b",
    re.IGNORECASE,
)
# Where it came from: what is seen in the urine is not borne out by a nosebleed.
_CHANNELS = {
    name: Pattern(rf"\b(?:{words})", re.IGNORECASE)
    for name, words in (
        ("stool", r"stools?|poop|bowels?|toilet bowl|diarrh|bms?\b|backside|rect(?:al|um)|wip(?:e|ing)"),
        ("urine", r"pee\b|peed|peeing|urin|pass(?:ing)? water"),
        ("airway", r"cough|phlegm|sputum|spit|hack"),
        ("vomit", r"vomit|thr[eo]w\w* up|puk|being sick|been sick|brought up"),
        ("nose", r"nose"),
        ("genitals", r"sex\b|intercourse|vagina|semen|between periods"),
    )
}
_YES = Pattern(
    r"^\W*(?:(?:uh|um|er|well|oh)\b\W*)*(?:yes|yeah|yep|a (?:little|bit|lot)|some|sometimes|once|twice|lots)\b",
    re.IGNORECASE,
)
_FRAGMENT = Pattern(
    r"^\W*(?:(?:uh|um|er|well|oh|yes|yeah|(?:1|one|the (?:left|right) (?:1|one))(?:'s| is| has)?|been|gone|have|"
    r"are|really|very|so|pretty|quite|a bit|a little|kind of|sort of|all|just|always|both|"
    rf"they're|they are|it's|it is|feels?|feel|they)\b\W*)*(?P<wrong>{SAID})\b(?! (?:to|than|as)\b)",
    re.IGNORECASE,
)
_RUNS_OUT = Pattern(
    r"\b(?:stuff|fluid|gunk|goo|liquid|something) (?:is |was |keeps |that's |has been )?(?:leaking|leaks|oozing|"
    r"oozes|comes out|came out|runs out|seeps|drips|"
    r"coming out|draining|"
    r"dripping|seeping|weeping)\b",
    re.IGNORECASE,
)
_SEEN = Pattern(
    r"\b(?:there(?:'s| is| was| were|'ve| has| had)|i(?:'ve)? (?:\w+ )?(?:see|saw|seen|notice\w*|found|find|had|have|"
    r"got|get|pass\w*|"
    r"cough\w*|spit|spat|vomit\w*|threw|bring|brought|lost)|it(?:'s| is| was)|came|comes|coming|full of|with|"
    r"yes|yeah|"
    r"some|a (?:little|bit|few|lot|drop|tablespoon|streak|spot|cup|speck)\b)",
    re.IGNORECASE,
)
# A blow that was dealt: "I banged it on the bench", "I rolled my ankle".
_INJURY = Pattern(
    r"\b(?:i|and) (?:did |just |also |must have |had |have )?(?:bang|bump|knock|whack|twist|jam|wrench|bash|sprain|"
    r"smash|hit|roll|slam|"
    r"stub|bonk|scrap|crack)(?:p?ed|n?ed)? (?:it\b|my (?:\w+ )?\w+)(?! (?:right out|out of the park|off|home|"
    r"a lot|pretty))",
    re.IGNORECASE,
)
_DRAWN = Pattern(
    r"\b(?:took|take|taking|draw|drew|gave|give|donat\w+|check\w*|test\w*|my own|in my blood)\b", re.IGNORECASE
)
_NO_COMPLAINT = Pattern(
    r"\b(?:work|job|wife|husband|kids?|children|family|house|money|boss|worr\w+|stress\w*|scared|afraid|"
    r"nervous|angry|upset|sorry|grateful|hope|question|appointment|doctor|"
    r"better|fine|okay|ok|good|great|lucky|weather|movie|tv|news|bus|car|dog|cat|coffee|concern\w*|feeling "
    r"that)\b",
    re.IGNORECASE,
)
Span = tuple[int, int]


def complaints_of(sentence: Sentence, grounded: GroundedCase, focus: Focus, taken: Sequence[Span]) -> Iterator[Claim]:
    """Find the complaints of a sentence that are named by no table.

    Args:
        sentence: A sentence in the first person.
        grounded: The case.
        focus: What the question was about.
        taken: Where claims stand that were found by name; their words are spoken for.

    Yields:
        Claims of kind ``complaint``.
    """
    if is_question(sentence.text):
        return
    found = [
        *_parts_gone_wrong(sentence, grounded, taken),
        *_matter(sentence, focus, taken),
        *_injuries(sentence, taken),
        *_happenings(sentence, taken),
    ]
    if not found and (answer := _of_part_asked(sentence, focus, grounded)):
        found.append(answer)
    yield from found
    if not found and not taken and (framed := _framed(sentence, grounded)):
        yield framed


def complaint_in(text: str, grounded: GroundedCase) -> Claim | None:
    """Find the first such complaint of a text that somebody took for medical already: a body part is enough."""
    for sentence in sentences(normalise(text)):
        if not is_question(sentence.text) and (claim := _framed(sentence, grounded, given=True)):
            return claim
    return None


def _parts_gone_wrong(sentence: Sentence, grounded: GroundedCase, taken: Sequence[Span]) -> Iterator[Claim]:
    body = sentence.text
    for site, start, end in sites_of(sentence, grounded):
        if site in _FIGURATIVE or not _OWN.search(body[:start]):
            continue
        _, last = clause_bounds(body, start)
        wrong, reached = None, end
        for _ in range(_STEPS):
            step = _WRONG.match(body, reached, last)
            if step is None or (wrong := step["wrong"]):
                reached = step.end() if step else reached
                break
            reached = step.end()
        if wrong and not any(a < reached and start < b for a, b in taken):
            context = context_of(body, reached - len(wrong), reached)
            yield claim_of(
                "complaint", "complaint", sentence, (start, reached), context, {"site": site, "wrong": wrong}
            )


def _of_part_asked(sentence: Sentence, focus: Focus, grounded: GroundedCase) -> Claim | None:
    """What a fragment says of the one part that the question names: "Red and sore." to "How do your eyes feel?"."""
    sites = [c for thing in focus.named for c in thing.concepts]
    if sentence.number != 0 or not sites or not all(c.startswith("site:") for c in sites):
        return None
    match = _FRAGMENT.match(sentence.text)
    if match is None or sites[0] in _FIGURATIVE or sites_of(sentence, grounded):
        return None
    span = match.span("wrong")
    context = context_of(sentence.text, *span)
    return claim_of("complaint", "complaint", sentence, span, context, {"site": sites[0], "wrong": match["wrong"]})


def _matter(sentence: Sentence, focus: Focus, taken: Sequence[Span]) -> Iterator[Claim]:
    body = sentence.text
    asked = _MATTER.search(focus.spoken) if sentence.number == 0 and focus.presence else None
    seen = [(match, match[1].lower()) for match in _MATTER.finditer(body) if _is_seen(match, body, taken)]
    seen += [(match, "blood") for match in _RED.finditer(body)]
    seen += [(match, "fluid") for match in _RUNS_OUT.finditer(body) if not _overlaps(match.span(), taken)]
    if asked and not seen and (yes := _YES.match(body)):
        seen = [(yes, asked[1].lower())]
    for match, matter in seen:
        channel = _channel(body) or _channel(focus.spoken)
        details = {"matter": matter} | ({"channel": channel} if channel else {})
        context = context_of(body, *match.span())
        yield claim_of("complaint", "complaint", sentence, match.span(), context, details)


def _is_seen(match: re.Match[str], body: str, taken: Sequence[Span]) -> bool:
    first, last = clause_bounds(body, match.start())
    seen = _SEEN.search(body[first : match.start()]) or not body[: match.start()].strip(" ,.")
    return bool(seen) and not _DRAWN.search(body[first:last]) and not _overlaps((first, last), taken)


def _overlaps(span: Span, taken: Sequence[Span]) -> bool:
    return any(a < span[1] and span[0] < b for a, b in taken)


def _channel(text: str) -> str:
    return channels_in(text)[0] if channels_in(text) else ""


@lru_cache(maxsize=8192)
def channels_in(text: str) -> tuple[str, ...]:
    """Return the ways out of the body that a text names: stool, urine, airway, vomit, nose, genitals."""
    return tuple(name for name, pattern in _CHANNELS.items() if pattern.search(text))


def _injuries(sentence: Sentence, taken: Sequence[Span]) -> Iterator[Claim]:
    for match in _INJURY.finditer(sentence.text):
        start, end = match.span()
        if not any(a < end and start < b for a, b in taken):
            context = context_of(sentence.text, start, end)
            yield claim_of("complaint", "complaint", sentence, (start, end), context, {"matter": "injury"})


def _happenings(sentence: Sentence, taken: Sequence[Span]) -> Iterator[Claim]:
    """What happened at a birth is told of the child and of its mother alike."""
    for name, happening in HAPPENINGS.items():
        match = happening.said.search(sentence.text)
        if match and not _overlaps(match.span(), taken):
            context = context_of(sentence.text, *match.span())
            if context.experiencer in ("patient", "somebody", "baby", "son", "daughter"):
                context = context._replace(experiencer="patient", denied=False)
                yield claim_of("complaint", "complaint", sentence, match.span(), context, {"happening": name})


def _framed(sentence: Sentence, grounded: GroundedCase, *, given: bool = False) -> Claim | None:
    body = sentence.text
    frame = FRAME.search(body)
    if frame is None or _NO_COMPLAINT.search(body):
        return None
    cue = _CUE.search(body)
    places = [m for m in grounded.mentions(sentence.text) if any(c.startswith("site:") for c in m.concepts)]
    if not ((places and cue) or (given and (places or cue))):
        return None
    if cue and not given and clause_bounds(body, cue.start()) != clause_bounds(body, frame.start()):
        return None  # "my throat was dry, so I got some water"
    span = (frame.start(), len(body[: clause_bounds(body, frame.end())[1]].rstrip(" .!,")))
    last = cue.start() if cue else frame.end()
    return claim_of("complaint", "complaint", sentence, span, context_of(body, max(last, frame.end()), span[1]), {})
