"""How strong each pillar is at each level: every free number of the noise, in one table a pillar.

The shapes follow table A1 of VeriSim (level 1 "occasionally", 2 "often", 3 "major", 4 "extreme"), which
``envs/data/manner.tsv`` puts into words, and what clinical studies of real encounters report is named with each
table. The sizes were chosen on the even half of the DDXPlus test patients so that the reference doctor loses, with
one, two and three pillars, what the paper's doctors lose (table A7); ``benchmarks/calibration.py`` reports the other
half.

A chance that an answer fails to come is drawn once a question from the patient's seed, and shrinks with
``again`` each time the question is repeated: a gap in memory stays a gap, while a tangent ends when one asks
again.
"""

from typing import NamedTuple

__all__ = ["AGAIN", "COGNITION", "CROWDED", "EMOTION", "LITERACY", "MEMORY", "SOCIAL", "STYLE", "TELLING"]


class Memory(NamedTuple):
    """What is lost of the past.

    Attributes:
        blank: Something asked for by name does not come back ("I can't remember").
        lost: A time does not.
        forgets: A symptom is left out of the answer to an open question.
    """

    blank: float
    lost: float
    forgets: float


# Patients agree with their records on dates far less than on facts, and forget 40-80 % of medical details at
# once (Kessels 2003); facts are therefore lost later and less than times.
MEMORY = (
    Memory(0.0, 0.0, 0.0),
    Memory(0.08, 0.05, 0.1),
    Memory(0.18, 0.2, 0.25),
    Memory(0.33, 0.45, 0.4),
    Memory(0.6, 0.7, 0.6),
)


class Literacy(NamedTuple):
    """Words for the body.

    Attributes:
        askback: A question with long or clinical words is not understood; plain ones a third as often.
        wordless: Where and what like cannot be said.
        merges: Several complaints become "I just feel bad".
    """

    askback: float
    wordless: float
    merges: float


# A third of adults misread everyday medical sentences (NAAL 2003); patients with low literacy ask back less
# than they fail to understand, so the table stays below the share of misunderstood terms (about 40 %).
LITERACY = (
    Literacy(0.0, 0.0, 0.0),
    Literacy(0.1, 0.05, 0.1),
    Literacy(0.22, 0.3, 0.25),
    Literacy(0.38, 0.5, 0.4),
    Literacy(0.6, 0.9, 0.6),
)


class Emotion(NamedTuple):
    """Fear, and what it does to answers.

    Attributes:
        worry: A worry is added to an answer about the body.
        amplifies: An amplifier is.
        raises: Points that a severity is raised by, at most; the verifier allows as much.
        drowns: A worry takes the place of the answer.
    """

    worry: float
    amplifies: float
    raises: int
    drowns: float


# Clues to emotion come up in about half of visits, several a visit (Levinson 2000).
EMOTION = (
    Emotion(0.0, 0.0, 0, 0.0),
    Emotion(0.3, 0.15, 0, 0.08),
    Emotion(0.5, 0.3, 1, 0.2),
    Emotion(0.7, 0.5, 3, 0.34),
    Emotion(0.85, 0.6, 10, 0.6),
)


class Style(NamedTuple):
    """Tangents.

    Attributes:
        after: A tangent follows the answer.
        before: One comes first and buries it, perhaps with another after it.
        misses: One takes the place of the answer.
    """

    after: float
    before: float
    misses: float


STYLE = (
    Style(0.0, 0.0, 0.0),
    Style(0.3, 0.15, 0.1),
    Style(0.6, 0.6, 0.22),
    Style(0.8, 0.9, 0.36),
    Style(0.8, 0.9, 0.6),
)


class Social(NamedTuple):
    """Reserve.

    Attributes:
        guarded: A question that is nobody's business is put off, stigma or not; trust undoes it.
        rapport: Empathic turns before a stigmatised fact is told.
        probes: Times that it must have been asked for.
    """

    guarded: float
    rapport: float
    probes: int


# 60-80 % of patients have kept relevant information from a clinician (Levy 2018).
SOCIAL = (
    Social(0.0, 0.0, 0),
    Social(0.07, 0.0, 0),
    Social(0.15, 1.0, 0),
    Social(0.28, 1.0, 1),
    Social(0.6, 2.0, 2),
)


class Cognition(NamedTuple):
    """A theory of one's own.

    Attributes:
        speaks: The theory is brought up unasked.
        provoked: It is where the doctor gives an opening or an opinion of their own.
        dismisses: A question that does not fit the theory is waved away.
        selects: A symptom that does not fit it is left out of the answer to an open question.
    """

    speaks: float
    provoked: float
    dismisses: float
    selects: float


# A third of adults have looked their condition up before a visit (Pew 2013).
COGNITION = (
    Cognition(0.0, 0.0, 0.0, 0.0),
    Cognition(0.12, 0.4, 0.08, 0.1),
    Cognition(0.25, 0.7, 0.2, 0.25),
    Cognition(0.4, 0.9, 0.34, 0.4),
    Cognition(0.5, 1.0, 0.6, 0.6),
)


class Telling(NamedTuple):
    """How often what is told comes wrapped in remarks about the telling itself.

    Attributes:
        before: Chance of one that comes first and delays the answer.
        after: Chance of one that follows and takes something of it back.
        again: Chance of another one after that.
    """

    before: float
    after: float
    again: float = 0.0


TELLING = (Telling(0.0, 0.0), Telling(0.5, 0.5), Telling(0.9, 0.9), Telling(1.0, 1.0, 0.45), Telling(1.0, 1.0, 0.45))
"""By level, the same for every pillar: occasionally, often, nearly always (VeriSim, table A1)."""

AGAIN = {"memory": 0.9, "literacy": 0.65, "emotion": 0.75, "style": 0.65, "social": 0.85, "cognitive": 0.85}
"""What is left of the chance of a failed answer each time that the question comes again."""

CROWDED = (1.0, 1.6, 1.15, 1.0, 0.85, 0.75, 0.7)
"""Factor on these chances by the number of pillars at work.

Barriers share one short turn: each has less room the more there are, as VeriSim reports for three (F.4).
"""
