"""From run folders to one HTML file, and to the figures as files."""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from bedside.benchmarks.plan import load_run_cases
from bedside.benchmarks.report.credits import PARTS
from bedside.benchmarks.report.failures import conduct_of, effort_of
from bedside.benchmarks.report.figure import STYLE, Figure, to_csv, to_svg
from bedside.benchmarks.report.glossary import TABLE_SCORES, term
from bedside.benchmarks.report.sample import in_order_of_interest
from bedside.benchmarks.report.scan import Line, read_lines, scan
from bedside.benchmarks.report.source import Run, boards_of, load_runs
from bedside.benchmarks.report.transcripts import show_episode
from bedside.benchmarks.report.views import View, view_of
from bedside.cases.case import CHAPTERS, Case
from bedside.envs.episode import Episode

__all__ = ["EPISODES_SHOWN", "Report", "figure_files", "make_report"]

EPISODES_SHOWN = 160
"""Transcripts in a report unless another number is asked for."""

# A browser opens this much without a pause; one transcript can be any size.
_MOST_BYTES = 12_000_000


@dataclass(frozen=True)
class Report:
    """A report.

    Attributes:
        html: The whole page.
        figures: What is drawn in it.
        shown: Transcripts in it.
        episodes: Episodes in the runs.
        warnings: What is missing, and why.
    """

    html: str
    figures: tuple[Figure, ...]
    shown: int
    episodes: int
    warnings: tuple[str, ...]


def make_report(paths: Sequence[Path], *, episodes: int = EPISODES_SHOWN, title: str = "") -> Report:
    """Make the report of runs.

    Args:
        paths: Run folders, or folders of run folders.
        episodes: Most transcripts to put into it.
        title: Of the page; by default what was evaluated.

    Raises:
        RunError: A folder cannot be read, or its run is not finished.
    """
    runs = load_runs(paths)
    scanned = {run.label: scan(run.path) for run in runs}
    cases, warnings = _cases(runs)
    views = [
        view_of(
            board,
            [row for run in board.runs for row in conduct_of(run, scanned[run.label])],
            [row for run in board.runs for row in effort_of(run, scanned[run.label])],
        )
        for board in boards_of(runs)
    ]
    shown = _transcripts(runs, scanned, cases, episodes)
    total = sum(len(lines) for lines in scanned.values())
    notices = list(warnings)
    if any(case.credentialed for known in cases.values() for case in known.values()):
        notices.append("This file quotes credentialed cases (MIMIC): share it only with people who may read them.")
    html = _render(runs, views, shown, total, title, notices)
    return Report(html, tuple(f for view in views for f in view.figures), len(shown), total, tuple(warnings))


def figure_files(figures: Iterable[Figure]) -> Iterable[tuple[str, str]]:
    """Yield the name and content of two files for each figure: a drawing (SVG) and its numbers (CSV)."""
    for figure in figures:
        yield f"{figure.name}.svg", to_svg(figure)
        yield f"{figure.name}.csv", to_csv(figure.columns, figure.rows)


def _cases(runs: Sequence[Run]) -> tuple[dict[str, dict[str, Case]], list[str]]:
    """Load the cases of each run by its label; of one whose cases are gone, none, and say so."""
    loaded: dict[tuple[object, ...], dict[str, Case]] = {}
    found: dict[str, dict[str, Case]] = {}
    missing: dict[str, list[str]] = {}
    for run in runs:
        config = run.config
        key = (config.cases, config.case_hash, config.limit, config.spread, config.shard)
        try:
            if key not in loaded:
                loaded[key] = {case.id: case for case in load_run_cases(config)}
            found[run.label] = loaded[key]
        except (ValueError, OSError) as error:
            found[run.label] = {}
            missing.setdefault(str(error), []).append(run.label)
    told = "transcripts are shown without exam and credits"
    return found, [f"{', '.join(labels)}: {told}: {why}" for why, labels in missing.items()]


def _transcripts(
    runs: Sequence[Run], scanned: dict[str, list[Line]], cases: dict[str, dict[str, Case]], count: int
) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = []
    size = 0
    for run, line in in_order_of_interest([(run, scanned[run.label]) for run in runs]):
        if len(shown) == count or size > _MOST_BYTES:
            break
        episode = Episode.from_json(read_lines(run.path, [line])[0])
        shown.append(show_episode(run, line, episode, cases[run.label].get(episode.case)))
        size += line.length
    # Read in the order of the runs, however they were chosen.
    place = {run.label: number for number, run in enumerate(runs)}
    return sorted(shown, key=lambda episode: (place[episode["run"]], episode["number"]))


