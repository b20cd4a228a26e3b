"""From bytes to a `Page`: one file a kind of source, chosen here. Extractors are imported when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Protocol

from indexer.extract.page import Block, BlockKind, Page
from knowledge.errors import BadInput, SafeError

__all__ = ["KINDS", "VERSION", "Block", "BlockKind", "Page", "Unreadable", "extract"]

VERSION = 1
"""Raised when extraction changes what it yields: pages are then extracted again though their bytes are the same."""

KINDS = ("arxiv", "code", "feed", "html", "markdown", "notebook", "pdf", "rst", "text", "video")
"""Each is the name of the module that reads it."""


class Unreadable(SafeError):
    """A page that an extractor could make nothing of."""


class Extractor(Protocol):
    def __call__(self, source: bytes, *, charset: str = "", title: str = "") -> Page: ...


def extract(source: bytes, kind: str, *, charset: str = "", title: str = "") -> Page:
    """The page in these bytes. `title` is used where it is given, else what the page calls itself."""
    if kind not in KINDS:
        raise BadInput(f"pages of kind {kind!r} cannot be read; known kinds: {', '.join(KINDS)}")
    extractor: Extractor = import_module(f"indexer.extract.{kind}").extract
    try:
        return extractor(source, charset=charset, title=title)
    except SafeError:
        raise
    except Exception as error:
        raise Unreadable(f"it cannot be read as {kind} ({type(error).__name__})") from error
