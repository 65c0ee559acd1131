"""Scripted educators that do not listen: the rungs of the ladder below the teach-back expert.

Silence, topic words, a pasted note, clinical shorthand and a complete checklist each isolate one thing that a
score must not reward, or must: talking at all, naming topics, volume, coverage without plain words, plain
words without dialogue.
"""

from collections.abc import Iterator

from bedside.cases.fact import AnyFact, Medication
from bedside.clinicians.paperwork import filled_checklist
from bedside.clinicians.plan import Plan
from bedside.clinicians.script import STAGES, ScriptedEducator, said, words_in_pieces
from bedside.clinicians.shorthand import shorthand

__all__ = ["Checklist", "Jargon", "KeywordSpam", "NoteDump", "Silent"]

_NOTE_WORDS = 250
_SPAM_ROUNDS = 3
_FACTS_A_TURN = 3


class Silent(ScriptedEducator):
    """Greets, makes empty small talk and leaves: what the untaught patient knows is the baseline."""

    name = "silent"

    def script(self, plan: Plan) -> Iterator[str]:
        """Return a greeting and empty phrases."""
        del plan
        yield "Hello. I came by to see you before you leave."
        yield "I see. It is a bright morning, is it not?"
        yield "Mm-hm. Well, there you are."
        yield "Right. I will let you get on with your day."

    def summary(self, plan: Plan) -> str:
        """Return a page that says nothing."""
        del plan
        return "Thank you for staying with us."

    def checklist(self, plan: Plan) -> str:
        """Return an empty checklist."""
        del plan
        return filled_checklist(Plan()).model_dump_json()


class KeywordSpam(ScriptedEducator):
    """Repeats topic words and names of plan items without saying anything about them."""

    name = "keyword-spam"

    def script(self, plan: Plan) -> Iterator[str]:
        """Return keyword lists, the same ones again and again."""
        for _ in range(_SPAM_ROUNDS):
            for title, kinds in self.stages:
                yield self._keywords(title, plan.of(*kinds))

    def summary(self, plan: Plan) -> str:
        """Return all keywords."""
        return "\n".join(self._keywords(title, plan.of(*kinds)) for title, kinds in STAGES)

    @staticmethod
    def _keywords(title: str, facts: tuple[AnyFact, ...]) -> str:
        names = [fact.text.rstrip(".").lower() if isinstance(fact, Medication) else _nouns(fact.text) for fact in facts]
        extra = ["dose", "route", "frequency", "side effects", "purpose"] if title == "medicines" else []
        return ", ".join(filter(None, (title.capitalize(), *names, *extra)))


def _nouns(text: str) -> str:
    """Return the longest words of a phrase: keywords without the words that tie them into a statement."""
    words = [word.strip(".,;:()").lower() for word in text.split()]
    return ", ".join(sorted({word for word in words if len(word) > 5}, key=words.index)[:3])


class NoteDump(ScriptedEducator):
    """Reads the discharge note aloud, 250 words at a time."""

    name = "note-dump"

    def script(self, plan: Plan) -> Iterator[str]:
        """Return the note in pieces."""
        yield from words_in_pieces(plan.note, _NOTE_WORDS)

    def summary(self, plan: Plan) -> str:
        """Return the note."""
        return plan.note


class Jargon(ScriptedEducator):
    """States everything once and correctly, in clinical shorthand."""

    name = "jargon"
    farewell = "That concludes the review. Goodbye."

    def script(self, plan: Plan) -> Iterator[str]:
        """Return the plan in a clinician's words, stage by stage."""
        yield "Good morning. I will review your discharge documentation."
        for _, kinds in self.stages:
            facts = plan.of(*kinds)
            for start in range(0, len(facts), _FACTS_A_TURN):
                yield " ".join(shorthand(fact) for fact in facts[start : start + _FACTS_A_TURN])

    def summary(self, plan: Plan) -> str:
        """Return the plan in clinical shorthand."""
        return "\n".join(shorthand(fact) for _, kinds in STAGES for fact in plan.of(*kinds))


class Checklist(ScriptedEducator):
    """Goes through every item once in complete sentences: no teach-back, no questions, no feelings."""

    name = "checklist"

    def script(self, plan: Plan) -> Iterator[str]:
        """Return the plan in sentences, three facts a turn."""
        yield "Hello. I am here to go through your discharge plan with you."
        for title, kinds in self.stages:
            facts = plan.of(*kinds)
            texts = said(facts, "compact")
            for start in range(0, len(facts), _FACTS_A_TURN):
                lead = f"Now the {title}. " if start == 0 else ""
                yield lead + " ".join(texts[start : start + _FACTS_A_TURN])
