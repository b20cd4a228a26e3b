"""Markup inside texts of several kinds: roles, references to figures, licences, and what only looks like a tag."""

from __future__ import annotations

import re
from collections.abc import Collection

from lxml.html import defs

_POINTERS = {"fig": "figure", "tab": "table", "tbl": "table", "eq": "equation", "lst": "listing", "alg": "algorithm"}
_SILENT_ROLES = frozenset(
    ("label", "eqlabel", "cite", "citet", "citep", "footcite", "width", "height", "begin_tab", "end_tab", "index")
)
_POINTING_ROLES = frozenset(("numref", "eqref"))
_TAGS = frozenset(tag for tag in defs.tags if isinstance(tag, str))
_NEWER_TAGS = re.compile(
    r"main|picture|source|template|details|summary|dialog|data|time|track|wbr|slot|svg|math|search|hgroup|output|meter|"
    r"progress|bdi|video|audio|canvas|article|aside|figure|figcaption|footer|header|nav|section|mark|ruby|rt|rp"
)
_OPENED = re.compile(r"<(?P<name>[A-Za-z_]\w*)\b(?P<rest>[^<>\n]*)>")
_LESS = re.compile(r"<(?![A-Za-z/!?_])")
_LICENCE = re.compile(
    r"(?:copyright\s*(?:©|\(c\)|\d{4}|by\b)|©\s*\d{4}|\(c\)\s*(?:copyright|\d{4})|spdx-|all rights reserved|"
    r"(?:this file is )?licen[sc]ed (?:under|to)|redistribution and use in source|permission is hereby granted|"
    r"you may (?:not use this file|obtain a copy)|unless required by applicable law)",
    re.IGNORECASE,
)
_COMMENT = re.compile(
    r"\A\s*(?:/\*.*?\*/|(?:[ \t]*(?://|#(?!\s*(?:include|define|pragma|if|!)))[^\n]*(?:\n|\Z))+)", re.DOTALL
)


def role_text(name: str, text: str) -> str:
    """Return what a reader of the rendered page sees of a role, such as `:sup:` or `:numref:`."""
    role = name.rpartition(":")[2]
    if role in _SILENT_ROLES:
        return ""
    if role in _POINTING_ROLES:
        return _POINTERS.get(re.split(r"[-_:]", text)[0], "equation" if role == "eqref" else text)
    if role == "sup":
        return raised(text)
    if role == "math":
        return f"${text}$"
    return text.removeprefix("~").removeprefix("!")


def raised(text: str) -> str:
    """Return an exponent that stays one: 10^6 must not become 106."""
    text = text.strip()
    return f"^{text}" if re.fullmatch(r"[-+\u2212]?\w+", text) else f"^({text})" if text else ""


def closed_tags(text: str) -> frozenset[str]:
    """Return the names of tags that are closed somewhere in the text: these are tags for certain."""
    return frozenset(name.lower() for name in re.findall(r"</([\w.]+)", text))


def is_tag(written: str, closed: Collection[str]) -> bool:
    """Tell whether this is markup; `<int>` of `vector<int>` is not."""
    found = _OPENED.fullmatch(written)
    if found is None or found["rest"].endswith("/") or "=" in found["rest"]:
        return True
    name = found["name"].lower()
    return name in _TAGS or name in closed or _NEWER_TAGS.fullmatch(name) is not None


def escaped(text: str) -> str:
    """Return HTML in which everything that is no tag is escaped as text."""
    closed = closed_tags(text)
    text = _OPENED.sub(lambda tag: tag[0] if is_tag(tag[0], closed) else f"&lt;{tag[0][1:-1]}&gt;", text)
    return _LESS.sub("&lt;", text)


def is_licence(text: str) -> bool:
    return _LICENCE.match(text.lstrip("#*/ \t")) is not None


def without_licence(code: str) -> str:
    """Return the code without its first comment if that is a licence."""
    comment = _COMMENT.match(code)
    return code[comment.end() :] if comment and _LICENCE.search(comment[0]) else code
