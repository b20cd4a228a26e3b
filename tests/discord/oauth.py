"""The OAuth2 side of this Discord: who agreed to what, codes that work once, tokens that can be handed back."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from dataclasses import dataclass, field
from html import escape

from aiohttp import web
from yarl import URL

from tests.discord.world import User, World

CODE_LIVES_S = 600.0
TOKEN_LIVES_S = 604_800


@dataclass(slots=True)
class Code:
    user: User
    redirect_uri: str
    scope: str
    challenge: str
    made_s: float
    used: bool = False
    token: str = ""


@dataclass(slots=True)
class OAuth:
    """Refuses what Discord refuses: an unknown address to come back to, a code used twice, a wrong verifier."""

    world: World
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    redirect_uris: set[str] = field(default_factory=set)
    """As the application's owner has registered them; compared letter by letter."""
    codes: dict[str, Code] = field(default_factory=dict)
    tokens: dict[str, tuple[User, str]] = field(default_factory=dict)
    """Tokens that live, with their user and scope."""

    def routes(self, api: str) -> list[web.RouteDef]:
        return [
            web.get("/oauth2/authorize", self._authorize),
            web.post(f"{api}/oauth2/token", self._token),
            web.post(f"{api}/oauth2/token/revoke", self._revoke),
        ]

    def agree(self, address: str, user: User) -> URL:
        """What a user's browser is sent to when they press *Authorize* at this address."""
        asked = URL(address).query
        back = self._checked(asked)
        code = secrets.token_urlsafe(24)
        self.codes[code] = Code(
            user, back, asked.get("scope", ""), asked.get("code_challenge", ""), self.world.clock.now_s()
        )
        return URL(back).update_query(code=code, state=asked.get("state", ""))

    def refuse(self, address: str) -> URL:
        """Where *Cancel* leads."""
        asked = URL(address).query
        return URL(self._checked(asked)).update_query(error="access_denied", state=asked.get("state", ""))

    def user_of(self, token: str) -> User | None:
        found = self.tokens.get(token)
        return found[0] if found else None

    def _checked(self, asked: object) -> str:
        query = dict(asked)  # type: ignore[call-overload]  # a multidict of one value each
        if query.get("client_id") != str(self.world.application_id):
            raise web.HTTPBadRequest(text="unknown client")
        if query.get("redirect_uri") not in self.redirect_uris:
            raise web.HTTPBadRequest(text="Invalid OAuth2 redirect_uri")
        if query.get("response_type") != "code" or query.get("scope") != "identify":
            raise web.HTTPBadRequest(text="invalid request")
        if query.get("code_challenge_method", "S256") != "S256":
            raise web.HTTPBadRequest(text="only S256")
        return str(query["redirect_uri"])

    async def _authorize(self, request: web.Request) -> web.Response:
        """A page with everybody who could press the button; `?as_=` presses it."""
        address = str(request.url)
        self._checked(request.url.query)
        if number := request.query.get("as_"):
            user = self.world.users[int(number)]
            return web.Response(status=302, headers={"Location": str(self.agree(address, user))})
        people = [user for user in self.world.users.values() if not user.bot]
        links = [
            f'<li><a href="{escape(str(request.url.update_query(as_=user.id)))}">{escape(user.name)}</a>'
            for user in people
        ]
        return web.Response(
            text=f"<!doctype html><title>Authorize</title><ul>{''.join(links)}</ul>", content_type="text/html"
        )

    async def _token(self, request: web.Request) -> web.Response:
        form = await request.post()
        if not self._is_app(request):
            return _no("invalid_client", 401)
        code = self.codes.get(str(form.get("code", "")))
        if form.get("grant_type") != "authorization_code" or code is None:
            return _no("invalid_grant")
        if code.used:  # somebody else has it: what was given for it is taken back (RFC 6749, 4.1.2)
            self.tokens.pop(code.token, None)
            return _no("invalid_grant")
        code.used = True
        if self.world.clock.now_s() - code.made_s > CODE_LIVES_S or form.get("redirect_uri") != code.redirect_uri:
            return _no("invalid_grant")
        if code.challenge and _challenge(str(form.get("code_verifier", ""))) != code.challenge:
            return _no("invalid_grant")
        code.token = secrets.token_urlsafe(24)
        self.tokens[code.token] = (code.user, code.scope)
        return web.json_response(
            {
                "access_token": code.token,
                "token_type": "Bearer",
                "expires_in": TOKEN_LIVES_S,
                "refresh_token": secrets.token_urlsafe(24),
                "scope": code.scope,
            }
        )

    async def _revoke(self, request: web.Request) -> web.Response:
        if not self._is_app(request):
            return _no("invalid_client", 401)
        self.tokens.pop(str((await request.post()).get("token", "")), None)
        return web.json_response({})

    def _is_app(self, request: web.Request) -> bool:
        login = base64.b64encode(f"{self.world.application_id}:{self.secret}".encode()).decode()
        return request.headers.get("Authorization") == f"Basic {login}"


def _challenge(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _no(error: str, status: int = 400) -> web.Response:
    return web.Response(status=status, body=json.dumps({"error": error}), content_type="application/json")
