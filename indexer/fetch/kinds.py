"""The kind of a page, by its address and its content type."""

from __future__ import annotations

from pathlib import PurePosixPath
from urllib.parse import urlsplit

from indexer.extract import KINDS

_BY_TYPE = {type_: kind for kind, signs in KINDS.items() for type_ in signs.types}
_BY_SUFFIX = {suffix: kind for kind, signs in KINDS.items() for suffix in signs.suffixes}
_BY_HOST = {host: kind for kind, signs in KINDS.items() for host in signs.hosts}


def kind_by_suffix(path: str) -> str:
    return _BY_SUFFIX.get(PurePosixPath(path).suffix.lower(), "")


def kind_by_name(url: str) -> str:
    """Return the kind by the address alone; empty where the address does not tell."""
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.").removeprefix("m.")
    of_host = next((kind for name, kind in _BY_HOST.items() if host == name or host.endswith(f".{name}")), "")
    return of_host if of_host and parts.path.strip("/") else kind_by_suffix(parts.path)


def kind_of(url: str, content_type: str, body: bytes) -> str:
    """Return the kind by what the server says, the address, and how the body begins; empty if it holds no text."""
    if body.startswith(b"%PDF-"):
        return "pdf"
    named = kind_by_name(url)
    if named in _BY_HOST.values() and content_type.endswith("html"):
        return named
    if content_type in _BY_TYPE:
        return _BY_TYPE[content_type]
    if content_type in {"text/plain", "application/octet-stream", "application/json", ""} and named:
        return named
    start = body[:512].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "html"
    if content_type in {"text/xml", "application/xml"} or start.startswith(b"<?xml"):
        return "feed" if b"<rss" in body[:2048] or b"<feed" in body[:2048] else ""
    return "text" if content_type.startswith("text/") else ""
