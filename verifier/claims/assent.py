"""What "yes" says: the question itself, put as a statement.

"Yeah, a bit, on the edge of the planter" to "Did you bang your head?" tells of a blow to the head. The question is
turned into the patient's own words and read by the grammar that reads everything else.
"""

import re
from functools import lru_cache

from bedside.verifier.claim import Claim, concepts_of
from bedside.verifier.claims.answers import YES
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import is_belief, is_question
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import Sentence, plain, sentences

__all__ = ["assented", "statement_of"]

_OPENS = r"^\W*(?:(?:and|so|okay|ok|now|well|also|then|but|what about|how about|right|alright|all right)\b\W*)*"
_ADVERBS = r"(?:(?:ever|also|still|recently|really|happen to|actually|currently|usually|yourself)\s+)*"
_TURNS = tuple(
    (re.compile(_OPENS + asked, re.IGNORECASE), instead)
    for asked, instead in (
        (rf"(?:do|does) you {_ADVERBS}", "I "),
        (rf"did you {_ADVERBS}", "I did "),
        (rf"(?:have|had) you {_ADVERBS}", "I've "),
        (rf"are you {_ADVERBS}", "I'm "),
        (rf"were you {_ADVERBS}", "I was "),
        (r"(?:is|are|was|were) there (?:any |some |a )?", "there was some "),
        (r"(?:is|was) your (\w+) ", r"my \1 is "),
        (r"(?:are|were) your (\w+) ", r"my \1 are "),
        (r"(?:has|have|had) your (\w+) ", r"my \1 has "),
        (r"(?:does|do|did) your (\w+) ", r"my \1 "),
        (r"(?:does|did|do) (it|they) ", r"\1 "),
        (
            rf"(?:you )?{_ADVERBS}(?=(?:been|had|felt|noticed|lost|seen|heard|coughed|passed|thrown|fainted|fallen)\b)",
            "I've ",
        ),
        (r"(?:you )?(?=[a-z]{2,}ing\b)", "I've been "),
        (r"any chance (?:that )?(?:you're|you are|you (?:might|could|may) be) ", "I'm "),
        (r"any (?=\w)", "I have some "),
    )
)
_YOU = ((re.compile(r"\byour\b", re.IGNORECASE), "my"), (re.compile(r"\byourself\b", re.IGNORECASE), "myself"),
        (re.compile(r"\byou(?:'re| are)\b", re.IGNORECASE), "I'm"), (re.compile(r"\byou've\b", re.IGNORECASE), "I've"),
        (re.compile(r"\byou\b", re.IGNORECASE), "I"),
        (re.compile(r"\b(?:any|at all|ever|recently|lately)\b ?", re.IGNORECASE), ""))  # fmt: skip
# What a doctor asks by such words is no one thing.
_OPEN = Pattern(
    r"^\W*(?:(?:and|so|but|then|okay|ok)\b\W*)*(?:how|what|when|where|why|which|who|whose)\b(?! about)|"
    r"\b(?:else|anything (?:for|to|about|bother)|something|mind|tell me|medic\w+|meds|allerg\w*|famil\w*|relatives?|"
    r"anyone|anybody|somebody|someone|sure|help\w*|better|worse|surger\w+|operations?|conditions?|problems?|illness\w*|"
    r"question\w*)\b",
    re.IGNORECASE,
)
# "Did you hit anything when you fell?" takes the fall for granted.
_GRANTED = Pattern(r"\b(?:when|while|since|after|before|because|with|from|that|who)\b", re.IGNORECASE)
_TAKEN_BACK = Pattern(r"\b(?:but|no|not|never|nothing|except|used to|hardly|barely|until)\b|n't\b", re.IGNORECASE)
# "I do get migraines" answers with something else.
_STANDS_ALONE = Pattern(
    r"^\s*(?:$|[,.;!…-]|(?:actually|a (?:bit|little|few)|sometimes|yeah|yes|now and|once|twice|all the|on and|"
    r"from time)\b)",
    re.IGNORECASE,
)
_BODILY = ("symptom", "condition", "complaint", "device", "visit", "substance")
_OTHER_SENTENCES = 1


@lru_cache(maxsize=1024)
def statement_of(question: str) -> str:
    """Return what "yes" to a question states, in the first person; empty when it is no such question."""
    asking = [s.text.strip() for s in sentences(plain(question)) if s.asks]
    if len(asking) != _OTHER_SENTENCES or _OPEN.search(asking[0]):
        return ""
    for turn, instead in _TURNS:
        if match := turn.match(asking[0]):
            rest = asking[0][match.end() :].rstrip(" ?")
            text = match.expand(instead) + rest[:1].lower() + rest[1:]
            for word, own in _YOU:
                text = word.sub(own, text)
            return f"{text}."
    return ""


def assented(
    sentence: Sentence, statement: str, stated: list[Claim], named: list[Claim], grounded: GroundedCase
) -> list[Claim]:
    """Find what an answer affirms by yes.

    Args:
        sentence: The sentence that answers.
        statement: The question, put as a statement.
        stated: What that claims.
        named: What the answer says by itself.
        grounded: The case.

    Returns:
        The claims of the question, unless the answer speaks of them itself; where it offers several things, one claim
        that any of them bears out.
    """
    body = sentence.text
    yes = YES.match(body)
    if yes is None or not _STANDS_ALONE.match(body[yes.end() :]):
        return []
    if is_belief(body) or is_question(body) or _TAKEN_BACK.search(body):
        return []
    said = {b for c in named for concept in concepts_of(c) if ":" in concept for b in grounded.broader(concept)}
    granted = _GRANTED.search(statement)
    end = granted.start() if granted else len(statement)
    found = [c for c in stated if c.kind in _BODILY and _is_said(c) and c.start < end]
    if not found or any(said & set(concepts_of(c)) for c in found):
        return []
    first = found[0]
    start, stop = yes.span("yes")
    others = dict.fromkeys(o for c in found if c.kind == first.kind for o in concepts_of(c) if o != first.concept)
    attributes = first.attributes | {"asked": first.surface} | ({"also": " ".join(others)} if others else {})
    place = {"surface": yes["yes"], "start": sentence.start + start, "end": sentence.start + stop, "sentence": 0}
    return [first.model_copy(update=place | {"attributes": attributes})]


def _is_said(claim: Claim) -> bool:
    return not claim.denied and claim.act == "statement" and claim.experiencer == "patient"
