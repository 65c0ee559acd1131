"""The embedded patient at discharge: listens, learns, asks, says back, and sits the exam."""

import re
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from bedside.cases.fact import AnyFact, Medication, Topic
from bedside.cases.persona import Persona
from bedside.cases.seeds import stream
from bedside.envs.audible import closes, hear
from bedside.envs.episode import Answer, Recollection, Turn
from bedside.envs.inquiry import inquiry
from bedside.envs.mind import LEARNING, Learning, Mind
from bedside.envs.retelling import RECALL_AREAS, areas_of, joined, retell
from bedside.envs.speech.disfluency import disturbed
from bedside.envs.speech.realise import realise
from bedside.envs.speech.recap import corrections
from bedside.envs.speech.record import record_of
from bedside.envs.speech.voice import Voice
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.readability import jargon_of
from bedside.verifier.language.text import Sentence, plain, sentences
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
    r"\b(?:questions?|anything (?:else|unclear|you(?:'d| would))|on your mind|what else|want to ask)\b[^.]*\?",
    re.IGNORECASE,
)
_CHECKS = Pattern(
    r"\b(?:make sense|is (?:that|this|it all|everything) clear|understand so far|with me|following (?:me|so far|along)|"
    r"got (?:it|that)|do you understand|is (?:that|this) okay so far)\b[^.?]*\?",
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
_CHOICE = re.compile(
    r"\bwhich (?:of the two|one of (?:the|these) \w+|would you)\b[^?]*\?|\bwould suit you\b[^?]*\?", re.IGNORECASE
)
_ABLE = re.compile(
    r"\b(?:can you (?:do|manage|get)|will you be able|would you be able|does that (?:work|sound)|"
    r"is that (?:okay|alright|ok)|do you think you can|do you have (?:someone|somebody|a way))\b[^?]*\?",
    re.IGNORECASE,
)
_SO_IS_IT = Pattern(
    r"\b(?:right|correct|true|is that so|am i right|yes)\W*\?\W*$|\byou (?:told (?:me|us)|said|mentioned)\b",
    re.IGNORECASE,
)
_KNOWN_BETTER = ("recap.allergy", "recap.family", "recap.never", "recap.drug")
_BEFORE = re.compile(r"\b(?:already|so far|before|been told|told you|tell you|you know about)\b", re.IGNORECASE)
_ADMITS = 0.6
_SAYS_SO = 0.3
"""How often somebody who did not follow says so when asked; a value of ours: most would rather nod."""
_CONCERNS = (
    Topic.DIAGNOSIS,
    Topic.MEDICATION,
    Topic.RETURN_SIGNS,
    Topic.FOLLOW_UP,
    Topic.POST_DISCHARGE,
    Topic.TREATMENTS,
)
"""What patients ask about, the most pressing first."""

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
    missing: tuple[str, ...]
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
        self._about, self._aside = "", False
        self._reaction: Reaction | None = None
        self._engaged = False
        self._turn = 0
        self._recent: list[str] = []
        self._asked: set[str] = set()
        self._voice = Voice(seed, 0)
        self._phrases: Counter[str] = Counter()
        self._drafts: dict[str, dict[str, int]] = {}

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
        return bool(_ABOUT_CARE.search(heard) or any(self._grounded.mentions(s.text) for s in sentences(plain(heard))))

    @property
    def wants_more(self) -> bool:
        """True while a diligent or anxious patient would not let the educator go: a whole topic was never touched."""
        return self._persona.personality in ("high-conscientiousness", "anxious") and self._untouched() is not None

    def _rng(self, *what: object) -> Random:
        return stream(self._seed, self._grounded.case.id, "patient", self._turn, *what)

    def opening(self) -> str:
        """Return the first words of the patient."""
        return Voice(self._seed, 0).pick(f"talk.opening.{self._persona.personality}")

    def draft(self, heard: str, turns: Sequence[Turn], attempt: int, feedback: str) -> str:  # noqa: ARG002
        """Answer the educator; see :class:`~bedside.envs.patient.Patient`."""
        if attempt == 0:
            self._reaction = self._listen(heard)
            self._turn = len(turns)
        self._voice = Voice(self._seed, self._turn, attempt, self._phrases)
        if attempt:
            # A wording that did not pass is not argued with: say less. Who was to say it back cannot just nod.
            assert self._reaction is not None
            asked = self._reaction.said_back is not None
            text = self._voice.pick("talk.forgot" if asked else "talk.ack.neutral")
        else:
            reply = self._reply(heard, self._rng("reply"))
            text = disturbed(reply, self._voice, self._persona, self._disfluency)
        self._drafts[text] = self._voice.used
        return text

    def settle(self, heard: str, said: str) -> None:  # noqa: ARG002
        """Remember what was said last, so that a confirmation can be understood and no phrase comes back too soon."""
        self._last_said = said
        self._phrases.update(self._drafts.get(said, {}))
        self._drafts = {}

    def _listen(self, heard: str) -> Reaction:
        reading = read_teaching(heard, self._grounded, self._last_said, self._about, aside=self._aside)
        self._about, self._aside = reading.about, reading.aside
        soothed, hurt = bool(_EMPATHY.search(heard)), bool(_HOSTILE.search(heard))
        if soothed or hurt:
            self.mind.reassure(-0.3 if hurt else 0.12)
        self.mind.hear(reading)
        conveyed = list(reading.conveyed)
        self._recent = [i for i in self._recent if i not in conveyed] + conveyed
        said_back: tuple[str, ...] | None = None
        missing: tuple[str, ...] = ()
        if _TEACH_BACK.search(heard):
            got, missed = self.mind.say_back(self._asked_back(reading.sentences, conveyed))
            said_back, missing = tuple(got), tuple(missed)
            # What was said back rests; what was missed is asked again first.
            self._recent = [i for i in self._recent if i not in got and i not in missed] + missed
        self._engaged = soothed or any(p.search(heard) for p in (_TEACH_BACK, _INVITES, _CHECKS, _FEELING))
        words = tuple(dict.fromkeys(word for s in reading.sentences for word in jargon_of(s)))
        unknown = words if self._persona.literacy == "low" or self._persona.noise.health_literacy >= 2 else ()
        return Reaction(reading, said_back, missing, unknown, soothed, hurt)

    def _asked_back(self, heard: Sequence[Sentence], conveyed: list[str]) -> list[str]:
        """Which items a teach-back question is about: what it names, else its topic, else what was taught last."""
        asking = [s.text.strip() for s in heard if "?" in s.text or _TEACH_BACK.search(s.text)]
        question = " ".join(asking)
        spoken_of = {c for text in asking for m in self._grounded.mentions(text) for c in m.concepts}
        named = {g.fact.id for g in self._grounded.plan if g.concept in spoken_of}
        taught = [*(i for i in self._recent if i not in conveyed), *conveyed]
        asked = [i for i in taught if i.partition(".")[0] in named]
        if not asked:
            pool = conveyed or self._recent[-10:] or (self.mind.known_before if _BEFORE.search(question) else [])
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
            return self._voice.pick("talk.silence")
        if reaction.hurt:
            return self._voice.pick("talk.unwelcome")
        if closes(heard) and not self.wants_more:
            return self._voice.pick("talk.farewell")
        wanders = rng.random() < 0.2 * self._persona.noise.communication_style
        parts = [self._voice.pick("talk.tangent")] if wanders else []
        if reaction.said_back is not None:
            parts.append(self._say_back(reaction.said_back, reaction.missing, rng))
        elif own := self._objection() or (self._voice.pick("talk.choice") if _CHOICE.search(heard) else ""):
            parts.append(own)
        elif closes(heard):
            parts.append(self._question(rng))
        elif (unknown := self._puzzling(reaction)) and rng.random() < 0.7:
            self._asked.add(unknown)
            parts.append(self._voice.pick("talk.confused", x=unknown))
        elif len({i.split(".")[0] for i in reaction.reading.conveyed}) > _TOO_MUCH:
            parts.append(self._voice.pick("talk.overwhelmed"))
        elif _FEELING.search(heard):
            parts.append(self._voice.pick(f"talk.feeling.{self._persona.personality}"))
        elif _INVITES.search(heard):
            parts.append(self._question(rng))
        elif (checks := _CHECKS.search(heard)) or _ABLE.search(heard):
            parts.append(self._followed(rng) if checks else self._voice.pick("talk.yes"))
        else:
            parts.append(self._acknowledge(rng, soothed=reaction.soothed))
        return " ".join(filter(None, parts))

    def _puzzling(self, reaction: Reaction) -> str:
        """The first word that was not understood and has not been asked about before."""
        return next((word for word in reaction.unknown_words if word not in self._asked), "")

    def _objection(self) -> str:
        """Put right what the educator wrongly takes for this patient's history, where it asks whether that is so.

        What it teaches wrongly is believed: only what one has lived, one knows better.
        """
        recap = " ".join(s.text for s in self.reading.sentences if _SO_IS_IT.search(s.text))
        wrong = corrections(recap, record_of(self._grounded), self._persona.noise) if recap else ()
        lived = self._grounded.case.record
        known = tuple(say for say in wrong if say.fact in lived or say.attribute in _KNOWN_BETTER)
        return " ".join(realise((wrong[0], *known), self._voice)) if known else ""

    def _followed(self, rng: Random) -> str:
        """Answer "does that make sense?": most say yes, whether it does or not; some ask about what did not stay."""
        lost = any(not self.mind.remembers(item) for item in self.reading.conveyed)
        return self._question(rng) if lost and rng.random() < _SAYS_SO else self._voice.pick("talk.follows")

    def _acknowledge(self, rng: Random, *, soothed: bool) -> str:
        if soothed and self._persona.personality in ("anxious", "distrustful") and rng.random() < 0.5:
            return self._voice.pick("talk.soothed")
        if not self._turn and not self.reading.conveyed:
            return self._voice.pick(f"talk.ready.{self._persona.personality}")
        said = self._voice.pick(f"talk.ack.{self._persona.personality}")
        curious = {"high-conscientiousness": 0.3, "anxious": 0.25, "neutral": 0.1}.get(self._persona.personality, 0.05)
        return f"{said} {self._question(rng)}" if rng.random() < curious and self._untouched() else said

    def _say_back(self, items: tuple[str, ...], missing: tuple[str, ...], rng: Random) -> str:
        known = set(items)
        told = joined((retell(fact, known, rng) for fact in self._facts_of(items)), rng)
        if not told:
            return self._voice.pick("talk.forgot")
        return f"{told} {self._admit(known, missing)}" if missing and rng.random() < _ADMITS else told

    def _facts_of(self, items: tuple[str, ...]) -> list[AnyFact]:
        ids = {item.split(".")[0] for item in items}
        return [g.fact for g in self._grounded.plan if g.fact.id in ids]

    def _admit(self, known: set[str], missing: tuple[str, ...]) -> str:
        """Say that there was more, by the name of the drug if that came to mind."""
        drugs = (fact for fact in self._facts_of(missing) if isinstance(fact, Medication) and fact.id in known)
        drug = next(drugs, None)
        return self._voice.pick("talk.rest", x=drug.text) if drug else self._voice.pick("talk.more")

    def _untouched(self) -> Topic | None:
        """The first topic of which nothing was ever said and nothing is known."""
        for topic in _CONCERNS:
            items = [i for i in self._grounded.case.plan_items.values() if i.topic == topic]
            if items and topic.value not in self._asked and not any(self.mind.traces[i.id].exposures for i in items):
                return topic
        return None

    def _question(self, rng: Random) -> str:
        """Ask about what was said and did not stay, else about what was never said."""
        for item, trace in self.mind.traces.items():
            if trace.exposures and item not in self._asked and not self.mind.remembers(item):
                self._asked.add(item)
                if asked := inquiry(self._grounded.facts[item.split(".")[0]].fact, item, rng):
                    return asked
        topic = self._untouched()
        if topic is None:
            return self._voice.pick("talk.noquestions")
        self._asked.add(topic.value)
        return self._voice.pick(f"talk.about.{topic.value}")

    def read(self, document: str) -> None:
        """Learn from a document, at the pace of a reader."""
        self.mind.read(read_teaching(hear(document), self._grounded))

    def examine(self) -> tuple[Answer, ...]:
        """Sit the multiple-choice exam."""
        return tuple(self.mind.answer(question) for question in self._grounded.case.questions)

    def recollect(self) -> tuple[Recollection, ...]:
        """Answer the six recall questions freely, as far as the case has something to recall."""
        known = {item for item in self.mind.traces if self.mind.remembers(item)}
        told, voice = [], Voice(self._seed, 0)
        for area in areas_of(self._grounded.case):
            rng = stream(self._seed, self._grounded.case.id, "recall", area)
            topics = RECALL_AREAS[area]
            facts = [g.fact for g in self._grounded.plan if self._grounded.case.plan_items[g.fact.id].topic in topics]
            text = joined((retell(fact, known, rng) for fact in facts), rng)
            told.append(Recollection(area=area, text=text or voice.pick("talk.forgot")))
        return tuple(told)
