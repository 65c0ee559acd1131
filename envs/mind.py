"""The patient's memory of the plan: a model of comprehension, not a script.

Each plan item has a strength between 0 and 1. It grows when the educator states the item, by how much depends on how
plainly, how much else was said in the same breath, and how the listener feels; it grows most when the patient says it
back. It fades, but never below what the patient knew before. What was taught wrongly is believed.

Answers come from this memory alone. Whether a strength suffices for a question is decided by how hard the question is
for this patient, a fixed draw, so that a better-taught patient never does worse and two educators meet the same exam.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from bedside.cases.case import Case, PlanItem, Question
from bedside.cases.fact import Frozen, Medication, Topic
from bedside.cases.persona import Persona
from bedside.cases.seeds import stream
from bedside.envs.episode import Answer, Option
from bedside.verifier.language.readability import grade_of, jargon_of
from bedside.verifier.language.text import Sentence
from bedside.verifier.teaching.conveyed import Event, Reading

__all__ = ["LEARNING", "Learning", "Mind", "shuffled_options"]


class Learning(Frozen):
    """The free parameters of the model, in one table.

    Attributes:
        gain: Share of what is missing that one plain statement adds. A fifth to a half of what is said at discharge is
            recalled at once (Kessels 2003).
        repetition: Factor on the gain of a second statement; later ones add nothing (massed repetition).
        grasp: Factor on every gain, by literacy: how much of even plain teaching connects to what one knows.
        retrieval: Share of what is missing that saying it back adds (teach-back; testing effect).
        reteaching: Factor on the gain when an item just missed in teach-back is stated again.
        jargon: Factor on the gain of a sentence with unexplained jargon, by literacy.
        grade: Reading grade that is still plain, by education; DischargeBench's target is 6 to 8.
        per_grade: Loss of gain for each grade above that.
        capacity: New items that one turn can carry, by recall (Cowan 2001: about four).
        passage: Sentences of a page that are taken in together: a reader sets the pace, so that only these compete for
            the capacity, and nothing fades while the page is in hand.
        reading: Factor on the gain of what is read, by literacy; a third of adults misread plain print (NAAL 2003).
        readings: How often somebody goes over a page, by literacy; print that can be gone over again is what written
            information adds to a talk (Kessels 2003).
        fading: Share of the learned part lost each turn, by recall.
        distress: Share of the gain lost to full distress (anxiety narrows attention; Kessels 2003).
        distrust: Share of the gain lost to full distrust.
        known: Chance that the untaught patient knows an item, by topic; from admission talk, or from taking the drug.
        literacy: Factor on that chance for low literacy.
        education: The same by education.
        remembered: The same by recall: what was said on the ward fades too.
        known_strength: Strength of what the untaught patient knows.
        demand: Range from which the strength that an exam question asks for is drawn.
        recall_demand: The same for answering a recall question. Its six questions name the area, so that the memory is
            cued, and cued recall needs less of a trace than telling a wrong option that sounds right from the true one
            (Tulving and Pearlstone 1966).
        elimination: Chance that a guess hits the answer rather than a wrong option, by literacy.
    """

    gain: float = 0.62
    repetition: float = 0.45
    grasp: dict[str, float] = {"low": 0.56, "high": 1.0}
    retrieval: float = 0.43
    reteaching: float = 1.3
    jargon: dict[str, float] = {"low": 0.3, "high": 0.62}
    grade: dict[int, float] = {1: 6.0, 2: 8.0, 3: 11.0}
    per_grade: float = 0.05
    capacity: dict[str, float] = {"poor": 3.0, "fair": 4.0, "good": 5.0}
    passage: int = 3
    reading: dict[str, float] = {"low": 0.7, "high": 1.0}
    readings: dict[str, int] = {"low": 1, "high": 2}
    fading: dict[str, float] = {"poor": 0.02, "fair": 0.01, "good": 0.004}
    distress: float = 0.4
    distrust: float = 0.4
    known: dict[Topic, float] = {
        Topic.DIAGNOSIS: 0.35,
        Topic.TREATMENTS: 0.3,
        Topic.MEDICATION: 0.05,
        Topic.POST_DISCHARGE: 0.05,
        Topic.RETURN_SIGNS: 0.1,
        Topic.FOLLOW_UP: 0.05,
    }
    known_home_drug: float = 0.6
    literacy: dict[str, float] = {"low": 0.6, "high": 1.0}
    education: dict[int, float] = {1: 0.8, 2: 1.0, 3: 1.1}
    remembered: dict[str, float] = {"poor": 0.7, "fair": 0.85, "good": 1.0}
    elimination: dict[str, float] = {"low": 0.45, "high": 0.5}
    known_strength: float = 0.75
    demand: tuple[float, float] = (0.06, 0.95)
    recall_demand: tuple[float, float] = (0.05, 0.55)


LEARNING = Learning()
"""The default parameters. Gain, the demands, distress and distrust are fitted: ``benchmarks/calibration.py --fit``."""


@dataclass
class Trace:
    """Memory of one plan item.

    Attributes:
        floor: What was known before, which does not fade.
        exposures: Times it was stated.
        missed: True from a failed teach-back until it is stated again.
        wrong: What is believed instead, with ``belief`` as its strength.
    """

    floor: float
    strength: float
    exposures: int = 0
    missed: bool = False
    wrong: str = ""
    belief: float = 0.0


@dataclass
class Mind:
    """One patient's memory of one plan, and the feelings that gate it.

    Attributes:
        distress: From 0 calm to 1 overwhelmed.
        trust: From 0 to 1.
    """

    case: Case
    persona: Persona
    seed: int
    learning: Learning = LEARNING
    distress: float = 0.0
    trust: float = 1.0
    traces: dict[str, Trace] = field(default_factory=dict)

    def __post_init__(self) -> None:
        emotional = self.persona.noise.emotional_state
        self.distress = {"anxious": 0.6, "distrustful": 0.25}.get(self.persona.personality, 0.1) + 0.1 * emotional
        self.distress = min(self.distress, 1.0)
        self.trust = {
            "distrustful": 0.25,
            "deflective": 0.6,
            "minimizer": 0.7,
            "high-conscientiousness": 1.0,
        }.get(self.persona.personality, 0.9)
        for item in self.case.plan_items.values():
            floor = self.learning.known_strength if self._knew(item) else 0.0
            self.traces[item.id] = Trace(floor=floor, strength=floor)

    @property
    def known_before(self) -> list[str]:
        """The items that the patient knew before anybody taught it, in the order of the plan."""
        return [item for item, trace in self.traces.items() if trace.floor > 0]

    @property
    def _literacy(self) -> str:
        return "low" if self.persona.noise.health_literacy >= 2 else self.persona.literacy

    @property
    def _recall(self) -> str:
        """Recall of the persona, one step lower for every two levels of memory noise."""
        steps = ("poor", "fair", "good")
        return steps[max(0, steps.index(self.persona.recall) - self.persona.noise.memory_recall // 2)]

    def _knew(self, item: PlanItem) -> bool:
        fact = item.fact
        familiar = isinstance(fact, Medication) and fact.change == "continued"
        chance = self.learning.known_home_drug if familiar else self.learning.known[item.topic]
        chance *= self.learning.literacy[self._literacy] * self.learning.education[self.persona.education]
        chance *= self.learning.remembered[self._recall]
        # Drawn by case alone: what an untaught patient knows does not depend on who teaches, nor on the episode.
        return stream("knew", self.case.id, item.id).random() < chance

    def hear(self, reading: Reading) -> None:
        """Learn from one turn: strengthen what it states, believe what it gets wrong, let the rest fade."""
        self._fade(except_for=reading.conveyed)
        self._take_in(reading, reading.conveyed, 1.0)
        self._believe(reading, 1.0)

    def read(self, reading: Reading) -> None:
        """Learn from a page, passage by passage at one's own pace, as often as one goes over it."""
        share = self.learning.reading[self._literacy]
        passages: dict[int, dict[str, Event]] = {}
        for item, event in reading.conveyed.items():
            passages.setdefault(event.sentence // self.learning.passage, {})[item] = event
        for _ in range(self.learning.readings[self._literacy]):
            for passage in passages.values():
                self._take_in(reading, passage, share)
        self._believe(reading, share)

    def _take_in(self, reading: Reading, stated: dict[str, Event], share: float) -> None:
        """Strengthen what is stated together, the less the more there is of it and the less plainly it is said."""
        gain = self.learning.gain * share * self._load(stated) * self._openness()
        clarity: dict[int, float] = {}
        for item, event in stated.items():
            if event.sentence not in clarity:
                clarity[event.sentence] = self._clarity(reading.sentences[event.sentence])
            self._learn(self.traces[item], gain * clarity[event.sentence])

    def _believe(self, reading: Reading, share: float) -> None:
        """Believe what is stated wrongly."""
        for item, event in reading.contradicted.items():
            trace = self.traces[item]
            trace.wrong, trace.belief = event.stated, max(trace.belief, self.learning.gain * share * self._openness())
            trace.strength *= 1 - trace.belief

    def _load(self, conveyed: dict[str, Event]) -> float:
        new = sum(1 for item in conveyed if self.traces[item].exposures == 0 and self.traces[item].strength < 0.5)
        capacity = self.learning.capacity[self._recall]
        # Details of one drug make one chunk with it, so the load counts facts more than attributes.
        facts = len({item.split(".")[0] for item in conveyed})
        burden = 0.5 * facts + 0.25 * new
        return min(1.0, capacity / burden) if burden else 1.0

    def _openness(self) -> float:
        learning = self.learning
        calm = 1 - learning.distress * self.distress
        return calm * (1 - learning.distrust * (1 - self.trust)) * learning.grasp[self._literacy]

    def _clarity(self, sentence: Sentence) -> float:
        grade = grade_of((sentence,))
        above = max(0.0, (grade or 0.0) - self.learning.grade[self.persona.education])
        plain = max(0.3, 1 - self.learning.per_grade * above)
        return plain * (self.learning.jargon[self._literacy] if jargon_of(sentence) else 1.0)

    def _learn(self, trace: Trace, share: float) -> None:
        if trace.missed:
            share, trace.missed = min(share * self.learning.reteaching, 1.0), False
        elif trace.exposures == 1:
            share *= self.learning.repetition
        elif trace.exposures > 1:
            share = 0.0
        trace.exposures += 1
        trace.strength += (1 - trace.strength) * share
        trace.belief *= 0.3
        if trace.belief < 0.1:
            trace.wrong = ""

    def _fade(self, except_for: Iterable[str]) -> None:
        kept = 1 - self.learning.fading[self._recall]
        spared = set(except_for)
        for item, trace in self.traces.items():
            if item not in spared and trace.strength > trace.floor:
                trace.strength = trace.floor + (trace.strength - trace.floor) * kept

    def say_back(self, items: Iterable[str]) -> tuple[list[str], list[str]]:
        """Try to retrieve items, as in teach-back; retrieving strengthens, failing opens for re-teaching.

        Returns:
            The items retrieved and the items missed.
        """
        got: list[str] = []
        missed: list[str] = []
        for item in items:
            trace = self.traces[item]
            if trace.strength >= self._demand(item, 0.25, 0.65) and trace.belief < trace.strength:
                trace.strength += (1 - trace.strength) * self.learning.retrieval * self._openness()
                got.append(item)
            else:
                trace.missed = True
                missed.append(item)
        return got, missed

    def _demand(self, name: str, low: float, high: float) -> float:
        """How strong a memory a question asks for: a fixed property of question and case."""
        return low + (high - low) * _drawn(self.case.id, name)

    def remembers(self, item: str) -> bool:
        """True when the patient can call the item up unaided."""
        trace = self.traces[item]
        return trace.strength >= self._demand(item, *self.learning.recall_demand) and trace.belief < trace.strength

    def reassure(self, amount: float) -> None:
        """Lower distress and raise trust; a negative amount does the opposite."""
        self.distress = min(1.0, max(0.0, self.distress - amount))
        self.trust = min(1.0, max(0.0, self.trust + amount))

    def answer(self, question: Question) -> Answer:
        """Answer an exam question from memory; what is not remembered is guessed, what was taught wrong is believed."""
        order = shuffled_options(self.case.id, question.id)
        return Answer(question=question.id, order=order, chosen=self._choose(question))

    def _choose(self, question: Question) -> Option:
        traces = [self.traces[item] for item in question.about]
        if any(t.wrong and t.belief > t.strength for t in traces):
            return "distractor"
        if min(t.strength for t in traces) >= self._demand(question.id, *self.learning.demand):
            return "answer"
        guess = stream("guess", self.case.id, question.id).random()
        hit = self.learning.elimination[self._literacy]
        if guess < hit:
            return "answer"
        return "distractor" if guess < hit + 0.8 * (1 - hit) else "irrelevant"


@lru_cache(maxsize=16384)
def _drawn(case: str, name: str) -> float:
    return stream("demand", case, name).random()


def shuffled_options(case: str, question: str) -> tuple[Option, Option, Option]:
    """Return the order in which the options of a question are shown: the same at every sitting and for all engines."""
    options: list[Option] = ["answer", "distractor", "irrelevant"]
    stream("options", case, question).shuffle(options)
    first, second, third = options
    return first, second, third
