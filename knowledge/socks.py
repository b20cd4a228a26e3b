"""Connections through a SOCKS proxy, whose troubles are a lost connection to whoever tries again after one."""

from __future__ import annotations

from typing import Any

from aiohttp_socks import ProxyConnectionError, ProxyConnector, ProxyError, ProxyTimeoutError


class ProxyTrouble(ConnectionError):
    """A proxy cannot be reached, or does not lead to where it was asked for."""


class SocksConnector(ProxyConnector):
    async def _wrap_create_connection(self, *args: Any, **more: Any) -> Any:
        try:
            return await super()._wrap_create_connection(*args, **more)
        except (ProxyError, ProxyConnectionError, ProxyTimeoutError) as error:
            raise ProxyTrouble(f"the proxy: {error}") from error
