"""Streamable HTTP beside a block, on an address that whoever opened it ends."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from knowledge.errors import SetupError

MOST_BODY_BYTES = 512 * 1024
"""A submission of the largest size, as JSON."""
ENDS_WITHIN_S = 2


class _Listener(uvicorn.Server):
    """Leaves signals to the process that it is a part of."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def serving(server: MCPServer[Any], host: str, port: int, *, any_name: bool = False) -> AsyncIterator[str]:
    """Yield the address; port 0 takes a free one. No sessions are kept, so that no two members can share one.

    `any_name`: answer under whatever name a proxy passes on. Only where each call brings a token, for else a web page
    could reach us on loopback under a name of its own.
    """
    names = TransportSecuritySettings(enable_dns_rebinding_protection=False) if any_name else None
    app = server.streamable_http_app(
        stateless_http=True, max_request_body_size=MOST_BODY_BYTES, host=host, transport_security=names
    )
    with _listening(host, port) as taken:
        config = uvicorn.Config(
            app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=ENDS_WITHIN_S
        )
        listener = _Listener(config)
        task = asyncio.create_task(listener.serve(sockets=[taken]), name="mcp over http")
        try:
            yield f"http://{f'[{host}]' if ':' in host else host}:{taken.getsockname()[1]}/mcp"
        finally:
            listener.should_exit = True
            await task


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise SetupError(f"cannot listen on {host}:{port} ({error.strerror}); name another with --port") from error
