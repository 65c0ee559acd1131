"""What each board shows, ready for the page: tables as rows of cells, figures as drawings."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from bedside.benchmarks.report.estimates import CHAPTER_AXIS, Estimate, by_group, differences, groups_of, overall
from bedside.benchmarks.report.failures import Conduct, Effort
from bedside.benchmarks.report.figure import Figure
from bedside.benchmarks.report.glossary import FIGURE_SCORES, TABLE_SCORES, Term, term
from bedside.benchmarks.report.plots import dots, heat_maps, slopes, strips
from bedside.benchmarks.report.source import Board, Run
from bedside.benchmarks.suites.audit import LOW_TCS, SHORT

__all__ = ["Entry", "Row", "Switched", "Variant", "View", "view_of"]

FLOOR = {"exam": "exam_before", "scs": "scs_before"}
"""Scores that the untaught patient has too, by the name of the taught one's."""


@dataclass(frozen=True)
class Entry:
    """One cell of the leaderboard (``estimate``), or of another table (``value``)."""

    estimate: Estimate | None = None
    digits: int = 3
    best: bool = False
    value: str = ""
    query: str = ""
    bad: bool = False


@dataclass(frozen=True)
class Row:
    """One row of a table; ``query`` finds its transcripts."""

    policy: str
    run: str
    cells: tuple[Entry, ...]
    query: str = ""
    n: int = 0
    unscored: int = 0


@dataclass(frozen=True)
class Variant:
    """A figure that is shown when its ``key`` is chosen."""

    key: tuple[str, ...]
    figure: Figure


@dataclass(frozen=True)
class Switched:
    """Figures of which one variant is shown at a time.

    Attributes:
        choices: Name of each choice with its values and their labels.
        ramp: Whether colours need a key.
    """

    choices: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    variants: tuple[Variant, ...]
    ramp: bool = False


@dataclass(frozen=True)
class View:
    """Everything that the page shows of one board."""

    board: Board
    engines: str
    sizes: str
    columns: tuple[Term, ...]
    floor: tuple[Row, ...]
    rows: tuple[Row, ...]
    dots: Figure
    slopes: tuple[Figure, ...]
    groups: Switched | None
    chapters: Switched | None
    failure_columns: tuple[Term, ...]
    failures: tuple[Row, ...]
    effort_columns: tuple[str, ...]
    efforts: tuple["EffortRow", ...]
    unscored_note: str = ""
    failure_note: str = ""
    figures: tuple[Figure, ...] = field(default=())

    @property
    def several(self) -> bool:
        """True when rows must say which run they are of."""
        return len(self.board.runs) > 1


@dataclass(frozen=True)
class EffortRow:
    """One row of the table of costs."""

    policy: str
    run: str
    cells: tuple[str, ...]


def view_of(board: Board, conduct: Sequence[Conduct], effort: Sequence[Effort]) -> View:
    """Make all tables and figures of a board.

    Args:
        board: The runs.
        conduct: What went wrong in them, a row a run and policy.
        effort: What they took, in the same order.
    """
    present = {
        score
        for run in board.runs
        for scores in run.summary.values()
        for score, found in scores.items()
        if found["mean"] is not None
    }
    lead = TABLE_SCORES[board.kind][0]
    table = tuple(name for name in TABLE_SCORES[board.kind] if name in present or name == lead)
    drawn = tuple(name for name in FIGURE_SCORES[board.kind] if name in present)
    estimates = _in_order(board, overall(board, table))
    floor = _floor_means(board)
    figure = dots(
        _name(board, "scores"),
        estimates,
        floor,
        f"Mean over {board.config.case_count} cases{_repeated(board)}; the bar is the 95 % interval."
        + (" The dashed line is the untaught patient." if floor else ""),
    )
    slope_figures = tuple(_slopes(board, clean, noisy, drawn) for clean, noisy in board.pairs)
    groups, chapters = _groups(board, drawn), _chapters(board, drawn)
    switched = [variant.figure for box in (groups, chapters) if box for variant in box.variants]
    return View(
        board=board,
        engines=_engines(board),
        sizes=f"{board.config.case_count} cases ({board.runs[0].cases}){_repeated(board)}.",
        columns=tuple(term(name) for name in table),
        floor=tuple(_floor(board, table)),
        rows=tuple(_ranked(board, estimates, table)),
        dots=figure,
        slopes=slope_figures,
        groups=groups,
        chapters=chapters,
        **_failures(board, sorted(conduct, key=_place(board))),  # type: ignore[arg-type]
        **_efforts(sorted(effort, key=_place(board))),  # type: ignore[arg-type]
        unscored_note="Unscored episodes are left out of the means, never counted as zero.",
        figures=(figure, *slope_figures, *switched),
    )


