"""The command ``bedside play``: a person in the place of the clinician, or of the patient, at a terminal.

Who has once tried to teach one of these patients, or to be one, reads a table of scores differently. A person who plays
the patient is verified like any other: what the record does not bear out never reaches the clinician, and they are told
why. Every encounter is kept as a run folder, scored, and can be read again with ``bedside show``.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from bedside.benchmarks.evaluate import Report
from bedside.benchmarks.folder import RunFolder
from bedside.benchmarks.options import Cases, Env
from bedside.benchmarks.plan import Plan, Settings, make_plan, tasks_of
from bedside.benchmarks.provenance import hash_cases
from bedside.benchmarks.run_eval import bad_input_told
from bedside.benchmarks.runs import RunError
from bedside.benchmarks.scores import Row, ScoreColumns
from bedside.benchmarks.transcript import inert, scores_table, verdict_lines
from bedside.cases.case import Case
from bedside.cases.persona import Persona
from bedside.cases.seeds import derive_seed
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.envs.encounter import Encounter
from bedside.envs.engines import EmbeddedPatients
from bedside.envs.episode import Episode, StopReason, Turn
from bedside.envs.interview import InterviewPatient
from bedside.envs.learner import LearningPatient
from bedside.envs.llm.knowledge import record
from bedside.envs.patient import REFINEMENTS
from bedside.registry import make
from bedside.rewards.judges import make_judge
from bedside.verifier.grounding import GroundedCase

__all__ = ["play"]

PERSON = "person"
"""What a person is called where a policy or an engine is named."""

HELP = "/why: what the verifier made of the last answer · /card: what you were told · /quit: leave"
ASKED = {
    "diagnose": "Now name the diagnosis, as in: Final Diagnosis: influenza",
    "summary": "Now write the summary.",
    "checklist": "Now write the checklist.",
}


class _Left(Exception):  # noqa: N818  # no error: the person has left
    pass


class _Terminal:
    """What a person reads and types."""

    def __init__(self, console: Console, *, verdicts: bool) -> None:
        self._console = console
        self._verdicts = verdicts
        self.card: RenderableType = Text()
        self.last: Callable[[], Turn | None] = lambda: None

    def begin(self, title: str, card: RenderableType) -> None:
        """Show what the person has to know."""
        self.card = Panel(card, title=title, expand=False)
        self.show(self.card)
        self.show(Text(HELP, "dim"))

    def show(self, what: RenderableType) -> None:
        """Print something."""
        self._console.print(what)

    def say(self, who: str, text: str, style: str) -> None:
        """Print what somebody says."""
        self.show(Text.assemble((f"{who}: ", f"bold {style}"), inert(text)))

    def judged(self) -> None:
        """Print the verdict on the last answer if the person wants to see all."""
        if self._verdicts and self.last():
            self._why()

    def ask(self) -> str:
        """Read a line, and do what commands say.

        Raises:
            _Left: The person leaves.
        """
        while True:
            try:
                text = self._console.input("[bold green]you:[/] ").strip()
            except (EOFError, KeyboardInterrupt):
                self.show("")
                raise _Left from None
            match text.split(maxsplit=1)[:1]:
                case ["/quit"]:
                    raise _Left
                case ["/why"]:
                    self._why()
                case ["/card"]:
                    self.show(self.card)
                case [word] if word.startswith("/"):
                    self.show(Text(HELP, "dim"))
                case [_]:
                    return text

    def _why(self) -> None:
        turn = self.last()
        lines = list(verdict_lines(turn)) if turn else []
        self.show(Group(*lines) if lines else Text("   no claim was found", "dim"))


class _Clinician:
    """A person as the clinician; see :class:`~bedside.clinicians.clinician.Clinician`."""

    name = PERSON

    def __init__(self, terminal: _Terminal) -> None:
        self._terminal = terminal
        self._began = False

    def reset(self, seed: int) -> None:  # noqa: ARG002  # a person has no seed
        """Begin anew."""
        self._began = False

    def act(self, observation: dict[str, str]) -> str:
        """Show the patient's words and let the person answer."""
        if not self._began:
            self._began = True
            self._terminal.begin("you are the clinician", inert(observation["briefing"]))
        else:
            self._terminal.judged()
        self._terminal.say("patient", observation["patient"], "cyan")
        if asked := ASKED.get(observation["request"]):
            self._terminal.show(Text(asked, "yellow"))
        return self._terminal.ask()


