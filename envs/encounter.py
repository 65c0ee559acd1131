"""What both encounters share: the Gymnasium contract, the verified patient, the record, the reward by injection."""

from abc import abstractmethod
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, ClassVar, Protocol

import gymnasium as gym
from gymnasium import spaces

from bedside.cases.case import Case
from bedside.cases.persona import Persona, draw_persona
from bedside.cases.seeds import derive_seed
from bedside.envs.audible import hear
from bedside.envs.episode import Episode, StopReason, Turn, Usage
from bedside.envs.orchestrator import EmbeddedOrchestrators, OrchestratorEngine
from bedside.envs.patient import Patient, PatientEngine, Utterance, speak
from bedside.envs.spaces import Prose
from bedside.verifier.grounding import GroundedCase, Scope, ground
from bedside.verifier.verifier import RulesVerifier, Verifier

__all__ = ["Encounter", "Observation", "Reward"]

MAX_ACTION = 65_536
MAX_BRIEFING = 65_536
MAX_UTTERANCE = 4_096
_VERSION = version("bedside")
_OPTIONS = {"case", "run", "persona", "noise"}

Observation = dict[str, str]


class Reward(Protocol):
    """What an encounter is worth; implemented in ``bedside.rewards`` and handed in."""

    def potential(self, episode: Episode, case: Case) -> float:
        """Worth of an unfinished encounter; 0 at its start."""

    def final(self, episode: Episode, case: Case) -> float | None:
        """Worth of a finished one; None if it cannot be determined."""


