"""The embedded patient at discharge: listens, learns, asks, says back, and sits the exam."""

import re
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from bedside.cases.fact import AnyFact, FollowUp, Medication, Topic
from bedside.cases.persona import Persona
from bedside.cases.seeds import stream
from bedside.envs import wordings
from bedside.envs.audible import closes, hear
from bedside.envs.episode import Answer, Recollection, Turn
from bedside.envs.mind import LEARNING, Learning, Mind
from bedside.envs.retelling import RECALL_AREAS, areas_of, joined, retell, to_first_person
from bedside.envs.speech.disfluency import disturbed
from bedside.envs.speech.voice import Voice
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.readability import jargon_of
from bedside.verifier.language.text import plain, tokenize
from bedside.verifier.teaching.conveyed import Reading, read_teaching

__all__ = ["LearningPatient"]

_TEACH_BACK = Pattern(
    r"\b(?:in your own words|(?:tell|say|explain|repeat|teach|describe|show|walk)(?: \w+){0,3} back|back "
    r"to me|"
    r"(?:can|could|would) you (?:please )?(?:tell|explain|show|walk|remind|list|describe|repeat|name|"
    r"say)(?! me (?:about yourself|how you(?:'re| are) feeling))|"
    r"how (?:will|would|do|are) you (?:going to )?(?:take|use|do|handle|know)|what (?:will|would) you "
    r"(?:do|watch|say|tell|take)|when (?:will|would|should) you (?:come|call|see|go|take)|"
    r"what (?:do you remember|did (?:we|i) (?:just )?(?:say|talk|cover))|make sure (?:i|that i) "
    r"(?:explained|was clear|said|got)|which (?:signs|medicines|pills))\b",
    re.IGNORECASE,
)
_INVITES = Pattern(
    r"\b(?:questions?|anything (?:else|unclear|you(?:'d| would))|make sense|is that clear|understand so "
    r"far|on your mind|what else|want to ask|with me so far)\b[^.]*\?",
    re.IGNORECASE,
)
_FEELING = Pattern(
    r"\b(?:how (?:are|do|did) you (?:feel|doing|hold|cope)|worr(?:y|ies|ied)|concerns?|afraid|scared|"
    r"nervous|on your mind|feeling)\b[^.]*\?",
    re.IGNORECASE,
)
_EMPATHY = Pattern(
    r"\b(?:i(?:'m| am) (?:so |very )?sorry|that (?:must|sounds?|can) (?:be |feel )?(?:hard|scary|"
    r"difficult|tough|frightening|frustrating|a lot|stressful|like a lot)|"
    r"i (?:can )?(?:understand|hear|see) (?:that |how |why |you|this)|(?:it's|it is|that's) (?:normal|"
    r"okay|ok|natural|understandable|alright) to|(?:makes|make) sense (?:that|to feel)|"
    r"you(?:'re| are) not alone|we(?:'re| are) here (?:for|to)|take your time|thank you for (?:telling|"
    r"sharing|being)|i know this (?:is|can)|many (?:people|patients) (?:feel|worry|find)|"
    r"you(?:'re| are) doing (?:great|well|a good|a great))\b",
    re.IGNORECASE,
)
_HOSTILE = Pattern(
    r"\b(?:stupid|idiot|shut up|dumb|moron|your own fault|waste of (?:my )?time|don't care what you|lazy|"
    r"ignorant|you people|hate you|fool)\b",
    re.IGNORECASE,
)
_ABOUT_CARE = Pattern(
    r"\b(?:medicines?|medications?|pills?|tablets?|hospital|doctors?|nurse|clinic|health|symptoms?|home|"
    r"plan|appointments?|treatment|questions?|remember|understand)\b",
    re.IGNORECASE,
)
_MOST_SAID_BACK = 6
"""Plan items in one answer; some fifty words."""