def _rank(board: Board) -> dict[str, int]:
    """Rank policies, best first, by their first score in the first run that has them."""
    means: dict[str, float] = {}
    for run in board.runs:
        means = _means(run, TABLE_SCORES[board.kind][0]) | means
    ranked = sorted(board.policies, key=lambda policy: -means.get(policy, float("-inf")))
    return {policy: rank for rank, policy in enumerate(ranked)}


def _in_order(board: Board, estimates: Iterable[Estimate]) -> list[Estimate]:
    """Sort by the rank of the policy; all else stays as it is."""
    rank = _rank(board)
    return sorted(estimates, key=lambda e: rank[e.policy])


def _place(board: Board) -> Callable[[Conduct | Effort], tuple[int, int]]:
    """Return the order of rows in tables: run by run, best policy first."""
    rank, labels = _rank(board), [run.label for run in board.runs]
    return lambda row: (labels.index(row.run), rank[row.policy])


def _name(board: Board, *words: str) -> str:
    plain = "-".join(words).replace("/", "-").replace(" ", "-").lower()
    return f"{board.number}-{plain}"


def _repeated(board: Board) -> str:
    runs = {run.config.runs for run in board.runs}
    return "" if runs == {1} else f", {max(runs)} runs each"


def _engines(board: Board) -> str:
    config = board.config
    scored = sorted({name for run in board.runs for name in run.scores["engine.scores"].to_pylist() if name})
    judged = " and ".join(dict.fromkeys(part for names in scored for part in names.split(","))) or "nobody"
    return f"Engines: patient {config.patient}, verifier {config.verifier}, scores {judged}"


def _floor_means(board: Board) -> dict[str, float]:
    """Return the untaught patient's means, if all runs have the same."""
    found: dict[str, float] = {}
    for score, before in FLOOR.items():
        means = {e.interval.mean for e in overall(board, (before,))}
        rounded = {round(mean, 3) for mean in means if mean is not None}
        if len(rounded) == 1:
            found[score] = rounded.pop()
    return found


def _floor(board: Board, table: Sequence[str]) -> Iterable[Row]:
    """Yield what the patients knew before anyone taught; a row a run, or one for all if they agree."""
    if not any(name in FLOOR for name in table):
        return
    rows: dict[tuple[object, ...], Row] = {}
    for run in board.runs:
        own = {e.score: e for e in overall(board, tuple(FLOOR.values())) if e.run == run.label}
        cells = tuple(Entry(own.get(FLOOR.get(name, "")), term(name).digits) for name in table)
        n = max((e.interval.n for e in own.values()), default=0)
        key = tuple(cell.estimate.interval if cell.estimate else None for cell in cells)
        rows.setdefault(key, Row("untaught patient", run.label, cells, n=n))
    same = len(rows) == 1
    for row in rows.values():
        yield Row(row.policy, "all" if same else row.run, row.cells, n=row.n)


def _ranked(board: Board, estimates: Sequence[Estimate], table: Sequence[str]) -> Iterable[Row]:
    """Yield the leaderboard, run by run, best policy first."""
    best = {name: _best([e for e in estimates if e.score == name], term(name)) for name in table}
    rank = _rank(board)
    for run in board.runs:
        for policy in sorted(run.config.policies, key=rank.__getitem__):
            own = {e.score: e for e in estimates if (e.run, e.policy) == (run.label, policy)}
            cells = tuple(Entry(own.get(name), term(name).digits, own.get(name) in best[name]) for name in table)
            # Where every episode broke there is not even an empty score.
            lead = own.get(table[0])
            n = lead.interval.n if lead else 0
            query = urlencode({"policy": policy, "run": run.label})
            yield Row(policy, run.label, cells, query, n, board.config.case_count * run.config.runs - n)


