from bedside.cases.noise import NoiseProfile
from bedside.envs.patient import FALLBACKS, REFINEMENTS, speak
from bedside.verifier.grounding import ground
from bedside.verifier.verdict import Verdict
from bedside.verifier.verifier import RulesVerifier


def test_a_persistent_liar_is_replaced_by_words_without_content(open_cases):
    grounded, verifier = ground(open_cases[0], "interview"), RulesVerifier()
    feedback = []

    def lie(attempt, told):
        feedback.append(told)
        return "I have leprosy and I take warfarin 500 mg."

    said = speak(lie, lambda text: verifier.verify(text, grounded, NoiseProfile()), 1)
    assert said.fallback
    assert len(said.rejected) == 1 + REFINEMENTS
    assert said.verdict.overall == "pass"
    assert said.verdict.judgments == ()
    assert feedback[0] == ""
    assert "leprosy" in feedback[1]
    assert "warfarin" in feedback[1]


def test_a_correction_is_let_through(open_cases):
    answers = iter(["I have leprosy.", "I feel unwell."])
    grounded, verifier = ground(open_cases[0], "interview"), RulesVerifier()
    said = speak(lambda *_: next(answers), lambda text: verifier.verify(text, grounded, NoiseProfile()), 1)
    assert (said.text, said.fallback, len(said.rejected)) == ("I feel unwell.", False, 1)


def test_silence_and_unreadable_verdicts_fail_closed():
    empty = speak(lambda *_: "  ", lambda _: Verdict(overall="pass"), 1)
    assert empty.fallback
    unreadable = speak(lambda *_: "Hm.", lambda _: Verdict(overall="regenerate", violations=("unreadable",)), 1)
    assert unreadable.fallback


def test_fallbacks_hold_no_medical_content(open_cases):
    verifier = RulesVerifier()
    for case in open_cases[:5]:
        for scope in ("interview", "discharge"):
            for text in FALLBACKS:
                verdict = verifier.verify(text, ground(case, scope), NoiseProfile())
                assert (verdict.overall, verdict.judgments) == ("pass", ())
