"""Reading grade of spoken text (Flesch–Kincaid), and the jargon in it.

Written here because the libraries for it download word lists at run time; checked against published examples.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from bedside.verifier.language.context import is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence, plain, sentences, tokens_of

__all__ = ["grade_level", "grade_of", "jargon", "jargon_in", "jargon_of", "syllables"]

_VOWELS = Pattern(r"[aeiouy]+")
_SILENT_E = Pattern(r"(?:[^laeiouy]e|[^aeioutd]ed|[^aeiousxzcgh]es|[^lr]les?)$")
_SHORTHAND = Pattern(
    r"\b(?:PO|BID|TID|QID|PRN|QHS|QAM|QPM|QD|NPO|SC|SQ|IM|IV|STAT|s/p|h/o|w/|c/o|Dx|Rx|Tx|Hx|f/u|d/c|bid|"
    r"tid|qid|prn|qhs|sig|q\d+h|"
    r"GERD|CHF|COPD|CAD|NSTEMI|STEMI|DVT|PE|LVEF|EF|BNP|INR|CBC|BMP|CXR|EKG|ECG|CT|MRI|EGD|PCP|UTI|AKI|"
    r"CKD|DAPT|DOAC|PPI|NSAIDs?|ACE|ARB)\b"
)
_JARGON = frozenset(
    """administer administered ambulate ambulation analgesia analgesic anticoagulant anticoagulation antihypertensive
    antiplatelet antimicrobial aspiration asymptomatic benign bilateral cessation chronic comorbidity contraindicated
    cutaneous dyspnea edema emesis emergent etiology exacerbation excision febrile fracture hematoma hemorrhage hepatic
    hyperglycemia hypoglycemia hypertension hyperlipidemia hypotension infarction inflammation intravenous
    ischemia lesion
    malaise malignancy metabolic myalgia myocardial neuropathy nocturnal ophthalmic optimize orally orthostatic
    palpitations
    palpable parenteral pathology perforation persistent pharmacologic postoperative prognosis prophylaxis
    pruritus pulmonary
    purulent radiograph recurrent regimen renal resection sepsis serum sequelae stenosis subcutaneous subcutaneously
    sublingual supine syncope systemic tachycardia therapeutic thrombosis titrate topical urgent vertigo
    adherence adverse
    efficacy discontinue formulation concurrent subsequent ejection fraction sodium hemodynamic ulceration""".split()
)
_EXPLAINS = Pattern(
    r"\b(?:which means|that means|this means|meaning|in other words|that is|also called|which is|another "
    r"(?:word|name) for|or in plain|means)\b|\(",
    re.IGNORECASE,
)


_EXCEPTIONS = {
    "area": 3,
    "areas": 3,
    "science": 2,
    "every": 2,
    "everyone": 3,
    "being": 2,
    "doing": 2,
    "going": 2,
    "seeing": 2,
}


@lru_cache(maxsize=65536)
def syllables(word: str) -> int:
    """Return the number of syllables of a word, by its vowel groups."""
    low = re.sub(r"[^a-z]", "", word.lower())
    if low in _EXCEPTIONS:
        return _EXCEPTIONS[low]
    if len(low) <= 3:
        return 1
    groups = len(_VOWELS.findall(low))
    if _SILENT_E.search(low) and not low.endswith(("le", "les")):
        groups -= 1
    # "area", "radio": the two vowels are spoken apart.
    groups += len(re.findall(r"i[ao](?!us|n)|eo|ua(?!r)|uou", low[1:]))
    return max(groups, 1)


def grade_level(text: str) -> float | None:
    """Return the Flesch–Kincaid grade of a text: 0.39 words/sentence + 11.8 syllables/word - 15.59.

    Returns:
        US school grade, may be negative for very simple text; None for text without words.
    """
    return grade_of(sentences(plain(text)))


def grade_of(cut: Sequence[Sentence]) -> float | None:
    """Return the Flesch–Kincaid grade of sentences; see :func:`grade_level`."""
    words = [t.text for s in cut for t in s.tokens if t.text[0].isalpha()]
    if not words:
        return None
    return 0.39 * len(words) / len(cut) + 11.8 * sum(map(syllables, words)) / len(words) - 15.59


def jargon(text: str) -> tuple[str, ...]:
    """Return the words that a lay person would not know and that the text does not explain."""
    return tuple(dict.fromkeys(word for sentence in sentences(plain(text)) for word in jargon_of(sentence)))


def jargon_of(sentence: Sentence) -> tuple[str, ...]:
    """Return the unexplained jargon of one sentence; "X, which means Y" is explained."""
    return jargon_in(sentence.text)


@lru_cache(maxsize=16384)
def jargon_in(sentence: str) -> tuple[str, ...]:
    """Return what :func:`jargon_of` does, of a sentence's text; patient, educator and scores all ask."""
    found = [m.group() for m in _SHORTHAND.finditer(sentence)]
    found += [t.text.lower() for t in tokens_of(sentence) if t.text.lower() in _JARGON]
    if found and _EXPLAINS.search(sentence) and not is_question(sentence):
        return ()
    return tuple(found)
