"""The REST routes: who may call them, at what rate, and what each does to the world."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import BodyPartReader, web

from tests.discord.check_commands import check_commands
from tests.discord.faults import HungUp, Limited, Traffic, headers
from tests.discord.gateway import Gateway
from tests.discord.interactions import Interactions
from tests.discord.messages import Messages
from tests.discord.oauth import OAuth
from tests.discord.refusal import Refused, unknown
from tests.discord.world import User, World

Handler = Callable[[web.Request, Any, dict[str, bytes]], Awaitable[Any]]
API = "/api/v10"


class Rest:
    def __init__(
        self, world: World, gateway: Gateway, messages: Messages, traffic: Traffic, token: str, oauth: OAuth
    ) -> None:
        self.world = world
        self.oauth = oauth
        self.gateway = gateway
        self.messages = messages
        self.traffic = traffic
        self.token = token
        self.interactions = Interactions(world, messages)
        self.calls: list[str] = []
        """`METHOD /path` of everything that was asked, without the secrets in it."""

    def routes(self) -> list[web.RouteDef]:
        return [
            self._route("GET", "/users/@me", self._me, bearer=True),
            self._route("GET", "/guilds/{guild}/members/{user}", self._member),
            self._route("GET", "/users/@me/guilds", self._my_guilds),
            self._route("GET", "/guilds/{guild}", self._guild),
            self._route("GET", "/oauth2/applications/@me", self._application),
            self._route("GET", "/applications/@me", self._application),
            self._route("GET", "/gateway/bot", self._gateway_bot),
            self._route("POST", "/users/@me/channels", self._open_direct),
            self._route("GET", "/applications/{app}/commands", self._list_commands),
            self._route("PUT", "/applications/{app}/commands", self._put_commands),
            self._route("GET", "/applications/{app}/guilds/{guild}/commands", self._list_commands),
            self._route("PUT", "/applications/{app}/guilds/{guild}/commands", self._put_commands),
            self._route("GET", "/channels/{channel}", self._channel),
            self._route("POST", "/channels/{channel}/typing", self._typing),
            self._route("POST", "/channels/{channel}/messages", self._send),
            self._route("GET", "/channels/{channel}/messages", self._history),
            self._route("POST", "/channels/{channel}/messages/{message}/threads", self._start_thread),
            self._route("GET", "/channels/{channel}/messages/{message}", self._message),
            self._route("PATCH", "/channels/{channel}/messages/{message}", self._edit),
            self._route("DELETE", "/channels/{channel}/messages/{message}", self._delete),
            self._route("POST", "/interactions/{id}/{token}/callback", self._callback, exempt=True),
            self._route("POST", "/webhooks/{app}/{token}", self._follow_up, exempt=True),
            self._route("GET", "/webhooks/{app}/{token}/messages/{message}", self._webhook_message, exempt=True),
            self._route("PATCH", "/webhooks/{app}/{token}/messages/{message}", self._webhook_edit, exempt=True),
            self._route("DELETE", "/webhooks/{app}/{token}/messages/{message}", self._webhook_delete, exempt=True),
            web.get("/attachments/{number}/{name}", self._file),
            web.route("*", API + "/{rest:.*}", self._nothing_here),
        ]

    def _route(
        self, method: str, template: str, handler: Handler, *, exempt: bool = False, bearer: bool = False
    ) -> web.RouteDef:
        """`exempt`: the interaction endpoints need no bot token and do not count towards the global limit.
        `bearer`: a user's own token opens it as well.
        """

        async def handle(request: web.Request) -> web.StreamResponse:
            path = request.path.removeprefix(API)
            self.calls.append(f"{method} {template}")
            major = next(
                (request.match_info[key] for key in ("channel", "token", "guild") if key in request.match_info), ""
            )
            try:
                if not exempt and not self._is_known(request, bearer=bearer):
                    raise Refused(401, 0, "401: Unauthorized")
                bucket = await self.traffic.admit(method, path, template, major, exempt=exempt)
                payload, files = await _read(request)
                found = await handler(request, payload, files)
                self.traffic.lose_answer(f"{method} {path}")
            except Refused as refused:
                return _reply(refused.as_json(), refused.status)
            except Limited as limited:
                return _limited(limited)
            except HungUp:
                if request.transport is not None:
                    request.transport.abort()
                return web.Response()
            return _reply(found, 200, headers(f"{method} {template}", bucket))

        return web.route(method, API + template, handle)

    def _is_known(self, request: web.Request, *, bearer: bool) -> bool:
        said = request.headers.get("Authorization", "")
        return said == f"Bot {self.token}" or (bearer and self._user_of(request) is not None)

    def _user_of(self, request: web.Request) -> User | None:
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        return self.oauth.user_of(token) if kind == "Bearer" else None

    # --- about the bot -----------------------------------------------------------------------------------

    async def _me(self, request: web.Request, payload: Any, files: Any) -> Any:
        if user := self._user_of(request):
            return user.as_json()
        return self.world.bot.as_json() | {"verified": True, "email": None, "mfa_enabled": False, "flags": 0}

    async def _my_guilds(self, request: web.Request, payload: Any, files: Any) -> Any:
        return [
            {"id": str(guild.id), "name": guild.name, "icon": None, "owner": False, "features": [],
             "permissions": str(guild.bot_permissions)}
            for guild in self.world.guilds.values()
            if guild.has_bot
        ]  # fmt: skip

    async def _guild(self, request: web.Request, payload: Any, files: Any) -> Any:
        guild = self.world.guilds.get(int(request.match_info["guild"]))
        if guild is None or not guild.has_bot:
            raise unknown("Guild", 10004)
        return self.world.guild_json(guild)

    async def _member(self, request: web.Request, payload: Any, files: Any) -> Any:
        guild = self.world.guilds.get(int(request.match_info["guild"]))
        if guild is None or not guild.has_bot:
            raise Refused(403, 50001, "Missing Access")
        user = self.world.users.get(int(request.match_info["user"]))
        if user is None:
            raise unknown("User", 10013)
        if user.id not in guild.members:
            raise unknown("Member", 10007)
        return self.world.member_json(guild, user)

    async def _application(self, request: web.Request, payload: Any, files: Any) -> Any:
        return {
            "id": str(self.world.application_id),
            "name": "warpmate",
            "icon": None,
            "description": "",
            "flags": 0,
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "00",
            "owner": {"id": "1", "username": "owner", "discriminator": "0", "avatar": None},
            "team": None,
            "summary": "",
            "rpc_origins": [],
            "integration_types_config": {"0": {"oauth2_install_params": self.world.install_link}},
        }

    async def _gateway_bot(self, request: web.Request, payload: Any, files: Any) -> Any:
        start = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 16}
        return {"url": self.gateway.url, "shards": self.gateway.shards, "session_start_limit": start}

    async def _list_commands(self, request: web.Request, payload: Any, files: Any) -> Any:
        guild = int(request.match_info["guild"]) if "guild" in request.match_info else None
        if guild is not None and not self.world.guilds[guild].bot_may_have_commands:
            raise Refused(403, 50001, "Missing Access")
        return self.world.commands.get(guild, [])

    async def _put_commands(self, request: web.Request, payload: Any, files: Any) -> Any:
        guild = int(request.match_info["guild"]) if "guild" in request.match_info else None
        check_commands(payload, in_guild=guild is not None)
        ids = {(c.get("type", 1), c["name"]): c["id"] for c in self.world.commands.get(guild, [])}
        commands = [
            command
            | {
                "id": ids.get((command.get("type", 1), command["name"]), str(self.world.new_id())),
                "version": "1",
                "application_id": str(self.world.application_id),
                "description": command.get("description", ""),
            }
            for command in payload
        ]
        self.world.commands[guild] = commands
        self.world.command_writes.append(guild)
        self.world.changed()
        return commands

    # --- channels ----------------------------------------------------------------------------------------

    async def _open_direct(self, request: web.Request, payload: Any, files: Any) -> Any:
        user = self.world.users.get(int(payload["recipient_id"]))
        if user is None:
            raise unknown("User", 10013)
        channel = self.world.direct_channel(user)
        return channel.as_json() | {"recipients": [user.as_json()], "last_message_id": None}

    async def _channel(self, request: web.Request, payload: Any, files: Any) -> Any:
        return self._channel_of(request).as_json()

    async def _typing(self, request: web.Request, payload: Any, files: Any) -> Any:
        self._channel_of(request)

    async def _send(self, request: web.Request, payload: Any, files: dict[str, bytes]) -> Any:
        channel = self._channel_of(request)
        reference = payload.get("message_reference")
        if (
            reference
            and int(reference["message_id"]) not in channel.messages
            and reference.get("fail_if_not_exists", True)
        ):
            raise Refused(
                400,
                50035,
                "Invalid Form Body",
                {
                    "message_reference": {
                        "_errors": [{"code": "REPLIES_UNKNOWN_MESSAGE", "message": "Unknown message"}]
                    }
                },
            )
        if not reference:
            return self.messages.send(channel, payload, files)
        named = {key: str(value) for key, value in reference.items() if key.endswith("_id")}
        return self.messages.send(channel, payload, files, message_reference=named, type=19)

    async def _message(self, request: web.Request, payload: Any, files: Any) -> Any:
        return self.messages.message(self._channel_of(request), int(request.match_info["message"]))

    async def _history(self, request: web.Request, payload: Any, files: Any) -> Any:
        """Newest first; nothing where the bot may not read what was said."""
        channel = self._channel_of(request)
        messages = channel.messages if channel.bot_may_read_history else {}
        before = int(request.query.get("before", 1 << 63))
        return [messages[id_] for id_ in sorted(messages, reverse=True) if id_ < before][
            : int(request.query.get("limit", 50))
        ]

    async def _start_thread(self, request: web.Request, payload: Any, files: Any) -> Any:
        """A thread has the number of the message that it begins with."""
        channel, number = self._channel_of(request), int(request.match_info["message"])
        self.messages.message(channel, number)
        if number in self.world.channels:
            raise Refused(400, 160004, "A thread has already been created for this message")
        if not channel.bot_may_open_threads:
            raise Refused(403, 50013, "Missing Permissions")
        if not 1 <= len(payload["name"]) <= 100:
            raise Refused(400, 50035, "Invalid Form Body")
        guild = self.world.guilds[channel.guild_id]
        return self.world.add_channel(guild, payload["name"], thread_of=channel, id_=number).as_json()

    async def _edit(self, request: web.Request, payload: Any, files: dict[str, bytes]) -> Any:
        message = self.messages.message(self._channel_of(request), int(request.match_info["message"]))
        if message["author"]["id"] != str(self.world.bot.id):
            raise Refused(403, 50005, "Cannot edit a message authored by another user")
        return self.messages.change(message, payload, files)

    async def _delete(self, request: web.Request, payload: Any, files: Any) -> None:
        self.messages.remove(self._channel_of(request), int(request.match_info["message"]))

    def _channel_of(self, request: web.Request) -> Any:
        channel = self.messages.channel(int(request.match_info["channel"]))
        if not channel.bot_may_see:
            raise Refused(403, 50001, "Missing Access")
        return channel

    # --- interactions ------------------------------------------------------------------------------------

    async def _callback(self, request: web.Request, payload: Any, files: dict[str, bytes]) -> Any:
        return self.interactions.respond(int(request.match_info["id"]), request.match_info["token"], payload, files)

    async def _follow_up(self, request: web.Request, payload: Any, files: dict[str, bytes]) -> Any:
        return self.interactions.follow_up(request.match_info["token"], payload, files)

    async def _webhook_message(self, request: web.Request, payload: Any, files: Any) -> Any:
        return self.interactions.message(request.match_info["token"], request.match_info["message"])

    async def _webhook_edit(self, request: web.Request, payload: Any, files: dict[str, bytes]) -> Any:
        return self.interactions.edit(request.match_info["token"], request.match_info["message"], payload, files)

    async def _webhook_delete(self, request: web.Request, payload: Any, files: Any) -> None:
        self.interactions.delete(request.match_info["token"], request.match_info["message"])

    async def _file(self, request: web.Request) -> web.Response:
        body = self.world.files.get(request.path)
        self.calls.append("GET /attachments/{number}/{name}")
        try:
            await self.traffic.admit("GET", request.path, "/attachments", "", exempt=True)
            self.traffic.lose_answer(f"GET {request.path}")
        except Refused as refused:
            return web.Response(status=refused.status)
        except Limited:
            return web.Response(status=429)
        return web.Response(body=body) if body is not None else web.Response(status=404)

    async def _nothing_here(self, request: web.Request) -> web.StreamResponse:
        self.calls.append(f"{request.method} {request.path} (unknown)")
        return _reply({"message": "404: Not Found", "code": 0}, 404)


async def _read(request: web.Request) -> tuple[Any, dict[str, bytes]]:
    """JSON, or `payload_json` with `files[n]` beside it."""
    if not request.can_read_body:
        return {}, {}
    if not request.content_type.startswith("multipart/"):
        return json.loads(await request.read()), {}
    payload: Any = {}
    files: dict[str, bytes] = {}
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        body = bytes(await part.read())
        if part.name == "payload_json":
            payload = json.loads(body)
        else:
            files[part.filename or ""] = body
    return payload, files


def _reply(found: Any, status: int, extra: dict[str, str] | None = None) -> web.Response:
    """The client decodes JSON only under exactly this content type; an empty reply is a 204."""
    if found is None and status == 200:
        return web.Response(status=204, headers=extra)
    body = json.dumps(found).encode()
    return web.Response(body=body, status=status, headers={"Content-Type": "application/json", **(extra or {})})


def _limited(limited: Limited) -> web.Response:
    body = {
        "message": "You are being rate limited.",
        "retry_after": limited.retry_after_s,
        "global": limited.is_global,
    }
    scope = "global" if limited.is_global else "user"
    after = {
        "Retry-After": str(max(1, round(limited.retry_after_s))),
        "Via": "1.1 google",
        "X-RateLimit-Scope": scope,
    }
    return _reply(body, 429, after | ({"X-RateLimit-Global": "true"} if limited.is_global else {}))
