"""What a person sees: a reply that may still change, its buttons, a form to fill in, choices while typing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.discord import limits
from tests.discord.check_messages import BUTTON, GALLERY, INPUT, LABEL, UPLOAD, text_of, walk
from tests.discord.world import Channel, Interaction, World, is_loading


@dataclass(frozen=True, slots=True)
class Shown:
    """A message as it is now; looking again later shows what it has become."""

    world: World
    message: dict[str, Any]
    channel: Channel
    interaction: Interaction | None = None

    @property
    def text(self) -> str:
        return text_of(self.message)

    @property
    def private(self) -> bool:
        return bool(self.message["flags"] & limits.EPHEMERAL_FLAG)

    @property
    def buttons(self) -> dict[str, dict[str, Any]]:
        """By label; the first of several alike."""
        found: dict[str, dict[str, Any]] = {}
        for part in walk(self.message["components"]):
            if part["type"] == BUTTON:
                found.setdefault(part.get("label") or part["emoji"]["name"], part)
        return found

    @property
    def selects(self) -> list[dict[str, Any]]:
        return [part for part in walk(self.message["components"]) if part["type"] in {3, 5, 6, 7, 8}]

    @property
    def files(self) -> dict[str, bytes]:
        stored = self.world.files
        return {
            one["filename"]: next(b for p, b in stored.items() if p.endswith(f"{one['id']}/{one['filename']}"))
            for one in self.message["attachments"]
        }

    @property
    def pictures(self) -> list[str]:
        """What each shows, in words."""
        galleries = [part for part in walk(self.message["components"]) if part["type"] == GALLERY]
        return [item.get("description") or "" for part in galleries for item in part["items"]]

    @property
    def gone(self) -> bool:
        return not self.private and int(self.message["id"]) not in self.channel.messages

    async def until(self, holds: Callable[[str], bool], timeout_s: float = 8.0) -> Shown:
        """Wait until the text is as wanted."""
        try:
            await self.world.until(lambda: holds(self.text), timeout_s)
        except AssertionError:
            raise AssertionError(f"the message never became as wanted; it reads:\n{self.text}") from None
        return self


@dataclass(frozen=True, slots=True)
class Form:
    """A modal on somebody's screen."""

    modal: dict[str, Any]

    @property
    def title(self) -> str:
        return str(self.modal["title"])

    @property
    def fields(self) -> dict[str, dict[str, Any]]:
        """By the label that stands above."""
        found = {}
        for part in self.modal["components"]:
            if part["type"] == LABEL:
                found[part["label"]] = part["component"]
        return found

    def filled(self, values: dict[str, Any], resolved: dict[str, Any]) -> list[dict[str, Any]]:
        """The components as a client sends them back. Values by label."""
        unknown = values.keys() - self.fields.keys()
        assert not unknown, f"no field {unknown}; there are {list(self.fields)}"
        return [
            {"type": LABEL, "id": n, "component": _answer(part["component"], values.get(part["label"]), n)}
            for n, part in enumerate(self.modal["components"], start=1)
            if part["type"] == LABEL
        ]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One interaction from the side of whoever started it."""

    world: World
    interaction: Interaction

    async def reply(self, timeout_s: float = 8.0) -> Shown:
        """The first reply that is more than thinking."""
        original = await self.world.until(self._answered, timeout_s, f"a reply to {self.name}")
        return Shown(self.world, original, self.interaction.channel, self.interaction)

    async def acknowledged(self, timeout_s: float = 8.0) -> Interaction:
        await self.world.until(
            lambda: self.interaction.response_kind, timeout_s, f"an acknowledgement of {self.name}"
        )
        return self.interaction

    async def form(self) -> Form:
        return Form(await self.world.until(lambda: self.interaction.modal, what=f"a form after {self.name}"))

    async def choices(self) -> list[tuple[str, Any]]:
        await self.world.until(lambda: self.interaction.choices is not None, what=f"choices for {self.name}")
        return [(choice["name"], choice["value"]) for choice in self.interaction.choices or ()]

    async def followup(self, n: int = 0) -> Shown:
        message = await self.world.until(
            lambda: self.interaction.followups[n] if len(self.interaction.followups) > n else None, what="a followup"
        )
        return Shown(self.world, message, self.interaction.channel, self.interaction)

    @property
    def name(self) -> str:
        data = self.interaction.payload["data"]
        return str(data.get("name") or data.get("custom_id"))

    def _answered(self) -> dict[str, Any] | None:
        original = self.interaction.original
        return original if original is not None and not is_loading(original) else None


def _answer(field: dict[str, Any], value: Any, id_: int) -> dict[str, Any]:
    said: dict[str, Any] = {"type": field["type"], "custom_id": field["custom_id"], "id": 100 + id_}
    if field["type"] == INPUT:
        text = value if value is not None else field.get("value") or ""
        assert text or not field.get("required", True), "a required field is empty"
        least, most = field.get("min_length") or 0, field.get("max_length") or limits.INPUT_TEXT
        assert least <= len(text) <= most or not text, f"{len(text)} characters in {field['custom_id']}"
        return said | {"value": text}
    values = value if value is not None else [o["value"] for o in field.get("options") or () if o.get("default")]
    values = values if isinstance(values, list) else [values]
    least = (field.get("min_values") or 1) if field.get("required", True) else 0
    assert least <= len(values) <= (field.get("max_values") or 1), f"{len(values)} values in {field['custom_id']}"
    if field["type"] != UPLOAD and field.get("options"):
        assert set(values) <= {option["value"] for option in field["options"]}, f"{values} cannot be chosen"
    return said | {"values": values}
