"""What surrounds a statement and takes it back: fiction, retraction, another tongue, words without grammar.

A sentence may hold all the right words and still tell the patient nothing, because the one before or after it says so.
Sentence by sentence that is not to be seen; hence these rules look at a whole turn, or at how its words follow on each
other.
"""

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import STOPWORDS, Sentence, Token, tokens_of
from bedside.verifier.teaching.discourse import is_void_heading, remark_on, resumes

__all__ = ["Frame", "Reach", "frame_of", "is_foreign", "is_salad", "spoken"]

Reach = Literal["point", "turn", "talk", "all"]
"""How far back words are taken: the last point, the turn, the turn or else the talk so far, or both."""
_HEADING = 12
"""Words that a line over others has at most."""
_ITEM = re.compile(r"\W*(?:[-•*>]|\d{1,2}[.)]|[a-z]\))\s")

# Nobody hears a comment, a table's rule or the attribute of a tag.
_UNHEARD = Pattern(r"<!--.*?(?:-->|\Z)|<[A-Za-z/][^<>]{0,2000}>", re.DOTALL)
# How a heading and a word in bold are written; who listens does not hear it.
_MARKS = Pattern(r"\*\*|__|^ {0,3}#{1,6} ", re.MULTILINE)
# A cell of a table is part of a row, and no sentence.
_CELL = Pattern(r"</?t[dh]\b[^<>]*>", re.IGNORECASE)
# A row whose rules were lost: its kind, then its text.
_ROW = re.compile(r"\W*(?:instruction|condition|medication|treatment|procedure|test|diagnosis)s? [A-Z]")
_LABEL = re.compile(r"\b(?:instruction|condition|medication|treatment|procedure|test|return_sign|follow_up)\b")
_ROWS = 4
"""Names of a table's rows in one sentence, from which on it is that table read out."""

