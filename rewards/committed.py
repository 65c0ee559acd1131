"""Which diagnosis did the doctor commit to? Free text in, one name out, or none.

A score for diagnosis is only as good as this reading: an answer that hedges between five diseases commits to the
first, one that denies a disease does not name it, and a refusal or an empty template names nothing, whatever words
it holds (label rules, "Diagnosis matching").
"""

import re
from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from bedside.rewards.disease_names import named_within
from bedside.verifier.language.lexicon import core
from bedside.verifier.language.text import plain, tokenize

__all__ = ["Committed", "asks_for_answer", "committed_answer"]

_THOUGHT = re.compile(r"<think>.*?(?:</think>|$)|<[^>]{1,40}>", re.IGNORECASE | re.DOTALL)
_FRACTURE_SIGN = re.compile("#(?=[A-Z]{2})")
_MARKUP = re.compile(r"[*_`#>~|]+|\\(?:boxed|text|textbf)\b")
_JSON = re.compile(r"[\"'](?:final_?\s?)?(?:diagnosis|answer)[\"']\s*:\s*\[?\s*[\"']([^\"']*)[\"']", re.IGNORECASE)
_FINAL = re.compile(r"\b(?:final|definitive)\s+(?:diagnosis|answer|dx)\s*(?:is|:|=|-|—)*\s*", re.IGNORECASE)
_LABEL = re.compile(
    r"\b(?:(?:my|the|primary|most likely|leading|working|top|principal|likely|presumptive|provisional|"
    r"clinical|suspected)\s+)*(?:diagnosis|diagnoses|dx|impression|assessment|answer|"
    r"conclusion)\s*(?:\((?:es|final)\))?\s*(?:is|would be|:|=)\s*",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"[\[{(<]\s*(?:the |your |a |insert |name of |enter |fill in |specific |"
    r"most likely )*(?:condition|diagnosis|disease|answer|name|illness|disorder|text|x|\.\.\.|…|"
    r"tbd)\b[^\]})>]*[\]})>]|_{3,}|\bcondition name\b|\bdiagnosis here\b|\binsert\b",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"\b(?:cannot|can't|can not|could not|couldn't|unable to|not able to|won't|will not|refuse to|"
    r"decline to|not (?:allowed|permitted|qualified|in a position) to|not possible to|"
    r"impossible to)\s+(?:\w+ ){0,2}?(?:provide|give|make|offer|diagnos\w+|determine|establish|"
    r"confirm|comment|say|answer|state|commit|name|tell|reach|be (?:determined|made|established))\b|"
    r"\b(?:as an? (?:ai|artificial|language model|assistant)|language model|i(?:'m| am) (?:sorry|"
    r"not a doctor|only an ai)|insufficient (?:information|data|evidence)|not enough (?:information|"
    r"data)|(?:need|require)s? (?:more|further|additional) (?:information|data|history|tests?|testing|"
    r"evaluation|workup)|"
    r"no (?:final |specific |definitive |clear )?diagnosis|uncertain diagnosis|(?:please )?(?:consult|"
    r"see) (?:a|your) (?:doctor|physician|healthcare)|n/?a$|i (?:do not|don't) know|"
    r"to be determined)\b",
    re.IGNORECASE,
)
# "MI?" hedges and commits; "is it an MI?" asks.
_ASKS = re.compile(
    r"^\W*(?:is|are|was|could|can|might|may|would|does|do|did|what|which|should) [^.!\n]*\?\W*$", re.IGNORECASE
)
_PARAGRAPH = re.compile(r"\n\s*\n")
_BLANK = re.compile(
    r"\W*(?:(?:diagnosis|cause|it) (?:is )?)?(?:undetermined|undiagnosed|unknown|uncertain|unclear|"
    r"none|pending)\W*$",
    re.IGNORECASE,
)
_ECHO = re.compile(
    r"\b(?:(?:answer|say|write|finish|conclude) with|in (?:the|this) (?:format|form)|following format|"
    r"respond (?:only )?with|output (?:only|"
    r"your|the|exactly)|(?:state|provide|give|write|end with|reply with) (?:your|the|a) (?:final |"
    r"single |most likely )*(?:diagnosis|answer)|when (?:you are|you're) (?:confident|ready|sure)|"
    r"your (?:final )?diagnosis (?:should|must|here)|for example|e\.g\.|do not (?:reveal|mention|ask)|"
    r"you are a (?:doctor|physician))",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:^|\s)(?:\(?1[.):]|first[,:])\s+(.*?)(?=(?:\s\(?2[.):]\s)|\n|$)", re.IGNORECASE | re.DOTALL)
