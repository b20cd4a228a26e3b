"""Where the crawler may connect to: public addresses only, and exactly the one that was checked.

Whoever names an address may try to reach what only this host reaches: its own services, its neighbours, a cloud's
metadata. A name is looked up once, every answer is checked, and the connection goes to a checked answer: a second
look-up with another outcome (DNS rebinding) does not happen.
"""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

Address = IPv4Address | IPv6Address
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_PORTS = frozenset((80, 443, 8080, 8443))


class RefusedAddress(Exception):
    """Says in one clause why this address is not fetched."""


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """`loopback` is for tests and for a mirror on this very host; no setting of a member reaches it."""

    loopback: bool = False

    def check_url(self, url: str) -> None:
        """Everything that can be told without a look-up; raises RefusedAddress."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:
            raise RefusedAddress("the address is malformed") from None
        if parts.scheme not in {"http", "https"}:
            raise RefusedAddress("only http and https are fetched")
        if parts.username is not None or parts.password is not None:
            raise RefusedAddress("the address holds a user name or password")
        if not host:
            raise RefusedAddress("the address names no host")
        literal = _literal(host)
        if literal is not None:
            self.check(literal)
        if port is not None and port not in _PORTS and not self.loopback:
            raise RefusedAddress(f"port {port} is not one of the web's")

    def check(self, address: Address) -> None:
        """Refuse whatever is not reachable by everyone, whichever way it is written."""
        if self.loopback and address.is_loopback:
            return
        for inner in (address, *_embedded(address)):
            if not inner.is_global or inner.is_multicast or inner.is_reserved:
                raise RefusedAddress("it leads to an address that is not public")


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]").split("%")[0])
    except ValueError:
        return None


def _embedded(address: Address) -> list[Address]:
    """IPv4 addresses inside IPv6 ones: mapped, 6to4, Teredo, NAT64."""
    if isinstance(address, IPv4Address):
        return []
    found: list[Address | None] = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64:
        found.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return [inner for inner in found if inner is not None]


class GuardedResolver(AbstractResolver):
    """Answers with public addresses only; a name with one private answer is refused as a whole."""

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
