"""The patient of a diagnostic interview: it understands, plans, bends the plan by its noise, and speaks.

It answers what was asked and nothing else, denies what its record does not hold, and remembers what it has
told.
"""

from collections.abc import Sequence

from bedside.cases.persona import Persona
from bedside.envs.episode import Turn
from bedside.envs.noise import Scene, bend
from bedside.envs.noise.scene import OPEN
from bedside.envs.noise.social import bend as hide
from bedside.envs.speech.answers import answer
from bedside.envs.speech.brevity import curtness
from bedside.envs.speech.disfluency import disturbed
from bedside.envs.speech.plan import Plan, Say
from bedside.envs.speech.realise import realise, terse
from bedside.envs.speech.recap import corrections
from bedside.envs.speech.record import record_of
from bedside.envs.speech.state import State
from bedside.envs.speech.voice import Voice
from bedside.envs.understanding import understand
from bedside.verifier.grounding import GroundedCase

__all__ = ["InterviewPatient"]

MOST_WORDS = 50
_USUAL = (0.5, 0.2, 0.0, 0.0, 0.0)
"""How often a complaint goes by its usual name, by the highest level of noise at work."""


class InterviewPatient:
    """The embedded patient of an interview; one instance serves one encounter.

    Args:
        grounded: The case.
        persona: Who speaks, and with what noise.
        seed: Every choice follows from it.
        disfluency: How much of the untidiness of real speech to add; 1 as recorded, 0 none.
    """

    def __init__(self, grounded: GroundedCase, persona: Persona, seed: int, disfluency: float = 1.0) -> None:
        self._grounded = grounded
        self._record = record_of(grounded)
        self._symptoms = frozenset(s.id for s in self._record.symptoms)
        self._persona = persona
        self._seed = seed
        self._disfluency = disfluency
        self._curt = curtness(persona, seed) if disfluency else 0.0
        self.state = State(focus=self._record.main.id if self._record.main else None)
        self._drafts: dict[str, tuple[Plan, dict[str, int]]] = {}

    def opening(self) -> str:
        """Return a greeting; the complaint is told when the doctor asks for it."""
        return Voice(self._seed, 0).pick("opening.hello")

    def draft(self, heard: str, turns: Sequence[Turn], attempt: int, feedback: str) -> str:
        """Return a candidate answer; see :class:`~bedside.envs.patient.Patient`.

        Later attempts say less: the second leaves all ornament and vagueness, the third is a bare answer.
        """
        del feedback  # the rules that would reject are known; saying less is what helps
        intents = understand(heard, self._grounded)
        state = self.state.heard(intents, self._persona)
        usual = _USUAL[max(self._persona.noise.active.values(), default=0)]
        voice = Voice(self._seed, len(turns) + 1, attempt, dict(state.phrases), usual, self._curt)
        scene = Scene(self._record, self._persona, state, intents, voice, self._seed)
        plan = answer(intents, self._record, state, heard.lower())
        wrong = corrections(heard, self._record, self._persona.noise) if scene.wants("summary") else ()
        if wrong:
            plan = (*wrong, *(say for say in plan if say.attribute != "summary"))
        if attempt == 0:
            plan = self._again(bend(plan, scene), voice)
            clear = _fitting(plan, voice)
            text = disturbed(clear, voice, self._persona, self._disfluency, narrates=scene.wants(*OPEN))
            text = text if len(text.split()) <= MOST_WORDS else clear
        else:
            plan = tuple(say for say in hide(plan, scene) if say.core)
            bare = "Not quite." if wrong else terse(plan)  # a bare yes would confirm what is wrong
            text = bare if attempt > 1 else _fitting(plan, voice)
        self._drafts[text] = plan, voice.used
        return text

    def _again(self, plan: Plan, voice: Voice) -> Plan:
        """Remark that what comes first was told before."""
        first = plan[0] if plan else None
        told = first is not None and first.fact and f"{first.fact.id}.{first.attribute}" in self.state.told
        return (Say("phrase", attribute="again", core=False), *plan) if told and voice.chance(0.4) else plan

    def settle(self, heard: str, said: str) -> None:
        """Take note of what was said; what was drafted and rejected leaves no trace."""
        intents = understand(heard, self._grounded)
        plan, used = self._drafts.get(said, ((), {}))
        self._drafts = {}
        self.state = self.state.heard(intents, self._persona).answered(plan, self._symptoms, used)


def _fitting(plan: Plan, voice: Voice) -> str:
    """Word a plan within the limit, leaving out ornament first."""
    text = " ".join(realise(plan, voice))
    if len(text.split()) <= MOST_WORDS:
        return text or voice.pick("other.open")
    # By its place: the same remark may stand before and after.
    ornament = next((number for number in range(len(plan) - 1, -1, -1) if not plan[number].core), None)
    if ornament is not None:
        return _fitting((*plan[:ornament], *plan[ornament + 1 :]), voice)
    sentences = realise(plan, voice)
    while len(sentences) > 1 and sum(len(s.split()) for s in sentences) > MOST_WORDS:
        sentences.pop()
    return " ".join(" ".join(sentences).split()[:MOST_WORDS])
