"""What patients say at discharge besides what they have learned: acknowledgements, feelings, questions, farewells.

None of these sentences holds a medical claim, so that they are true for every case.
"""

from bedside.cases.fact import Topic

__all__ = [
    "ACKNOWLEDGEMENTS",
    "CONFUSED",
    "FAREWELLS",
    "FEELINGS",
    "FORGOT",
    "HESITATIONS",
    "NO_QUESTIONS",
    "OPENINGS",
    "OVERWHELMED",
    "SILENCES",
    "SOOTHED",
    "TANGENTS",
    "TOPIC_QUESTIONS",
    "UNWELCOME",
]

OPENINGS = {
    "neutral": (
        "Hi. So I'm going home today?",
        "Hello. I hear I can go home.",
        "Hi there. They said you'd go over everything with me.",
        "Morning. I'm ready when you are.",
    ),
    "high-conscientiousness": (
        "Hello. I have a pen and paper ready.",
        "Hi. I want to be sure I do everything right at home.",
        "Good, you're here. I made a list of things to ask.",
    ),
    "minimizer": (
        "Hi. I feel fine, really. Is this necessary?",
        "Hello. It wasn't such a big thing, was it?",
        "Hey. I just want to get back to normal.",
    ),
    "anxious": (
        "Hi. I'm really nervous about going home.",
        "Hello. What if something goes wrong at home?",
        "Hi, I barely slept, I keep thinking about going home.",
    ),
    "distrustful": (
        "So what is it this time?",
        "Hi. Everybody tells me something different here.",
        "Hello. I'd like to know why I should believe all this.",
    ),
    "deflective": (
        "Hey. Is my ride here yet?",
        "Hi. Can we make this quick?",
        "Hello. Did you see the weather out there?",
    ),
}
ACKNOWLEDGEMENTS = {
    "neutral": (
        "Okay.",
        "Alright.",
        "Mm-hm, okay.",
        "Okay, that makes sense.",
        "Got it, I think.",
        "Right.",
        "Okay, thanks for telling me.",
    ),
    "high-conscientiousness": (
        "Let me write that down.",
        "Okay, I've noted that.",
        "Good, I'll put it on my list.",
        "Alright, written down.",
    ),
    "minimizer": ("Sure, sure.", "I'll be fine.", "Okay, if you say so.", "It can't be that bad."),
    "anxious": (
        "Okay... I hope I get this right.",
        "Oh. Okay.",
        "Okay. It's a lot to think about.",
        "I'm trying to keep up.",
    ),
    "distrustful": ("If you say so.", "Hm. We'll see.", "And why is that?", "That's what they always say."),
    "deflective": ("Yeah, yeah.", "Uh-huh. Is it still raining?", "Sure. Are we nearly done?", "Fine."),
}
FEELINGS = {
    "neutral": ("I'm alright, thanks for asking.", "A bit tired, but okay.", "I'm glad to be going home."),
    "high-conscientiousness": ("I want to do this properly.", "I'm okay. I just don't want to miss anything."),
    "minimizer": ("I'm fine. Everybody makes such a fuss.", "Fine, really."),
    "anxious": (
        "Honestly, I'm scared of being alone with this.",
        "I'm worried I'll do something wrong.",
        "I'm so nervous, it's all going round and round in me.",
    ),
    "distrustful": ("I'm tired of being told what to do.", "I don't know who to believe anymore."),
    "deflective": ("Let's not talk about that.", "I'd rather talk about getting home."),
}
SOOTHED = (
    "Thank you, that helps.",
    "Thanks for saying that.",
    "That's good to hear.",
    "Okay, I feel a little better about it.",
)
OVERWHELMED = (
    "That's a lot at once. Can we go slower?",
    "Hold on, I lost you somewhere in the middle.",
    "Sorry, that was too much for me at one time.",
    "Could you take that one thing at a time?",
)
CONFUSED = (
    "What does {} mean?",
    "Sorry, what is {}?",
    "I don't know what {} means.",
    "{}? Can you say that in plain words?",
)
FORGOT = (
    "I don't remember, sorry.",
    "I can't say it back, sorry.",
    "Hm, I forgot already.",
    "I'm not sure. Could you tell me again?",
    "It didn't stick, I'm afraid.",
)
HESITATIONS = ("Um, ", "Let me see. ", "So, ", "Okay, so ", "Uh, ", "Well, ", "I think ")
NO_QUESTIONS = (
    "No, I think I'm good.",
    "No questions right now.",
    "I don't think so.",
    "Not that I can think of.",
)
FAREWELLS = (
    "Okay, thank you. Bye.",
    "Thanks for your time. Goodbye.",
    "Thank you, take care.",
    "Alright, bye now.",
)
SILENCES = (
    "Hello? Are you still there?",
    "Sorry, did you say something?",
    "I didn't catch that.",
)
UNWELCOME = (
    "There's no need to talk to me like that.",
    "Please don't speak to me that way.",
    "That's not a nice thing to say.",
)
TANGENTS = (
    "My neighbor has been watering the plants all week.",
    "The food here is something else, let me tell you.",
    "My ride is probably circling the parking lot.",
    "The bus takes forever on this route, you know.",
    "I still have to call the people at the bank.",
    "They were digging up our street again when I left.",
)
TOPIC_QUESTIONS = {
    Topic.DIAGNOSIS: ("So what did I actually have?", "What was wrong with me, in the end?"),
    Topic.MEDICATION: ("Do I get any new medicine?", "What do I take at home now?"),
    Topic.RETURN_SIGNS: ("When should I be worried and come back?", "What would be a reason to come back?"),
    Topic.FOLLOW_UP: ("Do I have to see anybody after this?", "When do I see a doctor again?"),
    Topic.POST_DISCHARGE: ("What can I do and not do at home?", "Is there anything I need to watch at home?"),
    Topic.TREATMENTS: ("What did they do to me in here, exactly?", "What was all that testing about?"),
}