# Blanks are taken from their first on and whole, or a long run of them would be tried from each of its places.
_GAP = r"(?:(?<!\s)\s++)?+"
_SPLIT = re.compile(
    rf"(?<!\s)\s++(?:vs\.?|versus|or|rather than|instead of|as opposed to|over)\s+|"
    rf"{_GAP}(?:;|\||->|→|(?<=\s)=(?=\s))\s*|"
    r"(?:(?<!\s)[^\S\n]++)?+\n\s*|"
    r"(?<=[a-z0-9)][a-z0-9)])[.!?]+(?:\s+|$)|"
    rf"{_GAP}(?:,\s*+)?\b(?:but|however|although|though|whereas|while)\b\s*|"
    rf"{_GAP}(?:,\s*+)?\b(?:with (?:a )?differential|differentials?(?: diagnos[ie]s)?|less likely|"
    r"alternatively|also consider\w*|consider(?:ing)?|other possibilities|and possibly|possibly|"
    r"other options|followed by|more likely)\b\s*(?:includ\w+|of|is|are|:)?\s*|(?<!\s)\s++/\s+",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"^\W*(?:(?:so|and|therefore|hence|thus) )?(?:it(?:'s| is) |this is |there is |"
    r"(?:the )?patient (?:has |shows )?|(?:he|she|"
    r"you) )?(?:not?\b(?! otherwise)|"
    r"no (?:evidence|sign|signs|features|indication) of|without\b|unlikely\b|(?:very |"
    r"extremely )?low (?:suspicion|probability|likelihood)|negative for|denies|absence of|less likely|"
    r"doubt\w*|ruled out|excluded|against\b|isn't|doesn't|does not|never)|"
    r"(?<!cannot be )(?<!can't be )(?<!not be )\b(?:ruled out|excluded|(?:is|was|are|seems|appears|"
    r"very|highly) (?:very |highly |extremely )?(?:unlikely|improbable|out)|less likely|not (?:supported|"
    r"likely|present|the case|consistent|suspected)|has been excluded)\W*$|^\W*(?:i )?(?:do not|"
    r"don't) (?:think|believe|suspect)\b|"
    r"\b(?:is|was|are|were) (?:excluded|ruled out) by\b|\b(?:does not|doesn't|do not) fit\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^\W*(?:(?:i|we|the|this|that|these|it|patient|patient's|he|she|you|they|his|her|your|my|"
    r"presentation|present(?:s|ing|ed)?|step \d+|fits(?= \w)|"
    r"symptoms?|findings?|picture|history|case|most|more|very|highly|strongly|"
    r"likely|probably|probable|possibly|possible|suspected|suspect|suspicious|suspicion|presumed|"
    r"presumptive|presumably|provisional|working|clinical|"
    r"concern(?:ing)?|high(?= (?:suspicion|probability|likelihood|concern))|say|saying|rule[ -]?out|r/o|query|"
    r"consistent|compatible|suggestive|suggests?|"
    r"suggesting|indicates?|indicating|indicative|points?|pointing|keeping|in|line|features?|due|"
    r"related|secondary|case|cases|diagnosis|diagnosed|differential|appears?|seems?|looks?|like|to|be|"
    r"is|are|was|has|have|had|having|"
    r"suffer(?:s|ing)?|experiencing|with|for|of|from|as|a|an|at|top|first|leading|favou?r(?:ed|ing|"
    r"s)?|think|believe|would|could|may|might|must|can|that's|it's|evidence|new|onset|new-onset|based|"
    r"on|dx|impression|assessment|final|answer|so|therefore|thus|hence|about|confident|sure|certain|"
    r"that|all|above|given|now|well|okay|yes|definitely|certainly|clearly|obviously|typical|classic|"
    r"classical|probable:)\b[\s:,?'\"-]*)+",
    re.IGNORECASE,
)
_TRAIL = re.compile(
    rf"{_GAP}(?:\((?:likely|probable|suspected|possible|presumed|most likely|high confidence|"
    r"moderate confidence|\d+ ?%)[^)]*+\)|(?:[,-]\s*+)?\b(?:likely|probable|suspected|possible|presumed|"
    r"most likely|is (?:the )?(?:most )?likely(?: diagnosis)?|is suspected|cannot be (?:ruled out|"
    r"excluded)|can't be ruled out|needs? to be ruled out|should be ruled out)\W*+|"
    r"[(,\s-]*+\d{1,3} ?%\)?)\s*+$",
    re.IGNORECASE,
)
_DENIED_LATE = re.compile(
    rf"{_GAP}(?:,\s*+)?(?:(?:has|have|had) been |(?:is|was|are|were) )?(?:ruled out|excluded|unlikely|not likely|"
    r"not present)\W*+$",
    re.IGNORECASE,
)
# "Adenomyosis > fibroids"
_OVER = re.compile(r"(?<=\w)\s>{1,3}\s(?=\w)")
_AND_NOT = re.compile(r",?\s(?:and|but) not (?:an? |the )?[^.;\n]*+", re.IGNORECASE)
_DISMISSED_QUESTION = re.compile(r"[^.!?\n]*+\?\W*(?:no|not|unlikely|never)\b[,.;:! -]*+", re.IGNORECASE)
# "History of gout, now septic arthritis": what was there before is not what is there now.
_BACKGROUND = re.compile(
    r"^\W*(?:(?:a |the )?(?:patient )?(?:with|has|had) (?:a )?)?(?:(?:past |prior |previous |medical )*history of|"
    r"known|background(?: of)?|pmh(?: of)?|pre-?existing|long-?standing|previous|prior|underlying)\b",
    re.IGNORECASE,
)
_SUPERSEDED = re.compile(
    r"\b(?:first|initially|originally|previously) (?:i |we )?(?:had )?"
    r"(?:thought|suspected|considered|believed|assumed|favou?red|looked like|wondered|"
    r"(?:mis)?diagnosed|treated|managed|"
    r"labell?ed|called)\b|"
    r"\b(?:was|were) (?:my |our |the )?(?:first|initial|original|other|next) "
    r"(?:idea|thought|impression|guess|consideration)\b|"
    r"\b(?:was|were) (?:also )?(?:considered|entertained|thought of|on the list)\b",
    re.IGNORECASE,
)
_COMMITS = re.compile(
    r".*\b(?:i|we)(?:'d|'ll|'m)? (?:would |will |now |therefore |hence |thus |am |are )*"
    r"(?:commit(?:ting)? to|settl(?:e|ing) on|favou?r|go(?:ing)? with|choos(?:e|ing)|opt(?:ing)? for|land(?:ing)? on|"
    r"pick)\b|"
    r".*\b(?:so (?:this|it|that) (?:is|must be|has to be)(?! (?:not|no|never|un\w+)\b)|(?:makes?|making) (?:this|it)|"
    r"most likely(?= (?!to\b|diagnos|cause|expl)\w))\b",
    re.IGNORECASE,
)
# "Panic disorder less likely; …": said of what stands before it, not of what follows.
_LESS_LIKELY = re.compile(r"\b(?:is |seems )?less likely(?=\s*[;.\n]\s*\S)", re.IGNORECASE)
# "The patient is a 24-year-old with asthma who presents with …": the case, before what is made of it.
_HISTORY = re.compile(r"\b(?:years?[- ]old|y/?o|who (?:presents|presented|came|comes) (?:in )?with)\b", re.IGNORECASE)
_CHOSEN = re.compile(
    r"\b(?:is|remains|seems|was) (?:now )?(?:my |our |the )?(?:single )?"
    r"(?:working|leading|most likely|best|top|final|favou?red|preferred) "
    r"(?:diagnosis|fit|explanation|choice|answer)\b|\bfits? best\b|\bbest (?:fit|explanation|explained by)\b",
    re.IGNORECASE,
)
_LONGEST = 160
_LONGEST_NAME = 5
"""Words; what is longer and names no known disease is evidence for one."""


