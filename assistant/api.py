"""The JSON API of a warpmate, as the tools call it: a reply, or one sentence that says why there is none."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp

ANSWERS_WITHIN_S = 50
ASKED_AGAIN_AFTER_S = 1.0
NOT_READY = 503
LIVES_WITHIN_S = 30
"""An event stream beats more often than that."""
_LONGEST_LINE = 4 * 1024 * 1024


class Refused(Exception):
    """The server's own sentence, in the language that was asked for."""


class TokenWanted(Refused):
    """There was no token, or it is none of the server's."""


@dataclass(frozen=True, slots=True)
class Event:
    name: str
    data: Any


@dataclass(frozen=True, slots=True)
class Api:
    """`token` is asked at every call: over HTTP it is that of the member whose call this is."""

    session: aiohttp.ClientSession
    address: str
    token: Callable[[], str | None]

    async def get(self, path: str, lang: str = "en", query: Mapping[str, str | int | None] | None = None) -> Any:
        given = {name: str(value) for name, value in (query or {}).items() if value is not None}
        return await self._asked("GET", path, lang, params=given)

    async def post(self, path: str, body: Mapping[str, Any], lang: str = "en") -> Any:
        given = {name: value for name, value in body.items() if value is not None}
        return await self._asked("POST", path, lang, json=given)

    async def events(self, path: str, lang: str = "en") -> AsyncGenerator[Event, None]:
        """Yield server-sent events until the server ends them."""
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=ANSWERS_WITHIN_S, sock_read=LIVES_WITHIN_S)
        try:
            async with self.session.get(
                f"{self.address}/api/v1/{path}", headers=self._headers(lang), timeout=timeout, allow_redirects=False
            ) as response:
                await _check(response)
                name = ""
                async for line in response.content:
                    field, _, value = line.decode().rstrip("\n").partition(": ")
                    if field == "event":
                        name = value
                    elif field == "data":
                        yield Event(name, json.loads(value))
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise _away(self.address) from error

    async def _asked(self, method: str, path: str, lang: str, **more: Any) -> Any:
        """Ask again while the library of the server is being prepared: it says so, and it takes seconds."""
        try:
            async with asyncio.timeout(ANSWERS_WITHIN_S):
                while True:
                    async with self.session.request(
                        method,
                        f"{self.address}/api/v1/{path}",
                        headers=self._headers(lang),
                        allow_redirects=False,
                        **more,
                    ) as response:
                        if response.status != NOT_READY:
                            await _check(response)
                            return await response.json()
                    await asyncio.sleep(ASKED_AGAIN_AFTER_S)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise _away(self.address) from error

    def _headers(self, lang: str) -> dict[str, str]:
        token = self.token()
        return {"Accept-Language": lang} | ({"Authorization": f"Bearer {token}"} if token else {})


def open_session(**way: Any) -> aiohttp.ClientSession:
    """Open a session that goes this way, by a connector or a proxy, and keeps no cookies."""
    return aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar(), read_bufsize=_LONGEST_LINE, **way)


async def _check(response: aiohttp.ClientResponse) -> None:
    if response.status < 300:
        return
    said = await _detail(response)
    if response.status == 401:
        raise TokenWanted(said or "The server wants a personal token, or does not know this one.")
    raise Refused(said or f"The server answered with status {response.status}.")


async def _detail(response: aiohttp.ClientResponse) -> str:
    if response.content_type != "application/problem+json":
        return ""
    told = await response.json(content_type=None)
    return str(told.get("detail", "")) if isinstance(told, dict) else ""


def _away(address: str) -> Refused:
    return Refused(f"The warpmate at {address} does not answer; try again in a minute.")
