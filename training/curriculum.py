"""Verified noisy dialogues, easy to hard, as training data.

Difficulty follows the noise: stages raise the number of active pillars and their levels. Every patient turn in a
curriculum has passed the verifier; each row says what was rejected on the way, and what the talk was worth.
"""

from dataclasses import dataclass
from math import ceil
from typing import Any

from bedside.cases.case import Case
from bedside.cases.seeds import derive_seed
from bedside.cases.sources import load_cases
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.episode import Episode
from bedside.registry import make
from bedside.rewards.scoring import score_episode

__all__ = ["STAGES", "Curriculum", "DialogueMaker", "stages_between", "to_messages"]

STAGES = {"easy": "none", "mild": "random:1@1-2", "medium": "random:2@1-3", "hard": "random:3@2-4"}
"""Noise of each stage; ``medium`` is VeriSim's protocol."""


@dataclass(frozen=True)
class Curriculum:
    """What a curriculum is made of; the same settings and code give the same bytes.

    Attributes:
        count: How many dialogues.
        env: A registered environment.
        cases: Case source.
        policies: Clinicians, in turn; ``checklist`` is quick, ``teachback`` better and three times as slow.
        persona: Persona specification; ``PAPER:random`` draws anew for each dialogue.
        stages: Names from :data:`STAGES`, in order of difficulty, each with an equal share.
        briefing: ``full`` or ``compact``.
        max_turns: Longest talk.
        seed: Of everything that is drawn.
    """

    count: int
    env: str = "bedside/Discharge-v0"
    cases: str = "open"
    policies: tuple[str, ...] = ("checklist",)
    persona: str = "dischargebench:random"
    stages: tuple[str, ...] = tuple(STAGES)
    briefing: str = "full"
    max_turns: int = 40
    seed: int = 0

    def __post_init__(self) -> None:
        if unknown := [stage for stage in self.stages if stage not in STAGES]:
            raise ValueError(f"unknown stage {unknown[0]!r}; known are {', '.join(STAGES)}")
        if self.count < 1:
            raise ValueError(f"the number of dialogues must be at least 1, not {self.count}")
        if not self.policies:
            raise ValueError("name at least one policy")


def stages_between(span: str) -> tuple[str, ...]:
    """Read ``easy..hard``, ``easy,medium`` or ``hard``.

    Raises:
        ValueError: A stage is unknown.
    """
    first, dots, last = span.partition("..")
    names = [first, last] if dots else span.split(",")
    if unknown := [name for name in names if name not in STAGES]:
        raise ValueError(f"unknown stage {unknown[0]!r}; known are {', '.join(STAGES)}")
    order = list(STAGES)
    return tuple(order[order.index(first) : order.index(last) + 1]) if dots else tuple(names)


class DialogueMaker:
    """Plays the dialogues of a curriculum, any of them, in any order; one instance serves one process."""

    def __init__(self, curriculum: Curriculum) -> None:
        """Build environment and clinicians.

        Raises:
            ValueError: A setting cannot be used.
        """
        self._curriculum = curriculum
        self._cases: list[Case] = list(load_cases(curriculum.cases))
        extra = {"briefing": curriculum.briefing} if "Discharge" in curriculum.env else {}
        self._env = make(curriculum.env, cases=self._cases, reward=None, max_turns=curriculum.max_turns, **extra)
        self._clinicians = [
            make_clinician(policy, cases=self._cases, source=curriculum.cases) for policy in curriculum.policies
        ]

    def shards(self, size: int) -> list[tuple[int, ...]]:
        """Divide the numbers of the dialogues: all with a case are in one shard, as what is read of it is read once.

        Args:
            size: About how many dialogues a shard holds; a case that has more is a shard by itself.
        """
        count, cases = self._curriculum.count, len(self._cases)
        together = max(1, size // ceil(count / cases))
        return [
            tuple(number for case in range(first, first + together) for number in range(case, count, cases))
            for first in range(0, min(count, cases), together)
        ]

    def row(self, number: int) -> dict[str, Any]:
        """Play one dialogue.

        Returns:
            ``messages`` and metadata: where it came from, what the verifier did, what it was worth.
        """
        wanted = self._curriculum
        stage = wanted.stages[number * len(wanted.stages) // wanted.count]
        case = self._cases[number % len(self._cases)]
        # Rounds over the cases take the next clinician, so that each case meets each of them.
        clinician = self._clinicians[number // len(self._cases) % len(self._clinicians)]
        seed = derive_seed(wanted.seed, "curriculum", number)
        options = {"case": case.id, "noise": STAGES[stage], "persona": wanted.persona}
        episode = rollout(self._env, clinician, seed, options)
        return {"id": number, "messages": to_messages(episode, self._env.briefing)} | _described(episode, case, stage)


def to_messages(episode: Episode, briefing: str) -> list[dict[str, str]]:
    """Return an episode as chat messages for fine-tuning a clinician: the patient is the user.

    Args:
        episode: A finished encounter.
        briefing: What the clinician was told; it becomes the system message.
    """
    messages = [{"role": "system", "content": briefing}, {"role": "user", "content": episode.opening}]
    for turn in episode.turns:
        messages.append({"role": "assistant", "content": turn.heard})
        messages.append({"role": "user", "content": turn.patient})
    # The last word of the patient answers nobody; the model learns from its own turns.
    return messages[:-1]


def _described(episode: Episode, case: Case, stage: str) -> dict[str, Any]:
    scores = score_episode(episode, case)
    labels = [judgment.label for turn in episode.turns for judgment in turn.verdict.judgments]
    return {
        "case": episode.case,
        "chapter": case.chapter,
        "env": episode.env,
        "clinician": episode.policy,
        "stage": stage,
        "persona": episode.persona.label,
        "noise": ",".join(f"{pillar}={level}" for pillar, level in episode.persona.noise.active.items()),
        "seed": episode.seed,
        "stop": episode.stop.value if episode.stop else None,
        "turns": len(episode.turns),
        "verdicts": {label: labels.count(label) for label in ("supported", "unverifiable", "fabricated")},
        "rejected": sum(len(turn.rejected) for turn in episode.turns),
        "fallbacks": sum(turn.fallback for turn in episode.turns),
        "reward": scores["reward"].value,
        "reward_parts": dict(scores["reward"].parts),
        "scores": {name: score.value for name, score in scores.items() if name != "reward"},
    }
