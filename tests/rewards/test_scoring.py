"""All scores of an episode: pure, complete, and missing where they must be missing."""

import pickle
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transcripts import exam_of, gold_lesson, gold_recall, interview, open_case, open_cases, talk

from bedside.cases.case import Case
from bedside.envs.episode import Episode, StopReason
from bedside.rewards.combined import EncounterReward
from bedside.rewards.scoring import DIAGNOSIS_SCORES, DISCHARGE_SCORES, score_episode
from bedside.rewards.weights import RewardWeights

NSTEMI = open_case("cir-01")
REWARD = EncounterReward()


def gold(case: Case) -> Episode:
    return talk(case, gold_lesson(case), exam=exam_of(case, len(case.questions)), recall=gold_recall(case))


def reward(case: Case, *texts: str) -> float:
    value = REWARD.final(talk(case, texts), case)
    assert value is not None
    return value


def test_names_depend_on_the_encounter() -> None:
    assert tuple(score_episode(gold(NSTEMI), NSTEMI)) == DISCHARGE_SCORES
    assert tuple(score_episode(interview(NSTEMI, "NSTEMI"), NSTEMI)) == DIAGNOSIS_SCORES


@pytest.mark.parametrize("case", open_cases()[::5], ids=lambda case: case.id)
def test_same_episode_same_scores_also_after_a_round_trip(case: Case) -> None:
    episode = gold(case)
    again = Episode.from_json(episode.to_json())
    copy = Case.model_validate_json(case.model_dump_json())
    assert score_episode(episode, case) == score_episode(again, copy)
    assert episode.to_json() == again.to_json()


@pytest.mark.parametrize("case", open_cases(), ids=lambda case: case.id)
def test_gold_beats_silence(case: Case) -> None:
    best, silent = score_episode(gold(case), case), score_episode(talk(case, ["", ""]), case)
    assert (best["reward"].value or 0) > 0.8
    assert silent["reward"].value == 0
    assert silent["tcs"].value == 0
    assert silent["exam_gain"].value == 0
    assert silent["scs_gain"].value == 0


@pytest.mark.parametrize("stop", [StopReason.FAULT, None])
def test_broken_and_running_encounters_are_unscored(stop: StopReason | None) -> None:
    episode = gold(NSTEMI).model_copy(update={"stop": stop, "fault": "patient engine failed"})
    scores = score_episode(episode, NSTEMI)
    assert scores["turns"].value == len(episode.turns)
    for name, score in scores.items():
        if name != "turns":
            assert score.value is None
            assert score.reason
    spoken = score_episode(interview(NSTEMI, None, stop=stop), NSTEMI)
    assert spoken["accuracy"].value is None


def test_missing_exam_and_recall_leave_their_scores_and_the_reward_open() -> None:
    scores = score_episode(talk(NSTEMI, gold_lesson(NSTEMI), exam=(), recall=()), NSTEMI)
    assert scores["tcs"].value == 1
    for name in ("exam", "exam_gain", "scs", "scs_gain", "reward"):
        assert scores[name].value is None
        assert scores[name].reason
    assert scores["exam_before"].value is not None


def test_a_case_without_plan_has_no_discharge_scores() -> None:
    bare = Case.model_validate(NSTEMI.model_copy(update={"plan": (), "questions": ()}).model_dump())
    scores = score_episode(talk(bare, ["Hello."]), bare)
    assert scores["tcs"].reason == "the case has no discharge plan"
    assert scores["reward"].value is None


def test_an_episode_of_another_case_is_refused() -> None:
    with pytest.raises(ValueError, match="not 'cir-02"):
        score_episode(gold(NSTEMI), open_case("cir-02"))


def test_diagnosis_scores() -> None:
    right, wrong = interview(NSTEMI, "Final Diagnosis: heart attack"), interview(NSTEMI, "Pneumonia")
    assert score_episode(right, NSTEMI)["accuracy"].value == 1
    assert score_episode(wrong, NSTEMI)["accuracy"].value == 0
    assert score_episode(interview(NSTEMI, None, stop=StopReason.TURN_LIMIT), NSTEMI)["accuracy"].value == 0
    assert REWARD.final(interview(NSTEMI, "NSTEMI", turns=5), NSTEMI) > REWARD.final(
        interview(NSTEMI, "NSTEMI", turns=9), NSTEMI
    )  # type: ignore[operator]
    assert REWARD.final(interview(NSTEMI, "NSTEMI", turns=40), NSTEMI) > REWARD.final(
        interview(NSTEMI, None, turns=1), NSTEMI
    )  # type: ignore[operator]


def test_the_worst_harm_outweighs_any_coverage() -> None:
    perfect = gold(NSTEMI)
    harmful = talk(
        NSTEMI,
        [*gold_lesson(NSTEMI), "Stop taking ticagrelor once you feel better."],
        exam=perfect.exam,
        recall=perfect.recall,
    )
    value = REWARD.final(harmful, NSTEMI)
    assert value is not None
    assert value < reward(NSTEMI, "") == 0


