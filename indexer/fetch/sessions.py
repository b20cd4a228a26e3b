"""The connections of a crawl: straight to a host, or through the proxy that the environment names for it."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from knowledge.catalogue import AddressPolicy
from knowledge.proxy import proxy_for, through

AGENT = "warpmate/0.1 (study group library; fetches listed pages only)"
_HEADERS = {"User-Agent": AGENT, "Accept-Encoding": "gzip, br, zstd", "Accept-Language": "en, zh;q=0.9"}


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
            self._policy.check(ipaddress.ip_address(answer["host"].split("%")[0]), host, port or 80)
        return answers

    async def close(self) -> None:
        await self._inner.close()


@dataclass(frozen=True, slots=True)
class Sessions:
    """Sessions that keep no cookies and unpack no bodies: one straight to the hosts, one for each proxy.

    Straight, names are looked up here and checked; behind a proxy it is the proxy that looks them up, for this host
    often cannot, and that has to refuse addresses of the inner network.
    """

    policy: AddressPolicy
    closing: AsyncExitStack
    opened: dict[str, aiohttp.ClientSession] = field(default_factory=dict)

    async def to(self, url: str) -> aiohttp.ClientSession:
        proxy = proxy_for(url)
        if proxy not in self.opened:
            way = through(proxy) if proxy else {"connector": self._straight()}
            self.opened[proxy] = await self.closing.enter_async_context(_session(way))
        return self.opened[proxy]

    def _straight(self) -> aiohttp.TCPConnector:
        return aiohttp.TCPConnector(resolver=GuardedResolver(self.policy), use_dns_cache=False, limit=32)


def _session(way: dict[str, Any]) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        headers=_HEADERS,
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        trust_env=False,
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=10),
        **way,
    )


@asynccontextmanager
async def open_sessions(policy: AddressPolicy) -> AsyncIterator[Sessions]:
    async with AsyncExitStack() as closing:
        yield Sessions(policy, closing)
