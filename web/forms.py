"""Fields of forms and queries, checked: one sentence says what is wrong with a field."""

from __future__ import annotations

from aiohttp import web

from knowledge.errors import BadInput


async def text_field(request: web.Request, name: str, *, needed: bool = True) -> str:
    """A text field of the posted form; empty where it is missing and may be."""
    value = (await request.post()).get(name)
    if value is None and not needed:
        return ""
    if not isinstance(value, str):
        raise BadInput(f"The form lacks {name!r}.", f"表单缺少 {name!r}。")
    return value


def number(request: web.Request, name: str, default: int, least: int = 1, most: int = 1 << 20) -> int:
    """A whole number of the query."""
    given = request.query.get(name, "").strip()
    if not given:
        return default
    if not given.isascii() or not given.isdigit() or not least <= int(given[:12]) <= most:
        raise BadInput(
            f"{name} must be a whole number from {least} to {most}.", f"{name} 必须是 {least} 到 {most} 之间的整数。"
        )
    return int(given)


def chosen(request: web.Request, name: str, options: tuple[str, ...]) -> str:
    """One of the options, or nothing."""
    given = request.query.get(name, "")
    if given and given not in options:
        offered = ", ".join(options[:12])
        raise BadInput(f"{name} can be {offered}.", f"{name} 可以是 {offered}。")
    return given
