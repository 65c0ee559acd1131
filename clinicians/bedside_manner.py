"""What the teach-back expert says besides the plan: greeting, comfort, invitations, praise, farewell.

Tables, so that the behaviour in ``expert`` can be read without them, and so that a clinician can review the
wording.
"""

__all__ = [
    "ASK_BACK",
    "BARRIER",
    "CLOSING",
    "CORRECT",
    "EMPATHY",
    "GREETING",
    "INVITE",
    "MEANINGS",
    "NEXT",
    "NOT_IN_PLAN",
    "NUDGE",
    "PRAISE",
    "RETEACH",
    "STAGE_LEADS",
    "TRY_AGAIN",
]

GREETING = (
    "Hello, my name is Sam, and I am your nurse today. You are going home, and I want you to feel ready. "
    "We will go one small step at a time, and you can stop me at any point. "
    "How are you feeling about going home?",
    "Good morning, I am Sam, one of the nurses. I would like to talk with you about going home. "
    "We will do it in small steps. "
    "Please stop me whenever you like. How are you feeling about it?",
    "Hi, I am Sam, your nurse. Before you go home, I would like to go over your plan with you. "
    "We will take one part at a time. "
    "How are you feeling about going home?",
)
EMPATHY = {
    "worried": (
        "It is normal to feel worried before going home. You are not alone with this.",
        "I can hear that this scares you. Many people feel that way, and we will go step by step.",
        "I understand that you are worried. We are here for you, also after today.",
    ),
    "overwhelmed": (
        "That sounds like a lot, and I understand. Take your time, we can go slower.",
        "I can see that this is much at once. It is okay to feel lost, so let us take small steps.",
    ),
    "wary": (
        "I understand why you are careful, and I respect that. Ask me for the reason of anything I say.",
        "I hear you. It makes sense that you want to know why. I will tell you the reason each time.",
    ),
    "sad": (
        "I am sorry that you feel so low. Thank you for telling me.",
        "That must be hard. You are not alone with this.",
    ),
    "upset": (
        "I am sorry. I can hear how frustrating this has been for you.",
        "That sounds frustrating, and I understand why you feel so.",
    ),
    "impatient": (
        "I understand that you want to get home. I will keep it short and clear.",
        "I hear you, you would like to be home. Let us make these minutes count.",
    ),
}
"""By feeling, in the words of :data:`bedside.clinicians.listening.FEELINGS`."""

STAGE_LEADS = {
    "diagnosis": "Let us start with why you were here.",
    "hospital stay": "Now I will tell you what we did for you here.",
    "medicines": "Let us talk about your medicines now, one after the other.",
    "care at home": "Now we come to what helps you at home.",
    "warning signs": "This part is about signs that mean you need help.",
    "appointments": "The last part is about your visits after today.",
}
ASK_BACK = {
    "diagnosis": (
        "To be sure that I was clear, can you tell me in your own words why you were here?",
        "I want to make sure I explained that well. In your own words, what was the problem?",
    ),
    "hospital stay": (
        "Can you tell me in your own words what we did?",
        "Just so I know that I was clear, can you tell me back what was done?",
    ),
    "medicines": (
        "Can you tell me in your own words how you will take this one?",
        "To be sure that I was clear, how will you take this medicine at home?",
        "If your family asked, could you tell them in your own words what it is for and how to use it?",
        "I want to make sure I explained that well. Could you say back to me what to do with this medicine?",
    ),
    "stopped": (
        "In your own words, what will you do with this medicine now, and why?",
        "Could you tell me back which medicine you stop, and why?",
    ),
    "care at home": (
        "Could you tell me in your own words what you will do at home?",
        "What will you do at home, in your own words?",
    ),
    "warning signs": (
        "Can you tell me in your own words which signs mean that you need help, and what you would do?",
        "To be sure that I was clear, when would you call or come in?",
    ),
    "appointments": (
        "Can you tell me in your own words whom you will see, and when?",
        "Could you tell me back whom you will see, and when?",
    ),
}
"""Questions that ask for teach-back; each puts the burden on the teacher, not on the patient."""

