"""Fetch one page from the web: every redirect checked, every limit kept, every failure named."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urljoin, urlsplit

import aiohttp
from protego import Protego

from indexer.fetch.politeness import Hosts, Politeness, retry_after
from indexer.fetch.sessions import AGENT, Sessions, open_sessions
from indexer.fetch.unpack import BadBody, unpack
from knowledge.catalogue import AddressPolicy, RefusedAddress
from knowledge.socks import ProxyTrouble

_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_INWARD = "it leads to a host of the inner network"
_AGAIN = frozenset((429, 500, 502, 503, 504))
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    packed_bytes: int = 10 << 20
    plain_bytes: int = 20 << 20
    robots_bytes: int = 512 << 10
    seconds: float = 30.0
    """The most time for one request, from its first byte to its last, however slowly they come."""
    redirects: int = 8
    attempts: int = 3


@dataclass(frozen=True, slots=True)
class Fetched:
    url: str
    """The address at which the redirects ended."""
    body: bytes
    content_type: str
    charset: str
    etag: str | None
    last_modified: str | None


Outcome = Literal["unchanged", "refused", "failed", "gone"]


@dataclass(frozen=True, slots=True)
class NotFetched:
    outcome: Outcome
    reason: str
    status: int | None = None
    dead_link: bool = False
    """Whether the link itself is at fault: such failures over several days make it a dead link."""


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    headers: dict[str, str]
    body: bytes


class _Again(Exception):
    """Raised where another attempt after `wait_s` may succeed."""

    def __init__(self, failure: NotFetched, wait_s: float) -> None:
        super().__init__(failure.reason)
        self.failure, self.wait_s = failure, wait_s


class WebClient:
    def __init__(self, sessions: Sessions, policy: AddressPolicy, politeness: Politeness, limits: Limits) -> None:
        self._sessions, self._policy, self._politeness, self._limits = sessions, policy, politeness, limits
        self._hosts = Hosts(politeness)
        self._robots: dict[str, asyncio.Task[Protego | NotFetched]] = {}

    async def fetch(
        self, url: str, *, etag: str | None = None, last_modified: str | None = None
    ) -> Fetched | NotFetched:
        """Return the page, or why there is none. Failures that may pass are tried again, at the host's own pace."""
        conditions = {"If-None-Match": etag, "If-Modified-Since": last_modified}
        headers = {name: value for name, value in conditions.items() if value}
        for attempt in range(1, self._limits.attempts + 1):
            try:
                return await self._follow(url, headers)
            except _Again as again:
                if attempt == self._limits.attempts or again.wait_s > self._politeness.longest_wait_s:
                    return again.failure
                self._hosts.wait(url, again.wait_s or self._politeness.pause_s * 2**attempt)
        raise AssertionError("a client makes at least one attempt")

    async def _follow(self, url: str, headers: dict[str, str]) -> Fetched | NotFetched:
        seen: list[str] = []
        while True:
            if url in seen:
                return NotFetched("failed", "its redirects go round in a circle", dead_link=True)
            if len(seen) > self._limits.redirects:
                return NotFetched("failed", f"it redirects more than {self._limits.redirects} times", dead_link=True)
            seen.append(url)
            if refused := await self._refusal(url):
                return refused
            async with self._hosts.turn(url):
                reply = await self._request(url, headers, self._limits.packed_bytes)
            if isinstance(reply, NotFetched):
                return reply
            if reply.status not in _REDIRECTS or "location" not in reply.headers:
                return self._settled(url, reply)
            url = _joined(url, reply.headers["location"]).split("#")[0]
            if self._leads_inside(seen[0], url):
                return NotFetched("refused", _INWARD)

    def _leads_inside(self, begin: str, url: str) -> bool:
        """Tell whether a page that anybody may have written leads to a host that the operator named."""
        return self._policy.is_inner(url) and not self._policy.is_inner(begin)

    async def _refusal(self, url: str) -> NotFetched | None:
        try:
            self._policy.check_url(url)
        except RefusedAddress as refused:
            return NotFetched("refused", str(refused))
        robots = await self._robots_of(url)
        if isinstance(robots, NotFetched):
            return robots
        if not robots.can_fetch(url, AGENT):
            return NotFetched("refused", "its site's robots.txt asks not to fetch it")
        return None

    def _settled(self, url: str, reply: _Reply) -> Fetched | NotFetched:
        status, headers = reply.status, reply.headers
        if status == 304:
            return NotFetched("unchanged", "not modified", status)
        if status in {404, 410}:
            return NotFetched("gone", f"the server answers {status}", status, dead_link=True)
        if status in _AGAIN:
            wait = retry_after(headers.get("retry-after"))
            asked = f" and asks to wait {wait:.0f} s" if wait is not None else ""
            raise _Again(NotFetched("failed", f"the server answers {status}{asked}", status), wait or 0.0)
        if status != 200:
            return NotFetched("failed", f"the server answers {status}", status)
        try:
            body = unpack(reply.body, headers.get("content-encoding", ""), self._limits.plain_bytes)
        except BadBody as bad:
            return NotFetched("failed", str(bad), status)
        stated = headers.get("content-type", "")
        charset = _CHARSET.search(stated)
        return Fetched(
            url=url,
            body=body,
            content_type=stated.split(";")[0].strip().lower(),
            charset=charset[1] if charset else "",
            etag=headers.get("etag"),
            last_modified=headers.get("last-modified"),
        )

    async def _request(self, url: str, headers: dict[str, str], limit: int) -> _Reply | NotFetched:
        try:
            session = await self._sessions.to(url)
        except ValueError:
            return NotFetched("refused", "the address is malformed", dead_link=True)
        try:
            async with (
                asyncio.timeout(self._limits.seconds),
                session.get(url, headers=headers, allow_redirects=False) as response,
            ):
                lowered = {name.lower(): value for name, value in response.headers.items()}
                body = await _read(response, limit)
                return _Reply(response.status, lowered, body)
        except BadBody as bad:
            return NotFetched("failed", str(bad))
        except RefusedAddress as refused:
            return NotFetched("refused", str(refused))
        except TimeoutError:
            failure = NotFetched("failed", f"it took longer than {self._limits.seconds:.0f} s")
            raise _Again(failure, 0.0) from None
        except (aiohttp.ClientError, OSError, ssl.SSLError, ValueError) as error:
            return _proxy_failure(error) or _connection_failure(error)

    async def _robots_of(self, url: str) -> Protego | NotFetched:
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        if site not in self._robots:
            self._robots[site] = asyncio.create_task(self._read_robots(site))
        return await asyncio.shield(self._robots[site])

    async def _read_robots(self, site: str) -> Protego | NotFetched:
        """Return the rules of robots.txt: without the file all is allowed; while it fails, all is forbidden."""
        url = f"{site}/robots.txt"
        for _ in range(5):
            try:
                self._policy.check_url(url)
                async with self._hosts.turn(url):
                    reply = await self._request(url, {}, self._limits.robots_bytes)
            except RefusedAddress as refused:
                return NotFetched("refused", f"its robots.txt: {refused}")
            except _Again as again:
                return again.failure
            if isinstance(reply, NotFetched):
                return reply
            if reply.status in _REDIRECTS and "location" in reply.headers:
                url = _joined(url, reply.headers["location"])
                if self._leads_inside(site, url):
                    return NotFetched("refused", f"its robots.txt: {_INWARD}")
                continue
            return self._parsed_robots(site, reply)
        return Protego.parse("")

    def _parsed_robots(self, site: str, reply: _Reply) -> Protego | NotFetched:
        if reply.status >= 500 or reply.status == 429:
            return NotFetched("failed", f"its robots.txt cannot be had ({reply.status})", reply.status)
        if reply.status != 200:
            return Protego.parse("")
        try:
            plain = unpack(reply.body, reply.headers.get("content-encoding", ""), self._limits.robots_bytes)
        except BadBody as bad:
            return NotFetched("failed", f"its robots.txt: {bad}")
        rules = Protego.parse(plain.decode("utf-8", errors="replace"))
        if delay := rules.crawl_delay(AGENT):
            self._hosts.slow_down(site, float(delay))
        return rules


