"""What a bare answer says: that which "yes" affirms and "no" denies, for whom, and whatever it takes for granted.

"Off and on" to "Any fever?" is a yes without the word, "Works like a clock" a no; "my sister, yes" tells of a sister.
"""

import re
from collections.abc import Iterator

from bedside.verifier.claim import Claim
from bedside.verifier.claims.focus import Focus, Named
from bedside.verifier.claims.habits import habits_asked, substance_of
from bedside.verifier.claims.kin import kin_in
from bedside.verifier.claims.mentions import ALLERGENS, ANY_ALLERGY, claim_of, main_concept
from bedside.verifier.claims.places import sites_of
from bedside.verifier.claims.wording import spoken
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import Context, context_of, is_belief, is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence, content_stems, tokenize

__all__ = ["NO", "YES", "bare_answer", "of_what_was_asked"]

_FILLER = (
    r"(?:uh|um|er|well|oh|hm+|honestly|me|god|lord|sir|ma'am|doc|doctor|actually|ha|gosh|nothing like that|goodness|"
    r"dear|hell|heck|so|like|i mean|\w+\?)"
)
NO = Pattern(
    rf"^\W*(?:{_FILLER}\b\W*)*(?P<no>(?:no|nope|nah|never|none|neither|nobody|no one|nuh-uh|negative|"
    r"not (?:that|at all|even|ever|a (?:drop|thing|whisper|twinge|trace|sign|bit of it)|really|once|to my|anymore|"
    r"in the least|so much|a (?:bit|single|one|chance))|nothing(?! (?:to (?:write|speak|complain|worry)|much|major|"
    r"dramatic|serious|"
    r"terrible|special|fancy|too|really))|i "
    r"(?:don't|haven't|do not|have not|never|didn't)(?= think| not\b|\W*$| (?:use|have|take|had|do|touch) (?:it|"
    r"that|any|them|the stuff)\b))(?!\w))",
    re.IGNORECASE,
)
YES = Pattern(
    rf"^\W*(?:{_FILLER}\b\W*)*(?P<yes>yes|yeah|yep|yup|ya|sure|i (?:do|have|did|am)(?! (?:an?|the|some|my|no|got|"
    rf"been|\d)\b)|of course|mhm|mm-hmm|uh-huh|"
    rf"afraid so|"
    r"definitely|absolutely|you bet)\b",
    re.IGNORECASE,
)
_YES_LAST = Pattern(r"\b(?:yes|yeah|yep|yup|i do|i have|i did)\W*$", re.IGNORECASE)
# "Where were we, yes": the thread is found again, and nothing answered.
_RESUMES = Pattern(r"\b(?:where|what) (?:were|was|am|are|is|did) (?:we|i|it|you)\b[^.;]*$", re.IGNORECASE)
# What is told of it takes for granted that it is there: how often, how much, where, how it feels.
_TELLS = Pattern(
    rf"^\W*(?:{_FILLER}\b\W*)*(?:all over|every (?:day|night|morning|evening|single|time|\d+)|once|twice|"
    rf"\d+ times|a few times|"
    r"sometimes|now and then|now and again|here and there|from time to time|constantly|all the time|all day|"
    r"all night|"
    r"a little|a bit|a touch|a few|a couple|several|some\b|lots|loads|plenty|tons|quite a|on and off|off and on|on my|"
    r"in my|"
    r"most (?:days|nights|mornings|evenings)|only (?:when|at|in|on)|just (?:when|at|on|in|since|the)|mostly|mainly|"
    r"i still|still|i sneak|ever since|since|for (?:about )?(?:\d|a|years|months|weeks|days)|terribl[ey]|awful|badly|"
    r"pretty bad|really bad|(?:something|pretty|real) (?:awful|terrible|fierce|rotten|bad)|"
    r"it \w+s me\b|i(?:'ve)? passed (?:it|one|1|some|2|a few)\b|"
    r"it (?:rips|tears|shoots|bores|creeps|sits|crushes|presses|digs|eats|wakes|grips|stabs|nags|gnaws|catches|throbs|"
    r"pulls|squeezes|hurts|stings|burns|itches|aches|"
    r"comes(?! down to)|came|started|gets|got)|they (?:hurt|sting|burn|"
    r"itch|ache|come|"
    r"started|get|got)|"
    r"(?:it|that|they) (?:does|did|do)\b|"
    r"(?:down|off) (?:the|my|some|a) (?:\w+ )?(?:steps|stairs|ladder|curb|kerb|bed|chair|step|bike|porch)\b|"
    r"they (?:did|took|put in|gave me|found) (?:it|one|1|that|2|some)\b|there(?:'s| is| are) (?:also )?(?:one|1|2|some|"
    r"a few|another|more)\b|"
    r"i(?:'ve| have|'m| am)? (?:been )?(?:still )?on (?:it|them|that|one)\b|i(?:'ve)? (?:still |do |always )?(?:take|"
    r"use|have|"
    r"get|got|had|see|hear|wear|need|carry|tried|took|used) (?:it|them|that|one|those|some)\b|more than once|"
    r"every (?:\w+ )?(?:time|day|night|morning)|most (?:of the time|times)|a lot|far too|too (?:much|many|often)|"
    r"in (?:clumps|handfuls|waves|bursts|fits)|buckets|streams|floods)",
    re.IGNORECASE,
)
_FINE = Pattern(
    r"\b(?:sharp as a tack|steady as a rock|right as rain|fit as a fiddle)\b|\b(?:is|are|'s|'re|been|was|were|feels?|"
    r"works?|look|looks|breathe|breathing|see|hear|walk) (?:all |just |pretty |perfectly |still |quite )?"
    r"(?:fine|okay|ok|good|great|normal|perfect|regular|all right|alright|steady|like a (?:swiss )?(?:clock|charm|"
    r"baby)|sharp as a tack|steady as a rock|right as rain|clear as a bell)\b",
    re.IGNORECASE,
)
_NEGATED = Pattern(r"\b(?:no|not|never|nothing|none|haven't|don't|didn't|wouldn't|can't)\b|n't\b", re.IGNORECASE)
_GOES_ON = Pattern(
    r"^\W*(?:(?:yes|yeah|yep|uh|um|er|well)\W+)*(?:$|(?:i|i've|a|an|some|it|it's|every|all|constant\w*|"
    r"sometimes|since|for|about|once|twice|\d+|quite|really|there|badly?|that|in|on|both|they|just|but|like|lots|"
    r"most|off)\b)",
    re.IGNORECASE,
)
_HARDLY = Pattern(
    r"\b(?:but|except|just|only|sometimes|a little|a bit|until|any ?more|not (?:since|lately|now|yet|"
    r"today)|think so|then|after (?:that|which)|at (?:the start|first)|(?:by|since) then|these days|back to)\b",
    re.IGNORECASE,
)
_LONGEST = 12
_FRAGMENT = 12
_FRAGMENT_OF = Pattern(
    rf"^\W*(?:{_FILLER}\b\W*)*(?:an? |in |on |under |like |every |both |\d+ |after |before (?!i forget|we |"
    rf"you )|when |they're |"
    r"it's (?:all|always|bad|both|constant\w*|every|here|in|just|like when|mostly|on|only|right|the same|there|under|"
    r"worse|worst)\b|"
    rf"right |left |"
    r"behind |around |more |worse |too |so |the size of |big |huge |tiny |thick )",
    re.IGNORECASE,
)
_EVADES = Pattern(
    r"\b(?:know|sure|think|guess|wish|hope|depends?|maybe|remember|say|why|what|you|your|we|he|she|my (?:wife|"
    r"husband|mother|"
    r"father|mom|dad|son|daughter|friend|neighbou?r|boss|dog|cat)|doctor|question|time|fine|better|gone|over|hard to|"
    r"different|"
    r"mean|story|look|list|machine|movie|weather|game|tv|radio)\b",
    re.IGNORECASE,
)
# "Two." to "Any miscarriages?".
_COUNTED = Pattern(
    r"^\W*(?:(?:oh|uh|um|well|just|only|maybe|about|yes|yeah)\b\W*)*([1-9]\d?)\b(?=\W*$|,| times| of (?:them|those|"
    r"'em))",
    re.IGNORECASE,
)
# "In 2022, in the hospital, I had one on the floor" to "Ever had a seizure?".
_HAD_ONE = Pattern(
    r"\bi(?:'ve)? (?:had|got|get) (?:one|1|\d of them|a few|a couple|them|some)\b(?! of (?:my|the|"
    r"your))",
    re.IGNORECASE,
)
# "There's a band round me" to "Any chest pain?".
_HURTS = Pattern(r"\b(?:pain\w*|ache\w*|hurt\w*|discomfort|pressure|tightness)\b", re.IGNORECASE)
_FEELS = Pattern(
    r"^\W*(?:(?:well|yes|yeah|now|oh)\W+)*(?:there(?:'s| is|'s been| has been)|i(?:'ve)? (?:get|got|feel|have)|it's|"
    r"just) "
    r"(?:like )?(?:an?|this|some) (?:\w+ )?(?:band|weight|squeeze|knife|stitch|brick|fist|vice|vise|burn\w*|cramp|"
    r"twinge|"
    r"throb\w*|stab\w*|pull\w*|gnawing|heaviness|tightness|pressure|soreness|tugging|belt|strap)\b",
    re.IGNORECASE,
)
_EVADES_ALL = Pattern(
    r"\b(?:used to|gone|better|over|fine|okay|ok|my (?:wife|husband|friend|neighbou?r|boss))\b", re.IGNORECASE
)
# Names too short to be read unless they were asked for.
_SHORT_NAMES = {
    "sx:vomiting": Pattern(
        r"\b(?:was|were|been|got) sick\b(?! of| and tired| leave)|\b(?:came|come|comes) (?:right |"
        r"straight )?(?:back )?up\b",
        re.IGNORECASE,
    ),
    "sx:nausea": Pattern(r"\b(?:feel|felt|feeling|am|i'm) (?:a bit |kind of |pretty )?sick\b", re.IGNORECASE),
    "sx:diarrhea": Pattern(
        r"\b(?:can't leave|lived in|living in|glued to|running to) the (?:toilet|bathroom|loo)\b", re.IGNORECASE
    ),
    "sx:syncope": Pattern(r"\b(?:went|gone) (?:down|out|over)\b|\bhit the (?:floor|deck)\b|\bwas out\b", re.IGNORECASE),
    "sx:falls": Pattern(
        r"\b(?:went|gone|slid) (?:down|over)\b|\bhit the (?:floor|deck)\b|\btook a tumble\b|"
        r"\bi (?:just )?(?:slipped|tripped|"
        r"stumbled)\b",
        re.IGNORECASE,
    ),
}
_OPENING = 6
_ELSE = Pattern(r"\b(?:else|other|another|more|anywhere)\b", re.IGNORECASE)
# Who is asked for hallucinations and tells what there was to see has them.
_SEEN = frozenset(("sx:hallucinations", "sx:visual-hallucinations", "sx:auditory-hallucinations"))
_SEES = Pattern(
    r"\b(?:there(?:'s| was| were| is| are) |i (?:saw|see|hear|heard|keep seeing|keep hearing|swear) |(?:a|an|the|"
    r"some) \w+ "
    r"(?:talk|whisper|tell|stand|call|watch|sitt|crawl|walk)\w*)",
    re.IGNORECASE,
)
_UNSEEN = Pattern(
    r"\b(?:know|sure|think|guess|wish|hope|maybe|remember|why|what|question|mean|used to|gone|fine|machine|movie|tv|"
    r"radio|doctor|you|my (?:wife|husband|mother|father|son|daughter))\b",
    re.IGNORECASE,
)
# "Never smoked" denies the one, and leaves the others that were asked after.
_ONE_HABIT = Pattern(
    r"^,? (?:\w+ )?(?:smok\w+|dr[aiu]nk\w*|vap\w+|chew\w*|drugs|cigarettes?|tobacco|alcohol)\b", re.IGNORECASE
)
# "Never have", "not once": it denies what is over too.
_NEVER = Pattern(r"\b(?:never|not once)\b", re.IGNORECASE)
# "It races", "they go white": the subject stands in the question.
_IT = Pattern(
    rf"^\W*(?:(?:yes|yeah|yep|no|{_FILLER})\b\W*)*(?P<it>it|they|mine|that|(?:this|that|the (?:left|right|"
    rf"other)) (?:one|1)(?:, the (?:left|right) (?:one|1))?|"
    rf"(?:one|1|both) of them|both),?(?P<is>'s|'re)?(?= )",
    re.IGNORECASE,
)