PRAISE = ("Yes, exactly.", "That's right.", "Very good.", "Perfect.", "Great.")
TRY_AGAIN = (
    "No problem at all, let me say it in another way.",
    "That is okay, it is a lot to take in. Let me say it once more.",
    "Thank you for being honest. I will say it again.",
)
RETEACH = ("One thing to add.", "There is just a bit more.", "Let me add one point.")
NUDGE = (
    "This is not a test of you, it shows me how well I explained it.",
    "I ask because I want to know how well I did, not to test you.",
    "Please try it, there are no wrong answers here.",
)
NEXT = ("Now to the next one.", "Let us go on.", "Here is the next part.", "On to the next point.")
CORRECT = ("Almost, but let me fix one part.", "Not quite, so let me say that part again.")
BARRIER = (
    "Many people find it hard to keep up with pills. A pill box or an alarm on the phone can help. "
    "Which of the two would suit you better?"
)
INVITE = (
    "What questions do you have for me?",
    "What else is on your mind? I have time for your questions.",
    "What other questions do you have?",
)
NOT_IN_PLAN = (
    "That is a good question, and your plan does not answer it. Please ask your doctor at your next visit.",
    "I do not want to guess about that. Please bring it up with your doctor at your next visit.",
)
CLOSING = (
    "You did very well today. Call us if anything is unclear. Goodbye, and I wish you a good recovery.",
    "Thank you for going through this with me. Call us if you are unsure. Goodbye, and get well soon.",
)
MEANINGS = {
    "acute": "sudden",
    "abscess": "a pocket of pus",
    "adenocarcinoma": "a kind of cancer",
    "anemia": "too few red blood cells",
    "angiogram": "a picture of the blood vessels",
    "benign": "not cancer",
    "biopsy": "a small piece of tissue looked at under a microscope",
    "bilateral": "on both sides",
    "catheter": "a thin, soft tube",
    "chronic": "lasting for a long time",
    "colonoscopy": "a look into the bowel with a small camera",
    "cyst": "a small bag of fluid",
    "dehydration": "too little water in the body",
    "discharge": "going home from the hospital",
    "edema": "swelling from fluid",
    "electrocardiogram": "a tracing of the heartbeat",
    "enteric": "about the bowel",
    "exacerbation": "a flare-up",
    "fracture": "a broken bone",
    "glaucoma": "too much pressure in the eye",
    "hemorrhage": "bleeding",
    "hypertension": "high blood pressure",
    "hypotension": "low blood pressure",
    "infarction": "damage from too little blood flow",
    "infection": "an illness caused by germs",
    "inflammation": "redness and swelling inside the body",
    "intravenous": "through a vein",
    "ischemic": "with too little blood flow",
    "laparoscopic": "through small cuts with a camera",
    "metastatic": "spread to other parts of the body",
    "myocardial": "of the heart muscle",
    "obstruction": "a blockage",
    "perforation": "a hole",
    "platelets": "the cells that stop bleeding",
    "pneumonia": "a lung infection",
    "potassium": "a salt in the blood that the heart needs",
    "prophylaxis": "prevention",
    "pulmonary": "of the lungs",
    "renal": "of the kidneys",
    "resection": "cutting out",
    "sepsis": "a dangerous reaction to an infection",
    "sodium": "salt",
    "stent": "a small tube that keeps a vessel open",
    "stenosis": "a narrow spot",
    "stool": "what you pass when you go to the toilet",
    "stools": "what you pass when you go to the toilet",
    "thrombosis": "a blood clot",
    "transfusion": "blood given through a vein",
    "ulcer": "an open sore",
}
"""Plain meanings of clinical words, for when a patient asks and the plan has no lay wording."""
