"""Turn bytes into a `Page`: one file per kind of source. Extractors are imported when they are needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Protocol

from indexer.extract.page import Block, BlockKind, Page
from knowledge.errors import BadInput, OperatorError

__all__ = ["KINDS", "VERSION", "Block", "BlockKind", "Page", "Unreadable", "extract"]

VERSION = 2
"""The version of extraction. Raise it when the result changes, so that pages with the same bytes are read again."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The marks by which a kind is recognised: the server's content type, the end of the address, the host."""

    types: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()


KINDS: Mapping[str, Signs] = MappingProxyType(
    {
        "arxiv": Signs(),  # asked for by the recipe of its addresses (indexer/fetch/stand_in_addresses.py)
        "code": Signs(suffixes=(".cu", ".cuh", ".c", ".h", ".cpp", ".hpp", ".py")),
        "feed": Signs(("application/rss+xml", "application/atom+xml", "application/feed+json"), (".rss", ".atom")),
        "html": Signs(("text/html", "application/xhtml+xml"), (".html", ".htm")),
        "markdown": Signs(("text/markdown",), (".md", ".markdown")),
        "notebook": Signs(("application/x-ipynb+json",), (".ipynb",)),
        "pdf": Signs(("application/pdf",), (".pdf",)),
        "rst": Signs(("text/x-rst",), (".rst",)),
        "text": Signs(suffixes=(".txt",)),
        "video": Signs(hosts=("youtube.com", "youtu.be", "bilibili.com", "vimeo.com")),
    }
)
"""The kinds of pages; each is the name of the module that reads it. A new kind is a module and its line here."""


class Unreadable(OperatorError):
    """Raised for a page that an extractor cannot read."""


class Extractor(Protocol):
    def __call__(self, source: bytes, *, charset: str = "", title: str = "") -> Page: ...


def extract(source: bytes, kind: str, *, charset: str = "", title: str = "") -> Page:
    """Return the page in these bytes. `title` is used where it is given, else the page's own title."""
    if kind not in KINDS:
        raise BadInput("error.page.kind_unknown", name=kind, known=tuple(KINDS))
    extractor: Extractor = import_module(f"indexer.extract.{kind}").extract
    try:
        return extractor(source, charset=charset, title=title)
    except OperatorError:
        raise
    except Exception as error:
        raise Unreadable(f"it cannot be read as {kind} ({type(error).__name__})") from error
