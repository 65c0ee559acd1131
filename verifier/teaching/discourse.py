"""What an educator says about the talk itself: whose plan it is, whether it is meant, whether it still holds.

"None of these applies to you", "that plan belongs to Mr. Smith", "from now on I say the opposite" teach nothing; they
settle what the sentences around them are worth. Such a remark has a part of the talk for its subject or object ("all of
that", "the plan", "what I said"), or tells of the speaking ("I was reading from a film"). It voids what it points at if
it says that this is not so, not this patient's, or no longer in force.
"""

from functools import lru_cache
from typing import Literal, NamedTuple

from bedside.verifier.language.pattern import Pattern
from bedside.verifier.teaching.clause import words_of
from bedside.verifier.teaching.disposal import discards_only_spent

__all__ = ["Remark", "disowns_itself", "is_void_heading", "remark_on", "resumes"]

_TEXT = (
    r"(?:plans?|lists?|orders?|instructions?|advice|advices|words|speech|talk|lecture|letter|notes?|page|story|things?|"
    r"stuff|points?|statements?|sentences?|papers?|sheet|recommendations?)"
)
_DRUGS = r"(?:drugs?|pills?|medicines?|medications?|meds|tablets?|prescriptions?|doses)"
_VISITS = r"(?:visits?|appointments?|check-?ups?|follow-?ups?)"
_ILLNESS = r"(?:illness(?:es)?|disease|sickness|diagnosis|condition)"
_SPOKEN = (
    r"what(?:ever)? (?:i|we)(?: \w+){0,2} (?:said|told|tell|say|read|explained|taught|went over)|"
    r"what you(?: \w+){0,2} (?:heard|hear)|what (?:follows|comes next)"
)
_THOSE = (
    rf"(?:it|this|that|these|those|them|the (?:above|following|next (?:part|{_TEXT}))|{_SPOKEN}|"
    rf"(?:the|this|that|these|those|my) (?:whole |entire )?(?:{_TEXT}|{_DRUGS}|{_VISITS}))"
)
_WHOLE = (
    rf"(?:(?:all|none|any|each|every bit|every one|half|most|nothing) of {_THOSE}|all (?:this|that|these|those)|"
    rf"(?:all|everything|anything|nothing)(?: (?:of (?:that|this)|above|before))?(?: (?:i|we)(?: \w+){{0,2}} "
    rf"(?:said|told|tell|say|read|explained|taught|went over|talked about))?|{_SPOKEN}|"
    rf"(?:the above|(?:the|this|that|these|those) (?:whole |entire )?{_TEXT})|"
    rf"the (?:next )?{_TEXT} (?:i|we)(?: \w+){{0,3}} (?:say|said|tell|told|read|gave))"
)
"""What names a talk or its contents as a whole; a bare "it" or "that" is the last point."""

_OTHER = (
    r"(?:(?:mr|mrs|ms|miss|sir|madam) \w+|(?:someone|somebody|anyone|anybody|everybody|everyone) else|nobody|no one|"
    r"(?:another|a different|some other|the other|the next|the last|other) (?:\w+ )?(?:patients?|persons?|people|man|"
    r"woman|lady|guy|family|bed|room)|(?:the|a|that) (?:\w+ )?(?:patient|man|woman|lady|gentleman|guy|person|boy|girl) "
    r"(?:next|in|over|with|who|across|behind)|my (?:\w+ )?(?:students?|colleagues?|friends?|trainees?|mother|father|"
    r"wife|husband|son|daughter|boss|neighbou?rs?)|(?:a|the) (?:colleagues?|students?|trainees?|interns?))"
)
_NOT = r"(?:not|never|none|nothing|no longer|neither|nobody)"
_UNTRUE = (
    r"(?:lies?|lied|false|untrue|jok(?:es?|ing)|kidding|nonsense|fiction|fictional|fake|faked|invented|made up|make "
    r"believe|dreamt|a dream|a quote|quoting|(?:an?|just an?|only an?) (?:test|exercise|rehearsal|game|example|sample)|"
    r"wrong|mistaken|mixed up|guess(?:es|ed|ing)?|in opposites|the (?:opposite|reverse))"
)
_SO = (
    r"(?:true|real|right|correct|so|meant|mean|serious|needed|necessary|required|apply|applies|concerns?|yours|"
    r"your own|"
    r"you|valid|binding|matters?|counts?|current|in force|the case|intended|hold|holds|stand|stands)"
)
_OVER = (
    r"(?:cancell?ed|withdrawn|void|voided|expired|obsolete|outdated|out of date|dropped|rejected|replaced|revoked|"
    r"superseded|crossed out|scrapped|overruled|called off|reversed|undone|no longer)"
)
_GAP = r"(?: (?!,|but\b|if\b|because\b|unless\b)\S+){0,5}?"
_BE = r"(?:is|are|was|were|be|been|being|am)"
_TAKES_BACK = (
    r"(?:take|took|taking|cancell?(?:ed)?|withdr[ae]w|invented|guessed|dropped|scrapped|revoked|rejected|overruled|"
    r"reversed|voided|retract|retracted|crossed out|called off|made up)"
)
_UNHEED = (
    r"(?:forget|ignore|disregard|strike|cross out|throw out|skip|drop|scrap|do not (?:believe|trust|follow|do|bother "
    r"with|listen to|take)|pay no attention to)"
)
_CHART = r"(?:charts?|files?|folders?|papers|records?|rooms?|patients?|persons?|people|beds?|names?|plans?|lists?)"

