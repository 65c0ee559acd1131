"""Verified noisy dialogues, easy to hard, as training data.

Difficulty follows the noise: stages raise the number of active pillars and their levels. Every patient turn in a
curriculum has passed the verifier; the metadata says what was rejected on the way.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from bedside.cases.case import Case
from bedside.cases.seeds import derive_seed
from bedside.clinicians.clinician import Clinician
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.encounter import Encounter
from bedside.envs.episode import Episode
from bedside.registry import make
from bedside.rewards.scoring import score_episode

__all__ = ["STAGES", "dialogues", "to_messages", "write_curriculum"]

STAGES = {"easy": "none", "mild": "random:1@1-2", "medium": "random:2@1-3", "hard": "random:3@2-4"}
"""Noise of each stage; ``medium`` is VeriSim's protocol."""


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


def dialogues(
    env: Encounter,
    clinician: Clinician,
    cases: Sequence[Case],
    *,
    count: int,
    stages: Sequence[str],
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Generate dialogues, stage by stage, over the cases in turn.

    Args:
        env: Any encounter over these cases.
        clinician: Who speaks; usually the teach-back expert.
        cases: Cases to draw from.
        count: How many dialogues in all.
        stages: Names from :data:`STAGES`, in order of difficulty.
        seed: The same seed gives the same dialogues.

    Yields:
        Rows with ``messages`` and metadata: case, persona, stage, stop, turns, rejected, fallbacks, scores.
    """
    by_id = {case.id: case for case in cases}
    for number in range(count):
        stage = stages[number * len(stages) // count]
        case = cases[number % len(cases)]
        options = {"case": case.id, "noise": STAGES[stage], "persona": "dischargebench:random"}
        episode = rollout(env, clinician, derive_seed(seed, "curriculum", number), options)
        scores = score_episode(episode, by_id[episode.case])
        yield {
            "messages": to_messages(episode, env.briefing),
            "case": episode.case,
            "persona": episode.persona.label,
            "stage": stage,
            "env": episode.env,
            "clinician": episode.policy,
            "stop": episode.stop.value if episode.stop else None,
            "turns": len(episode.turns),
            "rejected": sum(len(turn.rejected) for turn in episode.turns),
            "fallbacks": sum(turn.fallback for turn in episode.turns),
            "scores": {name: score.value for name, score in scores.items()},
        }


def write_curriculum(
    out: Path, *, env_id: str, cases: Sequence[Case], policy: str, count: int, stages: Sequence[str], seed: int
) -> int:
    """Write a curriculum as JSONL; the file appears whole or not at all.

    Args:
        out: The file.
        env_id: A registered environment.
        cases: Cases to draw from.
        policy: Name of the clinician.
        count: How many dialogues.
        stages: Names from :data:`STAGES`.
        seed: The same seed gives the same bytes.

    Returns:
        How many dialogues were written.

    Raises:
        ValueError: A stage or policy is unknown, or ``count`` is not positive.
    """
    if unknown := [stage for stage in stages if stage not in STAGES]:
        raise ValueError(f"unknown stage {unknown[0]!r}; known are {', '.join(STAGES)}")
    if count < 1:
        raise ValueError(f"the number of dialogues must be at least 1, not {count}")
    env = make(env_id, cases=cases)
    clinician = make_clinician(policy, cases=cases, source="open")
    part = out.with_name(out.name + ".part")
    written = 0
    with part.open("wb") as file:
        for row in dialogues(env, clinician, cases, count=count, stages=stages, seed=seed):
            file.write(orjson.dumps(row, option=orjson.OPT_SORT_KEYS) + b"\n")
            written += 1
    part.replace(out)
    return written
