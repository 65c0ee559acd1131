"""One episode for human eyes: what was said, what the verifier thought of it, how it ended, what it scored.

Everything shown here was written by a model or stands in a case, so it is data: never markup, never a control
code that a terminal would obey.
"""

from collections.abc import Iterator
from pathlib import Path

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from bedside.benchmarks.runs import EPISODES, RunError
from bedside.cases.case import Case
from bedside.envs.episode import Attempt, Episode, Turn
from bedside.rewards.score import Score
from bedside.verifier.verdict import Verdict

__all__ = [
    "episode_list",
    "inert",
    "pick_episodes",
    "printable",
    "read_episodes",
    "scores_table",
    "transcript",
    "verdict_lines",
]

STYLES = {"supported": "green", "fabricated": "red", "unverifiable": "yellow"}


def read_episodes(run: Path) -> Iterator[Episode]:
    """Stream the episodes of a run folder, finished or not; a torn last line is left out.

    Raises:
        RunError: There are none, or a line is not an episode.
    """
    path = run / EPISODES
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return
                try:
                    yield Episode.from_json(line)
                except ValueError as error:
                    raise RunError(f"{path}, line {number}: not an episode") from error
    except OSError as error:
        raise RunError(f"{path}: {error.strerror}") from error


def pick_episodes(run: Path, which: str) -> list[tuple[int, Episode]]:
    """Return the episodes that are meant, with their line numbers.

    Args:
        run: The run folder.
        which: A line number from 1, or a case id: then its episodes with all policies.

    Raises:
        RunError: No episode is.
    """
    found = [
        (number, episode)
        for number, episode in enumerate(read_episodes(run), 1)
        if which in (str(number), episode.case)
    ]
    if not found:
        raise RunError(f"{run} has no episode and no case {which!r}; without it, `bedside show {run}` lists them")
    return found


def episode_list(run: Path) -> Table:
    """List the episodes of a run with the numbers that :func:`pick_episodes` takes."""
    table = Table("number", "policy", "case", "run", "turns", "stop", box=None)
    for number, episode in enumerate(read_episodes(run), 1):
        row = (episode.policy, episode.case, str(episode.run), str(len(episode.turns)), str(episode.stop))
        table.add_row(str(number), *map(inert, row))
    return table


def transcript(number: int, episode: Episode, case: Case | None, scores: dict[str, Score]) -> Group:
    """Lay an episode out.

    Args:
        number: Its line in ``episodes.jsonl``.
        episode: What happened.
        case: Its case, if that is still at hand; shows what the diagnosis was.
        scores: What it scored.
    """
    parts: list[RenderableType] = [_head(number, episode)]
    if episode.opening:
        parts.append(_line("patient", episode.opening, "cyan"))
    for count, turn in enumerate(episode.turns, 1):
        parts.extend(_turn(count, turn))
    parts.append(_end(episode, case))
    if scores:
        parts.append(scores_table(scores))
    return Group(*parts)


def printable(text: str) -> str:
    """Show what would steer a terminal, or the order of other text, as a replacement character, one for one."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


def inert(text: str, style: str = "") -> Text:
    """Return text that does nothing: no markup is read, and no control code gets through."""
    return Text(printable(text), style)


def _head(number: int, episode: Episode) -> RenderableType:
    title = f"{number}  {episode.env}  case {episode.case}  run {episode.run}  seed {episode.seed}"
    return Panel(inert(f"{title}\nclinician {episode.policy}   patient {episode.persona.label}"), expand=False)


def _line(who: str, text: str, style: str) -> Text:
    return Text.assemble((f"{who}: ", f"bold {style}"), inert(text))


def _turn(count: int, turn: Turn) -> Iterator[RenderableType]:
    yield Text(f"\n— {count} —", "dim")
    yield _line("clinician", turn.heard, "magenta")
    if turn.heard.strip() != turn.clinician.strip():
        yield inert(f"   (said in full: {turn.clinician})", "dim")
    for attempt in turn.rejected:
        yield from _rejected(attempt)
    yield _line("patient (fallback)" if turn.fallback else "patient", turn.patient, "cyan")
    yield from _labels(turn.verdict)
    if turn.oversight:
        yield inert(f"   orchestrator: {turn.oversight}", "yellow")


def verdict_lines(turn: Turn) -> Iterator[RenderableType]:
    """Lay out what the verifier withheld of a patient's answer, and what it found in the one that was heard."""
    for attempt in turn.rejected:
        yield from _rejected(attempt)
    yield from _labels(turn.verdict)


def _rejected(attempt: Attempt) -> Iterator[RenderableType]:
    yield Text.assemble(("   withheld: ", "bold red"), inert(attempt.text, "strike dim"))
    yield from _labels(attempt.verdict)
    if attempt.verdict.feedback:
        yield inert(f"   feedback: {attempt.verdict.feedback}", "dim")


def _labels(verdict: Verdict) -> Iterator[RenderableType]:
    for judgment in verdict.judgments:
        said = ("no " if judgment.claim.denied else "") + judgment.claim.surface
        yield Text.assemble(
            "   ",
            inert(judgment.label, STYLES[judgment.label]),
            " ",
            inert(f"{said}: {judgment.reason}", "dim"),
        )
    if verdict.violations:
        yield Text(f"   violations: {', '.join(verdict.violations)}", "red")


def _end(episode: Episode, case: Case | None) -> RenderableType:
    lines = [f"\nstop: {episode.stop}"]
    if episode.fault:
        lines.append(f"fault: {episode.fault}")
    if episode.diagnosis is not None:
        lines.append(f"diagnosis given: {episode.diagnosis}")
        lines += [f"diagnosis true: {case.diagnosis.text}"] if case else []
    return inert("\n".join(lines), "bold")


def scores_table(scores: dict[str, Score]) -> RenderableType:
    """Lay out scores with their parts, or why there is none."""
    table = Table("score", "value", "parts", box=None, padding=(0, 2, 0, 0))
    for name, score in scores.items():
        value = "unscored" if score.value is None else f"{score.value:.3f}"
        parts = ", ".join(f"{part} {'–' if v is None else f'{v:g}'}" for part, v in score.parts.items())
        table.add_row(inert(name), value, inert(score.reason or parts))
    return table