_VOIDED = Pattern(
    # Subject and predicate: "all of it was made up", "none of this is meant for you", "the above belongs to Mr. Smith".
    rf"(?:^|, |\b(?:and|but|so|that|on second thought) ){_WHOLE}{_GAP} (?:{_UNTRUE}|{_OVER})\b|"
    rf"(?:^|, |\b(?:and|but|so|that) )(?:none|nothing)\b(?: of {_THOSE})?{_GAP} {_SO}\b|"
    rf"(?:^|, |\b(?:and|but|so|that) ){_WHOLE}{_GAP} {_NOT}{_GAP} {_SO}\b|"
    rf"\b{_WHOLE}{_GAP} (?:belongs? to|(?:{_BE} |meant |intended )(?:only )?(?:for|of|about)|is|are|was) {_OTHER}|"
    rf"\b(?:you )?need none of (?:it|this|that)\b|"
    # Somebody with a say unsays it: "I take all of that back", "the doctor cancelled these orders".
    rf"\b(?:i|we|doctors?|surgeons?|team|they|he|she|specialist)(?: \w+){{0,2}} {_TAKES_BACK} (?:back )?{_WHOLE}\b|"
    rf"\b(?:i|we)(?: \w+){{0,2}} (?:guess|guessed|made|invented) (?:it|them|all of \w+|everything)(?: all)?(?: up)?$|"
    rf"\b(?:i|we)(?: \w+){{0,2}} (?:made|making) {_WHOLE} up\b|"
    rf"\bnot (?:at all )?sure (?:about|of) (?:any|all) of\b|"
    rf"\b{_UNHEED} (?:about )?{_WHOLE}\b(?! you (?:read|heard|saw)| your| the internet)|"
    rf"\bdo (?:exactly )?the (?:opposite|reverse) of\b|\bdo not bother with any of (?:it|this|that)\b|"
    # The plan of before: it has been replaced.
    rf"^(?:oh , )?that was the {_TEXT} (?:before|until|we used|last)|\b(?:new|real|right|actual) (?:one|plan) is in\b|"
    # Said to, or meant for, somebody else.
    rf"\b(?:i|we|this|that|it|these|those)\b(?! need| want| advise)(?: \S+){{1,8}} , not (?:to|for|about|at|with) you$|"
    rf"\b(?:i|we)(?: \w+){{0,3}} (?:talking|speaking|reading|explaining) (?:\w+ )?(?:to|with|for|about) {_OTHER}|"
    rf"\b(?:i|we)(?: \w+){{0,3}} (?:quoting|reciting|rehearsing|acting|lying|joking|kidding)\b|"
    rf"\b(?:i|we)(?: \w+){{0,2}} lied\b|"
    # Taken for another.
    rf"\b(?:i|we|this|that|it)\b(?: \S+){{0,5}} (?:wrong|mixed up|mistook|swapped|confused|somebody else's|"
    rf"someone else's)"
    rf"(?: (?:the|two|your|our))? {_CHART}$|"
    rf"\b(?:i|we)(?: \S+){{0,5}} (?:wrong|mixed up|mistook|swapped)(?: (?:the|two|your|our))? {_CHART} ,|"
    rf"\b(?:confused|mixed|mistook|mistaken) you (?:up )?(?:with|for)\b|\bwrong (?:room|patient|person)\b|"
    rf"^(?:oh , |sorry , )*(?:april fools?(?: day)?|just kidding|gotcha|fooled you|had you there)$"
)
_AHEAD = Pattern(
    rf"\b(?:(?:the next|the following) {_TEXT}|the following|what follows|from now on|what (?:i|"
    rf"we) (?:\w+ ){{0,3}}(?:say|"
    rf"tell|read)(?: \w+)? next|(?:what|everything|all) (?:i|we) (?:am |are |will )(?:\w+ ){{0,3}}(?:say|tell|read))\b"
    rf"{_GAP} (?:{_UNTRUE}|{_NOT} {_SO}|{_NOT}(?: \w+){{0,2}} (?:to|for) you|(?:{_BE} |meant |intended )+(?:for|of|"
    rf"about) "
    rf"{_OTHER})(?:\b|$)|"
    rf"\b(?:i|we|let me)(?: \w+){{0,3}} (?:speak|speaking|talk|talking|say|saying)(?: \w+){{0,2}} "
    rf"(?:in opposites|the (?:opposite|reverse))\b|"
    rf"\b(?:i|we|let me)(?: \w+){{0,3}} (?:read|reading|recite|quote|tell|dictate)(?: you| it| out| aloud| to you)*"
    rf"(?: (?:a|the|some|from|out of|page|pages|few|lines|chapter|of|my|an|old))* "
    rf"(?:textbook|novel|play|script|poem|magazine|film|movie|book|own (?:\w+ )?{_TEXT}|last year's|someone else's|"
    rf"somebody else's)\b|"
    rf"\b(?:i|we|let me)(?: \w+){{0,3}} (?:rehears(?:e|ing)|practi[cs](?:e|ing)|test(?:ing)?)(?: (?:my|a|the|our)) "
    rf"(?:\w+ )?(?:speech|lines|lecture|talk|microphone|voice|script|presentation|role|part)\b|"
    rf"\b(?:ignore|disregard|do not (?:listen to|believe)) (?:the following|what follows|what (?:i|we) (?:\w+ )?say)\b|"
    rf"\b(?:found|have|here is|read) (?:an? |your |the )?(?:last year's|last month's|outdated|expired) {_TEXT}\b|"
    rf"\bfor fun$|\b(?:do|believe) the (?:opposite|reverse) (?:of what i|from now)\b"
)
_RESUMES = Pattern(
    r"\b(?:back to you|back to your|i am (?:done|finished|back)|that was (?:the|my|all)|now (?:for you|to you|"
    r"to your|your "
    r"own|about you)|now , your|here is your|this is your|for you now|your own plan|seriously (?:now|though)|"
    r"sorry about "
    r"that)\b"
)
_POINT_BACK = Pattern(
    rf"^(?:(?:oh|well|but|actually|wait|sorry|oops|or|rather|no|and|hmm) ,? ?)*(?:no|psych|not|not (?:you|for you|"
    rf"really|so)|"
    rf"i did not mean (?:it|that|you)|i do not mean (?:it|that|you)|i meant {_OTHER}|do not|never|kidding|i take (?:it|"
    rf"that|this) back|(?:scratch|strike|forget|ignore|disregard|never mind) (?:that|this|it)|as if|or not)$|"
    rf"^(?:no ,? )?not you\b"
)
_KINDS: tuple[tuple[Pattern, str], ...] = (
    (
        Pattern(
            rf"\b(?:those|these|the|all)(?: \w+)? {_DRUGS}{_GAP} (?:not|never|no longer) (?:yours|for you|needed)\b|"
            rf"\byou (?:do not need|need no|do not have to take|should not take) (?:any |those |these |any of "
            rf"(?:those|these|the) )?{_DRUGS}$|"
            rf"\b(?:throw|toss|flush|dump|bin|trash|get rid of|pour|burn)(?: away| out)? (?:all|every one|"
            rf"any)?(?: of)? ?"
            rf"(?:your|the|those|these|them) {_DRUGS}\b(?= (?:in|into|down|out|away|to|on|you|,)|$)"
        ),
        "medication",
    ),
    (
        Pattern(
            rf"\b(?:those|these|the|all)(?: \w+)? {_VISITS}{_GAP} (?:not|never|no longer|{_OVER}) ?(?:yours|for you|"
            rf"needed|"
            rf"going to happen)?$|\byou (?:do not need|need no|have no)(?: to go to)?(?: any| those|"
            rf" these)?(?: \w+)? {_VISITS}$"
        ),
        "follow_up",
    ),
    (
        Pattern(
            rf"\byou (?:(?:do|did) (?:not|never)|never|have never|have) (?:have |had )?(?:that|this|the|any|"
            rf"no) {_ILLNESS}\b|"
            rf"\byou (?:are|were) (?:not|never)(?: \w+)? (?:sick|ill|unwell)\b|\byou (?:are|were) (?:not|"
            rf"never) (?:sick|ill)\b|"
            rf"\b(?:nothing is|there is nothing|nothing was) wrong with you\b|\byou are (?:all )?(?:cured|"
            rf"perfectly healthy)\b"
        ),
        "condition",
    ),
    (
        Pattern(
            r"\b(?:do not|never|no) (?:need|have|reason)? ?(?:to )?(?:ever )?(?:come back|call|return|"
            r"go back)(?: \w+)? for "
            r"(?:anything|any of (?:that|this|it|these|those|them)|nothing)\b"
        ),
        "return_sign",
    ),
)
_VOID_TEXT = (
    r"(?:myths?|legends?|lies|jokes?|fairy tales?|fiction|rumou?rs?|misconceptions|mistakes people make|drafts?|"
    r"templates?|"
    r"samples?|textbooks?|novel|film|movie|play|quiz|riddle|opposites|true or false|whichever|example of|examples of)"
)
_HEADING = Pattern(
    rf"\b{_VOID_TEXT}\b|\b(?:{_OVER}|(?:not|no longer) (?:approved|valid|current|yours|for you|in force|true|"
    rf"needed))\b|"
    rf"\b(?:old|former|previous|last year's|past|earlier) {_TEXT}\b|\b{_TEXT} (?:from|of) (?:last|the last) (?:year|"
    rf"month)\b|"
    rf"\b(?:for|of|to|with|belongs to|about) {_OTHER}|^to (?:my|the|our|a) \w+$|"
    rf"\b(?:all|none|each) of (?:these|this|those|them|the following)\b{_GAP} (?:{_UNTRUE}|{_NOT} {_SO})\b|"
    rf"\bwhat (?:some|a|an|my|other|one) (?:\w+ ){{1,3}}(?:said|says|say|wrote|write|posted|think|thinks|believe|"
    rf"believes)\b|"
    rf"\bdo none of\b|(?:^|\byou can )(?:leave out|leave off|skip|ignore|forget about)\b|"
    # Struck from the page, or the name of a text.
    r"^(?:please )?"
    r"(?:cross|strike|scratch|delete|erase|remove)(?: (?:this|that|these|those|it|them|the following))?"
    r"(?: line)?(?: out)?$|\b(?:entry|chapter|title|headline|song|poem|film|movie|book|joke|riddle|slogan|motto)\b"
    r"[^:]* (?:is|was|were|are)(?: called| named| titled)?$"
)
_NO_NEED = Pattern(
    r"(?:^|\bthat |\bwhich |\bthings |\bwhat |\borders )(?:you )?(?:do not|does not|should not|must not|can not|"
    r"need not|"
    r"never|no need|not|are not|no longer)(?! (?:quite|exactly|bad|forget|skip|miss|wait|"
    r"ignore|hesitate|worry|only|just|delay|sure|lose|"
    r"stop|be))\b"
    # A heading leaves open what is denied; "never take ibuprofen: you have one kidney" is an order with its reason.
    r"(?=(?: \w+){0,4}? (?:do|to|take|need|needed|required|necessary|have|follow|apply|know|remember|here|below|these|"
    r"this|(?:the )?following(?: \w+)?|you|yours|true|valid|anymore|today|now)$|$)"
)
_NOT_SAID = Pattern(
    r"\b(?:if|when|whenever|once|until|unless|whether|even|as though|like)\b[^,]*$|"
    r"\b(?:not|never) (?:\w+ )?$"
)
_DISOWNED = Pattern(
    r"^\W*(?:(?:oh|yeah|sure|yes) ?,? (?:yeah ?,? )?right(?= ,)|"
    r"yeah,? right|fat chance|dream on|like that will happen)\b|"
    r"\band i(?:'m| am) the (?:queen|king|pope|president|tooth fairy)\b|"
    # What follows a statement and unsays it: a bare "not", a judgment, another name, or a bracket.
    rf", (?:but|though|although|yet|or) (?:\w+ ){{1,3}}not$|, (?:but|though|although|yet) (?:that|this|it|"
    rf"which) (?:is|was) "
    rf"(?:{_OVER}|{_NOT} {_SO})\b|, (?:but|though|yet) (?:i|we|they|doctors?)(?: \w+){{0,2}} (?:{_TAKES_BACK}|"
    rf"went with)\b|"
    rf", (?:which|and that|all of which) (?:is|was) (?:\w+ )?{_UNTRUE}\b|, or so (?:i|they|you) \w+$|"
    rf"\( (?:not (?:for )?you|{_OVER}(?: \w+)?|(?:for|of) {_OTHER}) \)|"
    # Thought, or said so that it is not heard.
    r"\b(?:silently|inaudibly|inwardly|under (?:my|her|his|their) breath|"
    r"(?:think|thinks|thinking|says?|saying|said) to "
    r"(?:myself|herself|himself)|(?:nobody|no one|you can ?not|you can not) (?:can |could |will )?hear|muted)\b|"
    # Somebody in another bed is called so.
    rf"^(?:hey )?(?:siri|alexa)\b|^(?:mr|mrs|ms|miss) \w+ (?:in|from) (?:bed|room)\b|"
    rf"\bdo (?:anything|everything) (?:but|except)\b|"
    rf"\b(?:everyone|everybody|anyone|all) (?:but|except) you\b|\b(?:everyone|everybody) else (?:must|should|has to|"
    rf"needs to)\b|"
    # Of a plan that is over.
    rf"^(?:originally|formerly|previously)\b|^(?:in (?:19|20)\d\d|before you (?:came|were|"
    rf"got) (?!.*\bnow\b)[^,]*?)\b.*\b(?:wanted|told|asked|advised) (?:you )?to\b|^the (?:old|original|former|"
    rf"previous|first) (?:plan|idea|order|advice) (?:was|had)\b|"
    rf"\bplan [a-z] was (?:for you )?to\b|\b(?:considered|thought (?:about|of)) having you\b|"
    rf"\bdecided (?:against|not to) (?:having|telling|asking|making|letting|ask|tell|have|make|let) you\b|"
    # Left to chance, or to nobody.
    rf"\b(?:toss|flip) a coin\b|\b(?:percent|fifty|slight|small) (?:\w+ )?chance (?:that )?you\b|^someday\b|^i guess\b|"
    rf"\bpending (?:approval|a decision)\b|\bin (?:your|another|my|a) (?:next|other|previous|past|different) life\b|"
    # Done by the speaker or by somebody else.
    rf"^(?:(?:please|now|just) )*(?:remind|help|ask|watch) me (?:to )?(?:take|use|stop|call|come|eat|drink|walk|keep|"
    rf"go|inject|know that)\b|"
    rf"^we (?:nurses|doctors|people here)\b|^(?:please )?(?:tell|ask|have) your (?:neighbou?r|landlord|cousin|boss|"
    rf"friend)\b"
    rf"(?!.*\b(?:you|your)\b(?<!your neighbor)(?<!your friend))"
)


