"""Text from pages and members on its way into a message: it may not ping, break out of its fence, or be too long."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime

_MARKUP = re.compile(r"([\\`*_~|\[\]()<>#])")
_LINE_MARKUP = re.compile(r"^(\s*)([-+]|\d+\.)(?=\s)", re.MULTILINE)
_BREAKS_A_FENCE = re.compile(r"```")
_UNSAFE_IN_A_LINK = {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", '"': "%22", "\\": "%5C", "`": "%60"}
_JOINERS = {"\u200c", "\u200d"}


def clean(text: str) -> str:
    """Return the text without control characters and without marks that turn the direction of what follows."""
    return "".join(
        char
        for char in text.replace("\r\n", "\n").replace("\t", "    ")
        if char == "\n" or char in _JOINERS or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co"}
    )


def plain(text: str) -> str:
    """Return foreign text with all markup and mentions made harmless."""
    escaped = _MARKUP.sub(r"\\\1", clean(text))
    return _LINE_MARKUP.sub(r"\1\\\2", escaped).replace("@", "@\u200b")


def one_line(text: str, most: int = 200) -> str:
    """Return foreign text made harmless, on one line and no longer than given."""
    return plain(cut(" ".join(clean(text).split()), most))


def quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in plain(text).splitlines() if line.strip())


def fence(code: str, language: str = "", most: int = 1500) -> str:
    """Return code in a fence that its content cannot close; too much of it is cut at a line's end."""
    safe = _BREAKS_A_FENCE.sub("`\u200b`\u200b`", clean(code)).strip("\n")
    if len(safe) > most:
        safe = safe[: most - 2].rsplit("\n", 1)[0] + "\n…"
    return f"```{language}\n{safe}\n```"


def link(title: str, url: str | None, most: int = 120) -> str:
    """Return a masked link whose title and address cannot end it early; without an address, the title alone."""
    name = one_line(title, most)
    if not url or not url.startswith(("http://", "https://")):
        return f"**{name}**"
    safe = "".join(_UNSAFE_IN_A_LINK.get(char, char) for char in clean(url) if not char.isspace() or char == " ")
    return f"[{name}](<{safe}>)" if len(safe) <= 600 else f"**{name}**"


def cut(text: str, most: int) -> str:
    """Return at most so many characters; what was cut is marked, and an open fence is closed."""
    if len(text) <= most:
        return text
    kept = text[: most - 6].rstrip("\\")
    closing = "\n```" if kept.count("```") % 2 else ""
    return f"{kept}…{closing}"


def when(moment: datetime | float, style: str = "R") -> str:
    """Return a time that each reader's client shows in its own format and keeps up to date."""
    seconds = moment.timestamp() if isinstance(moment, datetime) else moment
    return f"<t:{int(seconds)}:{style}>"
