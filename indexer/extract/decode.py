"""Decode bytes by the character set that the server, the page or the bytes themselves state, in that order."""

from __future__ import annotations

import codecs
import re

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"),
         (codecs.BOM_UTF16_BE, "utf-16"))  # fmt: skip
_META = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
# What people call latin-1 or gb2312 is nearly always the wider set.
_WIDER = {"iso8859-1": "cp1252", "ascii": "utf-8", "gb2312": "gb18030", "gbk": "gb18030"}


def decode(source: bytes, charset: str = "") -> str:
    """Return the text. A stated character set that does not fit the bytes is ignored."""
    for mark, name in _BOMS:
        if source.startswith(mark):
            return _clean(source.decode(name, errors="replace"))
    meta = _META.search(source[:4096])
    for stated in (charset, "utf-8", meta[1].decode("ascii") if meta else ""):
        if (text := _strict(source, stated)) is not None:
            return _clean(text)
    return _clean(_guessed(source))


def _strict(source: bytes, stated: str) -> str | None:
    try:
        name = codecs.lookup(stated.strip().lower()).name
    except (LookupError, ValueError):
        return None
    try:
        return source.decode(_WIDER.get(name, name))
    except (UnicodeDecodeError, ValueError):
        return None


def _guessed(source: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(source).best()
    return str(best) if best is not None else source.decode("utf-8", errors="replace")


def _clean(text: str) -> str:
    return text.replace("\0", "").removeprefix("\ufeff")
