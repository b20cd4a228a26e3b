"""Uploads: their size before anything is fetched, then their bytes; names and types are only claims."""

from __future__ import annotations

import asyncio
import codecs
from collections.abc import Awaitable, Callable

from bot.retry import with_retries
from knowledge.errors import BadInput

MOST_BYTES = 256 * 1024
WITHIN_S = 20.0
WAITS_S = (0.1, 0.4, 1.6)
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def check_size(size: int) -> None:
    if size > MOST_BYTES:
        raise BadInput("error.file.too_large", size=-(-size // 1024), most=MOST_BYTES // 1024)
    if size == 0:
        raise BadInput("error.file.empty")


async def fetched(read: Callable[[], Awaitable[bytes]]) -> bytes:
    """Return the bytes from Discord's file store; a failure that may pass is tried again."""
    async with asyncio.timeout(WITHIN_S):
        return await with_retries(read, WAITS_S, "an upload")


def decoded(body: bytes) -> str:
    """Return the text of a source file; raises BadInput for anything else."""
    check_size(len(body))
    encoding = next((name for mark, name in _MARKS if body.startswith(mark)), "utf-8")
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError:
        text = ""
    if not text or "\0" in text:
        raise BadInput("error.file.not_text")
    return text.replace("\r\n", "\n")
