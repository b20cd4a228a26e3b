"""Buttons and selects whose whole state is their custom id: they work after any restart, and cost no memory.

A custom id reads `b|verb|argument|…` (a select: `s|…`, a form: `f|…`). Cogs say which verbs they answer.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import discord

Interaction = discord.Interaction[Any]
OnPress = Callable[[Interaction, list[str]], Awaitable[None]]
OnPick = Callable[[Interaction, list[str], list[str]], Awaitable[None]]
OnForm = Callable[[Interaction, list[str], "Filled"], Awaitable[None]]
Style = discord.ButtonStyle


@dataclass(frozen=True, slots=True)
class Verbs:
    """The handlers of one cog, by verb."""

    buttons: Mapping[str, OnPress] = field(default_factory=dict)
    selects: Mapping[str, OnPick] = field(default_factory=dict)
    forms: Mapping[str, OnForm] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Filled:
    """A submitted form: texts and choices by custom id, uploads as Discord described them."""

    values: Mapping[str, str]
    uploads: tuple[Mapping[str, Any], ...] = ()


class Press(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"b\|(?P<verb>[a-z_]+)(?P<rest>(\|[^|]*)*)"):
    """A button. `Press("save", item_id, label=…)`."""

    def __init__(
        self, verb: str, *arguments: object, label: str, style: Style = Style.secondary, disabled: bool = False
    ) -> None:
        id_ = _custom_id("b", verb, arguments)
        super().__init__(discord.ui.Button(custom_id=id_, label=label[:80], style=style, disabled=disabled))

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: Any, match: re.Match[str], /) -> Press:
        pressed = cls.__new__(cls)
        discord.ui.DynamicItem.__init__(pressed, item)
        return pressed

    async def callback(self, interaction: Interaction) -> None:
        verb, *arguments = self.custom_id.split("|")[1:]
        await interaction.client.answer(interaction, "buttons", verb, arguments)


class Pick(discord.ui.DynamicItem[discord.ui.Select[Any]], template=r"s\|(?P<verb>[a-z_]+)(?P<rest>(\|[^|]*)*)"):
    """A select over texts. Options are (label, value, description)."""

    def __init__(
        self,
        verb: str,
        *arguments: object,
        placeholder: str,
        options: Sequence[tuple[str, str, str]],
        chosen: str = "",
    ) -> None:
        made = [
            discord.SelectOption(
                label=label[:100], value=value, description=about[:100] or None, default=value == chosen
            )
            for label, value, about in options[:25]
        ]
        id_ = _custom_id("s", verb, arguments)
        super().__init__(discord.ui.Select(custom_id=id_, placeholder=placeholder[:150], options=made))

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: Any, match: re.Match[str], /) -> Pick:
        picked = cls.__new__(cls)
        discord.ui.DynamicItem.__init__(picked, item)
        return picked

    async def callback(self, interaction: Interaction) -> None:
        verb, *arguments = self.custom_id.split("|")[1:]
        values = list(_data(interaction).get("values", ()))
        await interaction.client.answer(interaction, "selects", verb, arguments, values)


def form(verb: str, *arguments: object, title: str) -> discord.ui.Modal:
    """Return an empty form; `filled` reads its submission, also that of a form opened before a restart."""
    return discord.ui.Modal(title=title[:45], custom_id=_custom_id("f", verb, arguments), timeout=900)


def custom_id_of(interaction: Interaction) -> str:
    return str(_data(interaction).get("custom_id", ""))


def filled(interaction: Interaction) -> Filled:
    data = _data(interaction)
    values: dict[str, str] = {}
    uploads: list[Mapping[str, Any]] = []
    attachments = data.get("resolved", {}).get("attachments", {})
    for part in data.get("components", ()):
        said = part.get("component") or {}
        if "value" in said:
            values[said["custom_id"]] = said["value"]
        elif said.get("type") == discord.ComponentType.file_upload.value:
            uploads += [attachments[id_] for id_ in said.get("values", ()) if id_ in attachments]
        elif said.get("values"):
            values[said["custom_id"]] = said["values"][0]
    return Filled(values, tuple(uploads))


def _data(interaction: Interaction) -> Mapping[str, Any]:
    """Return the data of the interaction, a typed dict of many shapes."""
    return cast(Mapping[str, Any], interaction.data or {})


def _custom_id(kind: str, verb: str, arguments: Sequence[object]) -> str:
    return "|".join((kind, verb, *map(str, arguments)))


def row(*items: Any) -> discord.ui.ActionRow[Any]:
    return discord.ui.ActionRow(*items)
