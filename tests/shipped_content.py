"""The content that comes along, read once in a test process: it is frozen, so every test may have the same."""

from __future__ import annotations

import functools

from knowledge.content import Content, load_content
from tests.folders import CONTENT


@functools.cache
def shipped_content() -> Content:
    return load_content(CONTENT)
