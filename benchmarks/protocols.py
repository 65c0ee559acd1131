"""What ``--env`` names: the two encounters, and the protocol of each paper with its patients."""

from dataclasses import dataclass

__all__ = ["PROTOCOLS", "Protocol", "kind_of"]


@dataclass(frozen=True)
class Protocol:
    """An environment with the patients that belong to it.

    Attributes:
        env: Registered id.
        kind: ``discharge`` or ``diagnosis``: which clinicians play it, and which scores it has.
        persona: Specification of the patients, unless the user gives one.
        noise: How they speak, likewise.
    """

    env: str
    kind: str
    persona: str = "neutral"
    noise: str = "none"


PROTOCOLS = {
    "discharge": Protocol("bedside/Discharge-v0", "discharge"),
    "diagnosis": Protocol("bedside/Diagnosis-v0", "diagnosis"),
    "dischargesim": Protocol("bedside/DischargeSim-v0", "discharge", persona="dischargesim:random"),
    "dischargebench": Protocol("bedside/DischargeBench-v0", "discharge", persona="dischargebench:random"),
    "verisim": Protocol("bedside/VeriSim-v0", "diagnosis", noise="random"),
}
"""Protocols by the name that ``--env`` takes."""


def kind_of(env: str) -> str:
    """Return ``discharge`` or ``diagnosis`` for a registered id."""
    return next(protocol.kind for protocol in PROTOCOLS.values() if protocol.env == env)
