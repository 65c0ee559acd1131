"""Which patient a rollout meets, written into its prompt.

TRL hands a rollout nothing but prompts, each repeated for the members of its group, and a group is compared as if its
members had met the same patient. So the prompt *is* the assignment: case, persona, noise and seed in one line. Members
of a group cannot drift apart, and no table beside the data set has to be kept in step with it.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Self

import orjson

from bedside.cases.fact import Frozen
from bedside.cases.seeds import derive_seed, stream

__all__ = ["Assignment", "assignments"]


class Assignment(Frozen):
    """One patient to meet.

    Attributes:
        case: Id of the case.
        seed: Seed of the encounter.
        persona: Specification, see :func:`bedside.cases.persona.draw_persona`.
        noise: Specification, see :func:`bedside.cases.noise.draw_noise`.
    """

    case: str
    seed: int
    persona: str = "neutral"
    noise: str = "none"

    @property
    def options(self) -> dict[str, Any]:
        """What ``env.reset`` takes."""
        return {"case": self.case, "persona": self.persona, "noise": self.noise}

    def to_prompt(self) -> list[dict[str, str]]:
        """Return the prompt that stands for it in a data set."""
        return [{"role": "user", "content": orjson.dumps(self.model_dump(), option=orjson.OPT_SORT_KEYS).decode()}]

    @classmethod
    def from_prompt(cls, prompt: Sequence[dict[str, str]]) -> Self:
        """Read a prompt that :meth:`to_prompt` wrote.

        Raises:
            ValueError: It is no such prompt.
        """
        try:
            return cls.model_validate_json(prompt[-1]["content"])
        except (ValueError, LookupError, TypeError) as error:
            raise ValueError("the prompt names no case; build the data set with training.assignments") from error


def assignments(
    cases: Sequence[str], count: int, *, persona: str = "neutral", noise: str = "none", seed: int = 0
) -> Iterator[Assignment]:
    """Assign cases in shuffled rounds: each comes once before any comes again.

    Args:
        cases: Ids to draw from.
        count: How many assignments.
        persona: Specification for all; ``PAPER:random`` draws anew for each.
        noise: Specification for all; ``random`` draws anew for each.
        seed: The same seed gives the same assignments.
    """
    for number in range(count):
        round_, place = divmod(number, len(cases))
        if place == 0:
            order = stream(seed, "assignments", round_).sample(list(cases), len(cases))
        yield Assignment(case=order[place], seed=derive_seed(seed, "assignment", number), persona=persona, noise=noise)