def _best(estimates: Sequence[Estimate], words: Term) -> list[Estimate]:
    known = [(e.interval.mean, e) for e in estimates if e.interval.mean is not None]
    if words.better == "neither" or len(known) < 2:
        return []
    pick = max if words.better == "higher" else min
    value = round(pick(mean for mean, _ in known), words.digits)
    return [e for mean, e in known if round(mean, words.digits) == value]


def _slopes(board: Board, clean: Run, noisy: Run, scores: tuple[str, ...]) -> Figure:
    changes = _in_order(board, differences(clean, noisy, scores))
    means = {(e.run, e.policy, e.score): e for e in overall(board, scores)}
    ends = [(means[clean.label, e.policy, e.score], means[noisy.label, e.policy, e.score]) for e in changes]
    ordered = sorted(zip(ends, changes, strict=True), key=lambda entry: scores.index(entry[1].score))
    caption = (
        f"{clean.label} and {noisy.label} ({noisy.config.noise}). Mean over the same {board.config.case_count} cases"
        f"{_repeated(board)}; orange surely worse with noise (95 %), blue surely better, grey may be chance. "
        "Axes do not begin at zero."
    )
    return slopes(
        _name(board, "noise", noisy.label), [ends for ends, _ in ordered], [change for _, change in ordered], caption
    )


def _means(run: Run, score: str) -> dict[str, float]:
    return {
        policy: float(found["mean"])
        for policy, by_score in run.summary.items()
        if (found := by_score.get(score)) and found["mean"] is not None
    }


def _groups(board: Board, scores: tuple[str, ...]) -> Switched | None:
    variants = []
    for run in board.runs:
        parts = [(group, _in_order(board, by_group(run, group, scores))) for group in groups_of(run)]
        for score in scores:
            own = [(group, [e for e in estimates if e.score == score]) for group, estimates in parts]
            own = [(group, estimates) for group, estimates in own if any(e.interval.n for e in estimates)]
            if own:
                name = _name(board, score, "by-patient", run.label)
                figure = heat_maps(name, own, _means(run, score), _heat_caption(run, score))
                variants.append(Variant((score, run.label), figure))
    return _switched(variants, ramp=True)


def _heat_caption(run: Run, score: str) -> str:
    words = term(score)
    unit = "0.03" if words.digits > 1 else "0.75"
    return (
        f"{words.title}, run {run.label}: mean by policy and kind of patient; grey figures rest on fewer than 5 "
        "episodes. Groups may hold different cases, which alone makes small differences. Intervals and n show on "
        f"hovering, and below. One step of colour is {unit}."
    )


def _chapters(board: Board, scores: tuple[str, ...]) -> Switched | None:
    variants = []
    for run in board.runs:
        estimates = _in_order(board, by_group(run, CHAPTER_AXIS, scores))
        if len({e.level for e in estimates}) < 2:
            continue
        for score in scores:
            own = [e for e in estimates if e.score == score and e.interval.n]
            if own:
                name = _name(board, score, "by-chapter", run.label)
                figure = strips(name, own, _means(run, score), _strip_caption(run, own))
                variants.append(Variant((score, run.label), figure))
    return _switched(variants, ramp=False)


def _strip_caption(run: Run, estimates: Sequence[Estimate]) -> str:
    sizes = [e.interval.n for e in estimates]
    title = term(estimates[0].score).title
    few = f"{min(sizes)}" if min(sizes) == max(sizes) else f"{min(sizes)} to {max(sizes)}"
    return (
        f"{title}, run {run.label}: mean of a chapter with its 95 % interval; n = {few} episodes "
        "a chapter. Axes do not begin at zero."
    )