# "It sticks" to "Does the food go down?".
_EATEN = Pattern(r"\b(?:food|meals?|swallow\w*|meat|bread|liquids?|solids?)\b", re.IGNORECASE)


def bare_answer(
    sentence: Sentence, focus: Focus, grounded: GroundedCase, text: str, claims: list[Claim]
) -> list[Claim]:
    """Find what an answer affirms or denies of that which the question named.

    Args:
        sentence: The sentence that answers.
        focus: What was asked.
        grounded: The case.
        text: The whole answer; what it names itself is not taken from the question.
        claims: What the sentence says by itself.

    Returns:
        A claim for each thing that was asked after.
    """
    body = sentence.text
    if "allergy" in focus.topics and not claims and (none := NO.match(body)):
        span = none.span("no")
        details = {"asked": "allergy"} | ({"only": "drugs"} if "drugs" in focus.topics else {})
        return [claim_of("allergy", ANY_ALLERGY, sentence, span, _plainly(denied=True), details)]
    if "family" in focus.topics and (told := list(kin_in(sentence, focus, grounded, None, claims))):
        return told
    answer = _answer(sentence, focus, claims)
    if answer is None:
        return []
    denied, span = answer
    if not focus.asked:
        return _of_habit(sentence, focus, claims, denied=denied, span=span)
    said = {c for s in spoken(text) for m in grounded.mentions(s.text) for c in m.concepts}
    lines = {b for c in said for b in grounded.broader(c)}
    found = []
    for thing in focus.asked:
        concept = main_concept(thing.concepts, grounded)
        general = grounded.broader(concept) - {concept} if concept and not denied else frozenset()
        if not concept or (said - general) & (grounded.broader(concept) | set(thing.concepts)) or concept in lines:
            continue
        if denied and (thing in focus.qualified or (_ELSE.search(focus.spoken) and _is_general(concept, grounded))):
            continue
        kind = grounded.kind(concept)
        if kind in ALLERGENS and "allergy" in focus.topics:
            kind = "allergy"
        experiencer = focus.relative or ("family" if "family" in focus.topics else "patient")
        claim = _asked_claim(kind, concept, thing, sentence, span, experiencer, denied=denied)
        places = (
            " ".join(site for site, _, _ in sites_of(sentence, grounded)) if kind == "symptom" and not denied else ""
        )
        found.append(claim.model_copy(update={"attributes": claim.attributes | {"at": places}}) if places else claim)
    return found


