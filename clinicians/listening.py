"""What a good educator hears in a patient's words: feelings, questions, and what of the plan came back.

The patient's words are read with the verifier's own reader against the plan that the briefing gave, never
against the case. So the expert knows exactly what anyone could know who has the plan on the desk.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from bedside.cases.case import Case, Demographics, Diagnosis
from bedside.cases.fact import AnyFact
from bedside.clinicians.plan import Plan, parse_plan
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.context import is_question
from bedside.verifier.language.lexicon import core
from bedside.verifier.language.text import content_stems, plain, sentences, tokenize
from bedside.verifier.teaching.conveyed import read_teaching

__all__ = ["FEELINGS", "Heard", "PlanReader", "reader_of"]

FEELINGS = {
    "worried": re.compile(
        r"\b(?:i(?:'m| am) (?:so |really |a bit |just )?(?:worried|nervous|anxious|scared|afraid|"
        r"frightened|terrified)|worries me|scares me|so nervous|what if something|i(?: just)? worry|"
        r"hope i get this right|barely slept)\b",
        re.IGNORECASE,
    ),
    "overwhelmed": re.compile(
        r"\b(?:(?:that's|it's|that is|it is|that was) (?:a bit |way |just )?(?:too much|a lot)|"
        r"go slower|lost you|overwhelm\w*|keep up|head is spinning|i'm (?:so )?(?:confused|lost)|"
        r"one thing at a time)\b",
        re.IGNORECASE,
    ),
    "wary": re.compile(
        r"\b(?:don't (?:trust|believe)|who to believe|should believe|tired of being told|"
        r"tells me something different|that's what they (?:all|always) say|if you say so|and why is that)\b",
        re.IGNORECASE,
    ),
    "sad": re.compile(
        r"\b(?:i(?:'m| am| feel| have been feeling) (?:so |very |really )?(?:sad|depressed|hopeless|"
        r"lonely|low|alone)|i miss (?:him|her|them)|feel like crying)\b",
        re.IGNORECASE,
    ),
    "upset": re.compile(
        r"\b(?:i(?:'m| am) (?:so |very |really )?(?:angry|mad|upset|annoyed)|frustrat\w+|fed up|"
        r"sick of|unfair)\b",
        re.IGNORECASE,
    ),
    "impatient": re.compile(
        r"\b(?:make this quick|nearly done|is this necessary|is my ride|talk about getting home|such a fuss|"
        r"i feel fine|i'll be fine|back to normal)\b",
        re.IGNORECASE,
    ),
}
"""Feelings that can be named, and the words that show them, the strongest first."""

_LOST = re.compile(
    r"\b(?:don't remember|can't say it back|forgot|not sure|didn't stick|no idea|tell me again|don't know)\b",
    re.IGNORECASE,
)
_ASPECTS = (
    ("frequency", re.compile(r"\bhow often|\bhow many times|\bwhat time|\bwhen do i take\b", re.IGNORECASE)),
    ("duration", re.compile(r"\bhow long\b|\bfor how many\b|\buntil when\b", re.IGNORECASE)),
    (
        "dose",
        re.compile(r"\bhow much\b|\bwhat (?:was the )?dose\b|\bhow many (?:pills|tablets|puffs|mg)\b", re.IGNORECASE),
    ),
    (
        "purpose",
        re.compile(r"\bwhat is .* for\b|\bwhy\b|\bwhat's .* for\b|\bwhat does .* do\b", re.IGNORECASE),
    ),
    (
        "precaution",
        re.compile(r"\bside effects?\b|\bwatch (?:out )?for\b|\bcareful\b|\bsafe\b", re.IGNORECASE),
    ),
    ("when", re.compile(r"\bwhen\b", re.IGNORECASE)),
    ("result", re.compile(r"\bshow|\bfind|\bfound|\bresult\b", re.IGNORECASE)),
)
_ABOUT_STAGE = (
    (
        "diagnosis",
        re.compile(r"\bwhat did i (?:actually )?have|what was wrong|my diagnosis\b", re.IGNORECASE),
    ),
    ("medicines", re.compile(r"\bnew medicine|what do i take at home|my pills\b", re.IGNORECASE)),
    ("warning signs", re.compile(r"\bcome back\b|\bbe worried\b|\bemergency\b", re.IGNORECASE)),
    (
        "appointments",
        re.compile(r"\bsee (?:anybody|a doctor|someone)|appointment\b|\bafter this\b", re.IGNORECASE),
    ),
    ("care at home", re.compile(r"\bat home\b|\ballowed\b", re.IGNORECASE)),
    ("hospital stay", re.compile(r"\bdo to me\b|\btesting\b|\btests?\b", re.IGNORECASE)),
)
_MEANING = re.compile(
    r"\b(?:what (?:does|do|is|are)|don't know what|sorry, what is) (?:an? |the )?"
    r"[\"']?(?P<word>[\w -]+?)[\"']?(?: means?| mean)?[?.]"
    r"|^(?P<echo>[\w-]+)\? can you say that in plain words",
    re.IGNORECASE,
)
_ENOUGH = 0.34


class Heard(NamedTuple):
    """What a patient's turn holds.

    Attributes:
        feeling: Key of :data:`FEELINGS`; empty if none shows.
        questions: Questions asked.
        lost: True when the patient says that something did not stay.
    """

    feeling: str
    questions: tuple[str, ...]
    lost: bool


class PlanReader:
    """Reads what patients say about one plan."""

    def __init__(self, plan: Plan) -> None:
        case = Case(
            id="plan",
            source="briefing",
            licence="none",
            demographics=Demographics(age=plan.age or 0, sex="male" if plan.sex == "male" else "female"),
            chief_complaint="going home",
            plan=plan.facts,
            diagnosis=Diagnosis(text="unknown"),
        )
        self._items = case.plan_items
        self._grounded = GroundedCase(case, core(), "discharge")

    @staticmethod
    def hear(text: str) -> Heard:
        """Find feelings and questions in a patient's words."""
        feeling = next((name for name, pattern in FEELINGS.items() if pattern.search(text)), "")
        questions = tuple(
            s.text.strip() for s in sentences(text) if is_question(s.text) or _MEANING.search(s.text.strip())
        )
        return Heard(feeling, questions, bool(_LOST.search(text)))

    def said_back(self, text: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the plan items that the patient told rightly, and those told wrongly."""
        # A patient who is unsure puts what they know as a question.
        reading = read_teaching(plain(text).replace("?", "."), self._grounded)
        return frozenset(reading.conveyed), frozenset(reading.contradicted)

    def items_of(self, fact: AnyFact) -> tuple[str, ...]:
        """Return the ids of everything that can be known of a fact."""
        return tuple(item for item in self._items if item.split(".")[0] == fact.id)

    def asked_about(self, question: str, facts: tuple[AnyFact, ...]) -> AnyFact | None:
        """Return the fact that a question is about; None when it is about nothing of the plan."""
        named = {c for m in self._grounded.find(tokenize(plain(question))) for c in m.concepts}
        for known in self._grounded.plan:
            if known.concept in named:
                return known.fact
        stems = set(content_stems(question))
        shares = [(self._share(fact, stems), -number) for number, fact in enumerate(facts)]
        share, number = max(shares, default=(0.0, 0))
        return facts[-number] if share >= _ENOUGH else None

    @staticmethod
    def _share(fact: AnyFact, stems: set[str]) -> float:
        best = 0.0
        for wording in (fact.text, *fact.lay):
            own = content_stems(wording)
            best = max(best, len(stems.intersection(own)) / len(own) if own else 0.0)
        return best

    @staticmethod
    def aspect(question: str) -> str:
        """Return the attribute that a question asks for; empty when it asks for the thing itself."""
        return next((name for name, pattern in _ASPECTS if pattern.search(question)), "")

    @staticmethod
    def stage(question: str) -> str:
        """Return the stage of the talk that a question opens; empty if none."""
        return next((name for name, pattern in _ABOUT_STAGE if pattern.search(question)), "")

    @staticmethod
    def unknown_word(question: str) -> str:
        """Return the word whose meaning is asked for; empty if none is."""
        match = _MEANING.search(question)
        return (match["word"] or match["echo"] or "").strip().lower() if match else ""


@lru_cache(maxsize=256)
def reader_of(briefing: str) -> PlanReader:
    """Return the reader of a plan; readers hold no state, and encounters come back to the same plans."""
    return PlanReader(parse_plan(briefing))
