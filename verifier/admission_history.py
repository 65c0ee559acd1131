"""What a discharge note's history tells besides the case's facts: thrush treated twice, a childhood murmur.

A case's facts are what the patient can be asked about; the note's history, from which they were drawn, may say more.
Whatever it affirms of the patient is no invention when the patient tells it.
"""

import re

from bedside.cases.note_sections import read_sections, unredacted, unwrapped
from bedside.verifier.language.context import context_of
from bedside.verifier.language.lexicon import Lexicon
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import plain, sentences

__all__ = ["told_in_history"]

_SECTIONS = ("chief_complaint", "hpi", "past", "past_surgical", "social", "home_medications")
"""Of the patient, and of the time before the stay."""

# Clinicians deny in lists ("denies fever, chills or chest pain"), so a denial counts to the end of its sentence.
_DENIED = Pattern(
    r"\b(?:no|not|non|never|none|den(?:y|ies|ied)|without|negative|absen\w+|w/o|neither|nor|free of|r/o|rule out)\b|"
    r"n't\b",
    re.IGNORECASE,
)


def told_in_history(note: str, lexicon: Lexicon) -> frozenset[str]:
    """Return the concepts that a note's history affirms of the patient, with all that they are a kind of.

    Args:
        note: A discharge note; the empty text tells nothing.
        lexicon: Names the concepts.
    """
    sections = read_sections(unwrapped(unredacted(note)))
    found: set[str] = set()
    for name in _SECTIONS:
        for sentence in sentences(plain(sections.get(name, ""))):
            body, offset = sentence.text, sentence.start
            for mention in lexicon.find(sentence.tokens):
                start, end = sentence.tokens[mention.first].start - offset, sentence.tokens[mention.last].end - offset
                if _DENIED.search(body[:start]):
                    continue
                context = context_of(body, start, end)
                if not context.denied and context.experiencer == "patient":
                    found.update(broader for concept in mention.concepts for broader in lexicon.ancestors(concept))
    return frozenset(found)
