"""Uploads: their size before anything is fetched, then their bytes; names and types are only claims."""

from __future__ import annotations

import codecs
from collections.abc import Awaitable, Callable

import discord
import stamina

from knowledge.errors import BadInput

MOST_BYTES = 256 * 1024
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def check_size(size: int) -> None:
    if size > MOST_BYTES:
        raise BadInput(
            f"The file has {-(-size // 1024)} KiB; at most {MOST_BYTES // 1024} KiB can be checked.",
            f"文件有 {-(-size // 1024)} KiB，最多可以检查 {MOST_BYTES // 1024} KiB。",
        )
    if size == 0:
        raise BadInput("The file is empty.", "文件是空的。")


async def fetched(read: Callable[[], Awaitable[bytes]]) -> bytes:
    """The bytes from Discord's file store, which is tried again where it is busy or broken for a moment."""
    async for attempt in stamina.retry_context(on=_is_momentary, attempts=4, timeout=20.0, wait_initial=0.1):
        with attempt:
            return await read()
    raise AssertionError("the last attempt returns or raises")


def _is_momentary(error: Exception) -> bool:
    return isinstance(error, discord.HTTPException) and (error.status == 429 or error.status >= 500)


def decoded(body: bytes) -> str:
    """The text of a source file; BadInput for anything that is none."""
    check_size(len(body))
    encoding = next((name for mark, name in _MARKS if body.startswith(mark)), "utf-8")
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError:
        text = ""
    if not text or "\0" in text:
        raise BadInput(
            "This is not a text file in UTF-8; attach the CUDA source itself.",
            "这不是 UTF-8 文本文件，请直接附上 CUDA 源代码。",
        )
    return text.replace("\r\n", "\n")