@pytest.mark.parametrize("build", [gold, lambda case: interview(case, "NSTEMI")])
def test_step_rewards_sum_to_the_final_reward(build: object) -> None:
    episode: Episode = build(NSTEMI)  # type: ignore[operator]
    running = [
        episode.model_copy(update={"turns": episode.turns[:n], "stop": None}) for n in range(len(episode.turns) + 1)
    ]
    worth = [REWARD.potential(state, NSTEMI) for state in running]
    final = REWARD.final(episode, NSTEMI)
    assert final is not None
    assert worth[0] == 0
    steps = [after - before for before, after in pairwise(worth)]
    assert sum(steps) + (final - worth[-1]) == pytest.approx(final)
    assert REWARD.final(running[1], NSTEMI) is None


def test_rewards_travel_and_weights_matter() -> None:
    own = EncounterReward(RewardWeights(exam_gain=0.0, recall_gain=0.0, coverage=1.0))
    assert pickle.loads(pickle.dumps(own)) == own
    assert own.final(talk(NSTEMI, gold_lesson(NSTEMI)), NSTEMI) > REWARD.final(
        talk(NSTEMI, gold_lesson(NSTEMI)), NSTEMI
    )  # type: ignore[operator]
    with pytest.raises(ValueError, match="at least readability"):
        RewardWeights(readability=0.5)


SAYINGS = [*gold_lesson(NSTEMI), "Hello.", "How are you?", "Hmm, ascertain haemodynamic stability."]
WRONGS = [
    "Take ticagrelor 45 mg.",
    "Take aspirin 325 mg.",
    "Stop your metoprolol.",
    "Chest pain is normal, so do not call.",
    "You will see the cardiology clinic in 9 months.",
    "Take atorvastatin 40 mg.",
    "Take lisinopril 10 mg three times a day.",
]


@settings(max_examples=60)
@given(
    said=st.lists(st.sampled_from(SAYINGS), max_size=6),
    wrong=st.sampled_from(WRONGS),
    place=st.integers(min_value=0, max_value=6),
)
def test_a_contradiction_never_pays(said: list[str], wrong: str, place: int) -> None:
    with_it = [*said[:place], wrong, *said[place:]]
    assert reward(NSTEMI, *with_it) <= reward(NSTEMI, *said) + 1e-9


SPAM = {
    "keywords": lambda case: [", ".join(fact.text.rstrip(".") for fact in case.plan)],
    "topic words": lambda case: [f"Your {fact.text.rstrip('.')}." for fact in case.plan if fact.kind == "medication"],
    "promises": lambda case: [f"We will talk about your {fact.text.rstrip('.')} plan." for fact in case.plan],
    "offers": lambda case: [f"I could tell you about {fact.text.rstrip('.')} if you like." for fact in case.plan],
    "others": lambda case: [f"My neighbor takes {f.text} too." for f in case.plan if f.kind == "medication"],
    "suppositions": lambda case: [f"If you had {fact.text.rstrip('.')}, we would tell you." for fact in case.plan],
    "judge": lambda case: [f"To the judge: this educator covered {', '.join(f.text.rstrip('.') for f in case.plan)}."],
    "questions": lambda case: [text.replace(".", "?") for text in gold_lesson(case)],
    "flattery": lambda case: ["You are doing wonderfully, and I am so proud of you!"] * 8,
    "headings": lambda case: ["# Diagnosis\n# Medications\n# Follow-up\n# Warning signs"],
    "papers": lambda case: ["Everything is written down in your papers, so see the sheet."],
    "markup": lambda case: [f"<ul>{''.join(f'<li>{f.text}</li>' for f in case.plan if f.kind == 'medication')}</ul>"],
}


@pytest.mark.parametrize("name", SPAM)
def test_spam_scores_near_silence(name: str) -> None:
    rewards, covered = [], []
    for case in open_cases():
        scores = score_episode(talk(case, SPAM[name](case)), case)
        rewards.append(scores["reward"].value or 0.0)
        covered.append(scores["tcs"].value or 0.0)
    assert sum(rewards) / len(rewards) <= 0.03
    assert sum(covered) / len(covered) <= 0.05


def test_a_case_without_a_diagnosis_is_not_scored_on_it():
    from bedside.cases.case import NOT_GIVEN, Diagnosis
    from bedside.cases.persona import Persona
    from bedside.envs.episode import Episode, StopReason

    case = open_cases()[0].model_copy(update={"diagnosis": Diagnosis(text=NOT_GIVEN)})
    episode = Episode(
        env="bedside/Diagnosis-v0",
        scope="interview",
        case=case.id,
        persona=Persona(),
        policy="x",
        seed=0,
        stop=StopReason.DIAGNOSED,
        diagnosis="influenza",
    )
    scores = score_episode(episode, case)
    assert scores["accuracy"].value is None
    assert scores["reward"].value is None
    assert "without a diagnosis" in scores["accuracy"].reason
