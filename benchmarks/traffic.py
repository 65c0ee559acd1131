"""What language models were asked for, in words: while an evaluation runs, and at its end."""

from statistics import quantiles

from bedside.benchmarks.evaluate import State
from bedside.chat.meter import Traffic

__all__ = ["state_notes", "traffic_line"]


def state_notes(state: State, seconds: float) -> list[str]:
    """Return what is worth knowing while a run goes on; nothing where no models take part and nothing broke.

    Args:
        state: How far it is.
        seconds: Since it began.
    """
    notes = [f"{state.faults} faults"] if state.faults else []
    traffic = state.traffic
    if traffic.calls:
        notes.append(f"{traffic.calls / max(seconds, 1e-9):.1f} calls/s")
    if traffic.cost:
        notes.append(f"cost {traffic.cost:.2f}")
    return notes


def traffic_line(traffic: Traffic) -> str:
    """Sum up calls, faults, tokens, latency and cost in one line."""
    parts = [f"language models: {traffic.calls} calls"]
    if traffic.failed:
        parts.append(f"{traffic.failed} failed")
    if traffic.cached:
        parts.append(f"{traffic.cached} from the cache")
    if traffic.faults:
        parts.append(
            "faults on the way " + " ".join(f"{kind}:{count}" for kind, count in sorted(traffic.faults.items()))
        )
    parts.append(f"{traffic.prompt_tokens:,} tokens in, {traffic.completion_tokens:,} out")
    if len(traffic.latencies_s) > 1:
        cuts = quantiles(traffic.latencies_s, n=20, method="inclusive")
        parts.append(f"latency median {cuts[9]:.2f} s, p95 {cuts[18]:.2f} s")
    if traffic.cost:
        parts.append(f"cost {traffic.cost:.4f}")
    return ", ".join(parts)