_INITIAL = re.compile(r"\.(?<=\b[A-Z]\.)(?= [a-z])")
_ME = (
    (Pattern(r"\bI'm\b"), "you're"),
    (Pattern(r"\bI am\b"), "you are"),
    (Pattern(r"\bI was\b"), "you were"),
    (Pattern(r"\bI(?='|\b)"), "you"),
    (Pattern(r"\b[Mm]y\b"), "your"),
    (Pattern(r"\bme\b"), "you"),
)
_SAID = (
    r"(?:i|we)(?:'ve|'ll|'m| have| will| am| just)*(?: just| now)? "
    r"(?:said|say|told|tell|tells?|saying|about to (?:say|tell)|going to (?:say|tell))"
)
_VAIN = (
    r"(?:not (?:be )?(?:true|right|real|correct|meant)|untrue|false|wrong|(?:a )?lies?|(?:a )?jokes?|nonsense|made up|"
    r"fiction|invented|a story|a test)"
)
_ALL_BACK = Pattern(
    rf"\b(?:everything|all|all of (?:it|this|that)|anything|whatever|nothing|none of what|"
    rf"what)\b[^.]{{0,12}}\b{_SAID}[^.]{{0,25}}"
    rf"\b(?:{_VAIN}|(?:is|was) (?:true|right|correct|real))|"
    rf"\b(?:forget|ignore|disregard|don't believe|do not believe)\b[^.]{{0,12}}\b(?:everything|all|anything|"
    rf"what|whatever)\b[^.]{{0,8}}\b{_SAID}",
    re.IGNORECASE,
)
_TURN_BACK = Pattern(
    rf"\b(?:forget|ignore|disregard|scratch|strike|don't believe|do not believe)\W+(?:all|everything|"
    rf"any of|the above)\b(?! (?:you|they|your|the internet))|"
    rf"\b(?:all (?:of )?(?:this|that|it)|everything|the above|none of (?:this|that|it))\b[^.]{{0,12}}\b(?:is|"
    rf"was|are|were)\W+(?:just |only |all )?(?:{_VAIN}|true|real)\b|"
    r"\b(?:that|this) was (?:the|a|just a|only a) (?:story|joke|test|play|example of what not)|\bjust kidding\b|"
    r"^\W*(?:oh,? )?never mind\W*$|,? said (?:nobody|no one)\b|, (?:or )?(?:maybe )?not\W*$|"
    r"\bis what (?:i|we) (?:will|would|do|did) not\b",
    re.IGNORECASE,
)
_LAST_BACK = Pattern(
    rf"^\W*(?:not|just kidding|kidding|i'm joking|as if|or not)\W*$|^\W*(?:(?:no|oh|well|but|actually|wait|"
    rf"sorry|oops)\W+)*(?:that|this|it)(?:'s| is| was|'s all| isn't|"
    rf" wasn't)\W+(?:just |only |completely |all )?"
    rf"(?:{_VAIN}|true(?<=n't true)|right(?<=n't right))",
    re.IGNORECASE,
)
_FICTION = Pattern(
    r"\b(?:none|nothing) of (?:the following|what follows)|"
    rf"\b(?:the following|what follows)\b[^.]{{0,20}}\b{_VAIN}|"
    r"\b(?:imagine|here is|here's|this is|let me tell you|listen to|once upon)\W+(?:(?:an?|"
    r"the) )?(?:\w+ )?(?:story|fairy tale|joke|play|scene|novel|poem|song|time)\b|"
    r"\b(?:plan|story|list|letter|note) (?:of|for|about) (?:someone|somebody|anyone|another|a different)\b|"
    r"\b(?:not|n't) (?:concern|apply to|about|meant for|for|mean) you\b|"
    r"\b(?:example|sample) of what\b|\b(?:typing|spelling|reading|writing|language|translation|listening) exercise\b|"
    r"\b(?:please )?translate\b[^.]{0,30}:|\bfill in the blank|\bhow do you spell\b|"
    r"\bin another (?:universe|world|life)\b|\b(?:do|believe) the (?:opposite|reverse)\b|\bopposite day\b|"
    r"^\W*(?:(?:let's|let us|now|please|just)\W+)*pretend\b",
    re.IGNORECASE,
)
_FOREIGN = frozenset(
    """usted tome tiene por boca una vez dia día veces al el los las que su sus con para en del verá semanas le les une
    fois jour vous avez prenez votre du et dans der das und mit sie haben nehmen ist einmal täglich ein eine nicht il
    della che hai prenda volta giorno lei você tem tomar vezes um uma não""".split()
)
_LETTERS = re.compile(r"[^\W\d_]+")
_DETERMINERS = frozenset("a an the your my our their".split())
_LINKS = frozenset(
    """is are was were am be been will would should must may might shall does did has and or but of for with by from in
    to at if that than because""".split()
)
_PREPOSITIONS = frozenset("of for with from".split())
_AFTER_PREPOSITION = frozenset("of by than should must".split())
_PAIRS_ALLOWED = frozenset((("a", "to"), ("the", "in"), ("the", "at")))
_BARE_VERB_ITEM = Pattern(r"^\W*(?:is|are|will|should|can|have|has|be|take|use|do)\W+\w[\w'-]*\W*$", re.IGNORECASE)


class Frame(NamedTuple):
    """What of a turn its other sentences take away.

    Attributes:
        void: Numbers of the sentences that are not meant for this patient.
        back: For each retracting sentence, what it takes back.
        kinds: For each sentence that denies whole kinds of fact ("those drugs are not yours"), these kinds.
        aside: True when what is said in the next turn is not meant either.
    """

    void: frozenset[int]
    back: dict[int, Reach]
    kinds: dict[int, tuple[str, ...]]
    aside: bool


def spoken(text: str, *, as_you: bool = False) -> str:
    """Return what is audible of a text: no comments, tags or table rules.

    Args:
        text: What was said.
        as_you: True for a patient's words that an educator takes over: "I take" becomes "you take".
    """
    if "<" in text:
        text = _UNHEARD.sub(" ", _CELL.sub(" | ", text))
    text = _MARKS.sub("", text)
    # The full stop of "C. diff" ends no sentence.
    text = _INITIAL.sub("", text)
    if as_you:
        for pattern, instead in _ME:
            text = pattern.sub(instead, text)
    return text