def _is_general(concept: str, grounded: GroundedCase) -> bool:
    """True for complaints that may be anywhere: "hurt anywhere else?" asks for others than those told."""
    return (
        grounded.kind(concept) == "symptom"
        and concept in grounded.lexicon
        and not grounded.lexicon[concept].relations.get("site")
    )


def of_what_was_asked(sentence: Sentence, focus: Focus, grounded: GroundedCase) -> Iterator[Claim]:
    """Find what is said of a part that only the question names: "it races", of the heart.

    Args:
        sentence: The sentence that answers.
        focus: What was asked.
        grounded: The case.

    Yields:
        Claims whose name begins with the word that "it" or "they" stands for.
    """
    body = sentence.text
    subject = _IT.match(body)
    parts = [t for t in focus.named if any(c.startswith("site:") for c in t.concepts)]
    eaten = _EATEN.search(focus.spoken)
    if subject is None or not (parts or eaten) or is_question(body):
        return
    words = parts[-1].words if parts else "food"
    phrase = f"{words}{' is' if subject['is'] else ''}{body[subject.end() :]}"
    tokens = tokenize(phrase)
    for mention in grounded.find(tokens):
        concept = main_concept(mention.concepts, grounded)
        end = tokens[mention.last].end
        if mention.first == 0 and end > len(words) and concept:
            span = (subject.start("it"), len(body) - (len(phrase) - end))
            others = {"also": " ".join(c for c in mention.concepts if c != concept)}
            context = context_of(body, *span)
            yield claim_of(
                grounded.kind(concept), concept, sentence, span, context, {k: v for k, v in others.items() if v}
            )


