"""The four drawings of a report: intervals, slopes, heat-maps and strips."""

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from bedside.benchmarks.report.estimates import CHAPTER_AXIS, Estimate, Group
from bedside.benchmarks.report.figure import PANEL_WIDTH, Cell, Figure, Panel
from bedside.benchmarks.report.glossary import Term, term
from bedside.benchmarks.report.marks import Axis, apart, circle, fitted, line, path, rect, text

__all__ = ["ESTIMATE_COLUMNS", "dots", "estimate_rows", "heat_maps", "slopes", "strips"]

ESTIMATE_COLUMNS = ("run", "policy", "score", "group", "mean", "low", "high", "n", "unscored")

_HEAD = 26
_LABELS = 100
_SERIES = 6
_FEWEST = 5


def estimate_rows(estimates: Iterable[Estimate]) -> tuple[tuple[Cell, ...], ...]:
    """Return estimates as the rows of a table."""
    return tuple(
        (e.run, e.policy, e.score, e.level or "all", i.mean, i.low, i.high, i.n, i.unscored)
        for e in estimates
        for i in (e.interval,)
    )


def _told(estimate: Estimate, words: Term) -> str:
    i = estimate.interval
    if i.mean is None:
        return f"{estimate.policy}: unscored"
    group = f", {estimate.level}" if estimate.level else ""
    spread = f"[{i.low:.{words.digits}f}, {i.high:.{words.digits}f}]"
    return f"{estimate.policy}, {estimate.run}{group}: {i.mean:.{words.digits}f} {spread}, n = {i.n}"


def _written(value: float, words: Term, sign: str = "") -> str:
    return f"{value:{sign}.{words.digits}f}".replace("-", "\N{MINUS SIGN}")


def _heading(title: str, words: Term) -> Markup:
    aim = "target {:g} to {:g}".format(*words.target) if words.target else ""
    hint = {"higher": "higher is better", "lower": "lower is better", "neither": aim}[words.better]
    return text(0, 12, title, "title") + text(PANEL_WIDTH, 12, hint, "note end")


def _grid(axis: Axis, top: float, bottom: float) -> Markup:
    body = Markup("")
    for tick in axis.ticks:
        body += line(axis(tick), top, axis(tick), bottom, "grid")
        body += text(axis(tick), bottom + 14, f"{tick:g}", "tick mid")
    return body


def _ends(estimates: Iterable[Estimate]) -> Iterable[float]:
    for estimate in estimates:
        i = estimate.interval
        yield from (value for value in (i.low, i.mean, i.high) if value is not None)


def _interval(estimate: Estimate, axis: Axis, y: float, kind: str, words: Term, *, hollow: bool = False) -> Markup:
    i = estimate.interval
    if i.mean is None or i.low is None or i.high is None:
        return Markup("")
    whisker = line(axis(i.low), y, axis(i.high), y, f"whisker {kind}")
    return whisker + circle(axis(i.mean), y, 3.5, f"dot {kind}{' hollow' if hollow else ''}", _told(estimate, words))


def dots(name: str, estimates: Sequence[Estimate], baseline: dict[str, float], caption: str) -> Figure:
    """Draw each score as a panel: a row a policy, a dot with its interval for each run.

    Args:
        name: Of the figure.
        estimates: Of all patients.
        baseline: By score the mean of the untaught patient.
        caption: How to read it.
    """
    runs = tuple(dict.fromkeys(e.run for e in estimates))
    scores = tuple(dict.fromkeys(e.score for e in estimates))
    panels = tuple(
        _dot_panel([e for e in estimates if e.score == score], runs, baseline.get(score)) for score in scores
    )
    legend = runs if len(runs) > 1 else ()
    return Figure(name, "Scores by policy", caption, panels, ESTIMATE_COLUMNS, estimate_rows(estimates), legend)


def _dot_panel(estimates: Sequence[Estimate], runs: Sequence[str], base: float | None) -> Panel:
    words = term(estimates[0].score)
    policies = tuple(dict.fromkeys(e.policy for e in estimates))
    step, gap = 13, 9
    row = step * len(runs) + gap
    bottom = _HEAD + row * len(policies)
    extra = [] if base is None else [base]
    axis = Axis.over([*_ends(estimates), *extra], words.scale, _LABELS + 8, PANEL_WIDTH - 52)
    body = _heading(words.title, words)
    if words.target:
        low, high = words.target
        body += rect(axis(low), _HEAD, axis(high) - axis(low), bottom - _HEAD, "band", f"target {low:g} to {high:g}")
    body += _grid(axis, _HEAD, bottom)
    if base is not None:
        body += line(axis(base), _HEAD - 4, axis(base), bottom, "base")
        body += text(axis(base), bottom + 28, f"untaught {base:.{min(words.digits, 2)}f}", "note mid")
    for number, policy in enumerate(policies):
        top = _HEAD + row * number + gap / 2
        body += text(0, top + step * len(runs) / 2 + 4, fitted(policy, _LABELS), full=policy)
        for e in estimates:
            if e.policy != policy:
                continue
            series = runs.index(e.run)
            y = top + step * (series + 0.5)
            body += _interval(e, axis, y, f"s{series % _SERIES}", words, hollow=series > 0)
            value = "–" if e.interval.mean is None else _written(e.interval.mean, words)
            body += text(PANEL_WIDTH, y + 4, value, "end" if series == 0 else "note end")
    return Panel(words.title, int(bottom + (34 if base is not None else 20)), body)