def _joined(url: str, location: str) -> str:
    """Return where a redirect leads; what is no address at all as it stands, to be refused like any other."""
    try:
        return urljoin(url, location)
    except ValueError:
        return location


async def _read(response: aiohttp.ClientResponse, limit: int) -> bytes:
    stated = response.content_length
    if stated is not None and stated > limit:
        raise BadBody(f"it is larger than {limit >> 20} MB")
    parts: list[bytes] = []
    size = 0
    async for part in response.content.iter_chunked(1 << 16):
        size += len(part)
        if size > limit:
            raise BadBody(f"it is larger than {limit >> 20} MB")
        parts.append(part)
    return b"".join(parts)


def _proxy_failure(error: BaseException) -> NotFetched | None:
    """Return what a proxy is to blame for; no link dies of that."""
    if isinstance(error, aiohttp.ClientProxyConnectionError) or isinstance(error.__cause__, ProxyTrouble):
        return NotFetched("failed", "the proxy does not lead to it")
    if isinstance(error, aiohttp.ClientHttpProxyError):
        return NotFetched("failed", f"the proxy refuses to lead to it ({error.status})")
    return None


def _connection_failure(error: BaseException) -> NotFetched:
    match error:
        case aiohttp.ClientConnectorDNSError():
            return NotFetched("failed", "its host name is unknown", dead_link=True)
        case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientSSLError():
            return NotFetched("failed", "its certificate is not valid")
        case aiohttp.ClientPayloadError() | aiohttp.ServerDisconnectedError():
            raise _Again(NotFetched("failed", "the connection broke off"), 0.0) from None
        case aiohttp.ClientConnectorError():
            return NotFetched("failed", "no connection to its host", dead_link=True)
        case aiohttp.InvalidURL():
            return NotFetched("refused", "the address is malformed", dead_link=True)
        case _:
            return NotFetched("failed", f"the request failed ({type(error).__name__})")


@asynccontextmanager
async def open_client(
    policy: AddressPolicy | None = None, politeness: Politeness | None = None, limits: Limits | None = None
) -> AsyncIterator[WebClient]:
    """Open a client that follows no redirect unchecked."""
    policy = policy or AddressPolicy()
    async with open_sessions(policy) as sessions:
        yield WebClient(sessions, policy, politeness or Politeness(), limits or Limits())
