"""How long to wait before another try, and how often."""

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

__all__ = ["Backoff", "retry_after"]


@dataclass(frozen=True)
class Backoff:
    """Waits that double from try to try, with jitter so that those who failed together do not come back together.

    Attributes:
        retries: Further tries after the first.
        first_s: The first wait, before jitter.
        longest_s: No wait is longer; an endpoint that asks for more is given up on.
    """

    retries: int = 6
    first_s: float = 0.5
    longest_s: float = 60.0

    def wait_s(self, attempt: int, key: str) -> float:
        """Return the wait after a failed try.

        Args:
            attempt: Number of the try, from 0.
            key: Identifies the request; the jitter follows from it, so that the same run waits the same.

        Returns:
            Seconds, between half and the whole of the doubled wait.
        """
        jitter = random.Random(f"{key}/{attempt}").uniform(0.5, 1.0)
        return float(min(self.longest_s, self.first_s * 2**attempt) * jitter)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read how long an endpoint asks to wait (RFC 9110, section 10.2.3: seconds or a date).

    Returns:
        Seconds, or None if it does not say.
    """
    for name, unit in (("retry-after-ms", 0.001), ("Retry-After", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, ValueError):
            continue
    try:
        return max(0.0, parsedate_to_datetime(headers["Retry-After"]).timestamp() - time.time())
    except (KeyError, ValueError, TypeError):
        return None
