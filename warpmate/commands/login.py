"""`warpmate login` and `logout`: this command line signed in on a server, by a code that is confirmed there."""

from __future__ import annotations

import asyncio
import platform
import webbrowser
from typing import Annotated, Any

import typer

from knowledge.api_tokens import TOKEN_SCOPES
from knowledge.errors import BadInput
from knowledge.words import ENGLISH
from warpmate.options import AsJson, Lang, language_named
from warpmate.remote.profiles import Address, Login, drop_login, keep_login, origin_of, read_profiles, token_of
from warpmate.remote.server import Refusal, Server
from warpmate.render import as_json, say
from warpmate.settings import Settings

Url = Annotated[str, typer.Argument(help="Address of the server, for instance https://warpmate.example.org.")]


def register(app: typer.Typer) -> None:
    app.command()(login)
    app.command()(logout)


def login(
    context: typer.Context,
    url: Url,
    scope: Annotated[
        list[str] | None, typer.Option("--scope", help="What for: ask, recommend, submit, read; else all four.")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
    lang: Lang = ENGLISH,
) -> None:
    """Sign in on a server. Its member confirms a code in a browser; from then on the commands work there."""
    settings: Settings = context.obj
    address, language = origin_of(url), language_named(lang)
    server = Server(Address(address, ""), lang)
    body = {"name": f"warpmate @ {platform.node() or 'terminal'}"[:80], "scopes": scope or list(TOKEN_SCOPES)}
    begun = asyncio.run(server.json("POST", "login", body))
    page = _own_page(begun, address)
    say(language("login.open", url=page, code=begun["user_code"]))
    if browser:
        webbrowser.open(page)
    given = asyncio.run(_confirmed(server, begun))
    keep_login(settings.data_dir, address, Login(token=given["access_token"], member=given["member"]))
    say(language("login.done", member=given["member"], url=address))


def logout(
    context: typer.Context,
    url: Annotated[str | None, typer.Argument(help="Address of the server; else the one that is in use.")] = None,
    lang: Lang = ENGLISH,
    json: AsJson = False,
) -> None:
    """Revoke the token of this command line on a server, and forget it here."""
    settings: Settings = context.obj
    profiles, language = read_profiles(settings.data_dir), language_named(lang)
    address = origin_of(url) if url else profiles.current
    if address not in profiles.logins:
        raise BadInput("error.server.no_login")
    revoked = asyncio.run(_revoked(Server(Address(address, token_of(address, profiles.logins[address])), lang)))
    drop_login(settings.data_dir, address)
    if json:
        as_json({"server": address, "revoked": revoked})
    else:
        say(language("login.out" if revoked else "login.out_here_only", url=address))


def _own_page(begun: dict[str, Any], address: str) -> str:
    """Return the page to open; one of another host than the one that was named is not opened."""
    page = str(begun["verification_uri_complete"])
    if not page.startswith(f"{address}/"):
        raise BadInput("error.server.other_host", url=address)
    return page


async def _confirmed(server: Server, begun: dict[str, Any]) -> dict[str, Any]:
    """Ask again and again until the member has decided, or the code has ended."""
    while True:
        await asyncio.sleep(min(max(float(begun["interval"]), 0.2), 30.0))
        try:
            return await server.json("POST", "login/token", {"device_code": begun["device_code"]})
        except Refusal as refusal:
            if refusal.error != "authorization_pending" and refusal.status != 429:
                raise


async def _revoked(server: Server) -> bool:
    """Tell whether the server has heard of it; what it did not hear of can be revoked on its pages."""
    try:
        await server.json("DELETE", "token")
    except (Refusal, BadInput):
        return False
    return True
