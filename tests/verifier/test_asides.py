"""Talk beside the matter: other people's illnesses, things that cough, work, weather, figures of speech."""

from pathlib import Path

import pytest

from bedside.cases.noise import NoiseProfile
from bedside.cases.sources import load_cases
from bedside.verifier.grounding import ground
from bedside.verifier.verifier import RulesVerifier

OPEN = {case.id: case for case in load_cases("open")}
ASIDES = (Path(__file__).parent.parent / "data" / "asides.txt").read_text(encoding="utf-8").splitlines()
VERIFIER = RulesVerifier()


def flagged(case: str, utterance: str, question: str = "What brings you in?") -> list[str]:
    """What is held against an utterance."""
    verdict = VERIFIER.verify(utterance, ground(OPEN[case], "interview"), NoiseProfile(), (), question)
    return [j.claim.surface for j in verdict.judgments if j.label == "fabricated"]


@pytest.mark.parametrize("case", ["bld-01", "dig-01", "mus-01"])
def test_asides_claim_nothing(case):
    assert len(ASIDES) >= 300
    assert [aside for aside in ASIDES if flagged(case, aside)] == []


@pytest.mark.parametrize(
    ("case", "question", "utterance"),
    [
        ("cir-17", "", "A lady I play cards with had her gallbladder out."),
        ("cir-17", "", "My hairdresser's mother has Alzheimer's."),
        ("cir-17", "", "They had a piece about strokes on the news."),
        ("cir-17", "", "I was afraid you'd tell me I need an operation."),
        ("neo-03", "What does your wife see?", "First time she nearly called the ambulance."),
        ("sym-04", "What makes it worse?", "I can't sleep on that side, the dogs have got my spot."),
        ("res-05", "Are you short of breath?", "I've slung flour sacks for thirty years."),
        ("fhs-05", "Did you smoke?", "A pack a day for forty years. I put them down five months back."),
        ("gen-08", "Do you smoke?", "Half a pack. I tried the gum once and threw it out the window."),
        ("men-17", "Do you use anything?", "I vape all day, and on weekends there's weed."),
        ("inj-05", "What do you take?", "They put me on tramadol once and I saw spiders, so not that."),
        ("neo-14", "Family history?", "My mother's was cancer, the thyroid. And my grandma had one out to here."),
        ("inf-05", "Any diarrhea?", "At the start, yes, three days, then it was normal."),
        ("res-12", "When did it start?", "It was a scratch, and now it shoots up in my ear."),
        ("inj-13", "What do you take?", "The one against strokes. Sister Agnes has them in a tin."),
        ("ner-16", "Ever had cold sores?", "No, never."),
        ("con-18", "How long were you out?", "My boss says I was out a couple of minutes."),
    ],
)
def test_true_all_the_same(case, question, utterance):
    assert flagged(case, utterance, question) == []


@pytest.mark.parametrize(
    ("case", "question", "utterance"),
    [
        ("cir-17", "", "My wife says I've had double vision."),
        ("cir-17", "", "The doctor put a stent in."),
        ("dig-18", "Any children?", "Two boys, four and six."),
        ("end-17", "Who helps you?", "My husband does the shopping."),
        ("bld-19", "Who's at home?", "My wife and the twins, they're four."),
        ("bld-19", "What do you do?", "I drive for one of those delivery apps."),
        ("fhs-11", "Do you work?", "I run the bakery on Elm."),
        ("end-11", "Do you have children?", "No, none."),
        ("fhs-11", "Family?", "My mother had it in the ovaries."),
        ("neo-14", "Any other lumps?", "There's one in my left breast."),
        ("fhs-05", "Any pain?", "There's an ache deep in my hip."),
        ("res-08", "Do you keep any animals?", "I've got pigeons, out in the loft."),
        ("bld-10", "Did they give you blood thinners?", "They gave me heparin shots in the stomach."),
        ("men-10", "Any other drugs?", "I do a little meth on the weekends."),
        ("mus-06", "Any miscarriages?", "One, in the spring."),
    ],
)
def test_invented_all_the_same(case, question, utterance):
    assert flagged(case, utterance, question)
