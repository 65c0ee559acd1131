"""Who the patient is as a listener and speaker, in one place.

Each paper varies its own axes; a persona is their union, and a specification string names a point on any of them.
"""

from itertools import product
from typing import Literal, get_args

from bedside.cases.fact import Frozen
from bedside.cases.noise import NoiseProfile, draw_noise
from bedside.cases.seeds import stream

__all__ = ["Persona", "draw_persona", "profiles"]

Personality = Literal["neutral", "high-conscientiousness", "minimizer", "anxious", "distrustful", "deflective"]
Literacy = Literal["low", "high"]
Recall = Literal["poor", "fair", "good"]
Education = Literal[1, 2, 3]

PERSONALITIES: tuple[Personality, ...] = get_args(Personality)
PERSONALITIES_OF_DISCHARGEBENCH = tuple(p for p in PERSONALITIES if p != "deflective")
EMOTIONS_OF_DISCHARGESIM: tuple[Personality, ...] = ("neutral", "anxious", "deflective")


PROFILES_OF_DISCHARGESIM = tuple(
    f"dischargesim:{literacy},edu{education},{emotion}"
    for literacy, education, emotion in product(("HL1", "HL2"), get_args(Education), EMOTIONS_OF_DISCHARGESIM)
)
"""All 18 of DischargeSim (section 2.1): literacy, education, emotional style."""


class Persona(Frozen):
    """A patient's traits.

    Attributes:
        personality: DischargeBench's five (table 1) and DischargeSim's deflective style (section 2.1).
        education: 1 no high school, 2 high school or GED, 3 college (DischargeSim, section 5.2).
        literacy: Health literacy; DischargeSim's HL1 is low, HL2 high.
        recall: How well things heard stay.
        noise: How the patient speaks.
    """

    personality: Personality = "neutral"
    education: Education = 2
    literacy: Literacy = "high"
    recall: Recall = "good"
    noise: NoiseProfile = NoiseProfile()

    @property
    def label(self) -> str:
        """A short name for tables: only what differs from the neutral persona, and the noise."""
        traits: list[str] = [self.personality]
        traits += [f"edu{self.education}"] if self.education != 2 else []
        traits += ["low-literacy"] if self.literacy == "low" else []
        traits += [f"{self.recall}-recall"] if self.recall != "good" else []
        traits += [f"{pillar}={level}" for pillar, level in self.noise.active.items()]
        return ",".join(traits)


def draw_persona(spec: str, noise: str, *seed: object) -> Persona:
    """Resolve a persona specification for one case.

    Args:
        spec: A personality (``neutral``, ``anxious``, …); traits after a paper's name, in any order, those left out
            staying neutral: ``dischargesim:HL1,edu3,anxious``, ``dischargebench:distrustful,edu1,low,poor``,
            ``verisim:memory_recall=2,health_literacy=1``; or ``PAPER:random`` for that paper's protocol.
        noise: A noise specification, see :func:`~bedside.cases.noise.draw_noise`. It wins over noise in ``spec``.
        *seed: What random parts depend on, usually run seed and case id.

    Raises:
        ValueError: A specification cannot be read; the message lists what may be said.
    """
    paper, separator, traits = spec.partition(":")
    if not separator:
        paper, traits = "traits", spec
    if paper == "verisim":
        persona = Persona(noise=draw_noise(traits, *seed))
    elif paper not in ("traits", "dischargesim", "dischargebench"):
        raise ValueError(f"unknown persona {spec!r}; use a personality, dischargesim:…, dischargebench:… or verisim:…")
    elif traits == "random":
        persona = _random_persona(paper, *seed)
    else:
        persona = Persona.model_validate(_traits([part.strip() for part in traits.replace("/", ",").split(",")], spec))
    return persona if noise == "none" else persona.model_copy(update={"noise": draw_noise(noise, *seed)})


def profiles(spec: str) -> tuple[str, ...]:
    """Return the specifications that each case is to meet in turn.

    Args:
        spec: ``dischargesim:all`` stands for that paper's 18 profiles, every other specification for itself.
    """
    return PROFILES_OF_DISCHARGESIM if spec == "dischargesim:all" else (spec,)


def _traits(words: list[str], spec: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for word in filter(None, words):
        axis, value = _trait(word, spec)
        if axis in found:
            raise ValueError(f"persona {spec!r}: {axis} is given twice, as {found[axis]} and as {value}")
        found[axis] = value
    return found


def _trait(word: str, spec: str) -> tuple[str, object]:
    if word in PERSONALITIES:
        return "personality", word
    if word in ("HL1", "HL2", *get_args(Literacy)):
        return "literacy", {"HL1": "low", "HL2": "high"}.get(word, word)
    if word in get_args(Recall):
        return "recall", word
    if word in ("edu1", "edu2", "edu3"):
        return "education", int(word[3])
    raise ValueError(
        f"persona {spec!r}: unknown trait {word!r}; traits are {', '.join(PERSONALITIES)}; edu1, edu2, edu3; "
        "low, high (or HL1, HL2); poor, fair, good"
    )


def _random_persona(paper: str, *seed: object) -> Persona:
    rng = stream("persona", paper, *seed)
    pool = EMOTIONS_OF_DISCHARGESIM if paper == "dischargesim" else PERSONALITIES_OF_DISCHARGEBENCH
    return Persona(
        personality=rng.choice(pool),
        education=rng.choice(get_args(Education)),
        literacy=rng.choice(get_args(Literacy)),
        recall="good" if paper == "dischargesim" else rng.choice(get_args(Recall)),
    )
