"""From what the user typed to what will be run: whatever can be wrong is found here, before anything starts.

A run of hours must not stop at its last policy because of a misspelt name. So cases are loaded, personas
drawn and clinicians built once for each setting; whatever they reject is a ``ValueError`` of one line.
"""

import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

import numpy as np

import bedside
from bedside.benchmarks.protocols import PROTOCOLS
from bedside.benchmarks.runs import RunConfig, Task
from bedside.cases.case import Case
from bedside.cases.persona import draw_persona
from bedside.cases.seeds import derive_seed
from bedside.cases.sources import load_cases
from bedside.chat.model import Sampling
from bedside.chat.providers import ChatSettings, configure, names_model
from bedside.clinicians.registry import POLICIES, make_clinician
from bedside.envs.discharge import BRIEFINGS
from bedside.envs.engines import make_orchestrator, make_patient
from bedside.rewards.judges import make_judge
from bedside.verifier.engines import make_verifier

__all__ = ["Plan", "Settings", "load_run_cases", "make_plan"]

# What is needed to play, so that a source made for the other encounter is told so at once.
NEEDED = {"discharge": ("plan", "discharge plan"), "diagnosis": ("record", "record to ask about")}


@dataclass(frozen=True)
class Settings:
    """An evaluation as the user asks for it; see ``run_eval.py --help``.

    An empty persona or noise is that of the protocol, and ``max_turns`` None is that of the environment.
    """

    env: str
    cases: str = "open"
    policies: tuple[str, ...] = ()
    persona: str = ""
    noise: str = ""
    limit: int | None = None
    runs: int = 1
    seed: int = 0
    verifier: str = "rules"
    patient: str = "embedded"
    judge: str = "embedded"
    sampling: Sampling = field(default_factory=Sampling)
    models: ChatSettings = field(default_factory=ChatSettings)
    orchestrator: str = "embedded"
    max_turns: int | None = None
    briefing: str = "full"
    documents: bool = False


@dataclass(frozen=True)
class Plan:
    """An evaluation that can run.

    Attributes:
        kind: ``discharge`` or ``diagnosis``.
        config: What goes into ``config.json``.
        known: All cases of the source: what a clinician may know of the world. A limit does not narrow it.
        cases: Those that are played.
        tasks: Episodes in canonical order: policy, case, run.
        sampling: For clinicians that are language models.
        models: What holds for all language models.
    """

    kind: str
    config: RunConfig
    known: tuple[Case, ...]
    cases: tuple[Case, ...]
    tasks: tuple[Task, ...]
    sampling: Sampling = field(default_factory=Sampling)
    models: ChatSettings = field(default_factory=ChatSettings)

    @property
    def models_play(self) -> bool:
        """True if an episode waits for language models."""
        config = self.config
        roles = (config.patient, config.orchestrator, config.judge, config.verifier.partition(":")[2])
        names = (*config.policies, *roles)
        return any(names_model(name) for name in names)


def make_plan(settings: Settings) -> Plan:
    """Check the settings and lay out the episodes.

    Raises:
        ValueError: Something in them cannot be used; one line says what and, where it can, what was meant.
    """
    if settings.env not in PROTOCOLS:
        raise ValueError(f"unknown environment {settings.env!r}; {_meant(settings.env, list(PROTOCOLS))}")
    for name, number in (("limit", settings.limit), ("runs", settings.runs), ("max-turns", settings.max_turns)):
        if number is not None and number < 1:
            raise ValueError(f"--{name} must be at least 1, not {number}")
    if settings.documents and PROTOCOLS[settings.env].kind != "discharge":
        raise ValueError("--documents needs a discharge talk: only educators write a summary and a checklist")
    if settings.briefing not in BRIEFINGS:
        raise ValueError(f"unknown briefing {settings.briefing!r}; {_meant(settings.briefing, list(BRIEFINGS))}")
    protocol = PROTOCOLS[settings.env]
    persona, noise = settings.persona or protocol.persona, settings.noise or protocol.noise
    draw_persona(persona, noise, settings.seed)
    policies = _policies(settings, protocol.kind)
    known = tuple(load_cases(settings.cases))
    cases = _playable(settings, protocol.kind, known)
    configure(settings.models)
    for policy in policies:
        make_clinician(policy, cases=known, source=settings.cases)
    make_verifier(settings.verifier, cases=cases)
    make_patient(settings.patient, cases=cases)
    make_orchestrator(settings.orchestrator, cases=cases)
    make_judge(settings.judge, cases=cases)
    modelled = any(names_model(policy) for policy in policies)
    config = RunConfig(
        env=protocol.env,
        cases=settings.cases,
        case_count=len(cases),
        case_hash=_hash_of(known),
        policies=policies,
        persona=persona,
        noise=noise,
        runs=settings.runs,
        seed=settings.seed,
        limit=settings.limit,
        verifier=settings.verifier,
        patient=settings.patient,
        orchestrator=settings.orchestrator,
        judge=settings.judge,
        max_turns=settings.max_turns,
        briefing=settings.briefing,
        documents=settings.documents,
        temperature=settings.sampling.temperature if modelled else None,
        max_tokens=settings.sampling.max_tokens if modelled else None,
        prices=dict(settings.models.prices),
        code=_code_hash(),
        versions=_versions(),
    )
    tasks = tuple(
        Task(policy, case.id, run, derive_seed(settings.seed, case.id, run))
        for policy in policies
        for case in cases
        for run in range(settings.runs)
    )
    return Plan(protocol.kind, config, known, cases, tasks, settings.sampling, settings.models)


