"""Does a sentence tell the patient to stop a drug, or to go on with it?

A dangerous thing to misread: "never stop it on your own", "do not take it with alcohol" and "we stopped naproxen as
it raises lithium" all hold the word, and none tells to stop the drug at hand.
"""

import re

from bedside.verifier.language.pattern import Pattern
from bedside.verifier.teaching.disposal import DISCARDS, is_spoiled
from bedside.verifier.teaching.verdicts import verdict

__all__ = ["told_to_keep", "told_to_stop"]

# Telling to stop: the words before a drug, or those after it.
_STOP_BEFORE = Pattern(
    r"(?P<told>\b(?:stop(?:ped|ping)?(?: taking| using)?|discontinu\w+|no longer (?:take|need|use)|(?:do "
    r"not|don't|shouldn't|should not|mustn't|must not|not to|never|won't|will not) (?:under any circumstances |ever |"
    r"by any means |in any case )?(?:be )?(?:tak\w+|use|using|"
    r"need(?:ing)?)|"
    r"quit|hold off on|come off|off of|took you off|taken off|hold(?: the)?|get rid of|throw (?:out|away)|"
    r"leav(?:e|ing) (?:out|off)|cut out|do without|give up|be done with|get off|lay off|"
    r"drop(?= (?:the|your|this|that|it|all))|skip|forget about|"
    r"take a (?:break|holiday|rest) from|set aside|put aside|(?:get by|get along|manage) without|ease (?:off|"
    r"up on)|go without|wean yourself off|"
    r"ditch|dump|toss|chuck|shelve|park|pause|suspend|done with|finished with|"
    r"no (?:point|sense|use|reason) (?:in|to) (?:keep(?:ing)?|tak\w+|carry\w*)(?: on| up| taking)?(?: with)?|"
    r"(?:do not|don't|does not|doesn't) want you (?:on|taking|using|to (?:take|use|be on|keep taking))|"
    r"(?:^\W*|[:,]\W*)no(?: more)?(?=\W+(?:of )?(?:(?:the|your|that|this) )?$)|"
    r"\bno more(?=\W+(?:(?:the|your|that) )?$)|"
    r"(?:do not|don't) (?:really )?(?:have|need) to (?:keep up|carry on|go on|stay on|stick)(?: with|"
    r" to)?)\b)(?P<gap>[^.;:?!]{0,60}?)$",
    re.IGNORECASE,
)
_STOP_AFTER = Pattern(
    rf"^\W*(?:(?:tablets?|pills?|capsules?|shots?|medicine|too|both|now)\W+)?(?:{verdict('barred')}|"
    r"(?:is|are|was|were|has been|have been|will be|been|'s)\W+(?:now |being )?(?:stopped|discontinued|replaced|held|"
    r"off your list|finished|done(?! (?:by|at|in|with))|gone)\b|"
    r"(?:you|i) (?:should |can |do |will )?(?:no longer|not|don't|stop|never)\b|"
    r"(?:\w+ )?(?:can|may|could) (?:also |now |then )?(?:be )?(?:stop|stopped|end|wait|come off|left out|dropped|"
    r"skipped)\b)",
    re.IGNORECASE,
)
# "If the medicine makes you cranky, just stop it."
_STOP_LATER = Pattern(
    r"^[^.;?!]{0,60}(?:,|\band) *(?:then |just |you can |you may |please |simply )*"
    r"(?:(?:stop|quit|drop|skip|leave out|leave off)(?: taking| using)? (?:it|them)\b|leave (?:it|them)(?=\W*(?:,|$)))"
    r"(?! (?:suddenly|on your own|without|and (?:call|tell|come|get|let|take|go on|continue)))",
    re.IGNORECASE,
)
# "Give the warfarin a rest", "leave the pill in the bottle": the drug stands within.
_STOP_FROM = Pattern(
    r"(?<!not )(?<!n't )(?<!never )\b(?P<told>give|leave|put|take|set|throw|cut|let|turn|keep)\W+(?:the |your |"
    r"that |this |those )?(?:\w+ )?$",
    re.IGNORECASE,
)
_STOP_TO = {
    "give": r"an? (?:rest|break|miss|pause)",
    "leave": r"out|behind|off(?! (?:the|your))|alone|be\b|in (?:the|its) (?:bottle|box|drawer|cupboard|cabinet)",
    "put": r"away|aside|on hold|(?:back )?(?:in (?:the|its|your) (?:box|drawer|cupboard|cabinet)|on the shelf)",
    "take": r"off the list",
    "set": r"aside",
    "throw": r"out|away",
    "cut": r"out|back|down",
    "let": r"go|slide|lapse|run out",
    "turn": r"down",
    "keep": r"for (?:next|later|another)",
}
_STOPS_TO = {
    verb: re.compile(rf"^\W*(?:pills?\W+|tablets?\W+)?(?:{rest})\b", re.IGNORECASE) for verb, rest in _STOP_TO.items()
}
# What a visit is for, or what is to be asked there, is not yet told.
_OPEN = Pattern(
    r"\b(?:whether|if (?:it is|it's|you can|you may)|ask\w*|discuss\w*|talk(?:ing)? about|decid\w+|see if|find out|"
    r"(?:will |'ll |are going to |going to )?(?:see|visit|meet|follow up with) (?:the|your|a|an|"
    r"dr)\b[^.;]*?\b(?:to|for|about|and)|"
    r"(?:visit|appointment|clinic)\b[^.;]*?\b(?:to|for|about)|"
    r"(?:doctor|surgeon|dentist|team|clinic|\w+ologist)s? (?:\w+ )?(?:tells?|asks?|wants?|says?|"
    r"told) (?:you )?(?:to)?)\b[^.;]{0,60}$",
    re.IGNORECASE,
)
_MISSED = Pattern(r"\b(?:miss\w*|forg[eo]t\w*)\b", re.IGNORECASE)
_GUARD_BEFORE = Pattern(
    r"\b(?:do not|don't|never|not|without|before|until|once|after|as soon as|unless|rather than|instead of|if you|"
    r"may|should i|plan to|help you|"
    r"can't|cannot)\b[^.;,]{0,24}$",
    re.IGNORECASE,
)
_GUARD_GAP = Pattern(
    r"\b(?:because|as it|since|which|that|it|keeps|raises|replaced|for|after|by|with|more than|extra|as soon|"
    r"double|twice|if|when|once|while|until|unless|together|and (?:start|take)|but|"
    r"breathing|bleeding|growing|on your own|suddenly|without|any "
    r"other|other)\b",
    re.IGNORECASE,
)
_GUARD_AFTER = Pattern(
    r"^[^.;:]{0,50}?\b(?:with (?!other)|more than|if|while|until|unless|together|within|on an empty|at "
    r"the same time|on your own|suddenly|later than|extra|before (?:surgery|the|your)|without)\b",
    re.IGNORECASE,
)
# A plain "stop" is not softened by "until"; "do not take" is.
_STOPS = Pattern(
    r"^(?:stop(?!p)|stopping|quit|hold|leav|cut|drop|skip|come off|get off|lay off|give up|do without)", re.IGNORECASE
)
_SOFTENS_STOP = Pattern(
    r"^[^.;:]{0,50}?\b(?:suddenly|more than|before (?:surgery|the|your)|without|"
    r"and (?:call|tell|come|get|go|let))\b",
    re.IGNORECASE,
)
_WARNED = Pattern(
    r"\b(?:(?:can|could|may|might|will|would) (?:cause|lead|bring|make|raise|let|put|close|clog|be)|"
    r"dangerous|unsafe|not safe|risk\w*|bad idea)\b",
    re.IGNORECASE,
)
# "You see the stomach doctor in 8 weeks about stopping it": the visit decides, and nothing stops today.
_DECIDED_LATER = Pattern(
    r"\b(?:appointment|visit|follow-up|check-?up|see (?:the|your|a|dr|doctor)|meet (?:the|your)|decide|discuss|talk)\b"
    r"[^.;?!]*\b(?:about|for|to|whether (?:to|you (?:can|may|should)|it is time to))\W*$",
    re.IGNORECASE,
)
_WHEN_BEFORE = Pattern(
    r"\b(?:when|once|after|until|till|before|if|as soon as|the (?:day|moment|minute))\b[^.,;]{0,12}$", re.IGNORECASE
)
_KEEP = Pattern(
    r"\b(?:keep (?:taking|using|on)|continue(?: taking| using| with| on)?|still (?:take|need)|go (?:on|back to) "
    r"(?:taking|using)|(?:go|get|be|going|getting) back (?:on|to)|restart(?: taking)?|start(?: taking)?|begin|take|"
    r"resume|use|using|try|swallow|have|keep|stay on|grab|reach for|pop|finish|use up|borrow|stick with|carry on with|"
    r"add|put in|get yourself|hang on to|hold on to|overlap with|fall back on|"
    r"dip into|throw in|(?:burst|course|bit|few|couple|days|dose) of)\W+(?:[\w.%-]+\W+){0,4}?$",
    re.IGNORECASE,
)
# "Some of them have ibuprofen in them": what a product holds is not told to be taken.
_CONTAINS = Pattern(
    r"\b(?:them|they|products?|medicines?|remedies|pills?|tablets?|syrups?|some|many|these|those|which|that|it)\W+"
    r"(?:\w+\W+)?(?:have|has|use|used|keeps?|add\w*)\W+(?:\w+\W+){0,3}?$",
    re.IGNORECASE,
)
# "You had one dose of it through a vein": what was given in hospital is not told to be taken at home.
_WAS_GIVEN = Pattern(
    r"\b(?:you(?:'ve| have)? (?:had|got|received|were given)|we gave you)\W+(?:[\w.%-]+\W+){0,4}?$", re.IGNORECASE
)
_PRONOUN = Pattern(
    r"\b(?:it|that(?= now| today|\W*$)|(?:this|that) (?:medicine|pill|tablet|one|1|bottle)|them|those)\b", re.IGNORECASE
)
_NEW_CLAUSE = re.compile(r"\w\W+(?:and|but|so|while)\W+(?:(?:the|your)\W+)?$", re.IGNORECASE)
_SUBJECT_OF = re.compile(
    r"\W+(?:can|may|might|will|makes?|helps?|keeps?|lowers?|raises?|eases?|protects?|prevents?|treats?|works?|stays?|goes|"
    r"is(?! (?:out|off|stopped|over|done))|has|does)\b",
    re.IGNORECASE,
)
_STOPS_SHORT = Pattern(
    r"\b(?:(?:can|could|may|might|just|then|please) (?:just |simply |safely )?(?:stop|quit|end|leave off)) "
    r"(?:there|then|early|at that point|right there|at once|sooner)\b",
    re.IGNORECASE,
)
_IN_CASE = Pattern(r"\b(?:if|when|until|once|before|unless|while)\b", re.IGNORECASE)
# "No meal, no insulin": the one is left out with the other.
_WITHOUT_THE_OTHER = re.compile(r"\W*no (?:[\w-]+ ?){1,3},?\W*$", re.IGNORECASE)
# "Once your pulse settles you won't need it": the condition is a clause of its own.
_CONDITION_BEFORE = re.compile(r"^\W*(?:once|after|when|as soon as)(?: [\w']+){2,12}?,? (?=you\b)", re.IGNORECASE)
_OPENS_SENTENCE = re.compile(r"\W*(?:(?:the|your|this|that)\W+)?$", re.IGNORECASE)
_NOT_KEPT = Pattern(
    r"\b(?:stop|not|never|no longer|don't|without|if|were|used to|instead of|avoid|no|cannot|can't)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
_FINE_AFTER = Pattern(
    r"^(?:\W+(?:for|with|in|on|at) (?:\w+ ){0,3}?\w+|\W+(?:pills?|tablets?|again)|"
    r"\W+(?:that |which )?you(?:'ve| still| had| have| were| used to| got)(?: \w+){0,5})?"
    r"\W*(?:is|are|would be|will be|'s)\W+"
    r"(?:still |also |perfectly |quite |now )?"
    r"(?:(?:the|your|an?) (?:one|best|safest|good|right|first|fair|fine|great|1)\b|"
    r"okay|ok|fine|safe|all right|alright|allowed|no problem|good|harmless|"
    r"your friend|worth)\b|"
    r"^(?:\W+(?:pills?|tablets?|drops|again|first|then|alone|now))*\W+(?:(?:can|may|should) stay\b|stays\b|"
    r"(?:will|should|would|can) (?!not\b)(?:\w+ )?"
    r"(?:help|calm|ease|settle|do|work|fix|cure|tide|bridge|loosen|take (?:care|the edge)|keep)|"
    r"(?:won't|will not|doesn't|does not|can't|never) (?:\w+ )?(?:hurts?|harm|bring|matter|make|do)|"
    r"(?:helps|works|eases|calms|bridges|loosens|settles|does the))\b",
    re.IGNORECASE,
)
# "It stays the same", "goes on as before", ": no change": the drug is one still to be taken.
_UNCHANGED_AFTER = Pattern(
    r"^(?:\W+(?:pills?|tablets?|drops|dose|shots?|cream|inhaler|patch))?(?:"
    r"\W*(?:is|are|'s|remains?|stays?|will be|will stay|can stay)\W+(?:\w+ )?(?:unchanged|the same|same as|"
    r"as (?:it is|it was|before|they were|is)|like before|on (?:board|your list|the list)|to be continued)\b|"
    r"\W+(?:just |still |also |will )?(?:goes|go|carr(?:y|ies)|continues?|keeps?) "
    r"(?:right )?(?:on(?! hold)|going|as before|as it (?:is|was)|like before)\b|"
    r"\W+(?:doesn't|does not|won't|will not|don't) (?:change|stop)\b)",
    re.IGNORECASE,
)
_UNCHANGED_BEFORE = Pattern(
    r"\b(?:(?:no|without) (?:\w+ )?changes? (?:to|in|for|with|on)|"
    r"(?:(?:still|stay|remain|keep you|be)|you're|you are) (?:back )?on|(?:keep|carry|go) (?:up|on)(?: with)?|"
    r"(?:nothing|not) (?:\w+ )?chang\w+ (?:with|for|about)|"
    r"(?:do not|don't|never) (?:stop|skip|quit|give up|drop|let go of)(?: taking| using)?)\W+"
    r"(?:(?:the|your|that|this|taking|using) ){0,2}(?:\w+ (?:pill|tablet|medicine|water pill),? (?:the |called )?)?$",
    re.IGNORECASE,
)
_NO_LONGER_ON = re.compile(
    r"\b(?:not|no longer|never|n't)\b(?!\W+(?:stop|skip|quit|give|drop|let|change))[^.;]{0,30}$", re.IGNORECASE
)

_NEGATES = Pattern(r"\b(?:do not|don't|never|not|stop)\b", re.IGNORECASE)
# "The omeprazole you had, put it back in."
_KEEP_LATER = Pattern(
    r"^[^.;?!]{0,80}(?:,|\band|\bso) *(?:then |just |you can |you could |you may |please |simply |i'd |i would )*"
    r"(?:take|use|put|start|restart|have|add|bring|keep|try|hang on to) (?:it|them|1|one|that|a few)\b"
    r"(?! (?:away|aside|out|to))",
    re.IGNORECASE,
)


def told_to_keep(text: str, span: tuple[int, int]) -> bool:
    """True when a sentence tells to take the drug at ``span``, or that it is fine to."""
    before, after = text[: span[0]], text[span[1] :]
    if _OPEN.search(before) or _WAS_GIVEN.search(before) or _CONTAINS.search(before):
        return False
    if _KEEP_LATER.match(after) and not _NOT_KEPT.search(before) and not _NEGATES.search(after):
        return True
    if _FINE_AFTER.search(after) and not _NOT_KEPT.search(before):
        return True
    if _UNCHANGED_AFTER.search(after) and not _NOT_KEPT.search(before):
        return True
    if _UNCHANGED_BEFORE.search(before) and not _NO_LONGER_ON.search(before):
        return True
    return bool(_KEEP.search(before)) and not _NOT_KEPT.search(before)


def _stopped_by(told: re.Match[str], text: str, after: str) -> bool | None:
    """Return whether words of stopping before a drug stop it; None if what follows it may still do so."""
    if DISCARDS.match(told["told"]) and is_spoiled(text[told.end("told") :]):
        return False  # out with the bottle that is out of date, not with the drug
    if told["told"].lower().endswith(("use", "using")) and re.match(r"\W*for\b", after):
        return False  # "do not use it for sudden attacks" is about when, not whether
    lead = _CONDITION_BEFORE.sub("", text[: told.start("told")])
    if told["told"].lower().lstrip(":, ") == "no" and _WITHOUT_THE_OTHER.match(lead):
        return False
    if _NEW_CLAUSE.search(told["gap"]) and _SUBJECT_OF.match(after):
        return False  # "don't use salt substitutes, and furosemide makes you pass water"
    plain = not any(g.search(lead) for g in (_GUARD_BEFORE, _DECIDED_LATER)) and not _GUARD_GAP.search(told["gap"])
    few = len(told["gap"].split()) <= 5 or "," in told["gap"]
    warned = "stopping" in told["told"].lower() and _WARNED.search(after)
    softened = _SOFTENS_STOP if _STOPS.match(told["told"]) else _GUARD_AFTER
    return True if plain and few and not warned and not softened.match(after) else None


def told_to_stop(text: str, span: tuple[int, int] | None) -> bool:
    """True when a sentence tells to stop the drug at ``span``, and not merely never to stop it, or not to mix it."""
    if span is None:
        if _STOPS_SHORT.search(text) and not _NEGATES.search(text.replace("stop", " ").replace("Stop", " ")):
            return True
        pronoun = _PRONOUN.search(text)
        if pronoun is None:
            return False
        span = pronoun.span()
    before, after = text[: span[0]], text[span[1] :]
    if _OPEN.search(before):
        return False
    if (around := _STOP_FROM.search(before)) and _STOPS_TO[around["told"].lower()].match(after):
        return not _SOFTENS_STOP.match(after)
    if (told := _STOP_BEFORE.search(before)) and (stopped := _stopped_by(told, text, after)) is not None:
        return stopped
    if _STOP_LATER.match(after) and not _MISSED.search(before):
        return True
    if _OPENS_SENTENCE.match(before) and any(
        told_to_stop(text, later.span())
        for later in _PRONOUN.finditer(text)
        if later.start() > span[1] and not _IN_CASE.search(text[span[1] : later.start()])
    ):
        return True  # "acetaminophen hurt your liver, so you're not to take it"
    return bool(_STOP_AFTER.match(after)) and not _GUARD_AFTER.match(after) and not _WHEN_BEFORE.search(before)
