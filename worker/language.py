"""Tell a Triton file from CUDA by its text alone; nothing of it is run or parsed."""

from __future__ import annotations

import re

_C_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_TRITON = re.compile(r"^(?:import[ \t]+triton\b|from[ \t]+triton\b|@triton\.)", re.MULTILINE)


def ending(source: str) -> str:
    """Of a file that holds this source."""
    return ".py" if is_triton(source) else ".cu"


def is_triton(source: str) -> bool:
    """Whether a line begins with an import of triton or one of its decorators, which no line of CUDA does."""
    return _TRITON.search(_C_COMMENT.sub("", source)) is not None