def slopes(name: str, ends: Sequence[tuple[Estimate, Estimate]], changes: Sequence[Estimate], caption: str) -> Figure:
    """Draw each score as a panel: a line a policy, from its mean without noise to its mean with.

    Args:
        name: Of the figure.
        ends: Without and with noise, for each policy and score.
        changes: The paired differences, in the same order.
        caption: How to read it.
    """
    scores = tuple(dict.fromkeys(clean.score for clean, _ in ends))
    panels = tuple(
        _slope_panel([(pair, change) for pair, change in zip(ends, changes, strict=True) if change.score == score])
        for score in scores
    )
    rows = estimate_rows([e for pair, change in zip(ends, changes, strict=True) for e in (*pair, change)])
    labelled = tuple(
        (*row[:3], what, *row[4:]) for row, what in zip(rows, ["mean", "mean", "difference"] * len(ends), strict=True)
    )
    columns = (*ESTIMATE_COLUMNS[:3], "figure", *ESTIMATE_COLUMNS[4:])
    return Figure(name, "What noise costs", caption, panels, columns, labelled)


def _slope_panel(lines: Sequence[tuple[tuple[Estimate, Estimate], Estimate]]) -> Panel:
    words = term(lines[0][1].score)
    known = [entry for entry in lines if all(e.interval.mean is not None for e in entry[0])]
    top, bottom = _HEAD + 22, _HEAD + 22 + max(120, 17 * len(known))
    left, right = 58.0, 150.0
    # Differences between policies are what a slope is for, so its axis need not begin at zero.
    axis = Axis.over((e.interval.mean or 0.0 for pair, _ in known for e in pair), None, bottom, top, close=True)
    body = _heading(words.title, words)
    for x, label in ((left, "no noise"), (right, "noise")):
        body += line(x, top - 8, x, bottom + 8, "grid") + text(x, top - 14, label, "tick mid")
    first = apart([axis(pair[0].interval.mean or 0.0) for pair, _ in known], 13, top, bottom)
    last = apart([axis(pair[1].interval.mean or 0.0) for pair, _ in known], 14, top, bottom)
    for number, ((clean, noisy), change) in enumerate(known):
        y1, y2 = (axis(e.interval.mean or 0.0) for e in (clean, noisy))
        kind = _direction(change, words)
        body += line(left, y1, right, y2, f"slope {kind}")
        body += circle(left, y1, 3, f"dot {kind}", _told(clean, words)) + circle(
            right, y2, 3, f"dot {kind}", _told(noisy, words)
        )
        body += path([(left - 5, y1), (left - 10, first[number])], "leader") + text(
            left - 13, first[number] + 4, _written(clean.interval.mean or 0.0, words), "end"
        )
        body += path([(right + 5, y2), (right + 11, last[number])], "leader")
        body += text(right + 14, last[number] + 4, fitted(clean.policy, 82), full=clean.policy)
        i = change.interval
        if i.mean is not None:
            body += text(PANEL_WIDTH, last[number] + 4, _written(i.mean, words, "+"), "end", full=_told(change, words))
    return Panel(words.title, int(bottom + 16), body)


def _direction(change: Estimate, words: Term) -> str:
    """Colour what is surely worse, or surely better; leave grey what may be chance."""
    i = change.interval
    # An interval without width comes of too few values that differ, and is no certainty.
    if i.low is None or i.high is None or words.better == "neither" or i.low <= 0 <= i.high or i.low == i.high:
        return "quiet"
    return "s0" if (i.low > 0) == (words.better == "higher") else "s1"


def heat_maps(
    name: str, parts: Sequence[tuple[Group, Sequence[Estimate]]], means: dict[str, float], caption: str
) -> Figure:
    """Draw one score by policy and group of patients: a cell holds the mean, its colour the distance from all.

    Args:
        name: Of the figure.
        parts: Each way to divide the patients, with the estimates of one run and one score.
        means: By policy the mean of all patients.
        caption: How to read it.
    """
    everything = [estimate for _, estimates in parts for estimate in estimates]
    panels = tuple(_heat_panel(group, estimates, means) for group, estimates in parts)
    title = f"{term(everything[0].score).title} by kind of patient"
    return Figure(name, title, caption, panels, ESTIMATE_COLUMNS, estimate_rows(everything))


