"""Whether Discord would take a message: content, embeds, components, uploads, mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tests.discord import limits
from tests.discord.refusal import Complaints, Refused

ROW, BUTTON, SELECTS, INPUT = 1, 2, (3, 5, 6, 7, 8), 4
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER, LABEL, UPLOAD = 9, 10, 11, 12, 13, 14, 17, 18, 19
V2_TOP = {ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER}
LINK_STYLE, PREMIUM_STYLE = 5, 6
_URL = re.compile(r"^(https?|discord)://[^\s]+$")


def check_message(
    payload: dict[str, Any], files: dict[str, bytes], *, v2_before: bool = False, new: bool = True
) -> None:
    """Raise `Refused` naming each field that Discord would not take."""
    bad = Complaints()
    v2 = bool(payload.get("flags", 0) & limits.V2_FLAG) or v2_before
    _check_mentions(payload.get("allowed_mentions"), bad)
    if v2:
        for field in ("content", "embeds", "poll", "sticker_ids"):
            if payload.get(field):
                bad.add(field, "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", f"{field} is disabled here.")
        _check_v2(payload.get("components"), files, bad, new)
    else:
        bad.length("content", payload.get("content"), limits.CONTENT)
        _check_embeds(payload.get("embeds") or [], files, bad)
        _check_legacy(payload.get("components") or [], bad)
    _check_files(files, bad)
    bad.refuse()
    if (
        new
        and not v2
        and not any(payload.get(key) for key in ("content", "embeds", "poll", "sticker_ids"))
        and not files
    ):
        raise Refused(400, 50006, "Cannot send an empty message")


def walk(components: Any) -> Iterator[dict[str, Any]]:
    """Every component of a message or modal, outside in."""
    for component in components or ():
        yield component
        yield from walk(component.get("components"))
        for key in ("accessory", "component"):
            if isinstance(component.get(key), dict):
                yield from walk([component[key]])


def text_of(message: dict[str, Any]) -> str:
    """Everything of a message that a reader sees as text."""
    parts = [message.get("content") or ""]
    for embed in message.get("embeds", ()):
        parts += [embed.get("title", ""), embed.get("description", ""), embed.get("footer", {}).get("text", "")]
        parts += [f"{item['name']}\n{item['value']}" for item in embed.get("fields", ())]
    parts += [part["content"] for part in walk(message.get("components")) if part["type"] == TEXT]
    return "\n".join(part for part in parts if part)


def _check_mentions(allowed: Any, bad: Complaints) -> None:
    if allowed is None:
        return
    for what in allowed.get("parse", ()):
        if what not in {"roles", "users", "everyone"}:
            bad.add("allowed_mentions.parse", "BASE_TYPE_CHOICES", f"{what!r} is no kind of mention.")
        elif allowed.get(what):
            bad.add(
                "allowed_mentions",
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f"parse and {what} exclude each other.",
            )
    for what in ("users", "roles"):
        bad.count(f"allowed_mentions.{what}", allowed.get(what), 100)


def _check_files(files: dict[str, bytes], bad: Complaints) -> None:
    if len(files) > limits.FILES:
        bad.add("attachments", "BASE_TYPE_MAX_LENGTH", f"Must be {limits.FILES} or fewer.")
    for n, body in enumerate(files.values()):
        if len(body) > limits.FILE_BYTES:
            raise Refused(413, 40005, f"Request entity too large: files[{n}]")
    if sum(map(len, files.values())) > limits.REQUEST_BYTES:
        raise Refused(413, 40005, "Request entity too large")


def _check_embeds(embeds: list[dict[str, Any]], files: dict[str, bytes], bad: Complaints) -> None:
    bad.count("embeds", embeds, limits.EMBEDS)
    total = 0
    for n, embed in enumerate(embeds):
        at = f"embeds.{n}"
        bad.length(f"{at}.title", embed.get("title"), limits.EMBED_TITLE)
        bad.length(f"{at}.description", embed.get("description"), limits.EMBED_DESCRIPTION)
        bad.length(f"{at}.footer.text", embed.get("footer", {}).get("text"), limits.EMBED_FOOTER)
        bad.length(f"{at}.author.name", embed.get("author", {}).get("name"), limits.EMBED_AUTHOR)
        bad.count(f"{at}.fields", embed.get("fields", []), limits.EMBED_FIELDS)
        for m, item in enumerate(embed.get("fields", [])):
            bad.length(f"{at}.fields.{m}.name", item.get("name"), limits.FIELD_NAME, 1)
            bad.length(f"{at}.fields.{m}.value", item.get("value"), limits.FIELD_VALUE, 1)
        _check_media(f"{at}.image.url", embed.get("image", {}).get("url"), files, bad)
        total += len(text_of({"embeds": [embed]}))
    if total > limits.EMBED_TOTAL:
        bad.add("embeds", "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {limits.EMBED_TOTAL}")


def _check_legacy(rows: list[dict[str, Any]], bad: Complaints) -> None:
    bad.count("components", rows, limits.LEGACY_ROWS)
    for n, row in enumerate(rows):
        if row["type"] != ROW:
            bad.add(f"components.{n}.type", "BASE_TYPE_CHOICES", "Only action rows without the components v2 flag.")
            continue
        _check_row(f"components.{n}", row, bad)
    _check_unique_ids(rows, bad)


def _check_v2(components: Any, files: dict[str, bytes], bad: Complaints, new: bool) -> None:
    if components is None and not new:
        return
    if not components:
        bad.add("components", "BASE_TYPE_REQUIRED", "A components v2 message needs components.")
        return
    everything = list(walk(components))
    if len(everything) > limits.V2_COMPONENTS:
        bad.add(
            "components", "BASE_TYPE_MAX_LENGTH", f"{len(everything)} components; at most {limits.V2_COMPONENTS}."
        )
    text = sum(len(part.get("content", "")) for part in everything if part["type"] == TEXT)
    if text > limits.V2_TEXT:
        bad.add(
            "components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", f"{text} characters; at most {limits.V2_TEXT}."
        )
    for n, component in enumerate(components):
        if component["type"] not in V2_TOP:
            bad.add(f"components.{n}.type", "BASE_TYPE_CHOICES", f"Type {component['type']} cannot stand at the top.")
        _check_part(f"components.{n}", component, files, bad)
    _check_unique_ids(components, bad)
    shown = {part["file"]["url"] for part in everything if part["type"] == FILE}
    shown |= {item["media"]["url"] for part in everything if part["type"] == GALLERY for item in part["items"]}
    for name in files if new else ():
        if f"attachment://{name}" not in shown:
            bad.add("attachments", "UNREFERENCED_ATTACHMENT", f"{name} is not shown by any component.")


def _check_part(at: str, part: dict[str, Any], files: dict[str, bytes], bad: Complaints) -> None:
    kind = part["type"]
    if kind == ROW:
        _check_row(at, part, bad)
    elif kind == TEXT:
        bad.length(f"{at}.content", part.get("content"), limits.V2_TEXT, 1)
    elif kind == SECTION:
        _check_section(at, part, bad)
    elif kind == GALLERY:
        bad.count(f"{at}.items", part.get("items"), limits.GALLERY_ITEMS, 1)
        for n, item in enumerate(part.get("items") or ()):
            bad.length(f"{at}.items.{n}.description", item.get("description"), limits.ALT_TEXT)
            _check_media(f"{at}.items.{n}.media.url", item["media"]["url"], files, bad)
    elif kind == FILE:
        _check_media(f"{at}.file.url", part["file"]["url"], files, bad)
    elif kind == CONTAINER:
        bad.count(f"{at}.components", part.get("components"), limits.V2_COMPONENTS, 1)
        for n, child in enumerate(part.get("components") or ()):
            if child["type"] not in V2_TOP - {CONTAINER}:
                bad.add(f"{at}.components.{n}.type", "BASE_TYPE_CHOICES", "This cannot stand in a container.")
            _check_part(f"{at}.components.{n}", child, files, bad)


def _check_section(at: str, section: dict[str, Any], bad: Complaints) -> None:
    bad.count(f"{at}.components", section.get("components"), 3, 1)
    accessory = section.get("accessory") or {}
    if accessory.get("type") not in {BUTTON, THUMBNAIL}:
        bad.add(f"{at}.accessory", "BASE_TYPE_REQUIRED", "A section needs a button or a thumbnail.")
    elif accessory["type"] == BUTTON:
        _check_button(f"{at}.accessory", accessory, bad)
    for n, text in enumerate(section.get("components") or ()):
        bad.length(f"{at}.components.{n}.content", text.get("content"), limits.V2_TEXT, 1)


def _check_media(at: str, url: Any, files: dict[str, bytes], bad: Complaints) -> None:
    if url is None:
        return
    if url.startswith("attachment://"):
        if url.removeprefix("attachment://") not in files:
            bad.add(at, "ATTACHMENT_NOT_FOUND", f"There is no upload for {url}.")
    elif not _URL.match(url):
        bad.add(at, "URL_TYPE_INVALID_URL", "Not a well formed URL.")


def _check_row(at: str, row: dict[str, Any], bad: Complaints) -> None:
    children = row.get("components")
    bad.count(f"{at}.components", children, limits.ROW_BUTTONS, 1)
    for n, child in enumerate(children or ()):
        here = f"{at}.components.{n}"
        if child["type"] == BUTTON:
            _check_button(here, child, bad)
        elif child["type"] in SELECTS:
            if len(children or ()) > 1:
                bad.add(f"{at}.components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A select fills its row.")
            check_select(here, child, bad)
        else:
            bad.add(f"{here}.type", "BASE_TYPE_CHOICES", f"Type {child['type']} cannot stand in a row.")


def _check_button(at: str, button: dict[str, Any], bad: Complaints) -> None:
    bad.length(f"{at}.label", button.get("label"), limits.BUTTON_LABEL)
    if not button.get("label") and not button.get("emoji") and button.get("style") != PREMIUM_STYLE:
        bad.add(at, "BUTTON_COMPONENT_INVALID", "A button needs a label or an emoji.")
    if button.get("style") == LINK_STYLE:
        bad.length(f"{at}.url", button.get("url"), limits.BUTTON_URL, 1)
        if not _URL.match(button.get("url") or ""):
            bad.add(f"{at}.url", "URL_TYPE_INVALID_URL", "Not a well formed URL.")
        if "custom_id" in button:
            bad.add(f"{at}.custom_id", "BUTTON_COMPONENT_CUSTOM_ID_AND_URL", "A link has no custom id.")
    else:
        bad.length(f"{at}.custom_id", button.get("custom_id"), limits.CUSTOM_ID, 1)


def check_select(at: str, select: dict[str, Any], bad: Complaints) -> None:
    bad.length(f"{at}.custom_id", select.get("custom_id"), limits.CUSTOM_ID, 1)
    bad.length(f"{at}.placeholder", select.get("placeholder"), limits.PLACEHOLDER)
    if select["type"] != 3:
        return
    options = select.get("options")
    bad.count(f"{at}.options", options, limits.SELECT_OPTIONS, 1)
    values = [option.get("value") for option in options or ()]
    if len(set(values)) < len(values):
        bad.add(f"{at}.options", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "Values must be unique.")
    for n, option in enumerate(options or ()):
        bad.length(f"{at}.options.{n}.label", option.get("label"), limits.SELECT_TEXT, 1)
        bad.length(f"{at}.options.{n}.value", option.get("value"), limits.SELECT_TEXT, 1)
        bad.length(f"{at}.options.{n}.description", option.get("description"), limits.SELECT_TEXT)


def _check_unique_ids(components: Any, bad: Complaints) -> None:
    ids = [part["custom_id"] for part in walk(components) if part.get("custom_id")]
    for twice in sorted({one for one in ids if ids.count(one) > 1}):
        bad.add("components", "COMPONENT_CUSTOM_ID_DUPLICATED", f"The custom id {twice!r} stands twice.")