class Encounter(gym.Env[Observation, str]):
    """A text-in, text-out encounter with one patient.

    Subclasses say who the patient is, what the clinician is told and when it is over.
    """

    metadata = {"render_modes": ["ansi"]}
    env_id: ClassVar[str]
    scope: ClassVar[Scope]
    first_request: ClassVar[str]

    def __init__(
        self,
        cases: Sequence[Case],
        *,
        patient: PatientEngine,
        persona: str = "neutral",
        noise: str = "none",
        reward: Reward | None = None,
        verifier: Verifier | None = None,
        orchestrator: OrchestratorEngine | None = None,
        max_turns: int = 40,
        render_mode: str | None = None,
    ) -> None:
        if not cases:
            raise ValueError("no cases: give at least one case")
        if max_turns < 1:
            raise ValueError(f"max_turns must be at least 1, not {max_turns}")
        draw_persona(persona, noise, 0)  # a bad specification is told now, not in the first episode
        self.cases = tuple(cases)
        self.max_turns = max_turns
        self.render_mode = render_mode
        self.patient = patient
        self.reward = reward
        self.verifier: Verifier = verifier or RulesVerifier()
        self.orchestrator: OrchestratorEngine = orchestrator or EmbeddedOrchestrators()
        self._persona_spec, self._noise_spec = persona, noise
        self._by_id = {case.id: case for case in self.cases}
        # Gymnasium types the values of a Dict space as Any.
        self.observation_space = spaces.Dict(  # type: ignore[assignment]
            {"briefing": Prose(MAX_BRIEFING), "patient": Prose(MAX_UTTERANCE), "request": Prose(64)}
        )
        self.action_space = Prose(MAX_ACTION)
        self._episode: Episode | None = None
        self._over = True
        self._patient: Patient

    # What an encounter must define.

    @abstractmethod
    def _meet(self, grounded: GroundedCase, persona: Persona, seed: int) -> Patient:
        """Return the patient of this episode."""

    @abstractmethod
    def _brief(self, case: Case) -> str:
        """Return what the clinician is told."""

    @abstractmethod
    def _conclude(self, turn: Turn) -> tuple[StopReason | None, str]:
        """Decide whether the encounter ends with a turn, and remark on it."""

    def _request(self) -> str:
        """Return what is wanted of the clinician now."""
        return self.first_request

    def _finish(self, episode: Episode) -> Episode:
        """Add to a finished episode what is determined at its end."""
        return episode

    # The Gymnasium contract.

    @property
    def episode(self) -> Episode:
        """The record so far.

        Raises:
            RuntimeError: The environment was never reset.
        """
        if self._episode is None:
            raise RuntimeError("call reset() first: there is no episode yet")
        return self._episode

    @property
    def case(self) -> Case:
        """The case being played."""
        return self._by_id[self.episode.case]

    @property
    def briefing(self) -> str:
        """What the clinician of this episode was told."""
        return self._briefing

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an encounter.

        Args:
            seed: Decides case, persona, noise and every word of the patient. None continues from the last seed.
            options: ``case`` (id), ``persona`` and ``noise`` (specifications of this episode), ``run``.

        Returns:
            The first observation and info.

        Raises:
            ValueError: An option is unknown or cannot be read.
        """
        super().reset(seed=seed)
        options = options or {}
        if unknown := options.keys() - _OPTIONS:
            raise ValueError(f"unknown reset option {sorted(unknown)[0]!r}; known are {', '.join(sorted(_OPTIONS))}")
        episode_seed = int(self.np_random.integers(2**62)) if seed is None else seed
        case = self._choose(options.get("case"), episode_seed)
        persona = draw_persona(
            options.get("persona", self._persona_spec),
            options.get("noise", self._noise_spec),
            episode_seed,
            case.id,
        )
        self._grounded = ground(case, self.scope)
        patient_seed = derive_seed(episode_seed, case.id)
        self._patient = self._meet(self._grounded, persona, patient_seed)
        self._overseer = self.orchestrator.for_encounter(self._grounded, patient_seed)
        self._briefing = self._brief(case)
        self._potential = 0.0
        self._usage_before = self._asked_of_models()
        self._over = False
        self._episode = Episode(
            env=self.env_id,
            scope=self.scope,
            case=case.id,
            persona=persona,
            policy="",
            seed=episode_seed,
            run=int(options.get("run", 0)),
            opening=self._patient.opening(),
            engines={
                "patient": self.patient.name,
                "verifier": self.verifier.engine,
                "orchestrator": self.orchestrator.name,
            },
            version=_VERSION,
        )
        self._episode = self._begin(self._episode)
        return self._observe(self._episode.opening), self._info()

    def _begin(self, episode: Episode) -> Episode:
        """Add to a fresh episode what is determined before the first turn."""
        return episode

    def _choose(self, wanted: object, seed: int) -> Case:
        if wanted is None:
            return self.cases[derive_seed("case", seed) % len(self.cases)]
        if wanted not in self._by_id:
            raise ValueError(f"no case {wanted!r} among the {len(self.cases)} loaded")
        return self._by_id[str(wanted)]

    def step(self, action: str) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Say something to the patient.

        Args:
            action: The clinician's turn, in any language-model dress; see :func:`~bedside.envs.audible.hear`.

        Returns:
            Observation, reward (NaN when the finished encounter cannot be scored), terminated, truncated, info.

        Raises:
            RuntimeError: The encounter is over.
            ValueError: The action is not text within the bounds of the action space.
        """
        if self._over or self._episode is None:
            raise RuntimeError("the encounter is over: call reset() before step()")
        if not self.action_space.contains(action):
            what = f"{len(action)} characters" if isinstance(action, str) else type(action).__name__
            raise ValueError(f"an action is a str of at most {MAX_ACTION} characters, not {what}")
        said, stop = self._exchange(action)
        if stop is not None:
            self._end(stop)
        reward = self._reward(stop)
        terminated = stop is not None and not stop.truncated
        truncated = stop is not None and stop.truncated
        return self._observe(said), reward, terminated, truncated, self._info()

    def truncate(self) -> tuple[float, dict[str, Any]]:
        """End a running encounter from outside: whoever speaks has no room left for another turn.

        Returns:
            The last reward, as from :meth:`step`, and info.

        Raises:
            RuntimeError: The encounter is over.
        """
        if self._over:
            raise RuntimeError("the encounter is over: call reset() before truncate()")
        self._end(StopReason.TOKEN_LIMIT)
        return self._reward(StopReason.TOKEN_LIMIT), self._info()

    def _end(self, stop: StopReason) -> None:
        self._over = True
        finished = self._finish(self.episode.model_copy(update={"stop": stop}))
        usage = self._asked_of_models() - self._usage_before
        self._episode = finished.model_copy(update={"usage": usage})

    def _exchange(self, action: str) -> tuple[str, StopReason | None]:
        """Play one turn; return the patient's words and why it ends, if it does."""
        episode = self.episode
        heard = hear(action)
        answer = self._answer(heard)
        turn = Turn(
            clinician=action,
            heard=heard,
            patient=answer.text,
            verdict=answer.verdict,
            rejected=answer.rejected,
            repairs=answer.repairs,
            fallback=answer.fallback,
        )
        self._patient.settle(heard, answer.text)
        usage = self._asked_of_models() - self._usage_before
        self._episode = episode.model_copy(update={"turns": (*episode.turns, turn), "usage": usage})
        stop, remark = self._conclude(turn)
        if stop is None and len(self._episode.turns) >= self.max_turns:
            stop = StopReason.TURN_LIMIT
        if remark:
            turns = (*self._episode.turns[:-1], turn.model_copy(update={"oversight": remark}))
            self._episode = self._episode.model_copy(update={"turns": turns})
        return answer.text, stop

    def _answer(self, heard: str) -> Utterance:
        episode = self.episode
        said = (episode.opening, *(turn.patient for turn in episode.turns))
        return speak(
            lambda attempt, feedback: self._patient.draft(heard, episode.turns, attempt, feedback),
            lambda text: self.verifier.verify(text, self._grounded, episode.persona.noise, said, heard),
            episode.seed,
            episode.case,
            len(episode.turns),
            most_words=self.patient.most_words,
        )

    def _reward(self, stop: StopReason | None) -> float:
        """Potential-based shaping: the rewards of an episode sum to its final worth."""
        if self.reward is None:
            return 0.0
        if stop is not None:
            final = self.reward.final(self.episode, self.case)
            return float("nan") if final is None else final - self._potential
        potential = self.reward.potential(self.episode, self.case)
        gained, self._potential = potential - self._potential, potential
        return gained

    def _asked_of_models(self) -> Usage:
        """What the models of patient, verifier and orchestrator were asked for since these were made."""
        members = (self.patient, self.orchestrator, self.verifier, *getattr(self.verifier, "members", ()))
        tallies = [tally for member in members if (tally := getattr(member, "usage", None)) is not None]
        return Usage(
            calls=sum(t.calls for t in tallies),
            prompt_tokens=sum(t.prompt_tokens for t in tallies),
            completion_tokens=sum(t.completion_tokens for t in tallies),
            cost=sum(t.cost for t in tallies),
        )

    def _observe(self, said: str) -> Observation:
        return {
            "briefing": self._briefing,
            "patient": said,
            "request": "done" if self._over else self._request(),
        }

    def _info(self) -> dict[str, Any]:
        """What is useful to a trainer or a log, without anything of the answer key."""
        episode = self.episode
        info: dict[str, Any] = {
            "case": episode.case,
            "turn": len(episode.turns),
            "persona": episode.persona.label,
        }
        if episode.turns:
            last = episode.turns[-1]
            info |= {
                "verdict": last.verdict.overall,
                "rejected": len(last.rejected),
                "fallback": last.fallback,
                "orchestrator": "end" if episode.stop else "intervene" if last.oversight else "continue",
                "oversight": last.oversight,
            }
        if episode.stop is not None:
            info["stop"] = episode.stop.value
        return info

    def render(self) -> str:
        """Return the dialogue so far as text."""
        return self.episode.dialogue
