"""Turn bytes into a `Page`: one file a kind of source, chosen here. Extractors are imported when they are needed."""

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
"""Raised when extraction changes what it yields: pages are then extracted again though their bytes are the same."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What tells that a page is of a kind: the server's content type, the end of its address, its host."""

    types: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()


KINDS: Mapping[str, Signs] = MappingProxyType(
    {
        "arxiv": Signs(),  # asked for by the recipe of its addresses (indexer/fetch/recipes.py)
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
"""Each is the name of the module that reads it. A new kind is that module and its line here, nothing else."""


class Unreadable(OperatorError):
    """A page that an extractor could make nothing of."""


class Extractor(Protocol):
    def __call__(self, source: bytes, *, charset: str = "", title: str = "") -> Page: ...


def extract(source: bytes, kind: str, *, charset: str = "", title: str = "") -> Page:
    """The page in these bytes. `title` is used where it is given, else what the page calls itself."""
    if kind not in KINDS:
        raise BadInput("error.page.kind_unknown", name=kind, known=tuple(KINDS))
    extractor: Extractor = import_module(f"indexer.extract.{kind}").extract
    try:
        return extractor(source, charset=charset, title=title)
    except OperatorError:
        raise
    except Exception as error:
        raise Unreadable(f"it cannot be read as {kind} ({type(error).__name__})") from error
