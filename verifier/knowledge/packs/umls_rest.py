"""A client for the UMLS REST service: cached on disk, rate limited, patient with faults, silent about the key.

Building a pack takes tens of thousands of requests. Every answer is kept, so that a build that was stopped asks only
for what it has not seen; the key is part of no file name, no cached answer and no error message.
"""

import hashlib
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

__all__ = ["UmlsClient", "UmlsError"]

BASE = "https://uts-ws.nlm.nih.gov/rest"
_PER_SECOND = 15.0  # the terms of service allow 20
_ATTEMPTS = 6
_LONGEST_WAIT = 120.0
_TIMEOUT = 30.0
_PAGE_SIZE = 200
_MOST_PAGES = 200
_TRANSIENT = frozenset((408, 425, 429, 500, 502, 503, 504))
_REFUSED = frozenset((401, 403))
_NOT_FOUND = 404


class UmlsError(RuntimeError):
    """The service could not be used; the message never holds the key."""


class UmlsClient:
    """Reads from the service.

    One client counts its own rate; run only one at a time with a key.
    """

    def __init__(
        self,
        key: str,
        cache: Path,
        *,
        version: str = "current",
        base: str = BASE,
        per_second: float = _PER_SECOND,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Prepare a client.

        Args:
            key: The licensee's key.
            cache: Folder for answers; kept apart by service and version.
            version: Release, such as ``2026AA``. ``current`` moves on while the cache does not: name one to be exact.
            base: Where the service is; https, or http on this machine.
            per_second: Most requests a second.
            clock: Seconds that only grow.
            sleep: Waits.
        """
        if not key:
            raise UmlsError("no UMLS key: get one from https://uts.nlm.nih.gov and put it into the environment")
        host = urllib.parse.urlsplit(base)
        if host.scheme != "https" and host.hostname not in ("127.0.0.1", "localhost"):
            raise UmlsError("the key is sent over https only")
        self._key, self._base, self.version = key, base.rstrip("/"), version
        place = hashlib.sha256(self._base.encode()).hexdigest()[:8]
        self._cache = cache / f"{place}-{version}"
        self._gap, self._clock, self._sleep = 1 / per_second, clock, sleep
        self._next = clock()
        self.asked = 0

    def search(self, text: str, sources: tuple[str, ...]) -> tuple[str, ...]:
        """Return the CUIs of concepts that are called exactly this, best first."""
        parameters = {"string": text, "searchType": "exact", "sabs": ",".join(sources), "returnIdType": "concept"}
        answer = self._get(f"search/{self.version}", {**parameters, "pageSize": "25"})
        results = (answer.get("result") or {}).get("results") or []
        # The service says "nothing found" with an entry of that name.
        return tuple(row["ui"] for row in results if row.get("ui") not in (None, "NONE"))

    def semantic_types(self, cui: str) -> frozenset[str]:
        """Return a concept's semantic types as TUIs."""
        result = self._get(f"content/{self.version}/CUI/{cui}", {}).get("result") or {}
        return frozenset(row["uri"].rsplit("/", 1)[-1] for row in result.get("semanticTypes") or [])

    def atoms(self, cui: str, sources: tuple[str, ...]) -> Iterator[dict[str, Any]]:
        """Yield a concept's English atoms that are neither obsolete nor suppressible."""
        wanted = {
            "sabs": ",".join(sources),
            "language": "ENG",
            "includeObsolete": "false",
            "includeSuppressible": "false",
        }
        for row in self._pages(f"content/{self.version}/CUI/{cui}/atoms", wanted):
            if not _true(row.get("obsolete")) and not _true(row.get("suppressible")):
                yield row

    def relations(self, source: str, code: str) -> Iterator[dict[str, Any]]:
        """Yield the relations that a source asserts of one of its codes."""
        path = f"content/{self.version}/source/{source}/{urllib.parse.quote(code, safe='')}/relations"
        for row in self._pages(path, {"includeObsolete": "false", "includeSuppressible": "false"}):
            if not _true(row.get("obsolete")) and not _true(row.get("suppressible")):
                yield row

    def _pages(self, path: str, parameters: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        for page in range(1, _MOST_PAGES + 1):
            answer = self._get(path, {**parameters, "pageNumber": str(page), "pageSize": str(_PAGE_SIZE)})
            yield from answer.get("result") or []
            if page >= int(answer.get("pageCount") or 1):
                return
        raise UmlsError(f"{path} has more than {_MOST_PAGES} pages")

    def _get(self, path: str, parameters: Mapping[str, str]) -> dict[str, Any]:
        """Return an answer, from the cache if it is there and whole."""
        query = urllib.parse.urlencode(sorted(parameters.items()))
        digest = hashlib.sha256(f"{path}?{query}".encode()).hexdigest()
        kept = self._cache / digest[:2] / f"{digest}.json"
        if (answer := _object(kept.read_bytes() if kept.is_file() else b"")) is not None:
            return answer
        answer = self._ask(path, query)
        kept.parent.mkdir(parents=True, exist_ok=True)
        new = kept.with_suffix(f".{os.getpid()}.new")
        new.write_bytes(orjson.dumps(answer))
        new.replace(kept)
        return answer

    def _ask(self, path: str, query: str) -> dict[str, Any]:
        reason = ""
        for attempt in range(_ATTEMPTS):
            self._take_turn()
            wait = min(_LONGEST_WAIT, 0.5 * 2**attempt)
            try:
                answer = _object(self._read(path, query))
                if answer is not None:
                    return answer
                reason = "an unreadable answer"
            except urllib.error.HTTPError as error:
                # The error is closed here and not chained: its text and its URL hold the key.
                status, asked_to_wait = error.code, error.headers.get("Retry-After") if error.headers else None
                error.close()
                if status == _NOT_FOUND:
                    return {}
                if status in _REFUSED:
                    raise UmlsError(f"the service refused the key (HTTP {status})") from None
                if status not in _TRANSIENT:
                    raise UmlsError(f"HTTP {status} for {path}") from None
                reason, wait = f"HTTP {status}", _seconds(asked_to_wait, wait)
            except (OSError, ValueError) as error:
                reason = type(error).__name__
            if attempt < _ATTEMPTS - 1:
                self._sleep(wait)
        raise UmlsError(f"{path}: {reason}, {_ATTEMPTS} times; what was read is kept, so run it again later") from None

    def _read(self, path: str, query: str) -> bytes:
        key = urllib.parse.urlencode({"apiKey": self._key})
        # The scheme was checked when the client was made.
        request = urllib.request.Request(f"{self._base}/{path}?{query}&{key}", headers={"Accept": "application/json"})  # noqa: S310
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as response:  # noqa: S310
            self.asked += 1
            content: bytes = response.read()
        return content

    def _take_turn(self) -> None:
        """Wait until the next request is due."""
        now = self._clock()
        if now < self._next:
            self._sleep(self._next - now)
        self._next = max(now, self._next) + self._gap


def _object(content: bytes) -> dict[str, Any] | None:
    """Return the object that JSON holds; None for anything else, such as an answer cut short."""
    try:
        found = orjson.loads(content)
    except orjson.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None


def _seconds(retry_after: str | None, default: float) -> float:
    try:
        return min(_LONGEST_WAIT, max(0.0, float(retry_after or "")))
    except ValueError:
        return default  # absent, or given as a date


def _true(value: object) -> bool:
    """The service writes flags as booleans here and as strings there."""
    return value is True or str(value).lower() == "true"
