"""Scripted doctors for the diagnostic interview: one that only goes down its list, and one that reasons.

Both hear the patient's words and nothing else. What they know of diseases is handed in; how good they are is
therefore a property of knowledge, questions and listening, never of access to the case.
"""

from bedside.cases.seeds import stream
from bedside.clinicians.answers import Ear
from bedside.clinicians.diagnosis_model import Belief, Feature, Knowledge

__all__ = ["InformationGain", "QuestionList"]

_OPENING = "Hello, I am Dr. Reed. What brings you in today?"
_MORE = "What other symptoms have you noticed?"
_STANDARD = (
    _OPENING,
    "When did it start?",
    "Did it come on suddenly or slowly?",
    "Where exactly do you feel it?",
    "What does it feel like?",
    "Does it spread anywhere else?",
    "How bad is it on a scale from 0 to 10?",
    "What makes it worse?",
    "What makes it better?",
    "Is it there all the time, or does it come and go?",
    _MORE,
    "Have you had a fever, chills or weight loss?",
    "Have you had any cough, shortness of breath or chest pain?",
    "Have you had any nausea, vomiting, diarrhea or belly pain?",
    "Have you had any headache, dizziness, weakness or numbness?",
    "Have you noticed a rash, swelling or joint pain?",
    "Have you had any trouble with passing urine?",
    "What medical problems have you had in the past?",
    "Have you had any operations?",
    "What medicines do you take?",
    "Do you have any allergies?",
    "Do any illnesses run in your family?",
    "Do you smoke, drink alcohol or use any drugs?",
    "Tell me about your work and who you live with.",
)
_PROBES = (
    "Thank you for answering that. Many people find this hard to talk about, and I ask only to help you. {}",
    "I understand that this is personal, and it stays between us. It is okay to tell me. {}",
    "I am not here to judge you. It helps me to find out what is wrong. So let me ask once more: {}",
)
_ASIDES = ("", "", "", "Thank you. ", "I see. ", "Okay. ", "That helps. ")
_FAREWELL = "Final Diagnosis: {}"

_LEAST = 5
"""Turns before the first commitment: nobody names a disease on the first complaint."""

_URGENCY = 0.12
_UNHURRIED = 7
_LEAST_SURE = 0.3
"""What certainty a commitment takes falls by so much a turn once an interview grows long, down to a floor.

Clinicians have a time for each patient, and close earlier the longer it took to get that far; models of human
decisions under time pressure call it a collapsing bound.
"""

_SHRUG = 0.7
"""Weight of the denial that two questions without an answer are taken for.

What a patient cannot confirm is noted as "none reported"; and somebody who has it badly would mostly know.
"""

_TELLS_NOTHING = 0.002
_WORTH_A_PROBE = 0.02
"""Nats of expected information below which a question, or a second question after a denial, is not asked."""


