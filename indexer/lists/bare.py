"""Bare text: addresses, a line or several, with a remark behind them."""

from __future__ import annotations

from collections.abc import Iterator

from indexer.lists.blocks import Block, with_bare_links


def bare_blocks(text: str) -> Iterator[Block]:
    """Yield each line with words as a paragraph."""
    for n, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield Block("paragraph", n, tuple(with_bare_links(line.strip())), source=(line,))
