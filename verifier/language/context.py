"""What a sentence does with a mention: assert, deny, hedge, ask, suppose; and of whom, and when.

Rules in the manner of ConText: a trigger acts on what follows it inside its clause. Words that belong to the mention
itself ("can't catch my breath") are not triggers.
"""

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from bedside.verifier.claim import Act, Certainty
from bedside.verifier.language.kin import compound_in
from bedside.verifier.language.others import other_in
from bedside.verifier.language.pattern import Pattern

__all__ = ["Context", "clause_bounds", "context_of", "is_belief", "is_question"]

# A run of blanks is taken whole and only from where it begins: each of its blanks is looked at once.
_CLAUSE = Pattern(
    r"(?:(?<!\s)\s++)?[;:]\s+|(?:,|(?<!\s))\s++\b(?:but|however|although|though|except|whereas|because|yet)\b\s*"
    r"|(?:,|,? and|,? and then|,? then|,? so|,? or|\.\.\.|…|\s-+)\s+(?=(?:i|i'm|i've|i'd|i'll|he|she|we|"
    r"they|you|there|it|it's|that's|my [a-z]+ (?:is|are|was|were|has|have|had|hurts?|feels?|gets?|fades?|twitche[sd]|"
    r"goes|"
    r"keeps?|turns?))\b)",
    re.IGNORECASE,
)
_ANSWER_NO = Pattern(
    r"^\W*(?:(?:(?:lord|god|heavens|goodness|hell|heck|jesus|christ|oh|well),? )*(?:no|nope|nah|well|uh|um|oh|hmm|"
    r"er)\b(?: (?:sir|ma'am|doctor|doc|dear|love|mate|thank you|"
    r"thanks))?(?:\s*[,.!…-]+\s*|\s+(?=(?:i|i'\w+|it|it's|not|there|my|"
    r"we|just|only|never|nothing|none)\b)))+",
    re.IGNORECASE,
)
_TAG = Pattern(
    r",?(?:(?<!\s)\s++)?+(?:(?:is|isn't|was|wasn't|does|doesn't|did|didn't|do|don't|are|aren't|can|has|hasn't) (?:it|"
    r"that|they|he|she)|"
    r"you know|right|okay|ok|you see|doc|doctor|does that make sense|huh)\s*\?+\W*$",
    re.IGNORECASE,
)
_PSEUDO = Pattern(
    r"\b(?:not only|not just|no doubt|no problem|not sure|don't know|do not know|don't worry|no wonder|not "
    r"certain|"
    r"why don't|why not|don't think so|can't remember|don't remember|do not remember|not exactly|not "
    r"really sure|no idea|"
    r"(?:can't|cannot|couldn't|won't) (?:stop|help)|don't hesitate|do not hesitate|don't be afraid|not necessarily|"
    r"no matter|don't forget|do not forget|"
    r"never mind)\b",
    re.IGNORECASE,
)
_NEGATION = Pattern(
    r"\b(?:not|never|without|la(?:y|id|ying) off|steer\w* clear of|(?:stay|stayed|keep|kept) (?:away from|off|"
    r"clear of)|"
    r"avoid(?:s|ed|ing)?|denies|denied|deny|nor|neither|free of|negative for|cannot|lack of|absence of|"
    r"no sign of)\b|n't\b",
    re.IGNORECASE,
)
_NEGATIVE_WORD = Pattern(r"\b(?:no|none|nothing|zero|nobody|no one)\b", re.IGNORECASE)
# "I have not drunk since the operation", "no strength, and a thirst": the negation does not reach so far.
_BARRIER = Pattern(
    r"\bnothing, (?=(?:an?|just|only)\b)|\b(?:since|because|'cause|cuz|after|while)\b|,? and (?:a|an|some|then i|this|"
    r"last|now|lately)\b|"
    r", and (?:my|the|also)\b|"
    r",? (?:and|or) (?=(?:(?:do|does|did|have|has|had|am|is|was) (?:not|never)|don't|didn't|haven't|never)\b)|"
    r", ?(?=(?:no|not|didn't|don't|never|haven't|hasn't|nor|wasn't|isn't|can't|won't|without)\b)|"
    r", ?(?:just|only|well(?=,)|apart from|other than|except|it's just|merely)\b",
    re.IGNORECASE,
)
_HEDGE = Pattern(
    r"\b(?:maybe|might|possibly|perhaps|i think|i guess|i suppose|kind of|kinda|sort of|sorta|not sure|not "
    r"certain|"
    r"don't know|do not know|seems?|probably|i believe|as far as i|or something|unsure|if i remember|could "
    r"be|"
    r"not really sure|can't remember|don't remember|roughly|about|around|almost|i want to say|no idea|"
    r"something like)\b",
    re.IGNORECASE,
)
_BELIEF = Pattern(
    r"\b(?:i (?:\w+ )?read\b|read (?:online|that|about|up)|online|google\w*|internet|websites?|webmd|"
    r"looked (?:it|this|that|my|up)|"
    r"(?:i'm|i am|pretty|so) (?:sure|certain|convinced|positive)|must be|it's (?:got to|gotta|definitely)|"
    r"what if|\b(?:kept|keep|was|am|i'm) thinking\b|"
    r"(?:afraid|worried|scared|terrified|frightened|petrified|dread\w*|fear)\b|i'd (?:have thought|guess|say it's|"
    r"bet)|if you ask me|my guess|"
    r"could (?:it|this|that) be|i bet|sounds like|i (?:just "
    r")?know it(?:'s| is)|"
    r"(?:i|my \w+|he|she|they) (?:still |really |all )?(?:think|thinks|reckon|reckons|figure|figures|"
    r"believe|believes) (?:that )?(?:it's|it is|this is|that's|i have|i've got|i might have)|"
    r"swear it|feels like (?:i'm|i am)|is (?:it|this)|am i|diagnosed myself|in my opinion|doesn't mean|"
    r"wonder(?:s|ing)?|believes|fears|suspects?|suspected|asks? (?:if|whether)|asked (?:if|whether)|"
    r"hopes?|convinced|worries|(?:thinks|thought|said|says?) (?:that )?it (?:is|was|might|may|could))\b",
    re.IGNORECASE,
)
# What may happen, or is to be prevented, is not said to be there: "it can cause bleeding", "to prevent clots".
_IF = Pattern(
    r"\b(?:if|in case|unless|whether|suppose|what if|would|should (?:i|you|we)|could (?:i|you)|(?:can|may|"
    r"might|could|will|would) (?:also |sometimes )?"
    r"(?:cause|make|give|lead|upset|raise|harm|trigger|bring|slow|lower)\w*|side effects?|prevent\w*|to "
    r"avoid|to keep from|risk of|chance of|protects? (?:me |you )?(?:from|against)|"
    r"(?:it|this|that|which|they) (?:can )?causes?(?! me\b)|watch(?:ing)? (?:out )?for|look(?:ing)? out for|signs? of|"
    r"against|report|get (?:emergency )?help for|"
    r"(?:you|they|he|she|it)(?:'d|'ll| would| will| might| were going to| was going to) (?:\w+ )?(?:tell|say|give|put|"
    r"find|make|cut|send|turn|need|want)\w*|(?:for|afraid|worried|scared|hope|hoping) (?:of )?(?:it|this|that)(?: to|"
    r"'d|'ll|"
    r" (?:would|might|will|doesn't|won't))|(?:hate|want|going) to end up|wouldn't (?:want|like|wish)|rather not|"
    r"(?:when(?:ever)?|every time|any time|god forbid) i\b(?! was\b| had\b| were\b)|as needed for|(?:use|uses|"
    r"used|give|gave) (?:you |me |it |"
    r"them )?for|in the event)\b",
    re.IGNORECASE,
)
# "When I lift I get this tightness": what follows the clause is said to happen.
_WHENEVER = Pattern(
    r"\b(?:when(?:ever)?|every time|any time|(?P<if>if)) (?:i|i'm|i've|it|it's)\b(?! had\b| were\b|"
    r" could\b)[^,;]{1,60}?"
    r"(?:,\s*(?(if)(?=(?:i|i'm|i've|it|it's|my|there's|that's|they)\s))|\s(?=(?:i|i'm|i've|it|it's|my|there's|"
    r"that's)\s(?!would|will|could|might|can\b)))",
    re.IGNORECASE,
)
# "A piece about strokes on the news", "the form asked about seizures": nobody has them.
_SUBJECT_OF_TALK = Pattern(
    r"\b(?:piece|shows?|program(?:me)?|posters?|magazines?|chapters?|sections?|videos?|podcasts?|websites?|pages?|"
    r"pamphlets?|leaflets?|brochures?|articles?|books?|stor(?:y|ies)|"
    r"adverts?|ads?|"
    r"commercials?|lectures?|class|sermon|movies?|films?|songs?|forms?|paperwork|sheet|paper|news|computer|signs?|"
    r"jokes?|"
    r"warn\w*|read|hear|heard|asks?|asked|joked?|talked|lectured|knows?|learn\w*)\b(?:[\w' ]*)\b(?:about|on|against) "
    r"(?:all |the |these |those |people with |having |some )*$",
    re.IGNORECASE,
)
_MAY = Pattern(r"\b(?:can|may|might|could|will|would|i'd|it'd)(?: also| sometimes)?\s*$", re.IGNORECASE)
# "I'd peed myself" is what had happened.
_HAD = Pattern(r"\bi'd(?: also)?\s*$", re.IGNORECASE)
_DONE = Pattern(
    r"\w+(?:ed|own|ung|ost|elt|ept|ainted)\b|(?:fallen|broken|been|thrown|bled|cut|hurt|"
    r"torn)\b",
    re.IGNORECASE,
)
# What one is to do is not what one has: "I should go to the emergency room", "remember: do not take ibuprofen".
_DUTY = Pattern(
    r"\b(?:should(?:n't)?|supposed to|must(?:n't)?|needs? to|ought to|going to|gonna|will|won't|remember|"
    r"have to|told (?:me )?(?:not )?to|"
    r"not allowed to|allowed to|can't (?:take|drink|eat|drive|lift|use)|plan to|want to|wish(?:es)? to|hopes? to|"
    r"(?:i'd|would) (?:like|love) to|try(?:ing)? to|let me|i'll)\b|"
    # "Never had a fit", "never once smoked": told, not ordered.
    r"\b(?:want|wants|wanted|fear|fears|dread|hope for|wish for|(?:ask|asked|asking) for|"
    r"dream(?:s|ed|t|ing)? (?:about|of)|crav(?:e|es|ed|ing)|(?:afraid|scared|terrified|"
    r"frightened) of)\b(?! (?:my|the|this|that|it)\b)[^,.;]{0,15}$|"
    r"(?:^|:)\W*(?:do not|don't|never(?! (?:once |even |really |actually |in my life )*(?:\w+ed|had|been|was|did|done|"
    r"got|took|taken|drank|drunk|felt|saw|seen|went|gone|came|put|broke|broken|ate|gave|given|an?|any|the|my|no)\b)|"
    r"avoid|stop|keep|call|go|come|see|check)\s",
    re.IGNORECASE,
)
_PAST = Pattern(
    r"\b(?:used to|(?:till|until) (?:19|20)\d\d|in the past|previously|formerly|no longer|(?:quit|stopped)(?! work|"
    r" help)|gave up|anymore|"
    r"any more|went away|"
    r"when i was|as a (?:kid|child|teenager)|in my (?:teens|twenties|youth|college days)|in college|behind me|"
    r"back then|years ago|resolved|is gone|are gone|cleared up)\b",
    re.IGNORECASE,
)
_FAMILY = Pattern(
    r"\b(?:runs? in (?:the|my|our) family|family history|in (?:the|my) family|"
    r"(?<!aunt )(?<!uncle )(?<!cousin )(?<!mother )(?<!father )(?<!grandma )(?<!grandpa )on "
    r"(?:my|his|her) (?:mother|father|mom|mum|dad)'s side)\b",
    re.IGNORECASE,
)
_RELATIVE = Pattern(
    r"\bthe (wife|husband|missus|old man|old lady)\b|\b(?:my|his|her|your|our) (?:\w+ ){0,2}?(mother|mom|mum|"
    r"mama|father|dad|papa|parents?|brothers?|"
    r"sisters?|siblings?|sons?|"
    r"daughters?|children|kids?|grand(?:mother|father|ma|pa|dad|ad|parents?|son|daughter|bab(?:y|ies)|kids?|child(?:ren)?)|nan|gran|auntie|"
    r"old man|"
    r"trainer|"
    r"colleagues?|uncles?|aunts?|cousins?|nephew|niece|"
    r"wife|husband|spouse|partner|boyfriend|girlfriend|friends?|neighbou?rs?|roommate|boss|coworkers?|"
    r"co-workers?|twin)\b|"
    r"\bboth (?:of )?(?:my |his |her )?(parents)\b|\b(mom|mum|mama|dad|daddy|pop|grandma|grandpa|grandad|"
    r"granddad|granny|gran|nan|nana)\b|(?:^|[.,;]\s+|\b(?:an?|"
    r"one|and|her|his) "
    r")\W*(?:\w+ )?(mother|father|sister|brother|uncle|aunt|cousin|grandmother|grandfather)s?\b(?!'s "
    r"(?:house|side))",
    re.IGNORECASE,
)
# "My daughter-in-law", "my neighbor's kid": not of one's blood.
_NO_BLOOD = Pattern(
    r"[- ]in[- ]law\b|'s (?:\w+ )?(?:friends?|boyfriend|girlfriend|wife|husband|roommate|boss|neighbou?rs?)\b",
    re.IGNORECASE,
)
_BORROWS = Pattern(
    r"\bi(?:'ve|'d)? (?:\w+ )?(?:took|take|taken|tried|try|used?|borrow(?:ed)?|had|have|smoked?|drank|ate|popped|"
    r"stole|shared?|"
    r"got|caught)\b[^,;]*$",
    re.IGNORECASE,
)
_POSSESSES = Pattern(r"^'s (?:\w+ ){0,2}$", re.IGNORECASE)
_GOES_ON_OF = Pattern(r"^\W*(?:and |then |so |but )*(?:it|he|she|they|that|this)(?:'s|'d|'ve|'re)?\b", re.IGNORECASE)
# "Broke her hip", "for his arthritis".
_THEIRS = Pattern(r"\b(?:his|her|their)\b", re.IGNORECASE)
_OF_THEM = Pattern(r"\b(?:his|her|their|whose) (?:\w+ )?$", re.IGNORECASE)
# "Across from me", "in my building": where somebody is, and nothing of the patient's.
_BESIDE_ME = Pattern(
    r"\b(?:across (?:the \w+ )?from|next to|in front of|behind|beside|near|with|ahead of|opposite|around|by|for|"
    r"like) me\b|"
    r"\b(?:in|on|at|from|of|down|across|up) my (?:\w+ )?(?:building|street|block|town|church|office|work|job|class|"
    r"shop|road|"
    r"village|neighbou?rhood|club|lodge|team|floor|house|school|factory|unit|ward|room|age|bus|crew|choir|shift|table|"
    r"route|"
    r"squad|league|circle|department|company|corner|way|list)\b",
    re.IGNORECASE,
)
_REPORTS = Pattern(
    r"\b(?:says?|said|tells?|told|thinks?|thought|noticed?|notices|saw|sees|swears?(?! by)|reckons?|figures?|claims?|"
    r"insists?|jokes?|complains?|points? out|pointed out|keeps? (?:saying|"
    r"telling)|heard|made me|brought me|is worried|worries)\b",
    re.IGNORECASE,
)
_THIRD_PERSON = Pattern(r"\b(?:he|she|they|his|her|their)\b")
_SELF = Pattern(r"\b(?:i|i'm|i've|me|my|myself)\b", re.IGNORECASE)
_ASKS = Pattern(
    r"^\W*(?:(?:so|and|okay|ok|now|well|alright|um|uh)\b[\s,]*)*(?:do|does|did|have|has|had|are|is|was|"
    r"were|can|could|would|will|"
    r"any|what|when|where|why|how|which|who|should)\b(?:\s+(?:you|your|there|the|it|that|this|any|long|"
    r"often|many|much|bad|else|makes?|about|brings?|kind|does|do|did|is|are)\b)",
    re.IGNORECASE,
)