_TOPIC_CUES = {
    Topic.RETURN_SIGNS: Pattern(r"\b(?:signs?|come back|call|911|emergency|worr\w+|warning|come in)\b", re.IGNORECASE),
    Topic.FOLLOW_UP: Pattern(
        r"\b(?:whom?|appointments?|visits?|follow[- ]?up|see (?:next|after)|will you see)\b", re.IGNORECASE
    ),
    Topic.MEDICATION: Pattern(r"\b(?:medicines?|medications?|pills?|take|dose|inhaler|inject)\b", re.IGNORECASE),
    Topic.POST_DISCHARGE: Pattern(r"\b(?:at home|can and can(?:no|')t|activity|eat|lift|diet)\b", re.IGNORECASE),
    Topic.TREATMENTS: Pattern(r"\b(?:was done|we did|did we do|tests?|treat\w+|procedure)\b", re.IGNORECASE),
    Topic.DIAGNOSIS: Pattern(
        r"\b(?:why you|what (?:happened|you have|was wrong)|here|diagnosis|problem)\b", re.IGNORECASE
    ),
}
_TOO_MUCH = 9


class Reaction(NamedTuple):
    """What one turn of the educator did to the patient."""

    reading: Reading
    said_back: tuple[str, ...] | None
    unknown_words: tuple[str, ...]
    soothed: bool
    hurt: bool


