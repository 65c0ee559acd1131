"""One event loop in one thread, and the connections that all remote models of a process share.

Encounters are plain loops that run in threads. Were each thread to open connections of its own, an endpoint would
see hundreds of them, and most calls would pay for a handshake. So all calls go through here: threads wait for their
answers, coroutines of any other event loop await them.
"""

import asyncio
import atexit
import os
import threading
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp

__all__ = ["Connections", "Reply", "connections"]

Result = TypeVar("Result")

_CONNECT_S = 10.0


@dataclass(frozen=True)
class Reply:
    """What an endpoint sent back."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Connections:
    """The loop and the pool; the number of calls at once is bounded by those who make them."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._session: aiohttp.ClientSession | None = None
        self._thread = threading.Thread(target=self._loop.run_forever, name="chat-connections", daemon=True)
        self._thread.start()

    def submit(self, work: Coroutine[Any, Any, Result]) -> "Future[Result]":
        """Run a coroutine in the loop, from any thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def post(self, url: str, headers: Mapping[str, str], body: bytes, timeout_s: float) -> Reply:
        """Send a request; call it in this loop only.

        Raises:
            aiohttp.ClientError: The connection failed.
            TimeoutError: No answer in time.
        """
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0), cookie_jar=aiohttp.DummyCookieJar()
            )
        timeout = aiohttp.ClientTimeout(total=timeout_s, connect=_CONNECT_S)
        proxy = _proxy_of(url)
        async with self._session.post(url, data=body, headers=headers, timeout=timeout, proxy=proxy) as answer:
            return Reply(answer.status, answer.headers, await answer.read())

    def close(self) -> None:
        """Close the connections and end the thread."""
        self.submit(self._close()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _close(self) -> None:
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        if self._session is not None:
            await self._session.close()
            # The transports close in callbacks of the next round.
            await asyncio.sleep(0)


@lru_cache(maxsize=64)
def _proxy_of(url: str) -> str | None:
    """Return what ``HTTPS_PROXY`` and its kin say, once for an address: the library would look it up at every call."""
    parts = urlsplit(url)
    if proxy_bypass(parts.hostname or ""):
        return None
    return getproxies().get(parts.scheme)


_of_process: dict[int, Connections] = {}
_making = threading.Lock()


def connections() -> Connections:
    """Return those of this process; a forked child gets its own."""
    pid = os.getpid()
    with _making:
        if pid not in _of_process:
            _of_process[pid] = Connections()
            atexit.register(_of_process[pid].close)
        return _of_process[pid]
