"""Naive Bayes over diagnoses: what a doctor believes, and which question would tell the most.

Knowledge is a table of chances: how often a patient with a diagnosis has a finding. Belief starts from the
prior and moves with every answer; a hedged answer moves it less. Findings are taken as independent given the
diagnosis, which they are not, so beliefs are too sure; the floor on every chance keeps one misheard answer
from deciding a case.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bedside.cases.fact import AnyFact

__all__ = ["Belief", "Feature", "Knowledge"]

_TYPICAL = 0.25
"""Chance from which a finding belongs to the picture of a disease."""

Array = NDArray[np.float64]

_TOLD = 0.92
"""Chance that a patient who has a finding says so when asked."""

_MADE_UP = 0.02
"""Chance that a patient without it says so nevertheless, or is misheard."""


class Feature(NamedTuple):
    """Something that a patient may have.

    Attributes:
        key: Unique name.
        fact: The finding with the words for it, as a record would hold it.
        question: How to ask for it.
        reworded: The same in other words, for when the first were not understood.
        group: Key of the open question that this is one answer to ("where does it hurt"); empty for yes or
            no.
        parent: Key of the finding without which the question makes no sense; empty if there is none.
        sensitive: True for what shame may hide: alcohol, drugs, sex.
    """

    key: str
    fact: AnyFact
    question: str
    reworded: str
    group: str = ""
    parent: str = ""
    sensitive: bool = False


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What a doctor has learned.

    Attributes:
        diagnoses: Names, as they will be committed to.
        prior: Chance of each before anything is known; sums to 1.
        features: The findings.
        chance: One row a diagnosis, one column a finding: the chance that a patient with it has the finding.
    """

    diagnoses: tuple[str, ...]
    prior: Array
    features: tuple[Feature, ...]
    chance: Array

    @cached_property
    def column(self) -> dict[str, int]:
        """Column of each feature, by key."""
        return {feature.key: number for number, feature in enumerate(self.features)}

    @cached_property
    def groups(self) -> dict[str, tuple[int, ...]]:
        """Columns of the answers to each open question."""
        found: dict[str, list[int]] = {}
        for number, feature in enumerate(self.features):
            if feature.group:
                found.setdefault(feature.group, []).append(number)
        return {group: tuple(numbers) for group, numbers in found.items()}

    @cached_property
    def told(self) -> Array:
        """Chance that a patient with a diagnosis affirms a finding."""
        return _TOLD * self.chance + _MADE_UP * (1.0 - self.chance)


def _entropy(chances: Array) -> Array:
    """Entropy in nats along the first axis."""
    safe = np.clip(chances, 1e-12, 1.0)
    return np.asarray(-(safe * np.log(safe)).sum(axis=0), dtype=np.float64)


class Belief:
    """The belief of one interview."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self._log = np.log(knowledge.prior)

    @property
    def posterior(self) -> Array:
        """Chance of each diagnosis now."""
        weights = np.exp(self._log - self._log.max())
        return np.asarray(weights / weights.sum(), dtype=np.float64)

    @property
    def best(self) -> tuple[str, float]:
        """The most likely diagnosis and its chance."""
        posterior = self.posterior
        top = int(posterior.argmax())
        return self.knowledge.diagnoses[top], float(posterior[top])

    def update(self, key: str, *, present: bool, weight: float = 1.0) -> None:
        """Take an answer in.

        Args:
            key: Of the feature.
            present: Whether the patient has it.
            weight: Less than 1 for an answer that is not certain.
        """
        told = self.knowledge.told[:, self.knowledge.column[key]]
        self._log = self._log + weight * np.log(told if present else 1.0 - told)

    def gains(self) -> Array:
        """Return the information, in nats, that the answer to each yes-or-no question is expected to give."""
        posterior = self.posterior[:, None]
        told = self.knowledge.told
        yes = (posterior * told).sum(axis=0)
        if_yes = posterior * told / np.clip(yes, 1e-12, None)
        if_no = posterior * (1.0 - told) / np.clip(1.0 - yes, 1e-12, None)
        now = float(_entropy(self.posterior))
        return np.asarray(now - yes * _entropy(if_yes) - (1.0 - yes) * _entropy(if_no))

    def shares(self, keys: Sequence[str]) -> str:
        """Return the diagnosis that shares most with a set of findings, counting without any inference."""
        columns = [self.knowledge.column[key] for key in keys]
        listed = self.knowledge.chance >= _TYPICAL
        shared = listed[:, columns].sum(axis=1)
        # Of two that share as much, the one with less that was not found; then the first by name.
        return self.knowledge.diagnoses[int((shared - 1e-3 * listed.sum(axis=1)).argmax())]
