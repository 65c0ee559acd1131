"""From what the user typed to what will be run: whatever can be wrong is found here, before anything starts.

A run of hours must not stop at its last policy because of a misspelt name. So cases are loaded, personas
drawn and clinicians built once for each setting; whatever they reject is a ``ValueError`` of one line.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from bedside.benchmarks.folder import Task
from bedside.benchmarks.protocols import PROTOCOLS, kind_of
from bedside.benchmarks.provenance import hash_cases, hash_code, versions_of
from bedside.benchmarks.runs import RunConfig
from bedside.cases.case import Case
from bedside.cases.persona import draw_persona, profiles
from bedside.cases.seeds import derive_seed
from bedside.cases.sources import load_cases
from bedside.chat.model import Sampling
from bedside.chat.providers import ChatSettings, configure, names_model
from bedside.clinicians.registry import POLICIES, make_clinician
from bedside.envs.discharge import BRIEFINGS
from bedside.envs.engines import make_orchestrator, make_patient
from bedside.rewards.judges import make_judge
from bedside.rewards.weights import read_weights
from bedside.verifier.engines import make_verifier

__all__ = [
    "Plan",
    "Settings",
    "load_run_cases",
    "make_plan",
    "make_scoring_plan",
    "parse_shard",
    "tasks_of",
]

# What is needed to play, so that a source made for the other encounter is told so at once.
NEEDED = {"discharge": ("plan", "discharge plan"), "diagnosis": ("record", "record to ask about")}


@dataclass(frozen=True)
class Settings:
    """An evaluation as the user asks for it; see ``run_eval.py --help``.

    An empty persona or noise is that of the protocol, and ``max_turns`` None is that of the environment. A persona that
    stands for several profiles is played with each of them in every run. With ``spread`` a limit takes cases from all
    over the source, and not its first.
    """

    env: str
    cases: str = "open"
    policies: tuple[str, ...] = ()
    persona: str = ""
    noise: str = ""
    limit: int | None = None
    spread: bool = False
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
    reward: str = "default"
    shard: str | None = None


@dataclass(frozen=True)
class Plan:
    """An evaluation that can run.

    Attributes:
        kind: ``discharge`` or ``diagnosis``.
        config: What goes into ``config.yaml``.
        known: All cases of the source: what a clinician may know of the world. A limit does not narrow it.
        cases: Those that are played.
        tasks: Episodes in canonical order: policy, case, run.
        sampling: For clinicians that are language models.
        models: What holds for all language models.
        played: True when the episodes are there, and only to be scored.
    """

    kind: str
    config: RunConfig
    known: tuple[Case, ...]
    cases: tuple[Case, ...]
    tasks: tuple[Task, ...]
    sampling: Sampling = field(default_factory=Sampling)
    models: ChatSettings = field(default_factory=ChatSettings)
    played: bool = False

    @property
    def models_take_part(self) -> bool:
        """True if an episode waits for language models."""
        roles = [self.config.judge] if self.played else self.config.engines
        return any(names_model(name) for name in roles)


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
    for profile in profiles(persona):
        draw_persona(profile, noise, settings.seed)
    policies = _policies(settings, protocol.kind)
    known = tuple(load_cases(settings.cases))
    cases = _playable(settings, protocol.kind, known)
    weights = read_weights(settings.reward)
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
        case_hash=hash_cases(known),
        policies=policies,
        persona=persona,
        noise=noise,
        runs=settings.runs * len(profiles(persona)),
        seed=settings.seed,
        limit=settings.limit,
        spread=settings.spread,
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
        reward=weights,
        shard=settings.shard,
        code=hash_code(),
        versions={},
    )
    config = config.model_copy(update={"versions": versions_of(config)})
    tasks = tasks_of(config, [case.id for case in cases])
    return Plan(protocol.kind, config, known, cases, tasks, settings.sampling, settings.models)


def make_scoring_plan(old: RunConfig, judge: str | None, reward: str | None, models: ChatSettings) -> Plan:
    """Lay out how the episodes of a finished run are scored again, by the code of today.

    Args:
        old: Configuration of the run.
        judge: Who scores now; None for who scored before.
        reward: Weights of the training reward, as a preset or a file; None for those from before.
        models: What holds for all language models.

    Raises:
        ValueError: The cases are gone or have changed, or judge or reward cannot be used.
    """
    known = _known_cases(old)
    cases = _selected(known, old)
    judge = judge or old.judge
    configure(models)
    make_judge(judge, cases=cases)
    code = hash_code()
    played = old.played_code or old.code
    config = old.model_copy(
        update={
            "judge": judge,
            "reward": read_weights(reward) if reward else old.reward,
            "code": code,
            "played_code": None if played == code else played,
        }
    )
    config = config.model_copy(update={"versions": versions_of(config)})
    tasks = tasks_of(config, [case.id for case in cases])
    return Plan(kind_of(config.env), config, known, cases, tasks, models=models, played=True)


def tasks_of(config: RunConfig, cases: Sequence[str]) -> tuple[Task, ...]:
    """Return the episodes of an evaluation in canonical order: policy, case, run.

    Where a case meets several profiles, one after the other, each round of them has one seed: profiles are compared in
    pairs, as policies are.

    Args:
        config: The evaluation.
        cases: Ids of the cases that are played.
    """
    each = len(profiles(config.persona))
    return tuple(
        Task(policy, case, run, derive_seed(config.seed, case, run // each))
        for policy in config.policies
        for case in cases
        for run in range(config.runs)
    )


def load_run_cases(config: RunConfig) -> tuple[Case, ...]:
    """Load the cases that a finished or interrupted run was made with.

    Raises:
        ValueError: The source is gone or holds other cases now.
    """
    return _selected(_known_cases(config), config)


def _known_cases(config: RunConfig) -> tuple[Case, ...]:
    known = tuple(load_cases(config.cases))
    if hash_cases(known) != config.case_hash:
        raise ValueError(f"{config.cases} has changed since this run was made")
    return known


def _selected(known: tuple[Case, ...], chosen: Settings | RunConfig) -> tuple[Case, ...]:
    """Return the cases that are played: every n-th of those within the limit, if this is one of n shards."""
    cases = known[: chosen.limit]
    if chosen.spread and chosen.limit:
        cases = tuple(known[number * len(known) // len(cases)] for number in range(len(cases)))
    if chosen.shard is None:
        return cases
    number, count = parse_shard(chosen.shard)
    return cases[number - 1 :: count]


def parse_shard(text: str) -> tuple[int, int]:
    """Read ``I/N``: which shard, from 1, of how many.

    Raises:
        ValueError: It is not that.
    """
    try:
        number, count = map(int, text.split("/"))
    except ValueError:
        number = count = 0
    if not 1 <= number <= count:
        raise ValueError(f"--shard {text}: write I/N, which shard from 1 of how many, as in 2/8")
    return number, count


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
    cases = _selected(known, settings)
    if not cases:
        raise ValueError(f"--shard {settings.shard}: there are fewer cases than shards")
    field, name = NEEDED[kind]
    if missing := [case.id for case in cases if not getattr(case, field)]:
        raise ValueError(
            f"{settings.cases}: case {missing[0]!r} has no {name}, which --env {settings.env} needs"
            + (f" ({len(missing)} of {len(cases)} cases)" if len(cases) > 1 else "")
        )
    return cases
