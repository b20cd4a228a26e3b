"""A server's API as the commands call it: a request, and its result in the shape that it has on this machine."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import aiohttp
from pydantic import TypeAdapter, ValidationError

from knowledge.errors import BadInput, OperatorError
from knowledge.proxy import proxy_for, through
from warpmate.remote.profiles import Address
from worker.protocol import Verdict, from_json

WHOLE = "application/vnd.warpmate.whole+json"
TIMEOUT = aiohttp.ClientTimeout(total=120, sock_connect=10)
LIVE = aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=60)
_LONGEST_EVENT_BYTES = 16 << 20
Shape = TypeVar("Shape")


class Refusal(OperatorError):
    """What a server refused, in its words and in the language that was asked for."""

    def __init__(self, detail: str, status: int, error: str) -> None:
        super().__init__(detail)
        self.status = status
        self.error = error


@dataclass(frozen=True, slots=True)
class Step:
    """Something that happened to a submission before its verdict."""

    stage: str
    position: int | None


@dataclass(frozen=True, slots=True)
class Server:
    address: Address
    lang: str

    async def whole(
        self,
        shape: type[Shape],
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        **query: str | int | None,
    ) -> Shape:
        """Return what a flow found, as it finds it on this machine."""
        found: Shape = self.shaped(shape, await self._request(method, path, body, query, WHOLE))
        return found

    async def json(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, **query: str | int | None
    ) -> dict[str, Any]:
        """Return what the API promises."""
        found: dict[str, Any] = await self._request(method, path, body, query, "application/json")
        return found

    def shaped(self, shape: Any, said: object) -> Any:
        try:
            return TypeAdapter(shape).validate_python(said)
        except ValidationError:
            raise BadInput("error.server.other_version", url=self.address.url) from None

    async def judge(
        self, body: Mapping[str, Any], tell: Callable[[Step], None], to: str = "submissions"
    ) -> tuple[str, Verdict]:
        """Hand in and wait for the verdict, telling each step on the way; return the submission's id with it."""
        handed = await self.json("POST", to, body)
        path = f"submissions/{handed['submission']}/events"
        async with self._asked("GET", path, None, {}, "text/event-stream", LIVE) as response:
            async for name, data in _events(response):
                if name == "verdict":
                    return str(handed["submission"]), self._verdict(data)
                tell(Step(str(data["stage"]), data.get("position")))
        raise BadInput("error.server.broke_off", url=self.address.url)

    def _verdict(self, data: Mapping[str, Any]) -> Verdict:
        try:
            return from_json(Verdict, json.dumps(data))
        except ValueError:
            raise BadInput("error.server.other_version", url=self.address.url) from None

    async def _request(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        query: Mapping[str, str | int | None],
        accept: str,
    ) -> Any:
        async with self._asked(method, path, body, query, accept, TIMEOUT) as response:
            return None if response.status == 204 else await _json(response)

    @asynccontextmanager
    async def _asked(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        query: Mapping[str, str | int | None],
        accept: str,
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109  aiohttp's own, for connecting and reading
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """Ask; whatever is not a success becomes the one line that says why. Nobody is followed to another host."""
        headers = {"Accept": accept, "Accept-Language": self.lang}
        if self.address.token:
            headers["Authorization"] = f"Bearer {self.address.token}"
        given = {name: str(value) for name, value in query.items() if value is not None}
        url = f"{self.address.url}/api/v1/{path}"
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout, read_bufsize=1 << 20, **through(proxy_for(url))) as session,
                session.request(
                    method, url, params=given, json=body, headers=headers, allow_redirects=False
                ) as response,
            ):
                if response.status >= 300:
                    raise await self._refusal(response)
                yield response
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise BadInput("error.server.unreachable", url=self.address.url, reason=reason) from None

    async def _refusal(self, response: aiohttp.ClientResponse) -> Exception:
        if response.status == 401:
            return BadInput("error.server.not_signed_in", url=self.address.url)
        try:
            problem = await response.json(content_type=None)
            detail = " ".join(str(problem["detail"]).split())
        except (ValueError, KeyError, TypeError):
            return BadInput("error.server.no_warpmate", url=self.address.url, status=response.status)
        return Refusal(detail, response.status, str(problem.get("error", "")))


async def _json(response: aiohttp.ClientResponse) -> Any:
    try:
        return await response.json(content_type=None)
    except ValueError:
        raise BadInput("error.server.no_warpmate", url=response.url.origin(), status=response.status) from None


async def _events(response: aiohttp.ClientResponse) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """Yield the server-sent events of a response."""
    held = b""
    async for part in response.content.iter_any():
        held += part
        while b"\n\n" in held:
            block, _, held = held.partition(b"\n\n")
            fields = dict(line.partition(": ")[::2] for line in block.decode(errors="replace").splitlines())
            if "data" in fields:
                yield fields.get("event", ""), json.loads(fields["data"])
        if len(held) > _LONGEST_EVENT_BYTES:
            return
