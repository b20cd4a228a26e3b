"""Writing, changing and removing messages, with every check on the way and an account of who was pinged."""

from __future__ import annotations

import copy
import re
from typing import Any

from tests.discord import limits
from tests.discord.check_messages import check_message, walk
from tests.discord.refusal import Refused, unknown
from tests.discord.world import DM, Channel, Interaction, User, World, iso

_MENTION = re.compile(r"<@!?(\d+)>")
_MADE = ("content", "embeds", "components", "flags")


class Messages:
    def __init__(self, world: World, base: str) -> None:
        self.world = world
        self.base = base
        self.pings: list[str] = []
        """Everybody whom the bot has pinged: user ids, role marks, `everyone`."""
        self.unguarded: list[str] = []
        """Texts that were sent without saying whom they may ping, or that leave it to what stands in them."""
        self._by_nonce: dict[tuple[int, str], dict[str, Any]] = {}
        """What was sent in the last minutes; `forget_nonces` lets them pass."""

    def send(
        self, channel: Channel, payload: dict[str, Any], files: dict[str, bytes], **fields: Any
    ) -> dict[str, Any]:
        """A message of the bot's own token: needs the channel and its permissions."""
        self._check_access(channel)
        nonce = payload.get("nonce")
        if nonce is not None and len(nonce) > limits.LONGEST_NONCE:
            raise Refused(400, 50035, "Invalid Form Body")
        if nonce is not None and payload.get("enforce_nonce"):
            if (sent := self._by_nonce.get((channel.id, nonce))) is not None:
                return sent
            fields["nonce"] = nonce
        message = self.write(channel, payload, files, **fields)
        if "nonce" in fields:
            self._by_nonce[channel.id, fields["nonce"]] = message
        channel.messages[int(message["id"])] = message
        self.world.changed()
        return message

    def forget_nonces(self) -> None:
        self._by_nonce.clear()

    def write(
        self, channel: Channel, payload: dict[str, Any], files: dict[str, bytes], **fields: Any
    ) -> dict[str, Any]:
        check_message(payload, files)
        made = {key: copy.deepcopy(payload[key]) for key in _MADE if payload.get(key) is not None}
        message = self.world.new_message(channel, self.world.bot, **made, **fields)
        message["attachments"] = [self.world.store_file(name, body, self.base) for name, body in files.items()]
        self._settle(message, payload)
        return message

    def change(self, message: dict[str, Any], payload: dict[str, Any], files: dict[str, bytes]) -> dict[str, Any]:
        was_v2 = bool(message["flags"] & limits.V2_FLAG)
        check_message(payload, files | self._kept_files(message, payload), v2_before=was_v2, new=False)
        for key in ("content", "embeds", "components"):
            if key in payload:
                message[key] = copy.deepcopy(payload[key]) or ([] if key != "content" else "")
        message["flags"] = (message["flags"] & ~limits.LOADING_FLAG) | (payload.get("flags", 0) & limits.V2_FLAG)
        if "attachments" in payload or files:
            kept = self._kept_ids(payload)
            message["attachments"] = [one for one in message["attachments"] if one["id"] in kept]
            message["attachments"] += [self.world.store_file(name, body, self.base) for name, body in files.items()]
        message["edited_timestamp"] = iso(self.world.clock.now_s())
        self._settle(message, payload)
        self.world.changed()
        return message

    def loading(self, interaction: Interaction, *, ephemeral: bool) -> dict[str, Any]:
        """The placeholder that says that the app is thinking."""
        flags = limits.LOADING_FLAG | (limits.EPHEMERAL_FLAG if ephemeral else 0)
        return self.keep(
            interaction, self.world.new_message(interaction.channel, self.world.bot, flags=flags, type=20)
        )

    def keep(self, interaction: Interaction, message: dict[str, Any]) -> dict[str, Any]:
        """A reply stands in the channel, or only with whoever asked."""
        message["webhook_id"] = message["application_id"] = str(self.world.application_id)
        message["interaction_metadata"] = {
            "id": str(interaction.id),
            "type": interaction.kind,
            "user": interaction.user.as_json(),
            "authorizing_integration_owners": {},
        }
        private = message["flags"] & limits.EPHEMERAL_FLAG
        shelf = interaction.ephemeral_messages if private else interaction.channel.messages
        shelf[int(message["id"])] = message
        self.world.changed()
        return message

    def remove(self, channel: Channel, message_id: int) -> None:
        if channel.messages.pop(message_id, None) is None:
            raise unknown("Message", 10008)
        self.world.changed()

    def channel(self, channel_id: int) -> Channel:
        channel = self.world.channels.get(channel_id)
        if channel is None:
            raise unknown("Channel", 10003)
        return channel

    def message(self, channel: Channel, message_id: int) -> dict[str, Any]:
        if message_id not in channel.messages:
            raise unknown("Message", 10008)
        return channel.messages[message_id]

    def _check_access(self, channel: Channel) -> None:
        if not channel.bot_may_see:
            raise Refused(403, 50001, "Missing Access")
        if not channel.bot_may_send:
            raise Refused(403, 50013, "Missing Permissions")
        if channel.kind == DM and not self._recipient(channel).takes_direct_messages:
            raise Refused(403, 50007, "Cannot send messages to this user")

    def _recipient(self, channel: Channel) -> User:
        return self.world.users[channel.recipient or 0]

    def _settle(self, message: dict[str, Any], payload: dict[str, Any]) -> None:
        for n, component in enumerate(walk(message["components"]), start=1):
            component.setdefault("id", n)
        self._note_pings(message, payload.get("allowed_mentions"))

    def _note_pings(self, message: dict[str, Any], allowed: dict[str, Any] | None) -> None:
        """Without allowed_mentions Discord pings whoever is named."""
        text = (message.get("content") or "") + "".join(
            p.get("content", "") for p in walk(message["components"]) if p["type"] == 10
        )
        if text and (allowed is None or allowed.get("parse")):
            self.unguarded.append(text)
        parse = {"users", "everyone", "roles"} if allowed is None else set(allowed.get("parse", ()))
        named = {} if allowed is None else {str(one) for one in allowed.get("users", ())}
        if "everyone" in parse and re.search(r"@(everyone|here)", text):
            self.pings.append("everyone")
        self.pings += [one for one in _MENTION.findall(text) if "users" in parse or one in named]
        if "roles" in parse:
            self.pings += re.findall(r"<@&\d+>", text)

    def _kept_ids(self, payload: dict[str, Any]) -> set[str]:
        return {str(one["id"]) for one in payload.get("attachments") or ()}

    def _kept_files(self, message: dict[str, Any], payload: dict[str, Any]) -> dict[str, bytes]:
        kept = self._kept_ids(payload) if "attachments" in payload else {one["id"] for one in message["attachments"]}
        return {one["filename"]: b"" for one in message["attachments"] if one["id"] in kept}
