"""Signing in with Discord: the authorization code flow with PKCE (RFC 7636), down to who somebody is and no further.

The token that Discord gives is used for one question and handed back; it is stored nowhere.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
import secrets
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from yarl import URL

from knowledge.errors import NotAllowed
from knowledge.memberships import DiscordAway
from knowledge.proxy import through
from web.public_site import DiscordApp

log = logging.getLogger(__name__)

TIMEOUT = aiohttp.ClientTimeout(total=10.0)
LIVES_S = 600
"""How long somebody may take at Discord to agree."""
_LONGEST_COOKIE = 2000


@dataclass(frozen=True, slots=True)
class Attempt:
    """One sign-in under way, kept in a cookie of the browser that began it and in no other."""

    state: str = field(repr=False)
    verifier: str = field(repr=False)
    back: str

    @classmethod
    def begin(cls, back: str) -> Attempt:
        return cls(secrets.token_urlsafe(32), secrets.token_urlsafe(48), back)

    @classmethod
    def read(cls, cookie: str) -> Attempt | None:
        parts = cookie.split(".") if len(cookie) <= _LONGEST_COOKIE else []
        if len(parts) != 3 or not all(parts[:2]):
            return None
        try:
            back = base64.urlsafe_b64decode(parts[2].encode()).decode()
        except ValueError:
            return None
        return cls(parts[0], parts[1], back)

    def as_cookie(self) -> str:
        return f"{self.state}.{self.verifier}.{base64.urlsafe_b64encode(self.back.encode()).decode()}"

    def is_answered_by(self, state: str) -> bool:
        return hmac.compare_digest(self.state.encode(), state.encode())

    @property
    def challenge(self) -> str:
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


@dataclass(frozen=True, slots=True)
class DiscordSignIn:
    app: DiscordApp
    redirect_uri: str

    def address(self, attempt: Attempt) -> URL:
        """Return where a browser goes to agree; nothing is asked for but who its user is."""
        return URL(self.app.authorize_url).update_query(
            response_type="code",
            client_id=self.app.client_id,
            scope="identify",
            redirect_uri=self.redirect_uri,
            state=attempt.state,
            code_challenge=attempt.challenge,
            code_challenge_method="S256",
        )

    async def member(self, code: str, attempt: Attempt) -> str:
        """Return the key of the member whom the code stands for; NotAllowed where Discord does not take it."""
        try:
            async with self._discord() as session:
                token = await self._token(session, code, attempt)
                try:
                    return await self._who(session, token)
                finally:
                    await self._hand_back(session, token)
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            log.warning("Discord cannot be reached for a sign-in (%s)", type(error).__name__)
            raise DiscordAway from None

    def _discord(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(timeout=TIMEOUT, **through(self.app.proxy))

    async def _token(self, session: aiohttp.ClientSession, code: str, attempt: Attempt) -> str:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "code_verifier": attempt.verifier,
        }
        said = await self._post(session, "/oauth2/token", form)
        token = said.get("access_token")
        if not isinstance(token, str) or "identify" not in str(said.get("scope", "")).split():
            raise _not_taken()
        return token

    async def _who(self, session: aiohttp.ClientSession, token: str) -> str:
        address, headers = f"{self.app.api_base}/users/@me", {"Authorization": f"Bearer {token}"}
        async with session.get(address, headers=headers, allow_redirects=False) as response:
            said = await _json(response)
        number = said.get("id")
        if not isinstance(number, str) or not number.isascii() or not number.isdecimal() or len(number) > 20:
            raise _not_taken()
        if said.get("bot"):
            raise _not_taken()
        return f"discord:{number}"

    async def _hand_back(self, session: aiohttp.ClientSession, token: str) -> None:
        """Have Discord forget the token; where that fails it is still dropped here, and dies of age there."""
        try:
            await self._post(session, "/oauth2/token/revoke", {"token": token, "token_type_hint": "access_token"})
        except (aiohttp.ClientError, OSError, TimeoutError, NotAllowed, DiscordAway):
            log.info("a token of a sign-in could not be handed back to Discord; it expires by itself")

    async def _post(self, session: aiohttp.ClientSession, path: str, form: dict[str, str]) -> dict[str, Any]:
        login = base64.b64encode(f"{self.app.client_id}:{self.app.client_secret}".encode()).decode()
        address, headers = self.app.api_base + path, {"Authorization": f"Basic {login}"}
        async with session.post(address, data=form, headers=headers, allow_redirects=False) as response:
            return await _json(response)


async def _json(response: aiohttp.ClientResponse) -> dict[str, Any]:
    """Return what Discord said; it is away where it is in trouble, and refuses where it says so."""
    if response.status == 429 or response.status >= 500:
        raise DiscordAway
    if response.status != 200:
        raise _not_taken()
    try:
        said = await response.json(content_type=None)
    except ValueError:
        raise DiscordAway from None
    return said if isinstance(said, dict) else {}


def _not_taken() -> NotAllowed:
    return NotAllowed("error.signin.refused")