def _answer(terminal: _Terminal, opening: str, heard: str, turns: Sequence[Turn], attempt: int, feedback: str) -> str:
    """Let a person answer as the patient, or answer again."""
    if attempt:
        terminal.show(Text(f"withheld: {feedback or 'nothing can be made of it'}", "red"))
        left = REFINEMENTS + 1 - attempt
        terminal.show(Text(f"say it in another way; {left} of {REFINEMENTS} tries left", "dim"))
        return terminal.ask()
    if not turns:
        terminal.say("you", opening, "green")
    elif turns[-1].fallback:
        terminal.say("heard instead", turns[-1].patient, "yellow")
    terminal.judged()
    terminal.say("clinician", heard, "magenta")
    return terminal.ask()


class _Interviewed(InterviewPatient):
    """A person who is questioned; the embedded patient only says hello."""

    def __init__(self, terminal: _Terminal, grounded: GroundedCase, persona: Persona, seed: int) -> None:
        super().__init__(grounded, persona, seed)
        self._terminal = terminal

    def draft(self, heard: str, turns: Sequence[Turn], attempt: int, feedback: str) -> str:
        """Let the person answer."""
        return _answer(self._terminal, self.opening(), heard, turns, attempt, feedback)


class _Taught(LearningPatient):
    """A person who is taught; the embedded patient listens along, and sits the exam."""

    def __init__(self, terminal: _Terminal, grounded: GroundedCase, persona: Persona, seed: int) -> None:
        super().__init__(grounded, persona, seed)
        self._terminal = terminal

    def draft(self, heard: str, turns: Sequence[Turn], attempt: int, feedback: str) -> str:
        """Listen, and let the person answer."""
        super().draft(heard, turns, attempt, feedback)
        return _answer(self._terminal, self.opening(), heard, turns, attempt, feedback)


class _Patients(EmbeddedPatients):
    """The person as an engine of patients."""

    name = PERSON

    def __init__(self, terminal: _Terminal) -> None:
        super().__init__()
        self._terminal = terminal

    def for_interview(self, grounded: GroundedCase, persona: Persona, seed: int) -> InterviewPatient:
        """Tell the person who they are, and return what asks them."""
        self._begin(grounded.case, persona)
        return _Interviewed(self._terminal, grounded, persona, seed)

    def for_discharge(self, grounded: GroundedCase, persona: Persona, seed: int) -> LearningPatient:
        """Tell the person who they are, and return what asks them."""
        self._begin(grounded.case, persona)
        return _Taught(self._terminal, grounded, persona, seed)

    def _begin(self, case: Case, persona: Persona) -> None:
        lines = [f"how you are: {persona.label}", "", *_told(record(case)), "", "Nothing else is true of you."]
        self._terminal.begin("you are the patient", inert("\n".join(lines)))


def _told(known: object, indent: str = "") -> Iterator[str]:
    """Write nested data as lines for a person."""
    assert isinstance(known, dict)
    for name, value in known.items():
        head = f"{indent}{name.replace('_', ' ')}:"
        if isinstance(value, list) and value:
            yield head
            yield from (f"{indent}  - " + _inline(entry) for entry in value)
        elif isinstance(value, dict):
            yield f"{head} {_inline(value)}"
        elif value:
            yield f"{head} {value}"


def _inline(value: object) -> str:
    if isinstance(value, dict):
        (first, *rest) = value.items()
        more = [f"{name.replace('_', ' ')} {_inline(entry)}" for name, entry in rest]
        return ", ".join([_inline(first[1]), *more])
    return " / ".join(map(str, value)) if isinstance(value, list) else str(value)


