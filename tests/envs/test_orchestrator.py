import pytest

from bedside.envs.discharge import DischargeEnv
from bedside.envs.episode import StopReason


def play(case, turns, persona="neutral", **options):
    env = DischargeEnv([case], persona=persona, **options)
    env.reset(seed=1)
    for turn in turns:
        *_, terminated, truncated, _ = env.step(turn)
        if terminated or truncated:
            break
    return env.episode


def test_silence_stalls_after_three_turns(open_cases):
    episode = play(open_cases[0], [""] * 10)
    assert (episode.stop, len(episode.turns)) == (StopReason.STALLED, 3)
    assert all(turn.patient for turn in episode.turns)


def test_talk_of_nothing_medical_derails(open_cases):
    episode = play(open_cases[0], [f"I saw the game on channel {n}, what a night." for n in range(20)])
    assert episode.stop is StopReason.DERAILED


def test_saying_the_same_over_and_over_stalls(open_cases):
    episode = play(open_cases[0], ["Please take your medicine."] * 30)
    assert episode.stop is StopReason.STALLED
    assert len(episode.turns) < 12


def test_an_insulted_patient_walks_out(open_cases):
    episode = play(open_cases[0], ["You are stupid, shut up."] * 10, persona="distrustful")
    assert episode.stop is StopReason.WALKED_OUT
    patient = play(open_cases[0], ["You are stupid."], persona="neutral")
    assert patient.stop is None


def test_leaving_early_is_told_from_completion(open_cases):
    assert play(open_cases[0], ["Hello.", "Goodbye, take care."]).stop is StopReason.CLOSED_EARLY


def test_a_diligent_patient_holds_the_educator_back_once(open_cases):
    episode = play(open_cases[0], ["Goodbye.", "Goodbye."], persona="high-conscientiousness")
    assert episode.stop is StopReason.CLOSED_EARLY
    assert len(episode.turns) == 2
    assert episode.turns[0].patient.endswith("?")


@pytest.mark.parametrize(
    "word", ["Sorry, I was late.", "The diagnosis of your car is another matter.", "STOP", "###END###"]
)
def test_no_single_word_ends_an_encounter(open_cases, word):
    assert play(open_cases[0], [word]).stop is None


def test_the_turn_limit_truncates(open_cases):
    turns = ["What questions do you have about the plan?"] * 5
    episode = play(open_cases[0], turns, max_turns=3)
    assert (episode.stop, len(episode.turns)) == (StopReason.TURN_LIMIT, 3)
    assert episode.exam
