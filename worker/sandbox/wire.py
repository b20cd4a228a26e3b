"""Messages between us and a sandboxed child: JSON with the byte strings kept beside it.

A child is hostile once it has read its request, so nothing is unpickled and every length is bounded.
"""

from __future__ import annotations

import json
import struct
from typing import Any

_HEAD = struct.Struct("<II")
_LENGTH = struct.Struct("<I")
MAX_BLOBS = 1024


def pack(message: Any) -> bytes:
    """JSON values and bytes, as one frame without its length."""
    blobs: list[bytes] = []

    def keep(value: Any) -> Any:
        if isinstance(value, bytes):
            blobs.append(value)
            return {"$blob": len(blobs) - 1}
        if isinstance(value, dict):
            return {key: keep(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [keep(item) for item in value]
        return value

    text = json.dumps(keep(message), separators=(",", ":")).encode()
    lengths = b"".join(_LENGTH.pack(len(blob)) for blob in blobs)
    return b"".join([_HEAD.pack(len(text), len(blobs)), text, lengths, *blobs])


def unpack(frame: bytes) -> Any:
    """The message back; ValueError for anything that `pack` did not make."""
    if len(frame) < _HEAD.size:
        raise ValueError("a frame without a head")
    text_bytes, count = _HEAD.unpack_from(frame)
    at = _HEAD.size + text_bytes
    if count > MAX_BLOBS or at + count * _LENGTH.size > len(frame):
        raise ValueError("a frame shorter than its head says")
    text = frame[_HEAD.size : at]
    lengths = [_LENGTH.unpack_from(frame, at + i * _LENGTH.size)[0] for i in range(count)]
    at += count * _LENGTH.size
    if at + sum(lengths) != len(frame):
        raise ValueError("a frame of another length than its head says")
    blobs = []
    for length in lengths:
        blobs.append(frame[at : at + length])
        at += length
    return json.loads(text, object_hook=lambda value: _restore(value, blobs))


def _restore(value: dict[str, Any], blobs: list[bytes]) -> Any:
    if value.keys() != {"$blob"}:
        return value
    index = value["$blob"]
    if not isinstance(index, int) or not 0 <= index < len(blobs):
        raise ValueError("a frame that names a blob it does not hold")
    return blobs[index]