def _heat_panel(group: Group, estimates: Sequence[Estimate], means: dict[str, float]) -> Panel:
    words = term(estimates[0].score)
    policies = tuple(dict.fromkeys(e.policy for e in estimates))
    levels = tuple(level for level in group.levels.values() if any(e.level == level for e in estimates))
    width = min(44.0, (PANEL_WIDTH - _LABELS - 16) / len(levels))
    tall, head = 22, _HEAD + 62
    body = text(0, 12, group.title, "title")
    for column, level in enumerate(levels):
        x = _LABELS + width * (column + 0.5)
        turned = Markup('<g transform="translate({:.1f} {}) rotate(-40)">{}</g>')
        body += turned.format(x - 2, head - 7, text(0, 0, level, "tick"))
    for row, policy in enumerate(policies):
        body += text(0, head + row * (tall + 2) + 15, fitted(policy, _LABELS - 6), full=policy)
    for e in estimates:
        if e.interval.mean is None:
            continue
        x, y = _LABELS + width * levels.index(e.level), head + policies.index(e.policy) * (tall + 2)
        few = e.interval.n < _FEWEST
        shade = "z" if few else _shade(e.interval.mean - means.get(e.policy, e.interval.mean), words)
        kind = "on deep" if shade in ("n4", "p4") else "on note" if few else "on"
        body += rect(x, y, width - 2, tall, shade, _told(e, words))
        body += text(x + width / 2 - 1, y + 15, _short(e.interval.mean, words), kind)
    return Panel(group.title, int(head + len(policies) * (tall + 2) + 4), body)


def _short(value: float, words: Term) -> str:
    """Write a value in few characters: .83 for 0.83."""
    if words.digits < 2:
        return f"{value:.1f}"
    said = f"{value:.2f}"
    return said.replace("0.", ".", 1) if said.lstrip("-").startswith("0.") else said


def _shade(distance: float, words: Term) -> str:
    """Return the class of a colour: orange is worse, blue is better, in four steps."""
    unit = 0.03 if words.digits > 1 else 0.75
    steps = min(4, int(abs(distance) / unit))
    if not steps:
        return "z"
    worse = (distance < 0) if words.better != "lower" else (distance > 0)
    return f"{'n' if worse else 'p'}{steps}"


def strips(name: str, estimates: Sequence[Estimate], means: dict[str, float], caption: str) -> Figure:
    """Draw one score over the ICD chapters: a panel a policy, a row a chapter.

    Args:
        name: Of the figure.
        estimates: Of one run and one score.
        means: By policy the mean of all patients.
        caption: How to read it.
    """
    words = term(estimates[0].score)
    policies = tuple(dict.fromkeys(e.policy for e in estimates))
    axis = Axis.over(_ends(estimates), words.scale, _LABELS + 8, PANEL_WIDTH - 46, close=True)
    panels = tuple(
        _strip_panel(policy, [e for e in estimates if e.policy == policy], axis, means.get(policy))
        for policy in policies
    )
    return Figure(name, f"{words.title} by ICD chapter", caption, panels, ESTIMATE_COLUMNS, estimate_rows(estimates))


def _strip_panel(policy: str, estimates: Sequence[Estimate], axis: Axis, mean: float | None) -> Panel:
    words = term(estimates[0].score)
    levels = [level for level in CHAPTER_AXIS.levels.values() if any(e.level == level for e in estimates)]
    bottom = _HEAD + 17 * len(levels)
    body = text(0, 12, fitted(policy, 200, 12.5), "title", full=policy) + text(PANEL_WIDTH, 12, words.title, "note end")
    body += _grid(axis, _HEAD, bottom)
    if mean is not None:
        body += line(axis(mean), _HEAD - 4, axis(mean), bottom, "base")
    for e in estimates:
        y = _HEAD + 17 * (levels.index(e.level) + 0.5)
        body += text(0, y + 4, e.level)
        body += _interval(e, axis, y, _against(e, mean, words), words)
        if e.interval.mean is not None:
            body += text(PANEL_WIDTH, y + 4, _written(e.interval.mean, words), "end")
    return Panel(policy, int(bottom + 20), body)


def _against(estimate: Estimate, mean: float | None, words: Term) -> str:
    i = estimate.interval
    if mean is None or i.low is None or i.high is None or words.better == "neither":
        return "quiet"
    if i.low <= mean <= i.high or i.low == i.high:
        return "quiet"
    return "s0" if (i.low > mean) == (words.better == "higher") else "s1"