def play(
    env: Env = "discharge",
    cases: Cases = "open",
    as_who: Annotated[
        Literal["clinician", "patient"], typer.Option("--as", help="Who you are: clinician or patient.")
    ] = "clinician",
    case: Annotated[str, typer.Option(help="Whom to meet, or to be; left out: chosen by the seed.", metavar="ID")] = "",
    persona: Annotated[str, typer.Option(help="Who the patient is; as for bedside eval.", metavar="SPEC")] = "",
    noise: Annotated[str, typer.Option(help="How it speaks; as for bedside eval.", metavar="SPEC")] = "",
    patient: Annotated[
        str, typer.Option(help="Who plays the patient: embedded, or PROVIDER/MODEL.", metavar="NAME")
    ] = "embedded",
    policy: Annotated[
        str,
        typer.Option(
            help="Who is the clinician when you are the patient; left out: the best scripted one.", metavar="NAME"
        ),
    ] = "",
    seed: Annotated[
        int | None,
        typer.Option(help="Left out: the number of the folder, so that every talk is a new one.", metavar="S"),
    ] = None,
    verdicts: Annotated[bool, typer.Option("--verdicts", help="Show what the verifier makes of every answer.")] = False,
    out: Annotated[Path | None, typer.Option(help="Folder to keep it in; left out: runs/play/NUMBER.")] = None,
) -> None:
    """Meet a patient yourself, or be one: type, and see what is heard, what is withheld and what it scores."""
    terminal = _Terminal(Console(), verdicts=verdicts)
    with bad_input_told():
        folder, number = (out, 0) if out else _free(Path("runs") / "play")
        settings = Settings(
            env,
            cases,
            policies=(policy,) if policy and as_who == "patient" else (),
            persona=persona,
            noise=noise,
            seed=number if seed is None else seed,
            patient=patient,
        )
        plan = _plan_of_one(make_plan(settings), case, as_who)
        if folder.exists() and any(folder.iterdir()):
            raise RunError(f"{folder} is not empty; give another --out")
        episode = _played(plan, as_who, settings, terminal)
        if not episode.turns:
            typer.echo("nothing was said, and nothing is kept")
            return
        report = _kept(plan, episode, folder)
    scores = make_judge("embedded").score(episode, plan.cases[0])
    terminal.show(Text(f"\nthe encounter is over: {episode.stop}", "bold"))
    terminal.show(scores_table(scores))
    typer.echo(f"kept in {folder}; read it again with: bedside show {folder} {len(report.scores)}")


def _free(parent: Path) -> tuple[Path, int]:
    number = next(number for number in count(1) if not (parent / str(number)).exists())
    return parent / str(number), number


def _plan_of_one(plan: Plan, wanted: str, as_who: str) -> Plan:
    """Narrow a plan to one case and to who plays it."""
    by_id = {case.id: case for case in plan.cases}
    if wanted and wanted not in by_id:
        raise ValueError(f"no case {wanted!r} in {plan.config.cases}")
    config = plan.config
    case = by_id[wanted] if wanted else plan.cases[derive_seed("play", config.seed) % len(plan.cases)]
    # The best of the scripted ones stands last.
    players = (
        {"policies": (PERSON,)} if as_who == "clinician" else {"policies": config.policies[-1:], "patient": PERSON}
    )
    config = config.model_copy(update={"case_count": 1, "case_hash": hash_cases([case]), **players})
    return Plan(plan.kind, config, plan.known, (case,), tasks_of(config, [case.id]), plan.sampling, plan.models)


def _played(plan: Plan, as_who: str, settings: Settings, terminal: _Terminal) -> Episode:
    config, (task,) = plan.config, plan.tasks
    env: Encounter = make(
        config.env,
        cases=plan.cases,
        persona=config.persona,
        noise=config.noise,
        reward=None,
        patient=_Patients(terminal) if as_who == "patient" else settings.patient,
    )
    terminal.last = lambda: next(reversed(env.episode.turns), None)
    clinician = (
        _Clinician(terminal)
        if as_who == "clinician"
        else make_clinician(task.policy, cases=plan.known, source=config.cases, sampling=plan.sampling)
    )
    try:
        episode = rollout(env, clinician, task.seed, {"case": task.case})
    except _Left:
        env.truncate()
        episode = env.episode.model_copy(update={"stop": StopReason.CLOSED_EARLY})
    return episode.model_copy(update={"policy": task.policy})


def _kept(plan: Plan, episode: Episode, folder: Path) -> Report:
    """Write a run folder that brings its case along."""
    case, path = plan.cases[0], folder / "cases.jsonl"
    config = plan.config.model_copy(update={"cases": str(path)})
    with RunFolder.open(folder, config, plan.tasks, resume=False) as run:
        path.write_text(case.model_dump_json() + "\n", encoding="utf-8")
        line = episode.to_json()
        run.append(line)
        columns = ScoreColumns(1)
        columns.add(0, Row.of(episode, case, make_judge("embedded").score(episode, case), episode.fault))
        report = Report.of(config, columns.table())
        run.finish(report.files)
    return report