def _plainly(*, denied: bool, experiencer: str = "patient") -> Context:
    return Context(denied, "certain", experiencer, "present", "statement")


def _asked_claim(
    kind: str, concept: str, thing: Named, sentence: Sentence, span: tuple[int, int], experiencer: str, *, denied: bool
) -> Claim:
    attributes = {"asked": thing.words}
    others = [c for c in thing.concepts if c != concept]
    if others:
        attributes["also"] = " ".join(others)
    context = _plainly(denied=denied, experiencer=experiencer)
    return claim_of(kind, concept, sentence, span, context, attributes)


def _answer(sentence: Sentence, focus: Focus, claims: list[Claim]) -> tuple[bool, tuple[int, int]] | None:
    """Whether a sentence says no, and the words that say it; None when it is neither yes nor no."""
    body = sentence.text
    if len(body.split(",")[0].split()) > _LONGEST:
        return None
    one = len(focus.asked) <= 1
    if no := NO.match(body):
        return None if _HARDLY.search(body[no.end() :]) else (True, no.span("no"))
    if is_belief(body) or is_question(body) or not one:
        return None
    if (yes := YES.match(body)) and _GOES_ON.match(body[yes.end() :]) and not _NEGATED.search(body):
        return False, yes.span("yes")
    if focus.presence and focus.asked and (had := _HAD_ONE.search(body)) and not _NEGATED.search(body):
        return False, had.span()
    if any(
        c.kind != "onset" and (c.kind != "substance" or "aspect" in c.attributes) for c in claims
    ) or _NEGATED.search(body):
        return None
    return _by_telling(sentence, focus)


