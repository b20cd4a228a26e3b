"""Messages between us and a sandboxed child: typed structures as MessagePack, each behind its length.

A child is hostile once it has read its request. Nothing is unpickled, a length is believed up to a limit only, and
whatever does not decode to the expected type is a ValueError.
"""

from __future__ import annotations

import struct
from typing import Any, TypeVar, Union, overload

import msgspec

T = TypeVar("T")
U = TypeVar("U")

READY = "ready"
"""A child's first message: it has warmed up and closed its doors."""

MAX_DESCRIPTORS = 4
"""That travel with one message; the kernel drops the rest."""

_LENGTH = struct.Struct("<Q")


def pack(message: object) -> bytes:
    """One frame: the message behind its length."""
    body = msgspec.msgpack.encode(message)
    return b"".join((_LENGTH.pack(len(body)), body))


@overload
def unpack(body: bytes, kind: type[T], /) -> T: ...
@overload
def unpack(body: bytes, kind: type[T], other: type[U], /) -> T | U: ...
def unpack(body: bytes, /, *kinds: Any) -> Any:
    """The message back, which is of one of these kinds; ValueError for anything else."""
    try:
        return msgspec.msgpack.decode(body, type=Union[kinds])  # noqa: UP007  # kinds are known at run time only
    except RecursionError as error:
        raise ValueError("a message nested too deeply") from error


class Frames:
    """Cuts a stream of bytes, as they come, into the bodies of its frames."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def add(self, part: bytes) -> None:
        self._bytes += part

    def take(self, at_most: int) -> bytes | None:
        """The next body; None while bytes of it are missing; ValueError when a longer one is announced."""
        if len(self._bytes) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._bytes)
        if length > at_most:
            raise ValueError(f"a message of {length} bytes was announced")
        end = _LENGTH.size + length
        if len(self._bytes) < end:
            return None
        body = bytes(self._bytes[_LENGTH.size : end])
        del self._bytes[:end]
        return body
