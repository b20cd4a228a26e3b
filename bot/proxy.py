"""The proxy between this host and Discord, as the environment names it: HTTPS_PROXY, ALL_PROXY, NO_PROXY."""

from __future__ import annotations

from typing import Any
from urllib.request import getproxies, proxy_bypass

import yarl
from aiohttp_socks import ProxyConnector

from knowledge.errors import SetupError

_SOCKS = ("socks4", "socks5", "socks5h")
_HTTP = ("http", "https")


def through_proxy(address: str) -> dict[str, Any]:
    """Return what Discord's client is given to reach this address; nothing where no proxy stands between."""
    target = yarl.URL(address)
    proxies = getproxies()
    named = proxies.get(target.scheme) or proxies.get("all")
    if not named or proxy_bypass(target.host or ""):
        return {}
    proxy = yarl.URL(named if "://" in named else f"http://{named}")
    if proxy.scheme in _SOCKS:
        # Names are resolved by the proxy: behind one, the host itself often cannot.
        return {"connector": ProxyConnector.from_url(str(proxy.with_scheme(proxy.scheme.rstrip("h"))), rdns=True)}
    if proxy.scheme in _HTTP:
        return {"proxy": str(proxy)}
    raise SetupError(f"the proxy {proxy.with_user(None)} is of no known kind; use http, https, socks4 or socks5")
