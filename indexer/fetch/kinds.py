"""What kind of page an address and a content type make."""

from __future__ import annotations

from pathlib import PurePosixPath
from urllib.parse import urlsplit

_BY_TYPE = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
    "text/x-rst": "rst",
    "application/pdf": "pdf",
    "application/x-ipynb+json": "notebook",
    "application/rss+xml": "feed",
    "application/atom+xml": "feed",
    "application/feed+json": "feed",
}
_BY_SUFFIX = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".rst": "rst",
    ".pdf": "pdf",
    ".ipynb": "notebook",
    ".cu": "code",
    ".cuh": "code",
    ".c": "code",
    ".h": "code",
    ".cpp": "code",
    ".hpp": "code",
    ".py": "code",
    ".txt": "text",
    ".rss": "feed",
    ".atom": "feed",
}
_VIDEO_HOSTS = ("youtube.com", "youtu.be", "bilibili.com", "vimeo.com")


def kind_by_suffix(path: str) -> str:
    return _BY_SUFFIX.get(PurePosixPath(path).suffix.lower(), "")


def kind_by_name(url: str) -> str:
    """By the address alone; empty where it does not tell."""
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.").removeprefix("m.")
    if host.endswith(_VIDEO_HOSTS) and parts.path.strip("/"):
        return "video"
    return kind_by_suffix(parts.path)


def kind_of(url: str, content_type: str, body: bytes) -> str:
    """By what the server says, then by the address, then by how the body begins; empty for what holds no text."""
    if body.startswith(b"%PDF-"):
        return "pdf"
    named = kind_by_name(url)
    if named == "video" and content_type.endswith("html"):
        return "video"
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
