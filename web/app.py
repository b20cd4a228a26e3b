"""The site: built over the flows that are handed in, served by whoever runs it."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from knowledge.errors import SetupError
from knowledge.services import Services
from knowledge.words import Languages, read_languages
from web import assets, error_page, guard
from web.access import guarded
from web.api_limits import add_left, limited
from web.bearer import with_token
from web.composed_answers import growing_answers
from web.events import STREAMS, OpenStreams
from web.keys import METRICS, PICTURES, RENDERER, SERVICES, SITE_MODE
from web.metrics import Metrics
from web.pages import (
    account,
    admin,
    api,
    api_boards,
    api_practice,
    api_submissions,
    ask,
    boards,
    calc,
    cards,
    feeds,
    gaps,
    group,
    health,
    home,
    library,
    login,
    plan,
    practice,
    problems,
    recommend,
    signin,
    status,
    submissions,
    submit,
    terms,
    tokens,
    tries,
)
from web.pictures import Pictures
from web.public_site import PublicSite
from web.render import open_renderer
from web.signed_in import with_session
from web.visitor import VISITOR, SiteMode, VisitorCookies


def build_site(services: Services, mode: SiteMode) -> web.Application:
    languages = read_languages("site")
    metrics = Metrics()
    cookies = VisitorCookies(mode, languages, secrets.token_bytes(32))
    site = web.Application(
        client_max_size=guard.MOST_BODY_BYTES,
        middlewares=[
            metrics.timing(),
            with_visitor(cookies),
            error_page.errors_as_pages,
            guard.host_guard(mode),
            *(sign_in_guards(services, mode.public, languages) if mode.public else ()),
            guard.form_guard(mode, services.counts),
        ],
    )
    site[SERVICES], site[SITE_MODE], site[METRICS] = services, mode, metrics
    site[RENDERER] = open_renderer(languages, mode, services.library.preparing)
    site[STREAMS], site[PICTURES] = OpenStreams(), Pictures()
    site.on_response_prepare.extend((guard.added_headers(mode), add_left))
    site.cleanup_ctx.extend((metrics.watch_lag, growing_answers))
    for register in (*PUBLIC_PAGES, *(MEMBER_PAGES if mode.everything else ())):
        register(site)
    if mode.everything:
        for register in SIGN_IN_PAGES if mode.public else ():
            register(site)
    assets.register(site)
    return site


PUBLIC_PAGES = (
    home.register,
    recommend.register,
    library.register,
    calc.register,
    cards.register,
    terms.register,
    problems.register,
    health.register,
    feeds.register,
)
"""Pages that show everybody the same and change nothing: served on any address."""
MEMBER_PAGES = (
    ask.register, recommend.register_memory, plan.register, submit.register, tries.register,
    submissions.register,
    practice.register, boards.register, gaps.register, status.register, admin.register, api.register,
    api_practice.register, api_submissions.register, api_boards.register, health.register_metrics, group.register,
    feeds.register_questions,
)  # fmt: skip
"""Pages of one member: served only where it is known who the visitor is, on this machine or signed in."""
SIGN_IN_PAGES = (signin.register, account.register, tokens.register, login.register, group.register_feeds)
"""Pages of a public address alone."""


def sign_in_guards(services: Services, public: PublicSite, languages: Languages) -> tuple[Middleware, ...]:
    """Return, for a public address, who it is, whether they may, and how often."""
    return (
        with_session(services, public, languages), with_token(services, public), guarded,
        limited(public, services.counts),
    )  # fmt: skip


def with_visitor(cookies: VisitorCookies) -> Middleware:
    @web.middleware
    async def visited(request: web.Request, handler: Handler) -> web.StreamResponse:
        visitor = request[VISITOR] = cookies.read(request)
        try:
            response = await handler(request)
        except web.HTTPException as answer:
            cookies.write(visitor, request, answer)
            raise
        if not response.prepared:
            cookies.write(visitor, request, response)
        return response

    return visited


@asynccontextmanager
async def serving(site: web.Application, host: str, port: int) -> AsyncIterator[str]:
    """Serve the site beside the block and yield its address; port 0 takes a free one."""
    runner = web.AppRunner(
        site, access_log=None, handle_signals=False, keepalive_timeout=30.0, shutdown_timeout=2.0, max_line_size=8190
    )
    await runner.setup()
    try:
        listener = web.TCPSite(runner, host, port)
        try:
            await listener.start()
        except OSError as error:
            raise SetupError(
                f"the site cannot listen on {host}:{port} ({error.strerror}); set WARPMATE_HTTP_PORT to another"
            ) from error
        bound = runner.addresses[0]
        yield f"http://{host}:{bound[1]}"
    finally:
        await runner.cleanup()
