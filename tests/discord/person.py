"""Somebody at a Discord client: types commands, presses buttons, fills forms, mentions the bot.

The client refuses what a real one would not send: an unknown command, a missing required option, a number out of
bounds, a disabled button, somebody else's private message.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.discord import limits
from tests.discord.check_commands import (
    ATTACHMENT,
    BOOLEAN,
    CHANNEL,
    GROUP,
    INTEGER,
    NUMBER,
    STRING,
    SUBCOMMAND,
    USER,
)
from tests.discord.exchange import Exchange, Form, Shown
from tests.discord.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL_SUBMIT
from tests.discord.world import DM, EVERYONE, GROUP_DM, MODERATOR, Channel, Guild, Interaction, User

if TYPE_CHECKING:
    from tests.discord.server import LocalDiscord


@dataclass(frozen=True, slots=True)
class Upload:
    name: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Person:
    discord: LocalDiscord
    user: User

    async def run(self, command: str, at: Channel, **options: Any) -> Exchange:
        """A slash command with its subcommands, for instance `resource add`; options by name in any language."""
        data, _ = self._command_data(command, at, options)
        return await self._interact(COMMAND, at, data)

    async def complete(self, command: str, at: Channel, focused: str, **options: Any) -> Exchange:
        """What the bot offers while `focused` is being typed."""
        data, leaf = self._command_data(command, at, options, complete=True)
        option = next(one for one in leaf if one["name"] == focused)
        option["focused"] = True
        return await self._interact(AUTOCOMPLETE, at, data)

    async def check(self, name: str, message: Shown) -> Exchange:
        """A message command from the menu of a message."""
        command = self._registered(name, kind=3, at=message.channel)
        id_ = message.message["id"]
        data = {
            "id": command["id"],
            "name": command["name"],
            "type": 3,
            "target_id": id_,
            "resolved": {"messages": {id_: message.message}},
        }
        return await self._interact(COMMAND, message.channel, data)

    async def press(self, shown: Shown, label: str) -> Exchange:
        assert label in shown.buttons, f"no button {label!r}; there are {list(shown.buttons)}"
        return await self.press_part(shown, shown.buttons[label])

    async def press_part(self, shown: Shown, button: dict[str, Any]) -> Exchange:
        assert not button.get("disabled"), f"{button.get('label')} is disabled"
        data = {"component_type": button["type"], "custom_id": button["custom_id"], "id": button["id"]}
        return await self._touch(shown, data)

    async def choose(self, shown: Shown, *values: str, nth: int = 0) -> Exchange:
        select = shown.selects[nth]
        assert not select.get("disabled"), "the select is disabled"
        if select["type"] == 3:
            assert set(values) <= {option["value"] for option in select["options"]}, f"{values} are not offered"
        data: dict[str, Any] = {
            "component_type": select["type"],
            "custom_id": select["custom_id"],
            "id": select["id"],
        }
        data |= {"values": list(values)}
        if select["type"] == 8:
            data["resolved"] = {"channels": {value: self._resolved_channel(int(value)) for value in values}}
        return await self._touch(shown, data)

    async def fill(self, exchange: Exchange, **values: Any) -> Exchange:
        """Submit the form of an exchange; values by label with blanks as underscores, or by label in `values`."""
        form = await exchange.form()
        return await self.submit(exchange, form, {key.replace("_", " "): value for key, value in values.items()})

    async def submit(self, exchange: Exchange, form: Form, values: dict[str, Any]) -> Exchange:
        resolved: dict[str, Any] = {}
        sent = {key: self._uploaded(value, resolved) for key, value in values.items()}
        data = {"custom_id": form.modal["custom_id"], "components": form.filled(sent, resolved)} | (
            {"resolved": resolved} if resolved else {}
        )
        earlier = exchange.interaction
        return await self._interact(MODAL_SUBMIT, earlier.channel, data, earlier.source_message)

    async def say(self, text: str, at: Channel, *, reply_to: Shown | None = None, mention: bool = True) -> Shown:
        """A plain message; with `mention` it names the bot, or pings it by replying."""
        world = self.discord.world
        named = [world.bot.as_json()] if mention else []
        text = f"<@{world.bot.id}> {text}" if mention and reply_to is None else text
        fields: dict[str, Any] = {"content": text, "mentions": named}
        if reply_to is not None:
            fields |= {
                "type": 19,
                "referenced_message": reply_to.message,
                "message_reference": {"message_id": reply_to.message["id"], "channel_id": str(at.id)},
            }
        message = world.new_message(at, self.user, **fields)
        if at.guild_id:
            member = world.member_json(world.guilds[at.guild_id], self.user)
            message["member"] = {key: value for key, value in member.items() if key != "user"}
        at.messages[int(message["id"])] = message
        if at.guild_id:
            await self.discord.gateway.announce(world.guilds[at.guild_id])
        await self.discord.gateway.message(message)
        return Shown(world, message, at)

    async def begin_thread(self, title: str, text: str, forum: Channel) -> tuple[Channel, Shown]:
        """A thread of a forum, and the message that it begins with, which has the thread's own number."""
        world = self.discord.world
        guild = world.guilds[forum.guild_id or 0]
        await self.discord.gateway.announce(guild)
        thread = world.add_channel(guild, title, thread_of=forum)
        await self.discord.gateway.dispatch("THREAD_CREATE", thread.as_json(), guild.id)
        message = world.new_message(thread, self.user, content=text, id=str(thread.id))
        thread.messages[thread.id] = message
        await self.discord.gateway.message(message)
        return thread, Shown(world, message, thread)

    async def answer_to(self, said: Shown) -> Shown:
        """The bot's message that replies to one of this person's."""

        def found() -> dict[str, Any] | None:
            mine = said.message["id"]
            replies = said.channel.messages.values()
            return next((m for m in replies if (m.get("message_reference") or {}).get("message_id") == mine), None)

        message = await self.discord.world.until(found, what=f"a reply to {said.text!r}")
        return Shown(self.discord.world, message, said.channel)

    # --- how a client makes an interaction ---------------------------------------------------------------

    async def _touch(self, shown: Shown, data: dict[str, Any]) -> Exchange:
        owner = shown.interaction.user if shown.interaction else None
        assert not shown.private or owner is self.user, "this message is private to somebody else"
        assert not shown.gone, "the message was deleted"
        return await self._interact(COMPONENT, shown.channel, data, shown.message)

    async def _interact(
        self, kind: int, at: Channel, data: dict[str, Any], source: dict[str, Any] | None = None
    ) -> Exchange:
        world = self.discord.world
        guild = world.guilds.get(at.guild_id or 0)
        token = secrets.token_urlsafe(24)
        payload = self._frame(at, guild) | {"id": str(world.new_id()), "token": token, "type": kind, "data": data}
        if source is not None:
            payload["message"] = source
        only_user = not (guild is not None and guild.has_bot) and at.kind != DM
        interaction = Interaction(
            int(payload["id"]),
            token,
            kind,
            self.user,
            at,
            world.clock.now_s(),
            payload,
            user_installed_only=only_user,
            source_message=source,
        )
        world.interactions[interaction.id] = world.by_token[token] = interaction
        if guild is not None:
            await self.discord.gateway.announce(guild)
        await self.discord.gateway.dispatch("INTERACTION_CREATE", payload, at.guild_id)
        return Exchange(world, interaction)

    def _frame(self, at: Channel, guild: Guild | None) -> dict[str, Any]:
        world = self.discord.world
        app = str(world.application_id)
        by_guild = guild is not None and guild.has_bot
        found: dict[str, Any] = {
            "application_id": app,
            "version": 1,
            "locale": self.user.locale,
            "entitlements": [],
            "attachment_size_limit": limits.FILE_BYTES,
            "channel_id": str(at.id),
            "app_permissions": str((guild.bot_permissions if guild else EVERYONE) & ~at.denied),
            "context": {DM: 1, GROUP_DM: 2}.get(at.kind, 0),
            "channel": at.as_json() | {"permissions": str(EVERYONE)},
            "authorizing_integration_owners": {"0": str(guild.id if guild else 0)}
            if by_guild or at.kind == DM
            else {"1": str(self.user.id)},
        }
        if guild is None:
            return found | {"user": self.user.as_json()}
        return found | {
            "guild_id": str(guild.id),
            "guild_locale": guild.locale,
            "member": world.member_json(guild, self.user),
            "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
        }

    def _registered(self, name: str, kind: int, at: Channel) -> dict[str, Any]:
        world = self.discord.world
        commands = [
            c for scope in (at.guild_id, None) for c in world.commands.get(scope, []) if c.get("type", 1) == kind
        ]
        command = _named(commands, name)
        assert command is not None, f"no command {name!r}; there are {[c['name'] for c in commands]}"
        context = {DM: 1, GROUP_DM: 2}.get(at.kind, 0)
        assert context in (command.get("contexts") or (0, 1, 2)), f"{name} cannot be used here"
        guild = world.guilds.get(at.guild_id or 0)
        installed = 0 if (guild is not None and guild.has_bot) or at.kind == DM else 1
        assert installed in (command.get("integration_types") or (0,)), f"{name} is not part of this kind of install"
        needed = int(command.get("default_member_permissions") or 0)
        assert not needed or guild is None or self._permissions(guild) & needed == needed, (
            f"{name} is hidden from them"
        )
        return command

    def _permissions(self, guild: Guild) -> int:
        return EVERYONE | (MODERATOR if self.user.id in guild.moderators else 0)

    def _command_data(
        self, path: str, at: Channel, values: dict[str, Any], *, complete: bool = False
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        first, *rest = path.split()
        command = node = self._registered(first, kind=1, at=at)
        data: dict[str, Any] = {"id": command["id"], "name": command["name"], "type": 1}
        here = data
        for part in rest:
            found = _named([o for o in node.get("options", ()) if o["type"] in {SUBCOMMAND, GROUP}], part)
            assert found is not None, f"{path}: no {part}"
            node = found
            inner: dict[str, Any] = {"name": node["name"], "type": node["type"]}
            here["options"] = [inner]
            here = inner
        resolved: dict[str, Any] = {}
        here["options"] = self._options(node, values, resolved, complete=complete)
        return data | ({"resolved": resolved} if resolved else {}), here["options"]

    def _options(
        self, node: dict[str, Any], values: dict[str, Any], resolved: dict[str, Any], *, complete: bool
    ) -> list[dict[str, Any]]:
        known = [option for option in node.get("options", ()) if option["type"] not in {SUBCOMMAND, GROUP}]
        sent = []
        for name, value in values.items():
            option = _named(known, name)
            assert option is not None, f"no option {name!r}; there are {[o['name'] for o in known]}"
            if not complete:
                _check_value(option, value)
            sent.append(
                {"name": option["name"], "type": option["type"], "value": self._sent(option, value, resolved)}
            )
        given = {option["name"] for option in sent}
        missing = [option["name"] for option in known if option.get("required") and option["name"] not in given]
        assert complete or not missing, f"required: {missing}"
        return sent

    def _sent(self, option: dict[str, Any], value: Any, resolved: dict[str, Any]) -> Any:
        if option["type"] == ATTACHMENT:
            return self._uploaded(value, resolved)[0]
        if option["type"] == CHANNEL:
            resolved.setdefault("channels", {})[str(value.id)] = self._resolved_channel(value.id)
            return str(value.id)
        if option["type"] == USER:
            resolved.setdefault("users", {})[str(value.id)] = value.as_json()
            return str(value.id)
        return value

    def _resolved_channel(self, channel_id: int) -> dict[str, Any]:
        return self.discord.world.channels[channel_id].as_json() | {"permissions": str(EVERYONE)}

    def _uploaded(self, value: Any, resolved: dict[str, Any]) -> Any:
        uploads = [value] if isinstance(value, Upload) else value
        if not isinstance(uploads, list) or not all(isinstance(one, Upload) for one in uploads):
            return value
        ids = []
        for one in uploads:
            stored = self.discord.world.store_file(one.name, one.body, self.discord.http)
            resolved.setdefault("attachments", {})[stored["id"]] = stored
            ids.append(stored["id"])
        return ids


def _named(things: list[dict[str, Any]], name: str) -> dict[str, Any] | None:
    """By name or by any of its localisations, as people type it."""
    return next(
        (t for t in things if name == t["name"] or name in (t.get("name_localizations") or {}).values()), None
    )


def _check_value(option: dict[str, Any], value: Any) -> None:
    name, kind = option["name"], option["type"]
    fitting: dict[int, Any] = {
        STRING: str,
        INTEGER: int,
        BOOLEAN: bool,
        NUMBER: (int, float),
        ATTACHMENT: Upload,
        CHANNEL: Channel,
        USER: User,
    }
    assert isinstance(value, fitting[kind]), f"{name}: {value!r} is of the wrong type"
    if option.get("choices"):
        assert value in [choice["value"] for choice in option["choices"]], f"{name}: {value!r} is no choice"
    if kind == STRING:
        assert option.get("min_length", 0) <= len(value) <= option.get("max_length", 6000), f"{name}: length"
    if kind in {INTEGER, NUMBER}:
        assert option.get("min_value", value) <= value <= option.get("max_value", value), f"{name}: out of bounds"
