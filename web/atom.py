"""Atom feeds (RFC 4287) of texts that others wrote: every one is escaped, and without what XML cannot hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.etree.ElementTree import Element, SubElement, tostring

NAMESPACE = "http://www.w3.org/2005/Atom"
CONTENT_TYPE = "application/atom+xml"
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BEFORE_ALL = datetime(2026, 1, 1, tzinfo=UTC)
"""When a feed was changed that has no entry yet."""


@dataclass(frozen=True, slots=True)
class Entry:
    address: str
    """Of our own page: what the entry is known by as well."""
    title: str
    updated: datetime
    lang: str
    summary: str = ""


def feed(title: str, address: str, lang: str, entries: Sequence[Entry]) -> bytes:
    """Return the feed; its address is that without a token, so that an entry is the same one whoever reads it."""
    root = Element("feed", {"xmlns": NAMESPACE, "xml:lang": lang})
    _text(root, "title", title)
    _text(root, "id", address)
    SubElement(root, "link", {"rel": "self", "href": address})
    _text(root, "updated", max((one.updated for one in entries), default=_BEFORE_ALL).isoformat())
    _text(SubElement(root, "author"), "name", "warpmate")
    for one in entries:
        entry = SubElement(root, "entry", {"xml:lang": one.lang})
        _text(entry, "title", one.title)
        _text(entry, "id", one.address)
        SubElement(entry, "link", {"href": one.address})
        _text(entry, "updated", one.updated.isoformat())
        if one.summary:
            _text(entry, "summary", one.summary)
    made: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return made


def _text(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = _NOT_IN_XML.sub("", text)
