"""What a suite is: named conditions that differ in the patients, and what is held the same."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bedside.benchmarks.plan import Settings
from bedside.benchmarks.protocols import PROTOCOLS
from bedside.chat.providers import names_model
from bedside.clinicians.registry import POLICIES

__all__ = ["Condition", "Suite", "settings_for"]


@dataclass(frozen=True)
class Condition:
    """One run of a suite, in a folder of its name.

    Attributes:
        name: Of the folder.
        env: The encounter, as ``--env`` names it.
        persona: Who the patients are; empty for those of the protocol.
        noise: How they speak, likewise.
        verifier: Who checks them; empty for whoever the user names.
        of_models: Whether it makes sense only with a patient that is a language model.
    """

    name: str
    env: str
    persona: str = ""
    noise: str = ""
    verifier: str = ""
    of_models: bool = False

    @property
    def kind(self) -> str:
        """``discharge`` or ``diagnosis``."""
        return PROTOCOLS[self.env].kind


@dataclass(frozen=True)
class Suite:
    """An evaluation as a paper ran it.

    Attributes:
        name: What ``--suite`` takes.
        about: What it is, in one line.
        conditions: Its runs, in order.
        runs: Episodes of each case and condition, unless the user says otherwise.
        limit: Cases, taken from all over the source, unless the user says otherwise; None for all.
    """

    name: str
    about: str
    conditions: tuple[Condition, ...]
    runs: int = 1
    limit: int | None = None


def settings_for(suite: Suite, common: Settings, runs: int | None) -> dict[str, Settings]:
    """Return the evaluations of a suite by the names of their conditions.

    Args:
        suite: What is to be run.
        common: What the user asked for; policies of either encounter, or none for all scripted ones.
        runs: Episodes of each case and condition; None for the suite's own number.

    Raises:
        ValueError: No condition is left for these policies.
    """
    found = {}
    for condition in suite.conditions:
        policies = _policies(common.policies, condition.kind)
        if policies is None or (condition.of_models and not names_model(common.patient)):
            continue
        found[condition.name] = replace(
            common,
            env=condition.env,
            policies=policies,
            persona=condition.persona,
            noise=condition.noise,
            verifier=condition.verifier or common.verifier,
            runs=suite.runs if runs is None else runs,
            limit=suite.limit if common.limit is None else common.limit,
            spread=True,
        )
    if not found:
        own = {condition.kind for condition in suite.conditions}
        known = "; ".join(f"{kind}: {', '.join(POLICIES[kind])}" for kind in sorted(own))
        raise ValueError(f"suite {suite.name} has no encounter for {', '.join(common.policies)}; it has {known}")
    return found


def _policies(given: Sequence[str], kind: str) -> tuple[str, ...] | None:
    """Return the policies that play an encounter: all of its own if none are given; None if none of those given do."""
    if not given:
        return ()
    others = {name for other, names in POLICIES.items() if other != kind for name in names}
    return tuple(name for name in given if name not in others) or None