class Committed(NamedTuple):
    """What an answer commits to.

    Attributes:
        answer: The name of the disease, hedges removed; empty when there is none.
        why: Why there is none.
    """

    answer: str
    why: str = ""


def committed_answer(prediction: str) -> Committed:
    """Find the one diagnosis that a free-text answer commits to (VeriSim, appendix F.5; label rules).

    Args:
        prediction: Whatever a doctor handed in.

    Returns:
        The first diagnosis put forward and not denied; nothing for empty text, refusals and templates.
    """
    text = plain(prediction).strip()
    if found := _JSON.search(text):
        text = found[1]
    if asks_for_answer(text):
        return Committed("", "repeats instructions instead of answering")
    text = _after_label(_THOUGHT.sub(lambda m: m.group() if _PLACEHOLDER.search(m.group()) else " ", text))
    if not re.search(r"[A-Za-z]", text):
        return Committed("", "no answer")
    if _PLACEHOLDER.search(text):
        return Committed("", "a template that was not filled in")
    text = _MARKUP.sub(" ", _OVER.sub(" rather than ", _FRACTURE_SIGN.sub("fracture ", text)))
    if _ECHO.search(text):
        return Committed("", "repeats instructions instead of answering")
    if _REFUSAL.search(_PARAGRAPH.split(text.strip(), maxsplit=1)[0]) or _BLANK.match(text):
        return Committed("", "declines to answer")
    if _ASKS.match(text):
        return Committed("", "asks instead of answering")
    for candidate in _candidates(text):
        if candidate:
            return Committed(candidate[:_LONGEST])
    return Committed("", "every diagnosis in it is denied")


