"""Entries as `warpmate resource export` writes them: read back word for word, without guessing."""

from __future__ import annotations

import re

from indexer.lists.blocks import Block

_ENTRY = re.compile(r"^ – ?(?P<says>.*?) ?\(level: (?P<level>beginner|intermediate|advanced|none)\)$", re.DOTALL)


def exported(block: Block) -> tuple[str, str | None] | None:
    """Return description and level of an entry that this program exported; None for any other."""
    if block.kind != "item" or not block.spans or not block.spans[0].url:
        return None
    match = _ENTRY.match("".join(span.text for span in block.spans[1:]))
    if match is None:
        return None
    return match["says"], None if match["level"] == "none" else match["level"]
