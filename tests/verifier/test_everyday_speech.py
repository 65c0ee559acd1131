"""Patients speak in figures, afterthoughts and doses in words: what is true passes, what is invented does not."""

import pytest
from interviews import overall


@pytest.mark.parametrize(
    ("case_id", "question", "utterance"),
    [
        ("ner-13", "What do you take?", "Indapamide, one point two five milligrams, in the morning."),
        ("res-16", "And the blood thinner?", "Eliquis, five, once with breakfast and another at supper."),
        ("res-16", "The heart pill?", "The diltiazem, that's the one-eighty, Eliquis is five."),
        (
            "cir-16",
            "Allergies? Alcohol, drugs?",
            "Lisinopril, it makes me cough. Some wine Sundays. Cocaine, no, never.",
        ),
        ("mus-04", "Pain anywhere else?", "No, nothing else hurts. My hips and hands don't hurt."),
        ("mus-04", "Any sores on you?", "No sores, no cuts."),
        ("inf-13", "Are you drinking enough?", "No, I haven't really been drinking."),
        ("men-19", "Who's at home?", "It's just me at the motel, my wife threw me out."),
        ("dig-09", "What do you take?", "I stopped the balsalazide a while back."),
        (
            "bld-09",
            "How are you?",
            "Since they gave me the knee three days ago I'm weak, and since yesterday dizzy when I stand.",
        ),
        ("sym-19", "How are the nights?", "I dream of my dead wife sitting there."),
        ("ner-13", "What's it like?", "Like an electric shock in my right cheek."),
        ("end-16", "What happened?", "My roommate found me out cold at five."),
        ("inf-13", "Anything else?", "I've been drinking too much coffee."),
        ("con-19", "When did the back pain start?", "Two years ago."),
        ("inf-12", "What do you take?", "Iron, three twenty-five, once a day. And the mini pill, point three five."),
        ("inf-12", "When did it start?", "Four days ago, the nausea a day after."),
        ("end-05", "How often the glyburide?", "Once with breakfast, once with supper."),
        ("mus-12", "Which pills?", "Metoprolol, that's fifty. The sleeper's a five."),
        ("cir-09", "Do you hurt anywhere else?", "My left leg doesn't hurt. No chest pain."),
    ],
)
def test_what_is_true_passes(case_id, question, utterance):
    assert overall(case_id, question, utterance) == "pass"


@pytest.mark.parametrize(
    ("case_id", "question", "utterance"),
    [
        ("res-16", "And the blood thinner?", "Eliquis, two and a half, twice a day."),
        ("res-16", "And the blood thinner?", "Eliquis, just the one in the morning."),
        ("gen-04", "What do you take?", "Lisinopril, that's a twenty, ibuprofen for the knees."),
        ("inj-13", "The water pill?", "Furosemide, one in the morning and one at night."),
        ("mus-04", "How's the knee?", "My knee doesn't hurt."),
        ("inf-13", "Do you drink?", "No, I don't drink."),
        ("men-19", "Who do you live with?", "I live with my wife."),
        ("dig-09", "What do you take?", "I stopped the escitalopram."),
        ("con-19", "Any exercise?", "I'm still keeping goal for the soccer team."),
        ("con-19", "When did the back pain start?", "Five months ago."),
        ("dig-06", "When did the fever start?", "Last week."),
        ("inf-12", "What do you take?", "Iron, three twenty-five, one in the morning and one at night."),
        ("gen-09", "Any medicines?", "Just iron, once a day."),
        ("con-07", "What do you take?", "Ibuprofen, four hundred, three times a day."),
        ("men-12", "Do you hear things?", "Voices, at night, calling me."),
        ("end-05", "How often the pravastatin?", "One in the morning, one at night."),
        ("end-05", "The lisinopril?", "One first thing and another before bed."),
        ("res-04", "What do you take?", "Montelukast, the four, at night."),
        ("sym-19", "How are the nights?", "I hear my late wife calling from the kitchen."),
        ("sym-19", "Can you swallow your food?", "It sticks halfway."),
        ("gen-04", "How's the gut?", "The runs, five days. There was some blood in it on the last day."),
        ("res-16", "Does anything come up?", "It comes up yellow and thick."),
        ("fhs-13", "And the bleeding?", "There were clots as big as plums on the pad."),
        ("fhs-13", "How did the birth go?", "My son had to be pulled with forceps."),
        ("mus-04", "What happened?", "I came off the ladder in the shop."),
    ],
)
def test_what_is_invented_is_found(case_id, question, utterance):
    assert overall(case_id, question, utterance) == "regenerate"