# "Not pain exactly" says that the word does not quite fit.
_AS_SUCH = Pattern(r"^\W*(?:exactly|as such|per se)\b", re.IGNORECASE)
# "I've never been so tired": of that kind, the worst.
_NEVER_SO = Pattern(
    r"\b(?:never|n't|not)\b (?:once |ever |in my life )?(?:been|felt|had|seen|known|experienced|hurt) (?:\w+ )?"
    r"(?:so|this|such|that|as|more|worse)\b",
    re.IGNORECASE,
)
# "I've had it since 2015, I think?" states, for all its question mark.
_RISING = Pattern(
    r"^\W*(?:(?:and|so|but|okay|ok|well|uh|um|er|like|yeah|yes|no|oh|then|i mean|honestly|actually|maybe|"
    r"you know|i don't know if [^,]*,?)\b[\s,.]*)*"
    r"(?:i|i've|i'm|i'd|it's been|it was|there's been|that was|they told me|they said|they put|my"
    r"(?! \w+\?))(?=\s|')(?! (?:should|supposed|need|can|must|take|do|have to)\b)(?!(?:'m| am) supposed)",
    re.IGNORECASE,
)


_NEXT_ITEM = re.compile(r", (?:and|plus) (?=(?:the|an?|my|one|1|some)\b)", re.IGNORECASE)
# "My dresser said, have you been at the turmeric?" asks all the same.
_OF_YOU = Pattern(r"\b(?:have|are|did|do|were|had|can|aren't|haven't|don't) you\b", re.IGNORECASE)
_DONE_TO_ME = Pattern(r"^ (?:me|my)\b(?! (?:too|as well|that|about|to|how)\b)", re.IGNORECASE)
_ME_TOO = Pattern(r"\b(?:so (?:yeah|yes|do i|did i|am i|have i)|me too|including me|me included)\b", re.IGNORECASE)
_FOR_IT = Pattern(r"\bfor (?:my |the |this |that |any |an? )?$", re.IGNORECASE)
# "Cocaine, no, ma'am, never."
_NO_AFTER = Pattern(
    r"\W{0,3}\s*(?:no|nope|none|never|negative)\b(?:\W*\b(?:no|never|ma'am|sir|doctor|doc|thank you|thanks|"
    r"not once|at all|ever|not me|me)\b)*[\s.,!]*$",
    re.IGNORECASE,
)


