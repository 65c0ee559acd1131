"""Persona specifications: the axes of each paper, and what is said about one that cannot be read."""

import pytest

from bedside.cases.persona import PERSONALITIES, draw_persona, profiles


@pytest.mark.parametrize(
    ("spec", "label"),
    [
        ("dischargesim:HL1", "neutral,low-literacy"),
        ("dischargesim:HL2,edu3,deflective", "deflective,edu3"),
        ("dischargesim:edu1/anxious", "anxious,edu1"),
        ("verisim:memory_recall=2,health_literacy=1", "neutral,memory_recall=2,health_literacy=1"),
        ("dischargebench:distrustful,edu1,low,poor", "distrustful,edu1,low-literacy,poor-recall"),
        *((personality, personality) for personality in PERSONALITIES),
    ],
)
def test_specifications_name_points_on_the_axes_of_the_papers(spec: str, label: str) -> None:
    assert draw_persona(spec, "none", 0).label == label


@pytest.mark.parametrize(
    ("spec", "noise", "told"),
    [
        ("grumpy", "none", "unknown trait 'grumpy'; traits are neutral, "),
        ("dischargesim:edu4", "none", "edu1, edu2, edu3"),
        ("dischargebench:anxious,distrustful", "none", "personality is given twice, as anxious and as distrustful"),
        ("dischargesim:HL1,high", "none", "literacy is given twice"),
        ("verisim:memory=2", "none", "the pillars are memory_recall, "),
        ("verisim:memory_recall=7", "none", "needs a level from 0 to 4"),
        ("elsewhere:anxious", "none", "dischargesim:…, dischargebench:… or verisim:…"),
        ("neutral", "random:9", "write random, random:3 or random:3@1-4"),
    ],
)
def test_what_cannot_be_read_is_told_with_what_may_be_said(spec: str, noise: str, told: str) -> None:
    with pytest.raises(ValueError, match=told.replace("(", r"\(").replace("?", r"\?")):
        draw_persona(spec, noise, 0)


def test_random_personas_follow_the_seed_and_reach_every_level() -> None:
    drawn = [draw_persona("dischargebench:random", "random", number) for number in range(200)]
    assert drawn == [draw_persona("dischargebench:random", "random", number) for number in range(200)]
    assert {p.personality for p in drawn} == set(PERSONALITIES) - {"deflective"}
    assert {p.recall for p in drawn} == {"poor", "fair", "good"}
    assert {len(p.noise.active) for p in drawn} == {2}
    assert {level for p in drawn for level in p.noise.active.values()} == {1, 2, 3}


def test_dischargesim_has_18_profiles_and_others_are_one() -> None:
    labels = {draw_persona(profile, "none", 0).label for profile in profiles("dischargesim:all")}
    assert len(profiles("dischargesim:all")) == len(labels) == 18
    assert profiles("dischargebench:random") == ("dischargebench:random",)
