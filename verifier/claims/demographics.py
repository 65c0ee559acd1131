"""Claims about who the patient is: age, sex, occupation."""

import re
from collections.abc import Iterator

from bedside.verifier.claim import Claim
from bedside.verifier.claims.focus import Focus
from bedside.verifier.claims.mentions import claim_of
from bedside.verifier.language.context import context_of
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence

__all__ = ["demographics_of"]

_AGE = Pattern(
    r"\b(?:i'm|i am|im|i've turned|i turned|just turned|turned|i'll be|i will be|turning|going on|pushing) (?:a |an |"
    r"about )?(\d{1,3})(?:[ -]years?[ "
    r"-](?:olds?|of age)\b|(?= (?:year|now|this|in (?!(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|the |a |two|"
    r"\d)))|[.,!?]|$))"
    r"|\b(\d{1,3})[ -]years?[ -]olds? (?:man|woman|male|female)|\bat my age,? (\d{1,3})|"
    r"^\W*at (\d\d),? i(?:'m|'ve)?\b(?! (?:was|had|got|started|began|quit|went|lost|became|married|left|did (?!n)))",
    re.IGNORECASE,
)
_BARE_AGE = Pattern(
    r"\W*(?:i'm |i am )?(\d{1,3})\b(?! ?(?:out|mg|days|weeks|months|next|soon|in (?:jan|feb|mar|apr|may|jun|jul|aug|"
    r"sep|oct|nov|dec|\d|a |the )))",
    re.IGNORECASE,
)
_SEX = Pattern(
    r"\b(?:i'm|i am|as) an? (?:\w+ ){0,2}?(man|woman|male|female|guy|lady|girl|boy)\b|\bi'?m (?:actually |"
    r"already |about |\d+ \w+ )*(pregnant)\b",
    re.IGNORECASE,
)
_WORK = Pattern(
    r"\b(?:i works? as|i'm working as|i worked as|my job is|i work for a living as) (?:an? )?([a-z "
    r"-]{3,40}?)(?=[.,;!?]| and | but | at | in |$)",
    re.IGNORECASE,
)


def demographics_of(sentence: Sentence, focus: Focus) -> Iterator[Claim]:
    """Find age, sex and occupation.

    Args:
        sentence: A sentence of the patient, numbers in digits.
        focus: What was asked.

    Yields:
        Claims of kind ``demographic``.
    """
    body = sentence.text
    for name, pattern in (("age", _AGE), ("sex", _SEX), ("occupation", _WORK)):
        for match in pattern.finditer(body):
            value = next(g for g in match.groups() if g).lower().strip()
            context = context_of(body, *match.span())
            yield claim_of("demographic", f"demographic:{name}", sentence, match.span(), context, {name: value})
    if "age" in focus.topics and sentence.number == 0 and not _AGE.search(body) and (bare := _BARE_AGE.match(body)):
        context = context_of(body, *bare.span())
        yield claim_of("demographic", "demographic:age", sentence, bare.span(1), context, {"age": bare[1]})
