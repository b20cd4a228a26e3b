"""Responses to interactions: once, in time, of a fitting kind; then edits and followups while the token lives."""

from __future__ import annotations

from typing import Any

from tests.discord import limits
from tests.discord.check_commands import check_choices, check_modal
from tests.discord.messages import Messages
from tests.discord.refusal import Complaints, Refused, unknown
from tests.discord.world import Interaction, World, is_loading

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5
MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
FITTING = {
    COMMAND: {MESSAGE, DEFERRED, MODAL},
    COMPONENT: {MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, MODAL},
    AUTOCOMPLETE: {CHOICES},
    MODAL_SUBMIT: {MESSAGE, DEFERRED},
}


class Interactions:
    def __init__(self, world: World, messages: Messages) -> None:
        self.world = world
        self.messages = messages

    def respond(self, id_: int, token: str, payload: dict[str, Any], files: dict[str, bytes]) -> dict[str, Any]:
        interaction = self.world.interactions.get(id_)
        if interaction is None or interaction.token != token:
            raise unknown("interaction", 10062)
        if interaction.response_kind is not None:
            raise Refused(400, 40060, "Interaction has already been acknowledged.")
        if self.world.clock.now_s() - interaction.created_s > limits.ACKNOWLEDGE_S:
            raise unknown("interaction", 10062)
        data = payload.get("data") or {}
        kind = self._fitting(interaction, payload.get("type"))
        message = self._apply(interaction, kind, data, files)
        interaction.response_kind = kind
        interaction.acknowledged_s = self.world.clock.now_s()
        self.world.changed()
        return _callback_response(interaction, kind, message)

    def follow_up(self, token: str, payload: dict[str, Any], files: dict[str, bytes]) -> dict[str, Any]:
        interaction = self._living(token)
        original = interaction.original
        if original is not None and is_loading(original) and self._still_there(interaction, original):
            flags = payload.get("flags", 0) & ~limits.EPHEMERAL_FLAG
            return self.messages.change(original, payload | {"flags": flags}, files)
        if interaction.user_installed_only and len(interaction.followups) >= limits.USER_INSTALL_FOLLOWUPS:
            raise Refused(400, 40094, "This interaction has reached the maximum number of follow up messages")
        message = self.messages.keep(interaction, self.messages.write(interaction.channel, payload, files))
        interaction.followups.append(message)
        self.world.changed()
        return message

    def message(self, token: str, which: str) -> dict[str, Any]:
        return self._message(self._living(token), which)

    def edit(self, token: str, which: str, payload: dict[str, Any], files: dict[str, bytes]) -> dict[str, Any]:
        interaction = self._living(token)
        return self.messages.change(self._message(interaction, which), payload, files)

    def delete(self, token: str, which: str) -> None:
        interaction = self._living(token)
        message = self._message(interaction, which)
        interaction.ephemeral_messages.pop(int(message["id"]), None)
        interaction.channel.messages.pop(int(message["id"]), None)
        self.world.changed()

    def _living(self, token: str) -> Interaction:
        interaction = self.world.by_token.get(token)
        if interaction is None or interaction.response_kind is None:
            raise unknown("Webhook", 10015)
        if self.world.clock.now_s() - interaction.created_s > limits.TOKEN_S:
            raise Refused(401, 50027, "Invalid Webhook Token")
        return interaction

    def _message(self, interaction: Interaction, which: str) -> dict[str, Any]:
        reachable = {
            str(m["id"]): m for m in (interaction.original, *interaction.followups, interaction.source_message) if m
        }
        message = interaction.original if which == "@original" else reachable.get(which)
        if message is None or not self._still_there(interaction, message):
            raise unknown("Message", 10008)
        return message

    def _still_there(self, interaction: Interaction, message: dict[str, Any]) -> bool:
        if message["flags"] & limits.EPHEMERAL_FLAG:
            return True
        channel = self.world.channels.get(int(message["channel_id"]))
        if channel is None:
            raise unknown("Channel", 10003)
        return int(message["id"]) in channel.messages

    def _fitting(self, interaction: Interaction, kind: Any) -> int:
        fitting = set(FITTING[interaction.kind])
        if interaction.kind == MODAL_SUBMIT and interaction.source_message is not None:
            fitting |= {DEFERRED_UPDATE, UPDATE}
        if kind not in fitting:
            bad = Complaints()
            bad.add(
                "type", "BASE_TYPE_CHOICES", f"Response type {kind} does not fit interaction type {interaction.kind}."
            )
            bad.refuse()
        return int(kind)

    def _apply(
        self, interaction: Interaction, kind: int, data: dict[str, Any], files: dict[str, bytes]
    ) -> dict[str, Any] | None:
        if kind == MESSAGE:
            written = self.messages.write(interaction.channel, data, files, type=20)
            interaction.original = self.messages.keep(interaction, written)
        elif kind == DEFERRED:
            ephemeral = bool(data.get("flags", 0) & limits.EPHEMERAL_FLAG)
            interaction.original = self.messages.loading(interaction, ephemeral=ephemeral)
        elif kind in {DEFERRED_UPDATE, UPDATE}:
            interaction.original = interaction.source_message
            if kind == UPDATE and interaction.source_message is not None:
                self.messages.change(interaction.source_message, data, files)
        elif kind == CHOICES:
            bad = Complaints()
            check_choices("data.choices", data.get("choices"), bad)
            bad.refuse()
            interaction.choices = data["choices"]
        elif kind == MODAL:
            check_modal(data)
            interaction.modal = data
        return interaction.original


def _callback_response(interaction: Interaction, kind: int, message: dict[str, Any] | None) -> dict[str, Any]:
    about: dict[str, Any] = {"id": str(interaction.id), "type": interaction.kind}
    if message is not None:
        about |= {
            "response_message_id": message["id"],
            "response_message_loading": is_loading(message),
            "response_message_ephemeral": bool(message["flags"] & limits.EPHEMERAL_FLAG),
        }
    resource = {"type": kind} | ({"message": message} if message is not None and kind in {MESSAGE, UPDATE} else {})
    return {"interaction": about, "resource": resource}