def load_run_cases(config: RunConfig) -> tuple[Case, ...]:
    """Load the cases that a finished or interrupted run was made with.

    Raises:
        ValueError: The source is gone or holds other cases now.
    """
    known = tuple(load_cases(config.cases))
    if _hash_of(known) != config.case_hash:
        raise ValueError(f"{config.cases} has changed since this run was made")
    return known[: config.limit]


def _policies(settings: Settings, kind: str) -> tuple[str, ...]:
    """Return the policies asked for, all reference policies of the encounter if none were."""
    own = POLICIES[kind]
    names = settings.policies or own
    for number, name in enumerate(names):
        if not name:
            raise ValueError(f"empty policy name; the {kind} policies are {', '.join(own)}")
        if name in names[:number]:
            raise ValueError(f"policy {name!r} is given twice")
        if name in own:
            continue
        for other, theirs in POLICIES.items():
            if name in theirs:
                raise ValueError(f"policy {name!r} is for {other}; the {kind} policies are {', '.join(own)}")
        # Whether a language model exists is for the clinicians to say.
        if "/" not in name and not names_model(name):
            raise ValueError(f"unknown policy {name!r}; {_meant(name, own)}")
    return names


def _meant(word: str, known: Sequence[str]) -> str:
    close = get_close_matches(word, known, 1)
    return (f"did you mean {close[0]!r}? " if close else "") + f"There are {', '.join(known)}"


def _playable(settings: Settings, kind: str, known: tuple[Case, ...]) -> tuple[Case, ...]:
    if not known:
        raise ValueError(f"{settings.cases} holds no cases")
    cases = known[: settings.limit]
    field, name = NEEDED[kind]
    if missing := [case.id for case in cases if not getattr(case, field)]:
        raise ValueError(
            f"{settings.cases}: case {missing[0]!r} has no {name}, which --env {settings.env} needs"
            + (f" ({len(missing)} of {len(cases)} cases)" if len(cases) > 1 else "")
        )
    return cases


def _hash_of(cases: Sequence[Case]) -> str:
    digest = blake2b(digest_size=8)
    for case in cases:
        digest.update(case.model_dump_json().encode() + b"\n")
    return digest.hexdigest()


@cache
def _code_hash() -> str:
    """Hash everything in bedside that can change a result: its modules and the data they read."""
    digest = blake2b(digest_size=8)
    package = Path(str(files(bedside)))
    # Rooms are symlinks in a checkout, which rglob does not enter by itself.
    for room in sorted(package.iterdir()):
        if room.name == "training":
            continue
        root = room.resolve()
        for source in sorted(root.rglob("*")) if root.is_dir() else [root]:
            if source.suffix in (".py", ".tsv", ".json", ".jsonl", ".txt") and source.is_file():
                place = f"{room.name}/{source.relative_to(root).as_posix()}\n"
                digest.update(place.encode() + source.read_bytes())
    return digest.hexdigest()


def _versions() -> dict[str, str]:
    try:
        own = version("bedside")
    except PackageNotFoundError:
        own = "unknown"
    return {"bedside": own, "python": platform.python_version(), "numpy": np.__version__}