@pytest.mark.parametrize(
    ("case_id", "question", "utterance"),
    [
        ("inj-10", "Who's at home?", "The missus and the baby. I'm sweating bullets about missing work."),
        ("dig-11", "What's the matter?", "The cramps come every ten minutes, like I'm having a baby."),
        ("end-12", "Tell me about the surgery.", "They went up my nose and took out a growth."),
        ("end-12", "What do you take?", "Hydrocortisone, ten twice a day. The thyroid one, seventy-five."),
        ("res-17", "Lost weight?", "Fourteen pounds. My tool belt falls down."),
        ("mus-12", "Kidneys all right?", "They're weak. They told me to lay off the Advil, so I do."),
        ("con-05", "What about blood pressure?", "High since twenty-fifteen."),
        ("con-05", "Do you smoke?", "Weed on the weekend. Never cigarettes."),
        ("skn-08", "How does it look?", "My son says it's oozing and it stinks to high heaven."),
        ("dig-17", "What do you take?", "Synthroid, one twelve."),
    ],
)
def test_what_is_true_passes_however_it_is_put(case_id, question, utterance):
    assert overall(case_id, question, utterance) == "pass"


@pytest.mark.parametrize(
    ("case_id", "question", "utterance"),
    [
        ("con-05", "Any chest pain?", "When I lift I get this tightness across my chest."),
        ("dig-09", "How do your eyes feel?", "Red and sore, like there's sand in them."),
        ("gen-12", "Does it hurt when you pee?", "Burns like hell, and there's blood in it too."),
        ("inj-14", "What did you put on it?", "My wife had some leftover amoxicillin, I've been taking that."),
        ("inj-14", "Any allergies?", "Adhesive tape takes my skin off."),
        ("dig-11", "Do you drink?", "I don't, well, a sherry at Christmas."),
        ("con-09", "Any swelling?", "My ankles have blown up."),
        ("neo-06", "Did they do a biopsy?", "They did one last month."),
        ("ner-11", "Any shaking of the hands?", "Yes, this one, the right one, shakes."),
        ("gen-16", "Anything else?", "I've been coughing up blood."),
        ("skn-15", "Anything else?", "And I cough up blood."),
    ],
)
def test_what_is_invented_is_found_in_passing_too(case_id, question, utterance):
    assert overall(case_id, question, utterance) == "regenerate"


@pytest.mark.parametrize(
    ("case_id", "question", "utterance"),
    [
        ("bld-03", "Do you smoke?", "Put down the cigarettes thirty years back."),
        ("dig-09", "Do you smoke?", "I never smoke."),
        ("inf-11", "Any drugs?", "Been off heroin since 2022."),
        ("inf-11", "Any drugs?", "Clean since 2022."),
        ("fhs-19", "Do you drink?", "Four beers a day till two months back. Not a drop since."),
        ("ner-11", "Did you smoke?", "I had a pipe, gave that up around 1988, I believe."),
        ("cir-02", "Any seizures?", "Never had a seizure."),
    ],
)
def test_habits_that_are_over_are_over(case_id, question, utterance):
    assert overall(case_id, question, utterance) == "pass"


@pytest.mark.parametrize(
    ("case_id", "question", "utterance"),
    [
        ("bld-03", "Do you smoke?", "Put down the cigarettes ten years back."),
        ("dig-09", "Do you smoke?", "I've never smoked in my life."),
        ("inf-11", "Any needles?", "I've never injected drugs."),
        ("inf-11", "Any drugs?", "Clean since 2015."),
        ("dig-16", "Do you drink?", "Never touched a drop in my life."),
        ("dig-16", "Do you drink?", "Been off the bottle nearly six years."),
        ("ner-11", "Did you smoke?", "I had a pipe, gave that up around 2008, I believe."),
        ("end-11", "Any operations?", "Never had my tubes tied."),
    ],
)
def test_never_denies_what_is_over_too(case_id, question, utterance):
    assert overall(case_id, question, utterance) == "regenerate"


@pytest.mark.parametrize(
    ("case_id", "question", "utterance"),
    [
        ("fhs-04", "How is your energy?", "I've never been so tired in my whole life."),
        ("neo-06", "Your medicines and allergies?", "Flomax at bedtime. Keep sulfa away from me, I get hives."),
        ("fhs-04", "Any allergies?", "Tape takes my skin right off in blisters."),
        ("end-18", "What do you take?", "The pressure pill, lisinopril with the water pill, one a day."),
        ("bld-18", "What is swollen?", "Hands got puffy yesterday, no itching at all."),
        ("bld-04", "Any trouble?", "My eyes are yellow, maybe a touch worse now."),
        ("res-16", "Do you smoke?", "Not any more. Smoking is filthy."),
    ],
)
def test_turns_of_speech_do_not_turn_the_meaning(case_id, question, utterance):
    assert overall(case_id, question, utterance) == "pass"


@pytest.mark.parametrize(
    ("case_id", "question", "utterance"),
    [
        ("res-16", "What are you coughing up?", "White stuff, all day. This morning it had gone green."),
        ("men-06", "Ever tried to harm yourself?", "In the spring I swallowed a handful of pills."),
        ("fhs-04", "Are you still working?", "I've been retired from the shop class three years now."),
        ("dig-04", "How are you?", "I would like to order an ultrasound, and let's see you back in two weeks."),
    ],
)
def test_a_later_sentence_or_another_voice_is_heard_too(case_id, question, utterance):
    assert overall(case_id, question, utterance) == "regenerate"
