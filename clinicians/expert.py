"""The teach-back expert: the gold standard that every plan can be taught by.

It does what the guidelines for discharge education ask: begins with the patient's feelings, teaches a few
points at a time in short plain sentences, asks for teach-back after each portion, listens, repeats only what
was missing or wrong, answers questions from the plan, asks about barriers, sums up and takes leave.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bedside.cases.fact import AnyFact, Condition, FollowUp, Medication, ReturnSign
from bedside.cases.seeds import stream
from bedside.clinicians import bedside_manner as manner
from bedside.clinicians.listening import Heard, PlanReader, reader_of
from bedside.clinicians.plan import Plan, parse_plan
from bedside.clinicians.script import STAGES, ScriptedEducator, place_of
from bedside.clinicians.sentences import Line, lines_of
from bedside.envs.stages import Stage, stage_asked

__all__ = ["TeachBack"]

_MAX_TURNS = 34
"""Turns after which teaching is not repeated any more, so that the talk ends before patience does."""

_FACTS_A_PORTION = 3
_LONG = 7
"""Lines that fill a portion even if it holds fewer facts."""

_RETAUGHT = 4
_COMFORTS = 2
_ANSWERED = 2


class Portion(NamedTuple):
    """What is taught in one turn and then asked back."""

    stage: str
    facts: tuple[AnyFact, ...]
    lines: tuple[tuple[AnyFact, Line], ...]
    first: bool

    @property
    def text(self) -> str:
        """The portion as said."""
        return " ".join(line.text for _, line in self.lines)


def portions(plan: Plan) -> Iterator[Portion]:
    """Cut a plan into what can be taken in at once: one drug, or up to three other points."""
    for stage, kinds in STAGES:
        facts = plan.of(*kinds)
        groups: list[list[AnyFact]] = []
        for fact in facts:
            if groups and _fits(groups[-1], fact):
                groups[-1].append(fact)
            else:
                groups.append([fact])
        for number, group in enumerate(groups):
            lines = [(f, line) for f in group for line in lines_of(f, "plain", first=f is facts[0])]
            yield Portion(stage, tuple(group), tuple(lines), first=number == 0)


def _fits(group: Sequence[AnyFact], fact: AnyFact) -> bool:
    lines = sum(len(lines_of(member, "plain")) for member in (*group, fact))
    if isinstance(fact, Medication):
        # Drugs that go on or stop are quickly said; a new or changed one has a portion of its own.
        easy = all(isinstance(m, Medication) and m.change in ("continued", "stopped") for m in (*group, fact))
        return easy and lines <= _LONG and _same_way(group[0], fact)
    if isinstance(fact, ReturnSign) and len(group) < _FACTS_A_PORTION + 1:
        return True
    return len(group) < _FACTS_A_PORTION and lines <= _LONG


def _same_way(one: AnyFact, other: AnyFact) -> bool:
    return isinstance(one, Medication) and isinstance(other, Medication) and one.change == other.change


class TeachBack(ScriptedEducator):
    """Teaches in portions and listens; see the module."""

    name = "teachback"

    def reset(self, seed: int) -> None:
        """Forget the last encounter."""
        self.seed = seed
        self._plan: Plan | None = None
        self._turn = 0

    def act(self, observation: dict[str, str]) -> str:
        """Listen to the patient, then say the next thing."""
        plan = parse_plan(observation["briefing"])
        if observation["request"] == "summary":
            return self.summary(plan)
        if observation["request"] == "checklist":
            return self.checklist(plan)
        stage = stage_asked(observation["request"])
        if self._plan is None:
            self._begin(plan, reader_of(observation["briefing"]))
            self._keep_to(stage)
            feeling = self._feel(PlanReader.hear(observation["patient"]))
            return f"{feeling} {self._pick(manner.GREETING)}".strip()
        self._turn += 1
        self._keep_to(stage)
        return self._respond(observation["patient"])

    def script(self, plan: Plan) -> Iterator[str]:
        """Return what would be taught to a patient who says nothing; used for measuring the wording."""
        for portion in portions(plan):
            yield portion.text

    def _begin(self, plan: Plan, reader: PlanReader) -> None:
        self._plan = plan
        self._reader = reader
        self._rng = stream("teachback", self.seed)
        self._waiting = list(portions(plan))
        self._asked: Portion | None = None
        self._tried = False
        self._ending = 0
        self._comforts: set[str] = set()

    def _keep_to(self, stage: Stage | None) -> None:
        """Teach in the order of a protocol in stages; what one that is over had no room for is not taken up again."""
        if stage is not None:
            due = [portion for portion in self._waiting if place_of(portion.stage) >= place_of(stage.title)]
            self._waiting = sorted(due, key=lambda portion: place_of(portion.stage))

    def _pick(self, wordings: Sequence[str]) -> str:
        return self._rng.choice(wordings)

    # One turn

    def _respond(self, patient: str) -> str:
        heard = PlanReader.hear(patient)
        asked, self._asked = self._asked, None
        parts = [self._feel(heard)]
        if asked is not None:
            feedback, again = self._check(asked, patient, heard)
            parts.append(feedback)
            if again:
                self._asked = asked
        parts += self._answers(heard, patient, teaching_back=asked is not None)
        if self._asked is None:
            parts.append(self._go_on())
        return " ".join(filter(None, parts))

    def _feel(self, heard: Heard) -> str:
        """Name a feeling, each time in other words; to say the same again and again is no comfort."""
        fresh = [words for words in manner.EMPATHY.get(heard.feeling, ()) if words not in self._comforts]
        spoken = len(manner.EMPATHY.get(heard.feeling, ())) - len(fresh)
        if not fresh or spoken >= _COMFORTS:
            return ""
        self._comforts.add(words := self._pick(fresh))
        return words

    def _check(self, portion: Portion, patient: str, heard: Heard) -> tuple[str, bool]:
        """Compare what came back with what was taught; return what to say, and whether to ask once more."""
        right, wrong = self._reader.said_back(patient)
        items = [item for fact in portion.facts for item in self._reader.items_of(fact)]
        missing = [item for item in items if item not in right]
        once, self._tried = not self._tried and self._turn < _MAX_TURNS, False
        if not missing:
            return self._pick(manner.PRAISE), False
        question = self._question(portion)
        if not (right or wrong or heard.lost or heard.questions):
            # "Okay" is no teach-back: ask once more, without repeating what may have been understood.
            self._tried = once
            return (f"{self._pick(manner.NUDGE)} {question}", True) if once else ("", False)
        wrongly = [item for item in items if item in wrong]
        lines = self._lines_for(portion, [*wrongly, *(item for item in missing if item not in wrongly)])
        lead = self._lead(wrongly=bool(wrongly), nothing=len(missing) == len(items))
        self._tried = again = once and 2 * len(missing) > len(items)
        return " ".join((lead, *lines, *([question] if again else ()))), again

    def _question(self, portion: Portion) -> str:
        stopped = all(isinstance(fact, Medication) and fact.change == "stopped" for fact in portion.facts)
        return self._pick(manner.ASK_BACK["stopped" if stopped else portion.stage])

    def _lead(self, *, wrongly: bool, nothing: bool) -> str:
        if wrongly:
            return self._pick(manner.CORRECT)
        if nothing:
            return self._pick(manner.TRY_AGAIN)
        return f"{self._pick(manner.PRAISE)} {self._pick(manner.RETEACH)}"

    def _lines_for(self, portion: Portion, items: Sequence[str]) -> list[str]:
        """Return sentences, each complete by itself, that state some items; what comes first weighs most."""
        said: dict[str, None] = {}
        for item in items:
            fact_id, _, attribute = item.partition(".")
            for fact, line in portion.lines:
                if fact.id == fact_id and (attribute or "fact") in line.says:
                    said.setdefault(line.alone)
                    break
        return list(said)[: _RETAUGHT if self._turn < _MAX_TURNS else 1]

    def _go_on(self) -> str:
        if self._waiting:
            portion = self._waiting.pop(0)
            self._asked = portion
            lead = manner.STAGE_LEADS[portion.stage] if portion.first else self._pick(manner.NEXT)
            return f"{lead} {portion.text} {self._question(portion)}"
        self._ending += 1
        assert self._plan is not None
        if self._ending == 1 and self._plan.medications:
            return manner.BARRIER
        if self._ending <= 2:
            self._ending = 2
            return f"{self._recap(self._plan)} {self._pick(manner.INVITE)}"
        return self._pick(manner.CLOSING)

    def _recap(self, plan: Plan) -> str:
        """Say the points that matter most once more: why, the new drugs, the worst sign, the first visit."""
        new = [drug for drug in plan.medications if drug.change == "new"]
        points: list[AnyFact] = [*plan.of(Condition)[:1], *plan.of(ReturnSign)[:1], *plan.of(FollowUp)[:1]]
        said = [lines_of(fact, "plain")[-1 if isinstance(fact, Condition) else 0].alone for fact in points]
        if new:
            said.insert(min(1, len(said)), f"You have new medicines: {_listed([drug.text for drug in new])}.")
        return " ".join(("Let us go over the main points once more.", *said))

    # Questions

    def _answers(self, heard: Heard, patient: str, *, teaching_back: bool) -> list[str]:
        """Answer what was asked; a guess put as a question has been dealt with as teach-back."""
        told = self._reader.said_back(patient)[0] if teaching_back else frozenset()
        answers = [self._answer(question) for question in heard.questions if not (told and _guess(question))]
        return list(dict.fromkeys(filter(None, answers)))[:_ANSWERED]

    def _answer(self, question: str) -> str:
        assert self._plan is not None
        fact = self._reader.asked_about(question, self._plan.facts)
        if meaning := self._meaning(PlanReader.unknown_word(question), fact):
            return meaning
        if fact is not None:
            return self._about(fact, PlanReader.aspect(question))
        if stage := PlanReader.stage(question):
            return self._next_about(stage)
        if not _seeks_knowledge(question):
            return ""
        return self._pick(manner.NOT_IN_PLAN)

    def _meaning(self, word: str, fact: AnyFact | None) -> str:
        if not word:
            return ""
        if word in manner.MEANINGS:
            return f"{word.capitalize()} means {manner.MEANINGS[word]}."
        return f"That means {fact.lay[0]}." if fact is not None and fact.lay and isinstance(fact, Condition) else ""

    @staticmethod
    def _about(fact: AnyFact, aspect: str) -> str:
        lines = lines_of(fact, "plain")
        wanted = [line.alone for line in lines if any(says.startswith(aspect) for says in line.says)] if aspect else []
        return " ".join(wanted[:2] or [line.text for line in lines[:4]])

    def _next_about(self, stage: str) -> str:
        """Take a topic up now if it is still to come, else say its main points again."""
        assert self._plan is not None
        for number, portion in enumerate(self._waiting):
            if portion.stage == stage:
                self._waiting.insert(0, self._waiting.pop(number))
                return "Good that you ask, that comes next."
        facts = self._plan.of(*dict(STAGES)[stage])
        return " ".join(lines_of(fact, "plain")[0].alone for fact in facts[:_FACTS_A_PORTION])


def _guess(question: str) -> bool:
    return not question.lower().lstrip("and so,").startswith(("what", "when", "how", "why", "who", "where", "which"))


def _seeks_knowledge(question: str) -> bool:
    """False for small talk ("Is my ride here yet?") and for thinking aloud."""
    low = question.lower()
    return any(
        f" {word} " in f" {low} " for word in ("can i", "should i", "do i", "may i", "is it", "how", "what", "why")
    )


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
