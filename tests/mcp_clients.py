"""`warpmate mcp` as an editor has it, over both transports, with the client of the protocol's own package."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.integration.warpmate.cli import WARPMATE, Home


@asynccontextmanager
async def over_stdio(home: Home, *arguments: str, **more: str) -> AsyncIterator[Client]:
    program, *rest = [*WARPMATE, "mcp", *arguments]
    environment = dict(home.environment) | more
    start = StdioServerParameters(command=program, args=rest, env=environment, cwd=home.folder.parent)
    async with Client(stdio_client(start)) as client:
        yield client


@asynccontextmanager
async def http_address(home: Home, *arguments: str) -> AsyncIterator[str]:
    """The address of `warpmate mcp --http`, which is interrupted at the end and has to end well."""
    process = home.start("mcp", "--http", "--port", "0", *arguments)
    try:
        assert process.stdout is not None
        first = await asyncio.to_thread(process.stdout.readline)
        assert first.startswith("MCP on http://"), first
        yield first.removeprefix("MCP on ").strip()
        process.send_signal(signal.SIGINT)
        assert await asyncio.to_thread(process.wait, 60) == 0
    finally:
        process.kill()
        process.communicate()


@asynccontextmanager
async def over_http(address: str, token: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        yield client


async def called(client: Client, tool: str, **arguments: object) -> Mapping[str, Any]:
    reply = await client.call_tool(tool, dict(arguments))
    assert not reply.is_error, reply.content
    assert reply.structured_content is not None
    return dict(reply.structured_content)


async def refused(client: Client, tool: str, **arguments: object) -> str:
    reply = await client.call_tool(tool, dict(arguments))
    assert reply.is_error
    return " ".join(getattr(block, "text", "") for block in reply.content)
