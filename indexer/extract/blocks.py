"""Blocks of Markdown's dialects, made plain before it is parsed: admonitions, tabs, `:::` and `[!NOTE]`.

    !!! note "Title"            === "Linux"            ::: warning Title            > [!NOTE]
        indented text               indented text      text                         > text
                                                       :::

What they frame is text like any other, and a title of its own words becomes a paragraph.
"""

from __future__ import annotations

import re

_OPENER = re.compile(
    r"^(?P<indent>[ ]*)(?:(?:!!!|\?\?\?\+?)[ \t]+[\w -]+?|===[+!]?)(?:[ \t]+\"(?P<title>[^\"]*)\")?[ \t]*$"
)
_FENCE = re.compile(r"^[ ]*(?:>[ ]*)*(?P<mark>`{3,}|~{3,})")
_COLONS = re.compile(r"^[ ]*:{3,}[ \t]*(?:\{?(?P<kind>[\w-]+)\}?)?(?P<title>[^\n`]*)$")
_ALERT = re.compile(r"^(?P<quote>[ ]*(?:>[ ]*)+)\[!\w+\][+-]?[ \t]*")
_SPAN = 4


def flattened(text: str) -> str:
    """Return the text with the content of such blocks at their own level; code is left as it is."""
    lines: list[str] = []
    framed: list[int] = []
    """The indentation of the open blocks around the current line."""
    fence = ""
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        while framed and line.strip() and indent < framed[-1] + _SPAN:
            framed.pop()
        shifted = line[_SPAN * len(framed) :] if line.strip() else line
        mark = _FENCE.match(shifted)
        if mark and (not fence or mark["mark"].startswith(fence)):
            fence = "" if fence else mark["mark"]
            lines.append(shifted)
        elif fence:
            lines.append(shifted)
        elif (opener := _OPENER.match(line)) and _opens(opener):
            framed.append(indent)
            lines += ["", *_titled(" " * (indent - _SPAN * (len(framed) - 1)), opener["title"])]
        else:
            lines += _plain(shifted)
    return "\n".join(lines)


def _opens(opener: re.Match[str]) -> bool:
    """Tell whether the line opens a block: a line of `===` without a title underlines a heading."""
    return opener["title"] is not None or "===" not in opener[0]


def _titled(indent: str, title: str | None) -> list[str]:
    return [indent + title, ""] if title else []


def _plain(line: str) -> list[str]:
    if colons := _COLONS.match(line):
        return ["", *_titled("", colons["title"].strip().strip("[]"))]
    return [_ALERT.sub(lambda alert: alert["quote"], line)]