def _by_telling(sentence: Sentence, focus: Focus) -> tuple[bool, tuple[int, int]] | None:
    """What an answer takes for granted, without yes or no."""
    body = sentence.text
    if (last := _YES_LAST.search(body)) and not _RESUMES.search(body[: last.start()]):
        return False, last.span()
    if any(_SEEN & set(t.concepts) for t in focus.asked) and (_SEES.search(body) or not _UNSEEN.search(body)):
        return False, (0, len(body.rstrip(" .!")))
    if focus.presence and (echo := _echo(sentence, focus)):
        return False, echo
    if focus.presence and focus.asked and _HURTS.search(focus.spoken) and (felt := _FEELS.match(body)):
        return False, felt.span()
    if focus.presence and focus.asked and (count := _COUNTED.match(body)):
        return False, count.span()
    if (fine := _FINE.search(body)) and not _HARDLY.search(body):
        return True, fine.span()
    if focus.asked and focus.presence and len(body.split()) <= _FRAGMENT and (part := _FRAGMENT_OF.match(body)):
        return (False, part.span()) if not _EVADES.search(body) else None
    if (
        (focus.asked or "hospital" in focus.topics or habits_asked(focus))
        and focus.presence
        and (tells := _TELLS.match(body))
    ):
        return False, tells.span()
    return None


def _echo(sentence: Sentence, focus: Focus) -> tuple[int, int] | None:
    """Where an answer takes up the question's own word: "I've thought about it" to "Any thoughts of dying?"."""
    if len(focus.asked) != 1 or _EVADES_ALL.search(sentence.text):
        return None
    asked = set(content_stems(focus.asked[0].words))
    if len(sentence.tokens) <= _LONGEST and (other := _other_name(sentence, focus.asked[0])):
        return other
    for token in sentence.tokens[:_OPENING]:
        if token.stem in asked:
            return token.start - sentence.start, token.end - sentence.start
    return None


def _other_name(sentence: Sentence, thing: Named) -> tuple[int, int] | None:
    """Where an answer has a short name for what was asked: "I was sick in the car" to "Any vomiting?"."""
    name = next((_SHORT_NAMES[c] for c in thing.concepts if c in _SHORT_NAMES), None)
    match = name.search(sentence.text) if name else None
    return match.span() if match else None


def _of_habit(
    sentence: Sentence, focus: Focus, claims: list[Claim], *, denied: bool, span: tuple[int, int]
) -> list[Claim]:
    """What "no" denies when the question was after a habit, which no table holds as a thing."""
    asked = sorted(habits_asked(focus))
    if not focus.presence or claims or (denied and _ONE_HABIT.match(sentence.text[span[1] :])):
        return []
    if "hospital" in focus.topics and not denied:
        return [claim_of("visit", "visit", sentence, span, _plainly(denied=False), {})]
    if not asked or (not denied and len(asked) > 1):
        return []
    ever = {"ever": "1"} if denied and _NEVER.search(sentence.text) else {}
    return [
        claim_of("substance", substance_of(habit), sentence, span, _plainly(denied=denied), {"aspect": habit} | ever)
        for habit in asked
    ]
