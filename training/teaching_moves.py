"""Discharge teaching as a choice among a few moves, for reinforcement learning without a language model.

A move is a stage of the discharge talk and what to do about it. The words come from the sentences of the scripted
expert, the patient answers as always, and what an agent observes is read from the patient's words alone. So a policy of
a classic library has to find out when to tell, when to ask back and when to comfort, and its reward is that of the
text environment.
"""

from typing import Any, SupportsFloat

import gymnasium as gym
import numpy as np
from gymnasium import spaces

from bedside.cases.seeds import stream
from bedside.clinicians import bedside_manner as manner
from bedside.clinicians.expert import Portion, portions
from bedside.clinicians.listening import PlanReader, reader_of
from bedside.clinicians.plan import parse_plan
from bedside.clinicians.script import STAGES
from bedside.envs.encounter import Encounter

__all__ = ["STRATEGIES", "TeachingMoves"]

STRATEGIES = ("tell", "repeat", "ask_back", "comfort")
"""What can be done about a stage: tell its next portion, say the last one again, ask for it back, meet the feeling."""

_TITLES = tuple(title for title, _ in STAGES)
_FEELINGS = tuple(manner.EMPATHY)

Features = np.ndarray[tuple[int], np.dtype[np.float32]]


class TeachingMoves(gym.Env[Features, np.int64]):
    """A discharge encounter with numbers for actions and observations.

    ## Action Space
    ``Discrete(25)``: ``stage * 4 + strategy`` with the six stages in their order and :data:`STRATEGIES`; 24 takes
    leave.

    ## Observation Space
    ``Box(0, 1, (24,))``: for each stage the share of its portions told, whether the last of them was asked back, and
    the share of what was told that came back right at the last asking; then the patient's feeling (one of four),
    whether it asked a question, and the share of turns used.

    ## Rewards
    Those of the wrapped environment.

    ## Arguments
    ``env``: a discharge encounter with a reward.
    """

    metadata = {"render_modes": []}

    def __init__(self, env: Encounter) -> None:
        self._env = env
        self.action_space = spaces.Discrete(len(STAGES) * len(STRATEGIES) + 1)
        self.observation_space = spaces.Box(0.0, 1.0, (3 * len(STAGES) + len(_FEELINGS) + 2,), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Meet a patient; options as for the wrapped environment."""
        super().reset(seed=seed)
        observation, info = self._env.reset(seed=seed, options=options)
        briefing = observation["briefing"]
        self._reader = reader_of(briefing)
        self._portions: dict[str, list[Portion]] = {title: [] for title in _TITLES}
        for portion in portions(parse_plan(briefing)):
            self._portions[portion.stage].append(portion)
        self._told = dict.fromkeys(_TITLES, 0)
        self._came_back = dict.fromkeys(_TITLES, 0.0)
        self._asked_back: set[str] = set()
        self._asked: str | None = None
        self._feeling = ""
        self._question = False
        self._turns = 0
        self._rng = stream("teaching moves", self._env.episode.seed)
        self._hear(observation["patient"])
        return self._features(), info

    def step(self, action: np.int64) -> tuple[Features, SupportsFloat, bool, bool, dict[str, Any]]:
        """Make a move; ``info`` holds what was said and what the patient answered."""
        said = self._words(int(action))
        observation, reward, terminated, truncated, info = self._env.step(said)
        self._turns += 1
        self._hear(observation["patient"])
        info |= {"said": said, "heard": observation["patient"]}
        return self._features(), reward, terminated, truncated, info

    def _words(self, action: int) -> str:
        self._asked = None
        if action == len(STAGES) * len(STRATEGIES):
            return manner.CLOSING[0]
        stage, strategy = divmod(action, len(STRATEGIES))
        title = _TITLES[stage]
        match STRATEGIES[strategy]:
            case "tell":
                return self._tell(title)
            case "repeat":
                return self._last(title)
            case "ask_back":
                self._asked = title
                self._asked_back.add(title)
                return self._rng.choice(manner.ASK_BACK[title])
            case _:
                return self._rng.choice(manner.EMPATHY.get(self._feeling, manner.EMPATHY[_FEELINGS[0]]))

    def _tell(self, title: str) -> str:
        if self._told[title] < len(self._portions[title]):
            self._told[title] += 1
            self._asked_back.discard(title)
        return self._last(title)

    def _last(self, title: str) -> str:
        if not self._told[title]:
            return manner.NEXT[0]
        return self._portions[title][self._told[title] - 1].text

    def _hear(self, patient: str) -> None:
        heard = PlanReader.hear(patient)
        self._feeling, self._question = heard.feeling, bool(heard.questions)
        if self._asked is not None:
            right, _ = self._reader.said_back(patient)
            facts = [
                fact for portion in self._portions[self._asked][: self._told[self._asked]] for fact in portion.facts
            ]
            items = [item for fact in facts for item in self._reader.items_of(fact)]
            self._came_back[self._asked] = sum(item in right for item in items) / len(items) if items else 0.0

    def _features(self) -> Features:
        stages = [
            value
            for title in _TITLES
            for value in (
                self._told[title] / len(self._portions[title]) if self._portions[title] else 1.0,
                float(title in self._asked_back),
                self._came_back[title],
            )
        ]
        feelings = [float(self._feeling == feeling) for feeling in _FEELINGS]
        rest = [float(self._question), min(1.0, self._turns / self._env.max_turns)]
        return np.array([*stages, *feelings, *rest], dtype=np.float32)
