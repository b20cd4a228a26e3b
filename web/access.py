"""Who may ask for which page on a public address: a rule for every route, and no page without one."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from aiohttp import web
from aiohttp.typedefs import Handler
from yarl import URL

from knowledge.errors import NotAllowed
from web.api_rules import check_token
from web.bearer import API
from web.guard import SAFE_METHODS
from web.visitor import VISITOR, Visitor


class Access(StrEnum):
    EVERYBODY = "everybody"
    """Shows all the same, changes nothing."""
    MEMBER = "member"
    """Who is signed in; a page shows them what is theirs and what their place shares."""
    ADMINISTRATOR = "administrator"
    """Who has *Manage Server* in the guild that they look at; without a guild, an operator."""
    OPERATOR = "operator"
    """Who is on the operator's list."""


def _rules() -> Iterator[tuple[str, Access]]:
    everybody = (
        "/", "/static/{name}", "/readings", "/readings/{id}", "/notes/{slug}", "/problems", "/problems/{slug}",
        "/recommend", "/path/{topic}", "/path/{topic}/picture.svg", "/calc", "/calc/{name}",
        "/calc/{name}/roofline.svg", "/terms", "/terms/{slug}", "/cards", "/healthz", "/readyz",
        "/feeds/readings.atom", "/feeds/questions.atom",
        "/preparing", "/signin", "/signin/discord", "/signin/callback", "/api", "/api/openapi.json",
    )  # fmt: skip
    member = (
        "/ask", "/ask/{id}", "/ask/{id}/composing", "/ask/{id}/opinion", "/ask/{id}/save", "/ask/{id}/share",
        "/ask/{id}/unlist",
        "/progress", "/readings/{item}/events", "/plan", "/plan/hours", "/plan/skip", "/plan/resume", "/plan/part",
        "/plan/stop", "/plan/review", "/submit", "/try", "/problems/{slug}/hints",
        "/problems/{slug}/editorial", "/problems/{slug}/give-up", "/submissions", "/submissions/{id}",
        "/submissions/{id}/events",
        "/submissions/{id}/roofline.svg", "/submissions/{id}/source.cu", "/submissions/{id}/share",
        "/submissions/{id}/cancel", "/submissions/{id}/withdraw", "/boards", "/boards/{slug}",
        "/boards/{slug}/history.svg", "/status", "/account", "/account/place", "/signout", "/signout/everywhere",
        "/account/tokens", "/account/tokens/{id}/revoke", "/login", "/group", "/group/named", "/group/feeds",
    )  # fmt: skip
    administrator = (
        "/gaps", "/admin", "/admin/suggest", "/admin/resources/{id}/decide", "/admin/resources/{id}/override",
        "/admin/questions/{id}/reviewed", "/admin/jobs/{id}/decide",
    )  # fmt: skip
    yield from ((path, Access.EVERYBODY) for path in everybody)
    yield from ((path, Access.MEMBER) for path in member)
    yield from ((path, Access.ADMINISTRATOR) for path in administrator)
    yield "/metrics", Access.OPERATOR


RULES = dict(_rules())
"""A route is called by its pattern; a page that is not named here is refused to everybody. The API's routes stand in
`web.api_rules`.
"""


@web.middleware
async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Let nobody in who may not; who could sign in is led there, and comes back to where they were."""
    resource = request.match_info.route.resource
    if resource is None:  # nothing is at this address, and that may everybody know
        return await handler(request)
    rule, visitor = RULES.get(resource.canonical), request[VISITOR]
    if resource.canonical.startswith(API):
        check_token(request.method, resource.canonical, visitor)
        return await handler(request)
    if rule is not None and allows(rule, visitor):
        return await handler(request)
    if not visitor.known and request.method in SAFE_METHODS:
        raise web.HTTPSeeOther(URL("/signin").with_query(back=request.path_qs))
    raise NotAllowed("error.signin.needed" if not visitor.known else "error.signin.not_yours")


def allows(rule: Access, visitor: Visitor) -> bool:
    match rule:
        case Access.EVERYBODY:
            return True
        case Access.MEMBER:
            return visitor.known
        case Access.ADMINISTRATOR:
            return visitor.known and visitor.administers
        case Access.OPERATOR:
            return visitor.known and visitor.is_operator
