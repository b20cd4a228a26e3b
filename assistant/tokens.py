"""Who is this token? The site is asked, whose token it is; its answer holds for a minute and decides nothing more.

What a member may do with it is decided at every call, by the API: a token that was just revoked opens nothing.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken

from assistant.api import Api, Refused, TokenWanted

BELIEVED_S = 60.0
LONGEST = 200
_SWEEP_AT = 10_000


class SiteTokens:
    """`ask` is an API that brings the token it is given; the sessions of two members are never mixed up."""

    def __init__(self, api_with: Callable[[str], Api], clock: Callable[[], float] = time.monotonic) -> None:
        self._api_with = api_with
        self._clock = clock
        self._known: dict[str, tuple[str, float]] = {}

    async def verify_token(self, token: str) -> AccessToken | None:
        if not token.isascii() or not token.isprintable() or len(token) > LONGEST:
            return None
        member = self._remembered(token) or await self._asked(token)
        return AccessToken(token=token, client_id=member, scopes=[], subject=member) if member else None

    def _remembered(self, token: str) -> str | None:
        member, until = self._known.get(_digest(token), ("", 0.0))
        return member if self._clock() < until else None

    async def _asked(self, token: str) -> str | None:
        try:
            me = await self._api_with(token).get("me")
        except TokenWanted:
            return None
        except Refused:
            return _digest(token)  # the site is away, or says no to this member: the tool will tell in which words
        if len(self._known) > _SWEEP_AT:
            self._known = {key: kept for key, kept in self._known.items() if self._clock() < kept[1]}
        self._known[_digest(token)] = (str(me["member"]), self._clock() + BELIEVED_S)
        return str(me["member"])


def token_of_call() -> str | None:
    """Return the token of the member whose call this is."""
    access = get_access_token()
    return access.token if access else None


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
