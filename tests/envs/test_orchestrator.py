import pytest

from bedside.envs.diagnosis import DiagnosisEnv
from bedside.envs.discharge import DischargeEnv
from bedside.envs.engines import EmbeddedPatients
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


@pytest.mark.parametrize(
    "words",
    [
        "Before we say goodbye, tell me what your pills are for.",
        "Take care of your wound and keep it dry.",
        "Goodbye is what I will say when we are done, not now. Do you have questions?",
        "You have a good understanding of this.",
        "Thank you. That is all about the medicines.",
        "I am done with the first part. Okay?",
    ],
)
def test_a_talk_does_not_end_before_the_clinician_takes_leave(open_cases, words):
    assert play(open_cases[0], [words]).stop is None


def interview(case, turns, **options):
    env = DiagnosisEnv([case], **options)
    env.reset(seed=1)
    verdicts = []
    for turn in turns:
        *_, terminated, truncated, info = env.step(turn)
        verdicts.append(info["orchestrator"])
        if terminated or truncated:
            break
    return env.episode, verdicts


def test_every_turn_gets_a_verdict(open_cases):
    questions = ["What brings you in?", "", "When did it start?", "Final Diagnosis: gout"]
    episode, verdicts = interview(open_cases[0], questions)
    assert verdicts == ["continue", "intervene", "continue", "end"]
    assert episode.stop is StopReason.DIAGNOSED


def test_small_talk_derails_an_interview(open_cases):
    chat = ["I saw the match.", "It may rain.", "Nice hat.", "My car is old.", "Do you like jazz?", "The bus was late."]
    assert interview(open_cases[0], chat * 3)[0].stop is StopReason.DERAILED


def test_going_round_in_a_circle_stalls_an_interview(open_cases):
    circle = ["Do you have a fever?", "Any nausea?", "Where does it hurt?"]
    episode, _ = interview(open_cases[0], circle * 12)
    assert episode.stop is StopReason.STALLED
    assert len(episode.turns) == len(circle) + 6


def test_an_interview_that_finds_out_more_goes_on_to_its_limit(open_cases):
    signs = ("fever", "nausea", "cough", "headache", "rash", "dizziness", "chills", "itching", "fatigue", "bleeding")
    questions = [f"{ask} {sign}?" for sign in signs for ask in ("Do you have any", "When did you first notice the")]
    assert interview(open_cases[0], questions, max_turns=20)[0].stop is StopReason.TURN_LIMIT


class Mute(EmbeddedPatients):
    """Patients who never find a word."""

    def for_interview(self, grounded, persona, seed):
        patient = super().for_interview(grounded, persona, seed)
        patient.draft = lambda *_: ""
        return patient


def test_an_empty_answer_does_not_end_the_encounter(open_cases):
    episode, _ = interview(open_cases[0], ["What brings you in?", "Any fever?"], patient=Mute())
    assert episode.stop is None
    assert all(turn.patient and turn.fallback for turn in episode.turns)
