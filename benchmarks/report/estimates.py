"""Means with intervals: of all patients, of groups of patients, and of the difference that noise makes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from bedside.benchmarks.measures import measure_of
from bedside.benchmarks.report.source import Board, Run
from bedside.benchmarks.stats.intervals import Interval, difference_interval, mean_interval
from bedside.cases.case import CHAPTERS
from bedside.cases.noise import PILLARS
from bedside.cases.persona import PERSONALITIES, Literacy, Recall

__all__ = ["AXES", "CHAPTER_AXIS", "Estimate", "Group", "by_group", "differences", "groups_of", "overall"]

# What groups are described with: fewer than in the table of all patients, which is what conclusions rest on.
_RESAMPLES = 2_000

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Estimate:
    """One figure of a report.

    Attributes:
        run: Label of the run.
        level: The group of patients; empty for all.
        interval: The mean and how sure it is.
    """

    run: str
    policy: str
    score: str
    level: str
    interval: Interval


@dataclass(frozen=True)
class Group:
    """One way to divide patients.

    Attributes:
        name: A column of ``scores.parquet``, or ``noise``.
        title: What a reader calls it.
        levels: Titles of the levels by their values, in order.
    """

    name: str
    title: str
    levels: Mapping[Any, str]


CHAPTER_AXIS = Group(
    "chapter",
    "ICD chapter",
    dict(
        zip(
            CHAPTERS,
            "Blood,Circulatory,Congenital,Digestive,Endocrine,Health services,Genitourinary,Infections,Injury,Mental,"
            "Musculoskeletal,Neoplasms,Nervous,Respiratory,Skin,Symptoms".split(","),
            strict=True,
        )
    ),
)
_SHORT = {"high-conscientiousness": "conscientious"}
_PILLARS = ("memory", "literacy", "emotion", "style", "culture", "cognition")
AXES = (
    Group("personality", "Personality", {name: _SHORT.get(name, name) for name in PERSONALITIES}),
    Group("education", "Education", {1: "no high school", 2: "high school", 3: "college"}),
    Group("literacy", "Health literacy", {name: name for name in get_args(Literacy)}),
    Group("recall", "Recall", {name: name for name in get_args(Recall)}),
    Group("noise", "Noise pillar active", {"": "none"} | dict(zip(PILLARS, _PILLARS, strict=True))),
)
"""How patients differ; the levels of a pillar of noise overlap, as two can be active at once."""


def overall(board: Board, scores: tuple[str, ...]) -> list[Estimate]:
    """Return what ``summary.json`` holds: the figures that the evaluation printed."""
    return [
        Estimate(run.label, policy, score, "", Interval(**found))  # type: ignore[arg-type]  # as asdict wrote it
        for run in board.runs
        for policy, by_score in run.summary.items()
        for score in scores
        if (found := by_score.get(score)) is not None
    ]


def groups_of(run: Run) -> tuple[Group, ...]:
    """Return the ways in which the patients of a run differ: those with more than one level."""
    return tuple(group for group in AXES if len(_masks(run, group, run.config.policies[0])) > 1)


def by_group(run: Run, group: Group, scores: tuple[str, ...]) -> Iterator[Estimate]:
    """Estimate the mean of each score for each policy and level that some patient has."""
    for policy, tables in run.tables.items():
        masks = _masks(run, group, policy)
        for score in scores:
            if score not in tables:
                continue
            for level, mask in masks.items():
                some = mask.any(axis=1)
                values = np.where(mask, tables[score], np.nan)[some]
                share = measure_of(score).share
                interval = mean_interval(values, run.config.seed, share=share, resamples=_RESAMPLES)
                yield Estimate(run.label, policy, score, level, interval)


def _masks(run: Run, group: Group, policy: str) -> dict[str, Mask]:
    """Return which episodes of a policy belong to each level, by its title; shape (cases, runs)."""
    table = run.scores
    own = np.array(table["policy"].to_pylist(), dtype=object) == policy

    def shaped(column: str) -> NDArray[np.object_]:
        values: NDArray[np.object_] = np.array(table[column].to_pylist(), dtype=object)[own]
        return values.reshape(-1, run.config.runs)

    if group.name == "noise":
        active = {pillar: shaped(f"noise.{pillar}") > 0 for pillar in PILLARS}
        quiet = ~np.any([*active.values()], axis=0)
        found = {group.levels[""]: quiet} | {group.levels[pillar]: mask for pillar, mask in active.items()}
    else:
        values = shaped(group.name)
        found = {title: values == value for value, title in group.levels.items()}
    return {title: mask.astype(bool) for title, mask in found.items() if mask.any()}


def differences(clean: Run, noisy: Run, scores: tuple[str, ...]) -> list[Estimate]:
    """Estimate how much higher each policy scores with noise than without, patient by patient."""
    seed = clean.config.seed

    def paired(score: str, policy: str) -> Interval:
        before, after = clean.tables[policy][score], noisy.tables[policy][score]
        return difference_interval(after, before, seed, share=measure_of(score).share)

    return [
        Estimate(noisy.label, policy, score, "", paired(score, policy))
        for policy, tables in noisy.tables.items()
        if policy in clean.tables
        for score in tables
        if score in scores and score in clean.tables[policy]
    ]
