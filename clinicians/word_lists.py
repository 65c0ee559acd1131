"""Closed lists of English words that the grammar of plans needs.

They are long and change for other reasons than the rules that use them. A word that is missing costs an
article or leaves a gerund, never the meaning.
"""

import re

__all__ = ["COUNTABLE", "DETERMINERS", "VERB_OF"]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\S+", text))


DETERMINERS = _words(
    """
    a about all almost an another any both each eight every far few five four half her his less many
    more much my nine no none one our plenty seven several six some ten that the their these this those
    three too two very your
    """
)
"""First words after which no article is needed."""

COUNTABLE = _words(
    """
    abscess accident allergy aneurysm angiogram antibiotic appendix appointment attack biopsy birth
    blister block blocker boil bruise card catheter check check-up checkup clot cold colonoscopy
    condition cough count course culture cut cycle cyst device disc dose drain drip drop ecg
    echocardiogram eeg ekg electrocardiogram electroencephalogram episode exam examination faint fall
    fever fissure flare flare-up flow fracture gas germ growth headache heartbeat hernia hip hole
    hormone infection infusion inhaler injection injury laxative level line list look lump lung mask
    measurement medicine mini-pill mini-stroke mri murmur nerve ointment operation panel patch picture
    pill plan pneumothorax pocket pouch procedure prostate pulse rash reaction rhythm ring rinse rod
    sample scan scar scope scratch screen seizure shot smear softener sore spasm spell sprain stent
    steroid stone stroke study swab syringe tablet tear test thinner throat thyroid tooth tracing
    transfusion tube tumor ulcer ultrasound urogram valve vein vessel visit vitamin wire wound x-ray
    """
)
"""Heads of noun phrases that need an article in the singular."""

VERB_OF = {
    "adding": "add", "adjusting": "adjust", "bathing": "bathe", "bending": "bend", "blocking": "block",
    "calming": "calm", "catching": "catch", "clearing": "clear", "controlling": "control",
    "coping": "cope", "dressing": "dress", "easing": "ease", "fighting": "fight", "getting": "get",
    "healing": "heal", "helping": "help", "keeping": "keep", "killing": "kill", "letting": "let",
    "lowering": "lower", "planning": "plan", "preventing": "prevent", "protecting": "protect",
    "quitting": "quit", "raising": "raise", "rebuilding": "rebuild", "reducing": "reduce",
    "refilling": "refill", "relieving": "relieve", "removing": "remove", "replacing": "replace",
    "resting": "rest", "restoring": "restore", "reversing": "reverse", "slowing": "slow",
    "softening": "soften", "speeding": "speed", "spotting": "spot", "starting": "start",
    "staying": "stay", "stopping": "stop", "strengthening": "strengthen", "supporting": "support",
    "testing": "test", "thinning": "thin", "treating": "treat", "walking": "walk", "washing": "wash",
}  # fmt: skip
"""Gerunds with which purposes begin, and their verbs."""