class Context(NamedTuple):
    """How one mention is used; the fields are those of :class:`~bedside.verifier.claim.Claim`."""

    denied: bool
    certainty: Certainty
    experiencer: str
    time: Literal["present", "past"]
    act: Act


@lru_cache(maxsize=16384)
def is_question(sentence: str) -> bool:
    """True for sentences that ask, also without a question mark; "…, you know?" does not ask."""
    bare = _TAG.sub("", sentence) if "?" in sentence else sentence
    return bare.rstrip("\"') *").endswith("?") or bool(
        _ASKS.match(bare) and bare is sentence and not bare.rstrip().endswith(".")
    )


def is_belief(text: str) -> bool:
    """True for words that hold something to be so, rather than know it."""
    return bool(_BELIEF.search(text))


def clause_bounds(sentence: str, position: int) -> tuple[int, int]:
    """Return start and end of the clause that holds a position."""
    start = 0
    for match in _CLAUSE.finditer(sentence):
        if match.end() > position:
            return start, max(match.start(), position)
        start = match.end()
    return start, len(sentence)


def _denied(before: str) -> bool:
    for barrier in _BARRIER.finditer(before):
        before = before[barrier.end() :] if barrier.end() <= len(before) else before
        return _denied(before)
    before = _PSEUDO.sub(" ", _ANSWER_NO.sub("", before))
    count = len(_NEGATION.findall(before))
    # "ain't got no pain" denies once; "no" alone denies too.
    if not count and _NEGATIVE_WORD.search(before):
        return True
    return count % 2 == 1


