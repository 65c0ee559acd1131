"""What of a clinician's text reaches the patient.

Models wrap their words in reasoning, tool calls, role names and control tokens. None of that is speech. Nor are
characters that no one can see: they could carry text to a judge that no patient ever heard. Nor is a word
without end, such as a picture in base64.
"""

import re
import unicodedata

__all__ = ["MAX_HEARD", "closes", "hear", "tidied", "unwrapped"]

MAX_HEARD = 6000
"""Characters of one turn that a patient can take in; about five minutes of speech."""

_NO_WORD = re.compile(r"\w{100,}")
"""Letters in one piece that nobody says; the longest word of medicine has 45, and a clause in Chinese few more."""

_REASONING = re.compile(
    r"<(think|thinking|reasoning|thought|scratchpad|tool_call|tool|function|analysis)\b[^>]*>.*?(?:</\1>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_UNOPENED = re.compile(r"\A.*?</(?:think|thinking|reasoning|thought)>", re.IGNORECASE | re.DOTALL)
# What a page does not show, by attribute, by style or folded away, or shows crossed out, nobody hears.
_HIDDEN = re.compile(
    r"<(?P<tag>[a-z]\w{0,15})\b[^<>]{0,200}?(?:\bhidden\b|display\s*:\s*none|(?:font-size|opacity)\s*:\s*0(?![.\d]*[1-9])|"
    r"(?<![\w-])color\s*:\s*(?:white|snow|ivory|transparent|#(?:[ef]{3}|(?:[ef][\da-f]){3})\b|rgba?\(\s*2[3-5]\d)|"
    r"(?:left|top|text-indent|right)\s*:\s*-\d|\bline-through\b|(?<![\w-])(?:height|width)\s*:\s*0(?![\d.]))[^<>]{0,200}>.*?(?:</(?P=tag)>|\Z)|"
    r"<(?P<gone>details|template|style|script|noscript|del|strike)\b(?!-)[^<>]{0,200}>.*?(?:</(?P=gone)>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_CONTROL = re.compile(r"<\|[^|>\n]{0,40}\|>.*\Z|\[/?INST\]|</?s>", re.DOTALL)
_OTHER_SPEAKER = re.compile(
    r"(?:^|\n)\s*\**(?:patient|user|human|customer|client|(?:mr|mrs|ms|miss)\b\.? [a-z]{2,20})"
    r"\**\s*:.*\Z",
    re.IGNORECASE | re.DOTALL,
)
_OWN_ROLE = re.compile(
    r"(?:^|(?<=\n))\s*\**(?:doctor|dr\.?|educator|clinician|nurse|assistant|physician)(?: [A-Z][a-z]{1,20})?\**\s*:\s*",
    re.IGNORECASE,
)
_CROSSED_OUT = re.compile(r"(?<!~)~~(?=\S)[^~]+~~(?!~)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|<!\[CDATA\[|\]\]>", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^>\n]{0,80}>")
_MARKUP = re.compile(r"\*{1,3}|_{2,3}|`{1,3}|^#{1,6}\s+", re.MULTILINE)
_CLOSING = re.compile(
    r"\b(?:good ?bye|bye(?:-bye)?|take care(?! of)|farewell|all the best|best of luck|good luck|safe "
    r"(?:travels|trip|journey)|"
    r"that's (?:everything|all) (?:for (?:today|now)|from me|i (?:have|had|wanted))|you're (?:all set|"
    r"free|ready) to go(?: home)?|have a (?:good|nice|great|safe|wonderful|lovely) "
    r"(?:day|night|evening|afternoon|morning|weekend|week|one|rest|time|trip|recovery|holiday))\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.,;!?\n]")
_NOT_YET = re.compile(r"\b(?:before|until|if|when|unless|not|never|without)\b|n't\b", re.IGNORECASE)


def hear(text: str) -> str:
    """Reduce an action to audible speech.

    Args:
        text: The action as the policy gave it.

    Returns:
        Visible words only: no reasoning, tool calls, tags, control tokens, invisible characters, words without end, nor
        lines that the model wrote for the patient; at most :data:`MAX_HEARD` characters.
    """
    # Most turns are plain speech; each pattern is tried only where its mark occurs.
    text = unwrapped(text)
    if ":" in text:
        text = _OTHER_SPEAKER.sub(" ", text)
        text = _OWN_ROLE.sub("", text)
    return tidied(text)[:MAX_HEARD]


def unwrapped(text: str) -> str:
    """Take away reasoning, tool calls, control tokens and tags."""
    if "<" in text or "[" in text:
        text = _COMMENT.sub(" ", text)
        text = _REASONING.sub(" ", text)
        text = _UNOPENED.sub(" ", text)
        text = _HIDDEN.sub(" ", text)
        text = _CONTROL.sub(" ", text)
        text = _TAG.sub(" ", text)
    return text


def tidied(text: str) -> str:
    """Take away marks of emphasis, what nobody can see or say, and spare blanks."""
    if "~~" in text:
        text = _CROSSED_OUT.sub(" ", text)
    text = _MARKUP.sub("", text)
    if not text.replace("\n", "").isprintable():
        text = "".join(c for c in text if c == "\n" or unicodedata.category(c)[0] != "C")
    text = _NO_WORD.sub("", text)
    return re.sub(r"[ \t]+", " ", re.sub(r"\n{2,}", "\n", text)).strip()


def closes(heard: str) -> bool:
    """True when the clinician takes leave; "before we say goodbye" does not, nor does what a question follows."""
    end = heard[-300:].rstrip()
    if end.endswith("?"):
        return False
    return any(not _NOT_YET.search(_CLAUSE.split(end[: match.start()])[-1]) for match in _CLOSING.finditer(end))
