"""`warpmate mcp`: the flows as tools for an assistant in an editor."""

from __future__ import annotations

import asyncio
import importlib.util
from typing import Annotated

import typer

from knowledge.errors import SetupError
from warpmate import render
from warpmate.interruption import interruption
from warpmate.options import Server
from warpmate.remote.profiles import wanted_server
from warpmate.settings import Settings


def register(app: typer.Typer) -> None:
    app.command()(mcp)


def mcp(
    context: typer.Context,
    http: Annotated[
        bool, typer.Option("--http", help="Serve streamable HTTP instead of standard input and output.")
    ] = False,
    host: Annotated[str, typer.Option("--host", help="With --http: the address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="With --http; 0 takes a free one.")] = 8081,
    server: Server = None,
) -> None:
    """Give an assistant in an editor the tools of warpmate. It speaks MCP and needs the extra warpmate[mcp]."""
    if importlib.util.find_spec("mcp") is None:
        raise SetupError("the package mcp is not installed; it comes with warpmate[app,mcp]")
    asyncio.run(_serve(context.obj, server, (host, port) if http else None))


async def _serve(settings: Settings, named: str | None, at: tuple[str, int] | None) -> None:
    from warpmate.wiring.assistant import http_server, serve_stdio

    server = wanted_server(settings, named)
    if at is None:
        await serve_stdio(settings, server)
        return
    interrupted = interruption()
    async with http_server(settings, server, *at) as address:
        render.say(f"MCP on {address}")
        await interrupted.wait()