@lru_cache(maxsize=8192)
def _experiencer(before: str) -> str:
    if _FAMILY.search(before):
        return "family"
    relatives = list(_RELATIVE.finditer(before))
    other = other_in(before)
    if not relatives or (other is not None and other > relatives[-1].end()):
        between = "" if other is None else _BESIDE_ME.sub(" ", before[other:])
        reported = bool(_REPORTS.search(between)) and not _THIRD_PERSON.search(between)
        return "patient" if other is None or reported or _SELF.search(between) else "somebody"
    relative = relatives[-1]
    between = before[relative.end() :]
    compound = compound_in(before)
    if compound and compound[2] > relative.end():
        between = before[compound[2] :]
    if _BORROWS.search(before[: relative.start()]) and _POSSESSES.match(between):
        return "patient"  # "I tried my nephew's cannabis"
    if _NO_BLOOD.match(between):
        return "in-law"
    # "my wife noticed my ankles": someone else speaks, but of the patient.
    if _SELF.search(between) or (_REPORTS.search(between) and not _THIRD_PERSON.search(between)):
        return "patient"
    if compound and compound[2] >= relative.end():
        return compound[0]
    return next(name for name in relative.groups() if name).lower()


def _same_item(before: str, after: str) -> str:
    """The words around a mention as far as the next of a list: "sertraline, for when I was low, and the water pill"."""
    return f"{_NEXT_ITEM.split(before)[-1]} {_NEXT_ITEM.split(after)[0]}"


