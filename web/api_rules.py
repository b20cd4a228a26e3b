"""What a token has to be for, route by route of the API; a route that is not named here is refused to everybody."""

from __future__ import annotations

from collections.abc import Mapping

from aiohttp import web

from knowledge.api_tokens import TOKEN_SCOPES
from knowledge.errors import NotAllowed
from web.visitor import Visitor

ANY = frozenset(TOKEN_SCOPES)
NO_TOKEN = frozenset({"none"})
"""For a command line that is about to get one."""


def _of(*scopes: str) -> frozenset[str]:
    return frozenset(scopes)


API_RULES: Mapping[tuple[str, str], frozenset[str]] = {
    ("POST", "/api/v1/login"): NO_TOKEN,
    ("POST", "/api/v1/login/token"): NO_TOKEN,
    ("GET", "/api/v1/me"): ANY,
    ("DELETE", "/api/v1/token"): ANY,
    ("POST", "/api/v1/ask"): _of("ask"),
    ("GET", "/api/v1/search"): _of("ask"),
    ("GET", "/api/v1/define"): _of("ask"),
    ("GET", "/api/v1/recommend"): _of("recommend"),
    ("GET", "/api/v1/path"): _of("recommend"),
    ("GET", "/api/v1/plan"): _of("read", "recommend"),
    ("POST", "/api/v1/plan"): _of("recommend"),
    ("POST", "/api/v1/plan/changes"): _of("recommend"),
    ("GET", "/api/v1/plan/questions"): _of("read", "recommend"),
    ("POST", "/api/v1/plan/answers"): _of("recommend"),
    ("GET", "/api/v1/progress"): _of("read"),
    ("GET", "/api/v1/problems"): _of("read", "submit"),
    ("GET", "/api/v1/problems/{slug}"): _of("read", "submit"),
    ("GET", "/api/v1/problems/{slug}/hints"): _of("read", "submit"),
    ("POST", "/api/v1/problems/{slug}/hints"): _of("submit"),
    ("GET", "/api/v1/problems/{slug}/editorial"): _of("read", "submit"),
    ("POST", "/api/v1/problems/{slug}/give-up"): _of("submit"),
    ("GET", "/api/v1/boards/{slug}"): _of("read"),
    ("POST", "/api/v1/submissions"): _of("submit"),
    ("POST", "/api/v1/tries"): _of("submit"),
    ("GET", "/api/v1/submissions"): _of("read"),
    ("GET", "/api/v1/submissions/{id}"): _of("read", "submit"),
    ("GET", "/api/v1/submissions/{id}/events"): _of("read", "submit"),
    ("POST", "/api/v1/submissions/{id}/cancel"): _of("submit"),
}
"""Where several are named, one of them is enough."""


def check_token(method: str, route: str, visitor: Visitor) -> None:
    """Raise where the token of this request, or the want of one, does not open the route."""
    enough = API_RULES.get(("GET" if method == "HEAD" else method, route), frozenset())
    if enough is NO_TOKEN:
        return
    if not visitor.token_id:
        raise web.HTTPUnauthorized(headers={"WWW-Authenticate": "Bearer"})
    if not enough & visitor.scopes:
        raise NotAllowed("error.token.scope", scopes=tuple(scope for scope in TOKEN_SCOPES if scope in enough))
