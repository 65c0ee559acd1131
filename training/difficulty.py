"""Patients that get harder as the policy gets better.

A group whose members all fail, or all succeed, teaches nothing: its advantages are zero. So the stage follows the
success rate: up when most encounters go well, down when few do, and easier stages keep coming back so that nothing
is unlearned.
"""

from collections.abc import Sequence
from typing import Any

from bedside.cases.seeds import stream
from bedside.training.assignments import Assignment
from bedside.training.curriculum import STAGES

__all__ = ["Difficulty"]

_PROMOTE = 0.6
_DEMOTE = 0.2
_WINDOW = 64
_REVIEW = 0.3
"""Share of patients that come from an easier stage."""


class Difficulty:
    """Chooses the stage of each assignment by the success rate at the present one.

    Args:
        good: Reward from which an encounter counts as a success.
        persona: Persona of every stage but the first, which is neutral.

    Attributes:
        level: The present stage, 0 for the easiest.
    """

    def __init__(self, good: float = 0.4, persona: str = "dischargebench:random") -> None:
        self._good = good
        self._persona = persona
        self._recent: list[bool] = []
        self.level = 0

    @property
    def state(self) -> dict[str, Any]:
        """What has to be kept to go on later."""
        return {"level": self.level, "recent": self._recent}

    def restore(self, state: dict[str, Any]) -> None:
        """Take up a kept state."""
        self.level, self._recent = int(state["level"]), [bool(s) for s in state["recent"]]

    def assign(self, assignment: Assignment) -> Assignment:
        """Return the assignment with the persona and noise of a stage; the same one for equal assignments."""
        rng = stream(assignment.seed, "difficulty", self.level)
        stage = rng.randrange(self.level) if self.level and rng.random() < _REVIEW else self.level
        noise = list(STAGES.values())[stage]
        return assignment.model_copy(update={"noise": noise, "persona": self._persona if stage else assignment.persona})

    def learn(self, rewards: Sequence[float | None]) -> None:
        """Take note of how a batch of encounters went, and change the stage if it is time."""
        self._recent += [reward >= self._good for reward in rewards if reward is not None]
        if len(self._recent) < _WINDOW:
            return
        rate = sum(self._recent) / len(self._recent)
        if rate >= _PROMOTE:
            self.level = min(self.level + 1, len(STAGES) - 1)
        elif rate <= _DEMOTE:
            self.level = max(self.level - 1, 0)
        self._recent = []