class Remark(NamedTuple):
    """What a sentence says about the talk.

    Attributes:
        back: How far back it voids: the last point, or everything told so far; None if it does not.
        ahead: True when what is said next is not meant for this patient.
        kinds: Kinds of fact that it takes back from the whole talk, as in "those drugs are not yours".
    """

    back: Literal["point", "talk"] | None = None
    ahead: bool = False
    kinds: tuple[str, ...] = ()


_NONE = Remark()


@lru_cache(maxsize=8192)
def remark_on(sentence: str) -> Remark:
    """Return what one sentence of an educator says about the talk."""
    if sentence.rstrip().endswith("?"):
        return _NONE
    said = _normal(sentence)
    ahead = _says(_AHEAD, said)
    kinds = () if discards_only_spent(said) else tuple(kind for pattern, kind in _KINDS if _says(pattern, said))
    if not ahead and _says(_VOIDED, said):
        return Remark("talk", kinds=kinds)
    return Remark("point" if _POINT_BACK.search(said) else None, ahead, kinds)


@lru_cache(maxsize=4096)
def is_void_heading(heading: str) -> bool:
    """True for a line over others under which nothing is this patient's to do: "Myths:", "For Mr. Brown:"."""
    said = _normal(heading).rstrip(" :)")
    return bool(_HEADING.search(said) or _NO_NEED.search(said))


@lru_cache(maxsize=8192)
def disowns_itself(sentence: str) -> bool:
    """True for a sentence that holds what takes it from this patient: ", but do not", "Nurse Kelly, please"."""
    return bool(_DISOWNED.search(_normal(sentence)))


@lru_cache(maxsize=4096)
def resumes(sentence: str) -> bool:
    """True for "now back to you": what is said from here on is meant again."""
    return bool(_RESUMES.search(_normal(sentence)))


def _says(pattern: Pattern, said: str) -> bool:
    """True when a pattern stands in a sentence, neither denied nor under a condition."""
    return any(not _NOT_SAID.search(said[: match.start()]) for match in pattern.finditer(said))


def _normal(sentence: str) -> str:
    return " ".join(words_of(sentence))