def _switched(variants: Sequence[Variant], *, ramp: bool) -> Switched | None:
    if not variants:
        return None
    scores = tuple((name, term(name).title) for name in dict.fromkeys(variant.key[0] for variant in variants))
    runs = tuple((label, label) for label in dict.fromkeys(variant.key[1] for variant in variants))
    return Switched((("Score", scores), ("Run", runs)), tuple(variants), ramp)


def _failures(board: Board, conduct: Sequence[Conduct]) -> dict[str, object]:
    stops = tuple(dict.fromkeys(stop for row in conduct for stop in sorted(row.stops)))
    talks = board.kind == "discharge"
    columns = [
        Term("Episodes"),
        *(Term(stop.replace("_", " ").capitalize(), "Why the encounter ended.") for stop in stops),
        *([Term("Short, low TCS", f"Complete within {SHORT} turns although TCS is below {LOW_TCS}.")] * talks),
        *(
            [Term("Wrong instr.", "Episodes with at least one."), Term("Unsafe advice", "Episodes with at least one.")]
            * talks
        ),
        Term("Character breaks heard", "Episodes in which a patient was heard that said it is an AI."),
        Term("Character breaks withheld", "Attempts of patients that did, and were not let through."),
        Term("Withheld, per 100 turns", "Attempts of patients that the verifier did not let through."),
        Term("Fallbacks, per 100 turns", "Turns in which no draft was fit to be heard."),
    ]
    rows = tuple(Row(row.policy, row.run, tuple(_conduct_cells(row, stops, talks=talks))) for row in conduct)
    note = "Counts of episodes, but for withheld attempts and fallbacks."
    if talks:
        note += f" Short: complete within {SHORT} turns (DischargeBench, table 9)."
    return {"failure_columns": tuple(columns), "failures": rows, "failure_note": note}


def _conduct_cells(row: Conduct, stops: Sequence[str], *, talks: bool) -> Iterable[Entry]:
    def found(**more: str) -> str:
        return urlencode({"policy": row.policy, "run": row.run} | more)

    yield Entry(value=str(row.episodes), query=found())
    for stop in stops:
        yield Entry(value=str(row.stops[stop]), query=found(stop=stop), bad=stop == "fault")
    if talks:
        yield Entry(value=_count(row.low_short))
        yield Entry(value=_count(row.wrong), query=found(has="harm"), bad=True)
        yield Entry(value=_count(row.unsafe), query=found(has="harm"), bad=True)
    yield Entry(value=str(row.broke), query=found(has="broke"), bad=True)
    yield Entry(value=str(row.breaks - row.broke), query=found(has="broke"))
    yield Entry(value=_rate(row.withheld, row.turns), query=found(has="withheld"))
    yield Entry(value=_rate(row.fallbacks, row.turns), query=found(has="fallback"))


def _count(value: int | None) -> str:
    return "–" if value is None else str(value)


def _rate(count: int, turns: int) -> str:
    return "0" if not count else f"{100 * count / turns:.2f}"


def _efforts(effort: Sequence[Effort]) -> dict[str, object]:
    models = any(row.calls for row in effort)
    costs = any(row.cost for row in effort)
    times = any(row.seconds is not None for row in effort)
    columns = ["Episodes", "Turns", "Clinician's words", "Words a turn"]
    columns += ["Seconds"] if times else []
    columns += ["Calls", "Tokens in", "Tokens out"] if models else []
    columns += ["Cost", "Cost in all"] if costs else []
    rows = []
    for row in effort:
        cells = [
            f"{row.episodes:,}",
            f"{row.turns:.1f}",
            f"{row.words:,.0f}",
            f"{row.words / row.turns:.1f}" if row.turns else "–",
        ]
        cells += ["–" if row.seconds is None else f"{row.seconds:.2f}"] if times else []
        cells += [f"{row.calls:.1f}", f"{row.prompt_tokens:,.0f}", f"{row.completion_tokens:,.0f}"] if models else []
        cells += [f"{row.cost:.4f}", f"{row.cost * row.episodes:.2f}"] if costs else []
        rows.append(EffortRow(row.policy, row.run, tuple(cells)))
    return {"effort_columns": tuple(columns), "efforts": tuple(rows)}