def asks_for_answer(text: str) -> bool:
    """True when the label itself stands in an instruction: "state your answer as 'Final Diagnosis: …'"."""
    finals = list(_FINAL.finditer(text))
    if not finals:
        return False
    sentence = re.split(r"[.!?\n]", text[: finals[-1].start()])[-1]
    return bool(_ECHO.search(f"{sentence}diagnosis"))


def _after_label(text: str) -> str:
    """Return what follows the last "Final Diagnosis:", else the first other label, else everything."""
    finals = list(_FINAL.finditer(text))
    if finals:
        rest = text[finals[-1].end() :]
        # "… is my final diagnosis": the answer stands before.
        return rest if re.search(r"[A-Za-z]", rest) else text[: finals[-1].start()]
    label = _LABEL.search(text)
    if label and re.search(r"[A-Za-z]", text[label.end() :]):
        return text[label.end() :]
    return text


def _candidates(text: str) -> Iterator[str]:
    """Yield what an answer puts forward, what it settles on first and what was there before last."""
    yield from (_bare(kept) for _, kept in sorted(map(_ranked, _pieces(text)), key=itemgetter(0)))


def _pieces(text: str) -> Iterator[str]:
    """Yield the parts of an answer that assert something, what they deny left out."""
    if first := _NUMBERED.search(text):
        text = first[1]
    text = re.sub(r"^[^\S\n]*+[-•+]\s+", "", text.strip(), flags=re.MULTILINE)
    text = _AND_NOT.sub("", _LESS_LIKELY.sub("is unlikely", _DISMISSED_QUESTION.sub("", text)))
    for piece in _SPLIT.split(text):
        if piece is None or not re.search(r"[A-Za-z]{2}|[A-Z][0-9]{2}", piece):
            continue
        # A comma may end the answer or belong to it ("anemia, iron deficiency"); a denied part is no answer.
        parts = [part for part in piece.split(",") if part.strip()]
        if (
            len(parts) > 1
            and (end := _DENIED_LATE.search(piece))
            and not _names_disease(parts[-1][: -len(end.group())])
        ):
            continue  # "atrial septal defect, secundum type, has been ruled out"
        while parts and _NEGATED.search(parts[0]):
            parts = parts[1:]
        while len(parts) > 1 and _BACKGROUND.match(parts[0]):
            parts = parts[1:]
        if parts:
            yield ",".join([parts[0]] + [part for part in parts[1:] if not _NEGATED.search(part)])


def _ranked(kept: str) -> tuple[int, str]:
    """Return how late a part counts, less what says so: settled, named, mere evidence, there before."""
    if _BACKGROUND.match(kept) or _SUPERSEDED.search(kept):
        return 3, kept
    if _HISTORY.search(kept):
        return 2, kept
    if _COMMITS.match(kept):
        return 0, _COMMITS.sub("", kept)
    if _CHOSEN.search(kept):
        return 0, _CHOSEN.sub(" ", kept)
    return (2 if _is_evidence(kept) else 1), kept


def _is_evidence(text: str) -> bool:
    """True for what was found, in words that name no disease: signs, results, a whole history."""
    if _names_disease(text) or ((named := named_within(text)) and not named.icd10.startswith("R")):
        return False
    signs = any(
        core()[concept].kind == "symptom" for mention in core().find(tokenize(text)) for concept in mention.concepts
    )
    return signs or len(text.split()) > _LONGEST_NAME


def _names_disease(text: str) -> bool:
    """True when words name a disease by themselves; "without psychotic features" goes on about another."""
    if re.match(r"\W*(?:with|without)\b", text, re.IGNORECASE):
        return False
    found = core().find(tokenize(text))
    return any(core()[concept].kind == "condition" for mention in found for concept in mention.concepts)


def _bare(text: str) -> str:
    text = text.strip(" \t\n\"'()[]{}:.,!?-")
    text = _LEAD.sub("", f"{text} ").strip()
    previous = None
    while previous != text:
        previous, text = text, _TRAIL.sub("", text).strip(" \"'()[]{}:.,!?-")
    return text
