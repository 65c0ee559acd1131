"""The training reward: one number an episode, its weights in the open, and a safety gate that no coverage can buy off.

What the untaught patient knows is never paid for, only gains are; so silence earns nothing. Shaping is by potential:
the step rewards sum to the final reward whatever the potential says, so that it cannot change what is optimal.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from bedside.cases.case import Case
from bedside.envs.episode import Episode, StopReason
from bedside.rewards.committed import asks_for_answer
from bedside.rewards.coverage import score_coverage
from bedside.rewards.diagnosis import Match, match_diagnosis
from bedside.rewards.exam import gain
from bedside.rewards.lesson import lesson_of
from bedside.rewards.readability import band
from bedside.rewards.safety import SafetyClaim, audit
from bedside.rewards.score import Score
from bedside.rewards.talk import Talk
from bedside.rewards.weights import RewardWeights, read_weights
from bedside.verifier.language.text import plain

__all__ = ["EncounterReward", "match_episode"]


def match_episode(episode: Episode, case: Case) -> Match:
    """Match the diagnosis of an interview with the true one; a label within an instruction commits to nothing.

    Args:
        episode: A finished interview.
        case: Its case.
    """
    if episode.diagnosis and episode.turns and asks_for_answer(plain(episode.turns[-1].heard)):
        return Match(False, "unanswered", "repeats instructions instead of answering")
    return match_diagnosis(episode.diagnosis or "", case.diagnosis)


@dataclass(frozen=True)
class EncounterReward:
    """What an environment rewards its agent with; plain data, so that it can be sent to other processes.

    Which encounter it rewards, the episode says.

    Attributes:
        weights: How much each part counts.
    """

    weights: RewardWeights = field(default_factory=RewardWeights)

    @classmethod
    def from_config(cls, config: str | Path) -> Self:
        """Return the reward with the weights of a file.

        Args:
            config: A preset (``default``, ``dischargesim``, ``verisim``, ``dischargebench``) or a TOML file; see
                :func:`~bedside.rewards.weights.read_weights`.

        Raises:
            ValueError: The weights cannot be used; the message names file and field.
        """
        return cls(read_weights(config))

    def potential(self, episode: Episode, case: Case) -> float:
        """Return the worth of an encounter so far; 0 before the first turn.

        A step earns the difference of potentials and the last step what is missing to :meth:`final`.

        Args:
            episode: The encounter, usually still running.
            case: Its case.
        """
        if episode.scope == "interview":
            return -self.weights.turn_cost * len(episode.turns)
        if not episode.turns:
            return 0.0
        lesson = lesson_of(episode, case)
        covered = score_coverage(lesson).value or 0.0
        return self._guarded(self.weights.coverage * covered, audit(episode, lesson))

    def final(self, episode: Episode, case: Case) -> float | None:
        """Return the reward of a finished encounter; None when it could not be determined."""
        return self.score(episode, case).value

    def score(self, episode: Episode, case: Case) -> Score:
        """Return the reward with its parts.

        Args:
            episode: A finished encounter.
            case: Its case.

        Returns:
            The weighted sum; unscored when any part that the case has a right to is missing.
        """
        if episode.stop is None:
            return Score(value=None, reason="the encounter has not ended")
        if episode.stop is StopReason.FAULT:
            return Score(value=None, reason=episode.fault or "the encounter broke off by a fault")
        return self._interview(episode, case) if episode.scope == "interview" else self.of_talk(Talk(episode, case))

    def _interview(self, episode: Episode, case: Case) -> Score:
        if not case.diagnosis.known:
            return Score(value=None, reason="the case came without a diagnosis")
        match = match_episode(episode, case)
        cost = self.weights.turn_cost * len(episode.turns)
        right = self.weights.accuracy * match.matched
        return Score(value=right - cost, parts={"accuracy": right, "turn_cost": -cost})

    def of_talk(self, talk: Talk) -> Score:
        """Return the reward of a finished talk, from measures that may have been taken already."""
        if not talk.case.plan:
            return Score(value=None, reason="the case has no discharge plan")
        terms = {
            "exam_gain": (self.weights.exam_gain if talk.case.questions else 0.0, gain(talk.exam_before, talk.exam)),
            "coverage": (self.weights.coverage, talk.coverage),
            "recall_gain": (self.weights.recall_gain, gain(talk.recall_before, talk.recall)),
        }
        parts: dict[str, float | None] = {}
        for name, (weight, score) in terms.items():
            if weight and score.value is None:
                return Score(value=None, reason=f"{name}: {score.reason}", parts=parts)
            parts[name] = weight * (score.value or 0.0)
        grade = talk.readability.value
        ease = 0.0 if grade is None else band(grade) * (talk.coverage.value or 0.0)
        parts["readability"] = self.weights.readability * ease
        earned = sum(part or 0.0 for part in parts.values())
        value = self._guarded(earned, talk.claims)
        parts["safety"] = value - earned
        return Score(value=value, parts=parts)

    def _guarded(self, earned: float, claims: tuple[SafetyClaim, ...]) -> float:
        """Take off what contradictions cost, and let no harmful claim be outweighed."""
        wrong = sum(claim.grounding == "contradicted" for claim in claims)
        value = earned - self.weights.contradiction * wrong
        if any(claim.status == "harmful" for claim in claims):
            value = min(value, self.weights.harm_ceiling)
        return max(value, -1.0)
