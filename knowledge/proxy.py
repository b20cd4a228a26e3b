"""The proxy between this host and an address, as the environment names it: HTTPS_PROXY, ALL_PROXY, NO_PROXY."""

from __future__ import annotations

from typing import Any
from urllib.request import getproxies, proxy_bypass

import yarl

from knowledge.errors import SetupError

_SOCKS = ("socks4", "socks5", "socks5h")
_HTTP = ("http", "https")


def proxy_for(address: str) -> str:
    """Return the proxy on the way to this address, empty where none stands between."""
    target = yarl.URL(address)
    proxies = getproxies()
    named = proxies.get(target.scheme) or proxies.get("all")
    if not named or proxy_bypass(target.host or ""):
        return ""
    proxy = yarl.URL(named if "://" in named else f"http://{named}")
    if proxy.scheme not in (*_SOCKS, *_HTTP):
        raise SetupError(f"the proxy {proxy.with_user(None)} is of no known kind; use http, https, socks4 or socks5")
    return str(proxy)


def through(named: str) -> dict[str, Any]:
    """Return what an aiohttp session, or Discord's client, is given to go through this proxy; nothing without one."""
    if not named:
        return {}
    proxy = yarl.URL(named)
    if proxy.scheme in _SOCKS:
        from knowledge.socks import SocksConnector  # only whoever has such a proxy waits for it

        # Names are resolved by the proxy: behind one, the host itself often cannot.
        return {"connector": SocksConnector.from_url(str(proxy.with_scheme(proxy.scheme.rstrip("h"))), rdns=True)}
    return {"proxy": named}
