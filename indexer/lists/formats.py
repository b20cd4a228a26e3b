"""Which of the four list formats a file is in, judged by what it holds: the name alone may lie."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from indexer.lists.bare import bare_blocks
from indexer.lists.blocks import Block
from indexer.lists.bookmarks import bookmark_blocks
from indexer.lists.markdown import markdown_blocks
from indexer.lists.rst import rst_blocks

READERS: Mapping[str, Callable[[str], Iterator[Block]]] = MappingProxyType(
    {"markdown": markdown_blocks, "rst": rst_blocks, "bookmarks": bookmark_blocks, "bare": bare_blocks}
)

_SUFFIXES = {".md": "markdown", ".markdown": "markdown", ".rst": "rst"}
_BOOKMARKS = re.compile(r"<!DOCTYPE\s+NETSCAPE-Bookmark|<DL\b.*?<A\s[^>]*HREF", re.IGNORECASE | re.DOTALL)
_RST_LINK = re.compile(r"`[^`\n]+<https?://[^`\s]+>`__?")
_RST_DIRECTIVE = re.compile(r"^\.\. (?:[a-z-]+::|_[^:]+:)", re.MULTILINE)
_MARKDOWN = re.compile(r"\]\(\s*<?(?:https?:|#|\.|/)|^#{1,6}\s|^(?:```|~~~)|^\s*[*+-]\s+\*\*", re.MULTILINE)


def list_format(text: str, suffix: str = "") -> str:
    """Return the format: `markdown`, `rst`, `bookmarks` or `bare`."""
    if _BOOKMARKS.search(text[:20_000]):
        return "bookmarks"
    if suffix.lower() in _SUFFIXES:
        return _SUFFIXES[suffix.lower()]
    rst = len(_RST_LINK.findall(text)) + len(_RST_DIRECTIVE.findall(text))
    markdown = len(_MARKDOWN.findall(text))
    if not rst and not markdown:
        return "bare"
    return "rst" if rst > markdown else "markdown"
