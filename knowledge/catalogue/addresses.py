"""Which addresses can be in a library: pages that everyone can reach, by their name and by where the name leads.

Whoever names an address may try to reach what only this host reaches: its own services, its neighbours, a cloud's
metadata. Suggestions are checked here by name; the crawler asks the same policy about every address that a name
is looked up to, and connects to exactly the one that was checked.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

from knowledge.addresses import Address, NotAnAddress, canonical
from knowledge.errors import BadInput, WarpmateError

IPAddress = IPv4Address | IPv6Address
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_PORTS = frozenset((80, 443, 8080, 8443))
_PRIVATE_NAMES = (".local", ".localhost", ".internal")


class RefusedAddress(WarpmateError):
    """Says in one clause why this address is not fetched."""


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """`loopback` is for tests and for a mirror on this very host; no setting of a member reaches it."""

    loopback: bool = False
    inner_hosts: frozenset[str] = frozenset()
    """Hosts of the operator's own network, `name` or `name:port`, that are read though not everybody reaches them."""

    def is_inner(self, url: str) -> bool:
        """Tell whether this is a page of a host that the operator named."""
        try:
            parts = urlsplit(url)
            port = parts.port or (443 if parts.scheme == "https" else 80)
        except ValueError:
            return False
        return self._names(parts.hostname or "", port)

    def _names(self, host: str, port: int) -> bool:
        """Tell whether the operator named this host: with this port, or without one and the port is a usual one."""
        host = host.rstrip(".")
        return f"{host}:{port}" in self.inner_hosts or (port in _PORTS and host in self.inner_hosts)

    def page(self, raw: str) -> Address:
        """The page that a member named, in its canonical spelling; BadInput where it cannot be in a library."""
        try:
            if not raw.strip().isprintable():
                raise NotAnAddress("error.address.malformed")
            address = canonical(raw)
        except NotAnAddress as error:
            raise BadInput("error.resource.not_an_address", reason=error) from None
        try:
            self.check_url(address.url)
        except RefusedAddress as error:
            host = urlsplit(address.url).netloc
            raise BadInput("error.resource.not_reachable", host=host, reason=error) from None
        return address

    def check_url(self, url: str) -> None:
        """Refuse whatever can be refused without a look-up; raises RefusedAddress."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:
            raise RefusedAddress("error.address.malformed") from None
        if parts.scheme not in {"http", "https"}:
            raise RefusedAddress("error.address.not_web")
        if parts.username is not None or parts.password is not None:
            raise RefusedAddress("error.address.credentials")
        if not host:
            raise RefusedAddress("error.address.no_host")
        if self.is_inner(url):
            return
        self._check_host(host.rstrip("."))
        if port is not None and port not in _PORTS and not self.loopback:
            raise RefusedAddress("error.address.port", port=port)

    def check(self, address: IPAddress, host: str = "", port: int = 80) -> None:
        """Refuse whatever is not reachable by everyone, whichever way it is written and whatever name led to it."""
        if self.loopback and address.is_loopback:
            return
        if self._names(host, port):
            return
        for inner in (address, *_embedded(address)):
            if not inner.is_global or inner.is_multicast or inner.is_reserved:
                raise RefusedAddress("error.address.not_public")

    def _check_host(self, host: str) -> None:
        literal = _literal(host)
        if literal is not None:
            self.check(literal)
        elif not self.loopback and ("." not in host or host.endswith(_PRIVATE_NAMES)):
            raise RefusedAddress("error.address.private_name")


def _literal(host: str) -> IPAddress | None:
    try:
        return ipaddress.ip_address(host.strip("[]").split("%")[0])
    except ValueError:
        return None


def _embedded(address: IPAddress) -> list[IPAddress]:
    """IPv4 addresses inside IPv6 ones: mapped, 6to4, Teredo, NAT64."""
    if isinstance(address, IPv4Address):
        return []
    found: list[IPAddress | None] = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64:
        found.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return [inner for inner in found if inner is not None]
