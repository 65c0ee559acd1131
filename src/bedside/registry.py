"""The environments by their Gymnasium ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium as gym

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bedside.cases.case import Case
    from bedside.envs.encounter import Encounter
    from bedside.envs.orchestrator import OrchestratorEngine
    from bedside.envs.patient import PatientEngine
    from bedside.verifier.verifier import Verifier

__all__ = ["ENV_IDS", "make", "register_environments"]

ENV_IDS = (
    "bedside/Discharge-v0",
    "bedside/Diagnosis-v0",
    "bedside/DischargeSim-v0",
    "bedside/DischargeBench-v0",
    "bedside/VeriSim-v0",
)
"""Every registered id; a change that moves scores bumps the version."""


def make(
    env_id: str,
    *,
    cases: Sequence[Case] | str = "open",
    reward: Any = "default",
    verifier: Verifier | str = "rules",
    patient: PatientEngine | str = "embedded",
    orchestrator: OrchestratorEngine | str = "embedded",
    **kwargs: Any,
) -> Encounter:
    """Make an encounter.

    Args:
        env_id: One of :data:`ENV_IDS`.
        cases: Cases, or a source such as ``open``, ``ddxplus:DIR``, ``agentclinic:FILE`` or ``FILE.jsonl``.
        reward: Weights of the training reward: ``default``, ``dischargesim``, ``verisim``, ``dischargebench`` or a TOML
            file; None for no reward, or an object with ``potential`` and ``final``.
        verifier: A verifier, or the name of one: ``rules``, ``llm:PROVIDER/MODEL``, ``ensemble:PROVIDER/MODEL``; ``off``
            and ``prompt`` are for the ablation.
        patient: Who plays the patients: an engine, or the name of one: ``embedded`` or a model as ``PROVIDER/MODEL``.
        orchestrator: Who decides when the talk ends; named like the patient.
        **kwargs: Passed to the environment: ``persona``, ``noise``, ``max_turns``, …

    Returns:
        The environment, without Gymnasium's wrappers.

    Raises:
        ValueError: The id is unknown or an argument cannot be used.
    """
    # Imported here so that `import bedside` stays quick and loads no lexicon.
    from bedside.cases.sources import load_cases
    from bedside.envs.diagnosis import DiagnosisEnv
    from bedside.envs.discharge import DischargeEnv
    from bedside.envs.engines import make_orchestrator, make_patient
    from bedside.envs.protocols import DischargeBenchEnv, DischargeSimEnv, VeriSimEnv
    from bedside.rewards.combined import EncounterReward
    from bedside.verifier.engines import make_verifier

    known = (DischargeEnv, DiagnosisEnv, DischargeSimEnv, DischargeBenchEnv, VeriSimEnv)
    environments: dict[str, type[Encounter]] = {env.env_id: env for env in known}
    if env_id not in environments:
        raise ValueError(f"unknown environment {env_id!r}; known are {', '.join(ENV_IDS)}")
    loaded = load_cases(cases) if isinstance(cases, str) else cases
    if isinstance(reward, str):
        reward = EncounterReward.from_config(reward)
    if isinstance(verifier, str):
        verifier = make_verifier(verifier, cases=loaded)
    if patient != "embedded":
        if isinstance(patient, str):
            patient = make_patient(patient, cases=loaded, guided=verifier.engine != "off")
        kwargs["patient"] = patient
    if isinstance(orchestrator, str):
        orchestrator = make_orchestrator(orchestrator, cases=loaded)
    return environments[env_id](loaded, reward=reward, verifier=verifier, orchestrator=orchestrator, **kwargs)


def _entry_point(env_id: str) -> Any:
    def create(**kwargs: Any) -> Encounter:
        return make(env_id, **kwargs)

    return create


def register_environments() -> None:
    """Register every id with Gymnasium; done once, when the package is imported."""
    for env_id in ENV_IDS:
        if env_id not in gym.registry:
            gym.register(id=env_id, entry_point=_entry_point(env_id), order_enforce=False)
