"""The MCP server over standard input and output or over HTTP, and the API that it calls: a server's, or our own."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiohttp
from aiohttp import web

from assistant.api import Api, Refused, TokenWanted, open_session
from assistant.over_http import serving
from assistant.server import build_server
from assistant.tokens import SiteTokens, token_of_call
from knowledge.content import load_content
from knowledge.errors import BadInput, SetupError
from knowledge.proxy import proxy_for, through
from knowledge.services import services_over
from warpmate.edition import version
from warpmate.options import default_member
from warpmate.remote.profiles import Address
from warpmate.settings import Settings
from warpmate.wiring.core import open_core
from warpmate.wiring.library_startup import start_library
from warpmate.wiring.submit import open_submit
from web.app import build_site
from web.visitor import SiteMode, is_loopback


async def serve_stdio(settings: Settings, server: Address | None) -> None:
    """Serve the one client that started this process, until it closes our standard input."""
    token = server.token if server else ""
    async with _api(settings, server, lambda: token) as api:
        if server and not token and await _wants_tokens(api):
            raise BadInput("error.server.not_signed_in", url=server.url)
        notes = load_content(settings.content_dir).notes
        await build_server(api, notes, version()).run_stdio_async()


@asynccontextmanager
async def http_server(settings: Settings, server: Address | None, host: str, port: int) -> AsyncIterator[str]:
    """Yield the address: for members with a token of the named server, or on loopback for whoever works here."""
    async with _api(settings, server, token_of_call) as api:
        wants_tokens = server is not None and await _wants_tokens(api)
        if not wants_tokens and not is_loopback(host):
            raise SetupError(
                f"{host} is reached from other machines: name a warpmate that members sign in to, with --server"
            )
        verifier = SiteTokens(lambda token: Api(api.session, api.address, lambda: token)) if wants_tokens else None
        notes = load_content(settings.content_dir).notes
        mcp = build_server(api, notes, version(), verifier=verifier)
        async with serving(mcp, host, port, any_name=wants_tokens) as address:
            yield address


async def _wants_tokens(api: Api) -> bool:
    open_to_all = Api(api.session, api.address, lambda: None)
    try:
        await open_to_all.get("problems", query={"limit": 1})
    except TokenWanted:
        return True
    except Refused as error:
        raise SetupError(str(error)) from None
    return False


@asynccontextmanager
async def _api(settings: Settings, server: Address | None, token: Callable[[], str | None]) -> AsyncIterator[Api]:
    if server is None:
        async with _own_api(settings) as api:
            yield api
        return
    async with open_session(**through(proxy_for(server.url))) as session:
        yield Api(session, server.url, token)


@asynccontextmanager
async def _own_api(settings: Settings) -> AsyncIterator[Api]:
    """Open the flows of this machine and their API, on a socket in a folder that nobody else can open."""
    async with AsyncExitStack() as stack:
        core = await stack.enter_async_context(open_core(settings))
        submissions = await stack.enter_async_context(open_submit(core, adopts=False))
        library = await stack.enter_async_context(start_library(core))
        services = services_over(core.store, core.content, library, core.recommender, submissions, core.traces)
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="warpmate-mcp-"))
        runner = web.AppRunner(
            build_site(services, SiteMode(member=default_member())), access_log=None, handle_signals=False
        )
        stack.push_async_callback(runner.cleanup)
        await runner.setup()
        at = Path(folder) / "api"
        await web.UnixSite(runner, at).start()
        session = await stack.enter_async_context(open_session(connector=aiohttp.UnixConnector(str(at))))
        yield Api(session, "http://localhost", lambda: None)
