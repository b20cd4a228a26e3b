"""The page to try the bot without a token: somebody types commands, presses buttons and fills forms."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from aiohttp import web

from tests.discord.check_commands import BOOLEAN, GROUP, INTEGER, NUMBER, SUBCOMMAND
from tests.discord.check_messages import walk
from tests.discord.exchange import Exchange, Form, Shown
from tests.discord.person import Person
from tests.discord.server import LocalDiscord
from tests.discord.world import Channel

PAGE = Path(__file__).with_name("trial.html")
_OPTION = re.compile(r'([^\s:]+):(?:"([^"]*)"|(\S+))')
SHOWN_AT_MOST = 30


class Trial:
    """One visitor at a time, in one channel, in the language of their choice."""

    def __init__(self, discord: LocalDiscord) -> None:
        self.discord = discord
        self.guild = discord.world.add_guild("try me")
        self.channel: Channel = self.guild.general
        self.people = {locale: discord.person("you", locale, installed=True) for locale in ("en-US", "zh-CN")}
        for person in self.people.values():
            self.guild.moderators.add(person.user.id)
            self.guild.members.add(person.user.id)
        self.exchanges: list[Exchange] = []

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/", self.page),
            web.get("/trial/state", self.state),
            web.post("/trial/{deed}", self.do),
        ]

    async def page(self, _: web.Request) -> web.Response:
        return web.Response(text=PAGE.read_text(encoding="utf-8"), content_type="text/html")

    async def state(self, request: web.Request) -> web.Response:
        """Messages as this visitor sees them, the form on their screen, and the commands that there are."""
        user = self._person(request.query.get("locale")).user
        shown: dict[int, dict[str, Any]] = dict(self.channel.messages)
        for exchange in self.exchanges:
            if exchange.interaction.user is user:
                shown |= exchange.interaction.ephemeral_messages
        newest = [shown[id_] for id_ in sorted(shown)][-SHOWN_AT_MOST:]
        last = self.exchanges[-1] if self.exchanges else None
        form = last.interaction.modal if last and last.interaction.user is user else None
        found = {"messages": newest, "form": form, "commands": self._usable()}
        return web.Response(text=json.dumps(found), content_type="application/json")

    async def do(self, request: web.Request) -> web.Response:
        """`command`, `press`, `choose`, `form` or `say`; what a real client would not send is explained."""
        body: dict[str, Any] = await request.json()
        person = self._person(body.get("locale"))
        try:
            await getattr(self, f"_{request.match_info['deed']}")(person, body)
        except (AssertionError, AttributeError, KeyError, ValueError) as error:
            return web.Response(status=400, text=str(error) or type(error).__name__)
        return web.Response(text="ok")

    async def _command(self, person: Person, body: dict[str, Any]) -> None:
        path, options = self._parsed(body["text"].removeprefix("/").strip())
        self.exchanges.append(await person.run(path, self.channel, **options))

    async def _say(self, person: Person, body: dict[str, Any]) -> None:
        await person.say(body["text"], self.channel)

    async def _press(self, person: Person, body: dict[str, Any]) -> None:
        shown = self._shown(body["message"])
        part = next(p for p in walk(shown.message["components"]) if p.get("custom_id") == body["custom_id"])
        self.exchanges.append(await person.press_part(shown, part))

    async def _choose(self, person: Person, body: dict[str, Any]) -> None:
        shown = self._shown(body["message"])
        nth = next(n for n, select in enumerate(shown.selects) if select["custom_id"] == body["custom_id"])
        self.exchanges.append(await person.choose(shown, body["value"], nth=nth))

    async def _form(self, person: Person, body: dict[str, Any]) -> None:
        exchange = self.exchanges[-1]
        form = Form(exchange.interaction.modal or {})
        self.exchanges.append(await person.submit(exchange, form, body["values"]))

    def _person(self, locale: str | None) -> Person:
        return self.people["zh-CN" if locale == "zh-CN" else "en-US"]

    def _commands(self) -> list[dict[str, Any]]:
        return [command for command in self.discord.world.commands.get(None, []) if command.get("type", 1) == 1]

    def _usable(self) -> list[dict[str, Any]]:
        """How each command is typed; none while no bot is connected, since nothing would answer."""
        connected = any(session.connection is not None for session in self.discord.gateway.sessions.values())
        return [_usage(command) for command in self._commands()] if connected else []

    def _shown(self, message_id: str) -> Shown:
        for exchange in reversed(self.exchanges):
            if message := exchange.interaction.ephemeral_messages.get(int(message_id)):
                return Shown(self.discord.world, message, self.channel, exchange.interaction)
        return Shown(self.discord.world, self.channel.messages[int(message_id)], self.channel)

    def _parsed(self, text: str) -> tuple[str, dict[str, Any]]:
        """`calc gemm m:512 n:512` or `ask question:"why pad?"`."""
        first = _OPTION.search(text)
        path = (text[: first.start()] if first else text).strip()
        kinds = self._kinds(path)
        given = {m[1]: m[2] if m[2] is not None else m[3] for m in _OPTION.finditer(text)}
        return path, {name: _typed(value, kinds.get(name, 3)) for name, value in given.items()}

    def _kinds(self, path: str) -> dict[str, int]:
        nodes = self._commands()
        node: dict[str, Any] = {}
        for part in path.split():
            found = [n for n in nodes if part in {n["name"], *(n.get("name_localizations") or {}).values()}]
            node = found[0] if found else {}
            nodes = node.get("options") or []
        return {
            name: option["type"]
            for option in node.get("options") or ()
            for name in (option["name"], *(option.get("name_localizations") or {}).values())
        }


def _typed(value: str, kind: int) -> Any:
    if kind == INTEGER:
        return int(value)
    if kind == NUMBER:
        return float(value)
    return value.lower() in {"true", "yes", "1"} if kind == BOOLEAN else value


def _usage(command: dict[str, Any]) -> dict[str, Any]:
    """One line for each thing that can be typed."""
    children = [o for o in command.get("options") or () if o["type"] in {SUBCOMMAND, GROUP}]
    leaves = [(f"{command['name']} {child['name']}", child) for child in children] or [(command["name"], command)]
    lines = [
        "/" + " ".join([name, *(f"{o['name']}:" for o in leaf.get("options") or () if o.get("required"))])
        for name, leaf in leaves
    ]
    return {"lines": lines, "about": command["description"]}
