"""Content encodings, undone with a limit: a few kilobytes may unpack to gigabytes."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable


class BadBody(Exception):
    """Says in one clause what is wrong with the body."""


def unpack(body: bytes, encoding: str, limit: int) -> bytes:
    """Return the body without its content encodings, which are undone last first; raises BadBody."""
    for name in reversed([part.strip().lower() for part in encoding.split(",")]):
        if name in {"", "identity"}:
            continue
        if name not in _DECODERS:
            raise BadBody(f"its content encoding {name!r} is unknown")
        body = _DECODERS[name](body, limit)
    return body


def _gzip(body: bytes, limit: int) -> bytes:
    return _inflate(body, limit, zlib.MAX_WBITS | 16)


def _deflate(body: bytes, limit: int) -> bytes:
    """Unpack a deflate stream: some servers send it bare, some with the zlib header."""
    wrapped = len(body) > 1 and body[0] & 0x0F == zlib.DEFLATED and (body[0] << 8 | body[1]) % 31 == 0
    return _inflate(body, limit, zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)


def _inflate(body: bytes, limit: int, window: int) -> bytes:
    decoder = zlib.decompressobj(window)
    try:
        plain = decoder.decompress(body, limit + 1)
    except zlib.error:
        raise BadBody("its compressed body is damaged") from None
    _within(plain, limit)
    if not decoder.eof:
        raise BadBody("its compressed body is cut short")
    return plain


def _brotli(body: bytes, limit: int) -> bytes:
    import brotli

    decoder = brotli.Decompressor()
    plain = bytearray()
    try:
        plain += decoder.process(body, output_buffer_limit=65536)
        while not decoder.can_accept_more_data() and len(plain) <= limit:
            plain += decoder.process(b"", output_buffer_limit=65536)
    except brotli.error:
        raise BadBody("its compressed body is damaged") from None
    _within(plain, limit)
    if not decoder.is_finished():
        raise BadBody("its compressed body is cut short")
    return bytes(plain)


def _zstd(body: bytes, limit: int) -> bytes:
    import zstandard

    try:
        with zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(io.BytesIO(body)) as reader:
            plain = reader.read(limit + 1)
        _within(plain, limit)
        # The reader takes a body that ends early for the end; the one-shot decoder with the now known size does not.
        zstandard.ZstdDecompressor(max_window_size=1 << 27).decompress(body, max_output_size=max(len(plain), 1))
    except zstandard.ZstdError:
        raise BadBody("its compressed body is damaged or cut short") from None
    return bytes(plain)


def _within(plain: bytes | bytearray, limit: int) -> None:
    if len(plain) > limit:
        raise BadBody(f"it unpacks to more than {limit >> 20} MB")


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
