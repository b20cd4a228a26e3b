"""The site on an address of its own: what an operator decides, and what of a request is believed there."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from aiohttp import web

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class DiscordApp:
    """The application at Discord through which members sign in."""

    client_id: str
    client_secret: str = field(repr=False)
    api_base: str
    authorize_url: str
    """Where a member's browser is sent to agree."""
    proxy: str = ""
    """What stands between this host and Discord; empty where nothing does."""


@dataclass(frozen=True, slots=True)
class PublicSite:
    url: str
    """Scheme and host, without a slash at the end: every address that is handed out begins with it."""
    discord: DiscordApp
    operators: frozenset[str] = frozenset()
    """Member keys of those who administer what no guild owns."""
    proxies: tuple[Network, ...] = ()
    """Whose X-Forwarded-For and X-Forwarded-Host are believed."""

    @property
    def host(self) -> str:
        return urlsplit(self.url).netloc.lower()

    @property
    def is_secure(self) -> bool:
        return self.url.startswith("https:")

    def client_address(self, request: web.Request) -> str:
        """Return who asks: the last address before the proxies that are ours. Others can say what they like."""
        address = request.remote or ""
        said = ",".join(request.headers.getall("X-Forwarded-For", [])).split(",")
        while self._is_proxy(address) and said:
            if before := said.pop().strip():
                address = before
        return address

    def host_of(self, request: web.Request) -> str:
        """Return the host that was asked for, as the proxy says where one of ours stands before us."""
        if self._is_proxy(request.remote or "") and (named := request.headers.getall("X-Forwarded-Host", [])):
            return named[-1].rpartition(",")[2].strip().lower()
        return request.headers.get("Host", "").lower()

    def _is_proxy(self, address: str) -> bool:
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self.proxies)
