"""Records read out: field names and nouns in a row, with no predicate of their own.

"condition gastritis medication omeprazole instruction Do not smoke" is one sentence to whoever looks for full stops.
Its last clause tells something; the cells of the record before it do not, whatever verb stands at the end.
"""

import re
from itertools import pairwise

from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import find_quantities
from bedside.verifier.language.text import STOPWORDS, Sentence, Token
from bedside.verifier.teaching.appointments import lists_visits
from bedside.verifier.teaching.clause import read_clause, words_of

__all__ = ["stated_parts"]

_LABELS = frozenset(
    """condition conditions diagnosis diagnoses problem procedure procedures treatment treatments test tests medication
    medications medicine drug instruction instructions precaution precautions purpose dose route frequency appointment
    followup""".split()
)
_LABELLED = 3
"""Field names that make a record of a sentence."""

_RUN = 12
"""Words without a predicate that no spoken sentence begins with."""

_BREATH = 20
"""Words that nobody says in one breath without a verb."""

_VERB_BY = 15
"""Words within which a sentence that says something has come to its verb."""

_JOINED = 0.25
"""Share of small words below which words are not joined into a phrase."""

_FIELD_NAME = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
# An order in capitals in the middle of a sentence begins a sentence of its own.
_ORDER = re.compile(
    r"(?<=[a-z0-9)] )(?=(?:Do not|Don't|Never|Always|Please|You|Take|Stop|Start|Keep|Continue|Call|Come|Go|See|Avoid|"
    r"Drink|Eat|Walk|Rest|Use|Check|Weigh|Watch|Wear|Report|Limit|Finish|Stay|Change|Clean|Follow|Return|Do|Get|Put|"
    r"Raise|Wash|Measure|Write|Bring|Learn|Skip|Hold|Sleep|Breathe|Have|Make|Tell|Ask|Wait|Let|Give) [a-z])"
)
_PREDICATE = Pattern(
    r"\b(?:is|are|was|were|am|has|have|had|does|do|did|will|can|could|may|might|should|must|needs?|"
    r"take|takes|showed|found|helps?|causes?|means|treats?|prevents?|lowers?|i|you|we|\w+'(?:s|re|ve|ll|t))\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\b(?:that|which|who) \w+|\b(?:if|when|where) [^,.]*", re.IGNORECASE)


def stated_parts(sentence: Sentence) -> tuple[Sentence, ...]:
    """Return the parts of a sentence that state something as far as its grammar goes.

    Args:
        sentence: Any sentence.

    Returns:
        The sentence itself, if it is no record; else its clauses that have a predicate, which may be none.
    """
    starts = _cells(sentence)
    orders = [match.start() for match in _ORDER.finditer(sentence.text)]
    is_run = bool(orders) and _is_run(sentence, orders[0])
    if is_run and len(orders) > 1:
        return ()  # nobody speaks orders on end without a pause, after nouns without one
    if len(starts) < _LABELLED and not is_run:
        return () if _is_nominal(sentence) else (sentence,)
    cuts = sorted({0, *starts, *orders, len(sentence.text)})
    pieces = (_piece(sentence, start, end) for start, end in pairwise(cuts))
    return tuple(piece for piece in pieces if piece.tokens and _states(piece))


def _cells(sentence: Sentence) -> list[int]:
    """Return where the cells of a record begin: at names of fields, which no small word joins to anything."""
    tokens = sentence.tokens
    found = [match.start() for match in _FIELD_NAME.finditer(sentence.text)]
    for number, token in enumerate(tokens[:-1]):
        after = tokens[number + 1]
        if token.text.lower() not in _LABELS or after.apart or after.text.lower() in STOPWORDS:
            continue
        start = token.start - sentence.start
        if sentence.text[token.end - sentence.start : after.start - sentence.start].isspace() and not (
            number and _joins(tokens[number - 1])
        ):
            found.append(start)
    return found


def _joins(token: Token) -> bool:
    return token.text.lower() in STOPWORDS or token.text.lower() in ("new", "no", "every", "each", "another")


def _is_run(sentence: Sentence, end: int) -> bool:
    """True when a sentence begins with a long row of words without commas, small words or a predicate."""
    head = _piece(sentence, 0, end)
    if len(head.tokens) < _RUN or ":" in head.text or _PREDICATE.search(head.text):
        return False
    small = sum(token.text.lower() in STOPWORDS for token in head.tokens)
    return small < _JOINED * len(head.tokens)


def _is_nominal(sentence: Sentence) -> bool:
    """True for a breath of nouns in which nobody does anything: it comes to no verb, to no dose and to no visit."""
    if len(sentence.tokens) < _BREATH or ":" in sentence.text:
        return False
    head = _piece(sentence, 0, sentence.tokens[_VERB_BY].start - sentence.start)
    clause = read_clause(words_of(_RELATIVE.sub(" ", head.text)))
    if _states(head) or clause.is_deed or clause.group or clause.subject or clause.opening:
        return False
    return not lists_visits(sentence.text) and all(
        q.kind not in ("dose", "frequency") for q in find_quantities(sentence.text)
    )


def _states(piece: Sentence) -> bool:
    if _FIELD_NAME.match(piece.text.lstrip()) or piece.tokens[0].text.lower() in _LABELS:
        return False  # a cell; a verb within it belongs to a clause that says which
    return bool(_PREDICATE.search(_RELATIVE.sub(" ", piece.text)) or _ORDER.search(f"a {piece.text.lstrip()}"))


def _piece(sentence: Sentence, start: int, end: int) -> Sentence:
    first, last = sentence.start + start, sentence.start + end
    tokens = tuple(token for token in sentence.tokens if first <= token.start < last)
    return Sentence(sentence.number, sentence.text[start:end], first, last, tokens)