class LearningPatient:
    """A patient with a mind; see :class:`~bedside.envs.mind.Mind` for how it learns."""

    def __init__(
        self,
        grounded: GroundedCase,
        persona: Persona,
        seed: int,
        learning: Learning = LEARNING,
        disfluency: float = 1.0,
    ) -> None:
        self._disfluency = disfluency
        self.mind = Mind(grounded.case, persona, seed, learning)
        self._grounded = grounded
        self._persona = persona
        self._seed = seed
        self._last_said = ""
        self._reaction: Reaction | None = None
        self._engaged = False
        self._asides = 0
        self._turn = 0
        self._recent: list[str] = []
        self._asked: set[str] = set()

    @property
    def reading(self) -> Reading:
        """The reading of the educator's latest turn."""
        assert self._reaction is not None
        return self._reaction.reading

    @property
    def engaged(self) -> bool:
        """True when the educator's latest turn asked the patient something or met a feeling."""
        return self._engaged

    def on_subject(self, heard: str) -> bool:
        """True when words are about health at all: they name anything medical or anything of the plan."""
        return bool(_ABOUT_CARE.search(heard) or self._grounded.find(tokenize(plain(heard))))

    @property
    def wants_more(self) -> bool:
        """True while a diligent or anxious patient would not let the educator go: a whole topic was never touched."""
        return self._persona.personality in ("high-conscientiousness", "anxious") and self._untouched() is not None

    def _rng(self, *what: object) -> Random:
        return stream(self._seed, self._grounded.case.id, "patient", self._turn, *what)

    def opening(self) -> str:
        """Return the first words of the patient."""
        return self._rng("opening").choice(wordings.OPENINGS[self._persona.personality])

    def draft(self, heard: str, turns: Sequence[Turn], attempt: int, feedback: str) -> str:  # noqa: ARG002
        """Answer the educator; see :class:`~bedside.envs.patient.Patient`."""
        if attempt == 0:
            self._reaction = self._listen(heard)
            self._turn = len(turns)
        rng = self._rng("reply", attempt)
        if attempt:
            # A wording that did not pass is not argued with: say less.
            return rng.choice(wordings.ACKNOWLEDGEMENTS["neutral"])
        return disturbed(self._reply(heard, rng), Voice(self._seed, self._turn), self._persona, self._disfluency)

    def settle(self, heard: str, said: str) -> None:  # noqa: ARG002
        """Remember what was said last, so that a confirmation can be understood."""
        self._last_said = said

    def _listen(self, heard: str) -> Reaction:
        reading = read_teaching(heard, self._grounded, guess=self._last_said)
        soothed, hurt = bool(_EMPATHY.search(heard)), bool(_HOSTILE.search(heard))
        if soothed or hurt:
            self.mind.reassure(-0.3 if hurt else 0.12)
        self.mind.hear(reading)
        conveyed = list(reading.conveyed)
        self._recent = [i for i in self._recent if i not in conveyed] + conveyed
        said_back = None
        if _TEACH_BACK.search(heard):
            got, missed = self.mind.say_back(self._asked_back(heard, conveyed))
            said_back = tuple(got)
            # What was said back rests; what was missed is asked again first.
            self._recent = [i for i in self._recent if i not in got and i not in missed] + missed
        self._engaged = soothed or any(p.search(heard) for p in (_TEACH_BACK, _INVITES, _FEELING))
        words = tuple(dict.fromkeys(word for s in reading.sentences for word in jargon_of(s)))
        unknown = words if self._persona.literacy == "low" or self._persona.noise.health_literacy >= 2 else ()
        return Reaction(reading, said_back, unknown, soothed, hurt)

    def _asked_back(self, heard: str, conveyed: list[str]) -> list[str]:
        """Which items a teach-back question is about: what it names, else its topic, else what was taught last."""
        question = " ".join(s for s in re.split(r"(?<=[.!?])\s+", heard) if "?" in s or _TEACH_BACK.search(s))
        spoken_of = {c for m in self._grounded.find(tokenize(plain(question))) for c in m.concepts}
        named = {g.fact.id for g in self._grounded.plan if g.concept in spoken_of}
        taught = [*(i for i in self._recent if i not in conveyed), *conveyed]
        asked = [i for i in taught if i.partition(".")[0] in named]
        if not asked:
            pool = conveyed or self._recent[-10:]
            topic = next((t for t, cue in _TOPIC_CUES.items() if cue.search(question)), None)
            asked = [i for i in pool if self._topic(i) == topic] or self._main_topic(pool)
        return self._sayable(asked)

    def _topic(self, item: str) -> Topic:
        return self._grounded.case.plan_items[item].topic

    def _main_topic(self, items: list[str]) -> list[str]:
        topics = Counter(self._topic(item) for item in items)
        return [item for item in items if self._topic(item) == topics.most_common(1)[0][0]] if topics else []

    @staticmethod
    def _sayable(items: list[str]) -> list[str]:
        """The latest facts of these, as many as fit in one answer."""
        by_fact: dict[str, list[str]] = {}
        for item in items:
            by_fact.setdefault(item.partition(".")[0], []).append(item)
        chosen: list[str] = []
        for own in reversed(by_fact.values()):
            if chosen and len(chosen) + len(own) > _MOST_SAID_BACK:
                break
            chosen = [*own, *chosen]
        return chosen

    def _reply(self, heard: str, rng: Random) -> str:
        reaction = self._reaction
        assert reaction is not None
        if not heard:
            return rng.choice(wordings.SILENCES)
        if reaction.hurt:
            return rng.choice(wordings.UNWELCOME)
        if closes(heard) and not self.wants_more:
            return rng.choice(wordings.FAREWELLS)
        parts = [self._aside()] if rng.random() < 0.2 * self._persona.noise.communication_style else []
        if reaction.said_back is not None:
            parts.append(self._say_back(reaction.said_back, rng))
        elif closes(heard):
            parts.append(self._question(rng))
        elif reaction.unknown_words and rng.random() < 0.7:
            word = reaction.unknown_words[0]
            parts.append(rng.choice(wordings.CONFUSED).format(word))
        elif len({i.split(".")[0] for i in reaction.reading.conveyed}) > _TOO_MUCH:
            parts.append(rng.choice(wordings.OVERWHELMED))
        elif _FEELING.search(heard):
            parts.append(rng.choice(wordings.FEELINGS[self._persona.personality]))
        elif _INVITES.search(heard):
            parts.append(self._question(rng))
        else:
            parts.append(self._acknowledge(rng, soothed=reaction.soothed))
        return " ".join(filter(None, parts))

    def _aside(self) -> str:
        """The next story of this patient's; none is told twice before all were."""
        order = list(wordings.TANGENTS)
        stream(self._seed, "asides").shuffle(order)
        self._asides += 1
        return order[self._asides % len(order)]

    def _acknowledge(self, rng: Random, *, soothed: bool) -> str:
        if soothed and self._persona.personality in ("anxious", "distrustful") and rng.random() < 0.5:
            return rng.choice(wordings.SOOTHED)
        said = rng.choice(wordings.ACKNOWLEDGEMENTS[self._persona.personality])
        curious = {"high-conscientiousness": 0.3, "anxious": 0.25, "neutral": 0.1}.get(self._persona.personality, 0.05)
        return f"{said} {self._question(rng)}" if rng.random() < curious and self._untouched() else said

    def _say_back(self, items: tuple[str, ...], rng: Random) -> str:
        known = set(items)
        facts = [g.fact for g in self._grounded.plan if any(i.split(".")[0] == g.fact.id for i in items)]
        told = joined((retell(fact, known, rng) for fact in facts), rng)
        if not told:
            return rng.choice(wordings.FORGOT)
        hesitation = rng.choice(wordings.HESITATIONS) if rng.random() < 0.4 else ""
        spoken = told if not hesitation or told.startswith(("I ", "I'")) else told[0].lower() + told[1:]
        lead = hesitation + spoken
        missing = any(t.missed for t in self.mind.traces.values())
        return lead + (f" {self._admit(rng)}" if missing and rng.random() < 0.6 else "")

    def _admit(self, rng: Random) -> str:
        missed = next(
            (
                g.fact
                for g in self._grounded.plan
                for i, t in self.mind.traces.items()
                if t.missed and i.split(".")[0] == g.fact.id
            ),
            None,
        )
        return _gap(missed, rng) if missed is not None else rng.choice(wordings.FORGOT)

    def _untouched(self) -> Topic | None:
        """The first topic of which nothing was ever said and nothing is known."""
        for topic in wordings.TOPIC_QUESTIONS:
            items = [i for i in self._grounded.case.plan_items.values() if i.topic == topic]
            if items and topic.value not in self._asked and not any(self.mind.traces[i.id].exposures for i in items):
                return topic
        return None

    def _question(self, rng: Random) -> str:
        """Ask about what was said and did not stay, else about what was never said."""
        for item, trace in self.mind.traces.items():
            if trace.exposures and item not in self._asked and not self.mind.remembers(item):
                self._asked.add(item)
                if asked := _inquiry(self._grounded.facts[item.split(".")[0]].fact, item, rng):
                    return asked
        topic = self._untouched()
        if topic is None:
            return rng.choice(wordings.NO_QUESTIONS)
        self._asked.add(topic.value)
        return rng.choice(wordings.TOPIC_QUESTIONS[topic])

    def read(self, document: str) -> None:
        """Learn from a document as from a talk in which nothing is asked."""
        self.mind.hear(read_teaching(hear(document), self._grounded))

    def examine(self) -> tuple[Answer, ...]:
        """Sit the multiple-choice exam."""
        return tuple(self.mind.answer(question) for question in self._grounded.case.questions)

    def recollect(self) -> tuple[Recollection, ...]:
        """Answer the six recall questions freely, as far as the case has something to recall."""
        known = {item for item in self.mind.traces if self.mind.remembers(item)}
        told = []
        for area in areas_of(self._grounded.case):
            rng = stream(self._seed, self._grounded.case.id, "recall", area)
            topics = RECALL_AREAS[area]
            facts = [g.fact for g in self._grounded.plan if self._grounded.case.plan_items[g.fact.id].topic in topics]
            text = joined((retell(fact, known, rng) for fact in facts), rng)
            told.append(Recollection(area=area, text=text or rng.choice(wordings.FORGOT)))
        return tuple(told)


def _gap(fact: AnyFact, rng: Random) -> str:
    if isinstance(fact, Medication):
        return rng.choice(("I forgot some of it about the {}.", "I'm not sure of the rest about the {}.")).format(
            fact.text
        )
    return rng.choice(wordings.FORGOT)


def _inquiry(fact: AnyFact, item: str, rng: Random) -> str:
    """A question about one thing that did not stay; empty when there is no natural one."""
    attribute = item.partition(".")[2]
    if isinstance(fact, Medication):
        wording = {
            "dose": ("How much of the {} do I take?", "What was the dose of the {} again?"),
            "frequency": ("How often do I take the {}?", "When do I take the {}, again?"),
            "purpose": ("What is the {} for?", "Why do I need the {}?"),
            "duration": ("How long do I take the {}?",),
        }.get(attribute)
        return rng.choice(wording).format(fact.text) if wording else ""
    if isinstance(fact, FollowUp):
        whom = to_first_person(fact.text)
        whom = whom if whom.startswith(("my ", "the ")) else f"the {whom}"
        return (
            rng.choice(("When do I see {}?", "When was it with {}, again?")).format(whom) if attribute == "when" else ""
        )
    return ""
