"""Fetch one page from the web: every redirect checked, every limit kept, every failure named."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urljoin, urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver
from protego import Protego

from indexer.fetch.politeness import Hosts, Politeness, retry_after
from indexer.fetch.unpack import BadBody, unpack
from knowledge.catalogue import AddressPolicy, RefusedAddress

AGENT = "warpmate/0.1 (study group library; fetches listed pages only)"
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
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


class GuardedResolver(AbstractResolver):
    """Answers with public addresses only; a name with one private answer is refused as a whole.

    A name is looked up once and the connection goes to a checked answer: a second look-up with another outcome
    (DNS rebinding) does not happen.
    """

    def __init__(self, policy: AddressPolicy, inner: AbstractResolver | None = None) -> None:
        self._policy = policy
        self._inner = inner or ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        answers = await self._inner.resolve(host, port, family)
        for answer in answers:
            self._policy.check(ipaddress.ip_address(answer["host"].split("%")[0]))
        return answers

    async def close(self) -> None:
        await self._inner.close()


class WebClient:
    def __init__(
        self, session: aiohttp.ClientSession, policy: AddressPolicy, politeness: Politeness, limits: Limits
    ) -> None:
        self._session, self._policy, self._politeness, self._limits = session, policy, politeness, limits
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
            url = urljoin(url, reply.headers["location"]).split("#")[0]

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
            async with (
                asyncio.timeout(self._limits.seconds),
                self._session.get(url, headers=headers, allow_redirects=False) as response,
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
            return _connection_failure(error)

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
                url = urljoin(url, reply.headers["location"])
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
    """Open connections that look names up once, keep no cookies, follow no redirects and unpack no bodies."""
    policy = policy or AddressPolicy()
    connector = aiohttp.TCPConnector(resolver=GuardedResolver(policy), use_dns_cache=False, limit=32)
    headers = {"User-Agent": AGENT, "Accept-Encoding": "gzip, br, zstd", "Accept-Language": "en, zh;q=0.9"}
    async with aiohttp.ClientSession(
        connector=connector,
        headers=headers,
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        trust_env=False,
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=10),
    ) as session:
        yield WebClient(session, policy, politeness or Politeness(), limits or Limits())