def frame_of(text: str, sentences: tuple[Sentence, ...], *, aside: bool = False) -> Frame:
    """Find the sentences of a turn that declare others fiction, someone else's or no longer so.

    Args:
        text: The turn.
        sentences: What it was cut into.
        aside: True when the turns before left off in words that were not meant.
    """
    void: set[int] = set()
    back: dict[int, Reach] = {}
    kinds: dict[int, tuple[str, ...]] = {}
    fiction, section = False, _Section()
    for sentence in sentences:
        tells_story, whole = _undoes(sentence.text)
        remark = remark_on(sentence.text)
        fiction |= tells_story
        aside = remark.ahead or (aside and not resumes(sentence.text))
        section = section.at(sentence, begins_line="\n" in text[: sentence.start].rstrip(" ")[-1:])
        if fiction or aside or section.void:
            void.add(sentence.number)
        if whole or remark.back:
            back[sentence.number] = whole or remark.back or "point"
        if remark.kinds:
            kinds[sentence.number] = remark.kinds
    return Frame(frozenset(void), back, kinds, aside)


class _Section(NamedTuple):
    """The heading that a sentence stands under, if any."""

    void: bool = False
    listed: bool = False

    def at(self, sentence: Sentence, *, begins_line: bool) -> "_Section":
        """Return the section that a sentence is in: it ends with its list, or at the next heading."""
        head, colon, _ = sentence.text.partition(":")
        if colon and begins_line | (sentence.number == 0) and len(head.split()) <= _HEADING:
            return _Section(is_void_heading(head))
        listed = bool(_ITEM.match(sentence.text))
        if self.listed and begins_line and not listed:
            return _Section()
        return _Section(self.void, self.listed or listed)


@lru_cache(maxsize=8192)
def _undoes(sentence: str) -> tuple[bool, Reach | None]:
    """Whether a sentence declares the turn fiction, and what it takes back."""
    whole: Reach | None = None
    if _ALL_BACK.search(sentence):
        whole = "all"
    elif _TURN_BACK.search(sentence):
        whole = "turn"
    elif _LAST_BACK.search(sentence):
        whole = "point"
    return bool(_FICTION.search(sentence)), whole


@lru_cache(maxsize=16384)
def is_foreign(sentence: str) -> bool:
    """True when the small words of a sentence are those of another language: this patient speaks English."""
    words = _LETTERS.findall(sentence.lower())
    foreign = sum(word in _FOREIGN for word in words)
    return foreign >= 2 and foreign >= sum(word in STOPWORDS for word in words)


@lru_cache(maxsize=8192)
def is_salad(sentence: str) -> bool:
    """True for words in an order that no grammar allows: shuffled, reversed, or nouns with verbs strewn among them."""
    if sentence.count("|") >= 2 or _ROW.match(sentence) or len(_LABEL.findall(sentence)) >= _ROWS:
        return True  # a row of a table
    parts, tokens = sentence.split(","), tokens_of(sentence)
    if len(parts) >= 4 and sum(bool(_BARE_VERB_ITEM.match(part)) for part in parts) >= 0.5 * len(parts):
        return True
    return _breaks(sentence, tokens) > len(tokens) / 25


def _breaks(sentence: str, tokens: tuple[Token, ...]) -> int:
    """Count words that cannot follow one another, such as "the of"."""
    count = 0
    # "OR" is the operating room, and the "a" of "stage 3a" no article.
    low = [token.text if token.text.isupper() and len(token.text) > 1 else token.text.lower() for token in tokens]
    for number in range(1, len(tokens)):
        first, second = low[number - 1], low[number]
        glued = tokens[number - 1].end == tokens[number].start or (
            number > 1 and tokens[number - 2].end == tokens[number - 1].start
        )
        paused = not sentence[tokens[number - 1].end : tokens[number].start].isspace()
        if (first, second) in _PAIRS_ALLOWED or tokens[number].apart or glued or paused:
            continue
        count += (
            (first in _DETERMINERS and (second in _LINKS or second in _DETERMINERS))
            or (first in _PREPOSITIONS and second in _AFTER_PREPOSITION)
            or (first == second and first.isalpha() and first not in ("had", "that"))
        )
    # Nor is the "A" at the end of "influenza A".
    hanging = (low[-1] in _DETERMINERS and tokens[-1].text != "A") or low[-1] in ("and", "or", "of")
    return count + (hanging and not (len(tokens) > 1 and tokens[-2].end == tokens[-1].start))