def context_of(sentence: str, start: int, end: int) -> Context:
    """Determine how a mention is used.

    Args:
        sentence: The sentence, folded by :func:`~bedside.verifier.language.text.plain`.
        start: Offset of the mention in the sentence.
        end: Offset of its end.

    Returns:
        Its context; plain present assertion about the patient when no rule speaks.
    """
    first, last = clause_bounds(sentence, start)
    before, after = sentence[first:start], sentence[end : max(last, end)]
    whose = _experiencer(before)
    if whose == "patient" and (_THEIRS.search(sentence[start:end]) or _OF_THEM.search(before)):
        whose = "somebody"
    if whose == "patient" and first and _GOES_ON_OF.match(before) and not _SELF.search(before):
        # "Her cousin had it and it turned out to be cancer": still the cousin's.
        whose = _experiencer(sentence[clause_bounds(sentence, first - 1)[0] : first])
    if whose not in ("patient", "family") and (_DONE_TO_ME.match(after) or _ME_TOO.search(after)):
        whose = "patient"  # "my granddaughter couldn't wake me"
    around = f"{before} {after}"
    certainty: Certainty = "hedged" if _AS_SUCH.match(after) and _denied(before) else "certain"
    if _BELIEF.search(around):
        certainty = "belief"
    elif _HEDGE.search(around):
        certainty = "hedged"
    act: Act = "statement"
    if is_question(sentence):
        if _RISING.match(sentence) and not _OF_YOU.search(sentence):
            certainty = "hedged" if certainty == "certain" else certainty
        else:
            act = "question"
    elif (
        _IF.search(_WHENEVER.sub("", before))
        or (_MAY.search(before) and not (_HAD.search(before) and _DONE.match(sentence[start:end])))
        or _SUBJECT_OF_TALK.search(before)
    ):
        act = "hypothetical"
    elif (duty := _DUTY.search(before + sentence[start:end])) and duty.start() < len(before):
        act = "instruction"
    denied = _denied(before) and not _AS_SUCH.match(after) and not _NEVER_SO.search(before + sentence[start:end])
    if denied and act == "statement" and _FOR_IT.search(before):
        denied, act = False, "hypothetical"  # "never been treated for asthma" leaves open whether there is any
    family_after = _FAMILY.search(after)
    return Context(
        denied=denied or bool(_NO_AFTER.match(after)),
        certainty=certainty,
        experiencer="family" if family_after else whose,
        time="past" if _PAST.search(_same_item(before, after)) else "present",
        act=act,
    )