class QuestionList:
    """Asks the standard history from top to bottom, then names what shares most with what it heard."""

    name = "question-list"

    def __init__(self, knowledge: Knowledge, ear: Ear) -> None:
        self._knowledge = knowledge
        self._ear = ear
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forget the last patient; the list leaves nothing to chance."""
        del seed
        self._asked = 0
        self._found: dict[str, float] = {}

    def act(self, observation: dict[str, str]) -> str:
        """Ask the next question of the list, or commit at its end."""
        self._found |= self._ear.listen(observation["patient"]).present
        if observation["request"] == "diagnose" or self._asked >= len(_STANDARD):
            return _FAREWELL.format(Belief(self._knowledge).shares(list(self._found)))
        self._asked += 1
        return _STANDARD[self._asked - 1]


class InformationGain:
    """Asks what is expected to tell the most, until one diagnosis is likely enough.

    Args:
        knowledge: What is known of diagnoses.
        ear: Understands answers in terms of that knowledge.
        sure: Chance of the best diagnosis at which the doctor commits; less as the interview grows long.
        most: Turns after which it commits in any case.
    """

    name = "infogain"

    def __init__(self, knowledge: Knowledge, ear: Ear, *, sure: float = 0.9, most: int = 15) -> None:
        self._knowledge = knowledge
        self._ear = ear
        self._sure, self._most = sure, most
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forget the last patient."""
        self._rng = stream("infogain", seed)
        self._belief = Belief(self._knowledge)
        self._known: set[str] = set()
        self._present: set[str] = set()
        self._closed: set[str] = set()
        self._turn = 0
        self._current: tuple[Feature, ...] = ()
        self._again = False

    def act(self, observation: dict[str, str]) -> str:
        """Take the answer in, then ask or commit."""
        follow_up = self._take_in(observation["patient"])
        self._turn += 1
        if observation["request"] == "diagnose":
            return _FAREWELL.format(self._belief.best[0])
        if self._turn == 1:
            return _OPENING
        if self._turn == 2:
            return _MORE
        if follow_up:
            return follow_up
        chosen = self._choose()
        if self._turn > self._most or (self._enough() and self._turn > _LEAST) or not chosen:
            return _FAREWELL.format(self._belief.best[0])
        self._current, self._again = chosen, False
        question = chosen[0].question
        return f"{self._rng.choice(_ASIDES)}{question}"

    def _enough(self) -> bool:
        """True when the best diagnosis is as likely as it must be by now."""
        wanted = self._sure - _URGENCY * max(0, self._turn - _UNHURRIED)
        return self._belief.best[1] > max(_LEAST_SURE, wanted)

    # Listening

    def _take_in(self, text: str) -> str:
        """Move the belief; return a second question about the same if the first got no usable answer."""
        asked, self._current = self._current, ()
        answer = self._ear.listen(text, asked)
        told = dict(answer.present), dict(answer.absent)
        if asked and not asked[0].group and answer.reply != "unclear":
            key = asked[0].key
            told[answer.reply == "no"].setdefault(key, answer.weight)
        if asked and self._hidden(asked[0], answer.reply):
            self._current, self._again = asked, True
            return str(self._rng.choice(_PROBES).format(asked[0].question))
        for key, weight in told[0].items():
            self._learn(key, present=True, weight=weight)
        for key, weight in told[1].items():
            self._learn(key, present=False, weight=weight)
        if asked and answer.reply == "unclear" and not told[0]:
            if not self._again:
                self._current, self._again = asked, True
                return asked[0].reworded
            if not asked[0].group:
                self._learn(asked[0].key, present=False, weight=_SHRUG)
        self._closed |= {feature.group or feature.key for feature in asked}
        return ""

    def _hidden(self, feature: Feature, reply: str) -> bool:
        """True when a denial may come from shame, and the truth would still tell something."""
        if not feature.sensitive or reply != "no" or self._again:
            return False
        return bool(self._belief.gains()[self._knowledge.column[feature.key]] > _WORTH_A_PROBE)

    def _learn(self, key: str, *, present: bool, weight: float) -> None:
        if key in self._known:
            return
        self._known.add(key)
        self._belief.update(key, present=present, weight=weight)
        if present:
            self._present.add(key)
            parent = self._knowledge.features[self._knowledge.column[key]].parent
            if parent in self._knowledge.column:
                self._learn(parent, present=True, weight=weight)

    # Asking

    def _choose(self) -> tuple[Feature, ...]:
        """Return the feature, or group of features, whose question tells most; empty if none tells much."""
        gains = self._belief.gains()
        best: tuple[Feature, ...] = ()
        most = _TELLS_NOTHING
        for number, feature in enumerate(self._knowledge.features):
            name = feature.group or feature.key
            if name in self._closed or feature.key in self._known or not self._sensible(feature):
                continue
            # An open question tells at least what its most telling answer would, asked for alone.
            if gains[number] > most:
                best, most = self._asked_with(number), float(gains[number])
        return best

    def _asked_with(self, number: int) -> tuple[Feature, ...]:
        """Return a feature, first, and the other answers to the same open question."""
        features = self._knowledge.features
        group = self._knowledge.groups.get(features[number].group, ())
        return (features[number], *(features[n] for n in group if n != number))

    def _sensible(self, feature: Feature) -> bool:
        return not feature.parent or feature.parent in self._present