def _render(
    runs: Sequence[Run],
    views: Sequence[View],
    shown: Sequence[dict[str, Any]],
    total: int,
    title: str,
    notices: Sequence[str],
) -> str:
    room = files("bedside.benchmarks.report") / "page"
    style = "".join((room / name).read_text("utf-8") for name in ("report.css", "viewer.css")) + STYLE
    scripts = [Markup((room / name).read_text("utf-8")) for name in ("report.js", "viewer.js")]  # noqa: S704  # our own
    hashes = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    environment = Environment(
        loader=PackageLoader("bedside.benchmarks.report", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"decimals": _decimals, "shown": _shown, "json": _json}
    policies = list(dict.fromkeys(policy for view in views for policy in view.board.policies))
    leads = (TABLE_SCORES[view.board.kind][0] for view in views)
    names = list(dict.fromkeys([*leads, *(name for episode in shown for name in episode["scores"])]))
    payload = {
        "episodes": shown,
        "terms": {
            name: {"title": term(name).title, "line": term(name).line, "digits": term(name).digits} for name in names
        },
        "parts": PARTS,
    }
    html: str = environment.get_template("report.html").render(
        title=title or _title(views),
        lead=_lead(views),
        facts=_facts(runs, policies, total),
        notices=notices,
        views=views,
        glossary=[
            term(name)
            for name in dict.fromkeys([*(n for v in views for n in TABLE_SCORES[v.board.kind]), *names])
            if term(name).line
        ],
        run_columns=(
            "Environment",
            "Cases",
            "Persona",
            "Noise",
            "Runs",
            "Seed",
            "Patient",
            "Verifier",
            "Judge",
            "Code",
        ),
        run_rows=[_run_row(run) for run in runs],
        filters=_filters(shown),
        score_names=[(name, term(name).title) for name in names],
        coverage=_coverage(len(shown), total),
        payload=_embedded(payload),
        style=Markup(style),  # noqa: S704  # our own
        scripts=scripts,
        script_hashes=Markup(" ".join(f"'sha256-{value}'" for value in hashes)),  # noqa: S704  # digits and letters
        version=_version(),
    )
    return html


def _embedded(data: object) -> Markup:
    """Return data as JSON that nothing within can turn into markup, wherever it stands in a script element."""
    text = orjson.dumps(data).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704  # escaped above


def _json(value: object) -> str:
    return orjson.dumps(value).decode()


def _decimals(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".replace("-", "\N{MINUS SIGN}")


def _shown(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _title(views: Sequence[View]) -> str:
    return views[0].board.title if len(views) == 1 else "Evaluation of clinicians"


def _lead(views: Sequence[View]) -> str:
    if len(views) > 1:
        return "Runs that differ in encounter, cases or engines are kept apart: their figures cannot be compared."
    return f"{views[0].engines}."


def _facts(runs: Sequence[Run], policies: Sequence[str], total: int) -> list[tuple[str, str]]:
    cases = {(run.config.case_hash, case) for run in runs for case in run.scores["case"].to_pylist()}
    faults = sum(stop == "fault" for run in runs for stop in run.scores["stop"].to_pylist())
    return [
        ("policies", f"{len(policies):,}"),
        ("cases", f"{len(cases):,}"),
        ("runs", f"{len(runs):,}"),
        ("episodes", f"{total:,}"),
        ("broken by a fault", f"{faults:,}"),
    ]


def _run_row(run: Run) -> tuple[str, ...]:
    c = run.config
    engines = (c.patient, c.verifier, c.judge)
    return (
        run.label,
        c.env,
        f"{c.case_count} ({run.cases})",
        c.persona,
        c.noise,
        str(c.runs),
        str(c.seed),
        *engines,
        c.code,
    )


def _filters(shown: Sequence[dict[str, Any]]) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Return the filters of the transcripts: name, label, and each value that occurs with its label."""

    def values(*path: str) -> list[str]:
        found = set()
        for episode in shown:
            value: Any = episode
            for step in path:
                value = value[step]
            found.add("" if value is None else str(value))
        return sorted(found - {""})

    def plain(items: Iterable[str]) -> list[tuple[str, str]]:
        return [(item, item.replace("_", " ")) for item in items]

    trouble = [
        ("withheld", "withheld attempts"),
        ("fallback", "fallbacks"),
        ("harm", "harmful claims"),
        ("broke", "out of character"),
    ]
    return [
        ("run", "Run", [(item, item) for item in values("run")]),
        ("policy", "Policy", [(item, item) for item in values("policy")]),
        ("chapter", "Chapter", [(item, f"{item} {CHAPTERS.get(item, '')}") for item in values("chapter")]),
        ("personality", "Personality", plain(values("persona", "personality"))),
        ("literacy", "Health literacy", plain(values("persona", "literacy"))),
        (
            "education",
            "Education",
            [
                (item, {"1": "no high school", "2": "high school", "3": "college"}[item])
                for item in values("persona", "education")
            ],
        ),
        ("stop", "Ended", plain(values("stop"))),
        ("has", "With", trouble),
    ]


def _coverage(shown: int, total: int) -> str:
    if shown == total:
        return f"All {total:,} transcripts are in this file."
    return (
        f"{shown:,} of {total:,} transcripts are in this file, {total - shown:,} are left out. Chosen were, of every "
        "policy and run, its worst and its best episode, one of each kind of trouble, then the same cases for all. "
        "More: bedside report --episodes N; any one: bedside show RUN NUMBER."
    )


def _version() -> str:
    try:
        return version("bedside")
    except PackageNotFoundError:
        return "unknown"
