"""Requests and emulations as bytes: a JSON header and raw data behind it, so that reading them can run nothing.

Layout: the header's length in 8 bytes, little-endian; the header; the blobs that it mentions, one after another.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, BinaryIO

import numpy as np

from worker.emulator.refusal import Malformed
from worker.emulator.request import Buffer, Counts, Emulation, Launch, Limits, Observation, Pointer, Request

MESSAGE_LIMIT = 1 << 30
CHUNK = 4 << 20


class _Blobs:
    """Raw bytes behind a header, told apart by their lengths."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def add(self, data: bytes) -> int:
        self.parts.append(data)
        return len(data)


def _message(header: dict[str, Any], blobs: _Blobs) -> bytes:
    text = json.dumps(header, allow_nan=True).encode()
    return b"".join((len(text).to_bytes(8, "little"), text, *blobs.parts))


def _header(message: bytes) -> tuple[dict[str, Any], memoryview]:
    size = int.from_bytes(message[:8], "little")
    if len(message) < 8 + size:
        raise Malformed("a message that ends in its header")
    found = json.loads(message[8 : 8 + size])
    if not isinstance(found, dict):
        raise Malformed("a message without a header")
    return found, memoryview(message)[8 + size :]


def encode_request(request: Request) -> bytes:
    blobs = _Blobs()
    ptx = blobs.add(request.ptx.encode())
    buffers = [
        {
            "name": item.name, "ctype": item.ctype, "elements": item.elements, "const": item.const,
            "shape": item.shape, "data": None if item.data is None else blobs.add(item.data),
        }
        for item in request.buffers
    ]  # fmt: skip
    launches = [
        {
            "kernel": item.kernel, "grid": item.grid, "block": item.block, "shared_bytes": item.shared_bytes,
            "args": [_encode_argument(argument) for argument in item.args],
        }
        for item in request.launches
    ]  # fmt: skip
    header = {
        "ptx": ptx, "buffers": buffers, "launches": launches, "limits": asdict(request.limits),
        "count_requests": request.count_requests,
    }  # fmt: skip
    return _message(header, blobs)


def decode_request(message: bytes) -> Request:
    """The request again; anything that does not fit its shape is malformed."""
    try:
        header, rest = _header(message)
        at = 0

        def blob(size: int | None) -> bytes | None:
            nonlocal at
            if size is None:
                return None
            at += size
            if size < 0 or at > len(rest):
                raise Malformed("a message that is shorter than it says")
            return bytes(rest[at - size : at])

        ptx = (blob(int(header["ptx"])) or b"").decode()
        buffers = tuple(
            Buffer(
                str(item["name"]), item["ctype"], int(item["elements"]), blob(item["data"]), bool(item["const"]),
                tuple(int(size) for size in item["shape"]),
            )
            for item in header["buffers"]
        )  # fmt: skip
        launches = tuple(
            Launch(
                str(item["kernel"]), _three(item["grid"]), _three(item["block"]), int(item["shared_bytes"]),
                tuple(_decode_argument(argument) for argument in item["args"]),
            )
            for item in header["launches"]
        )  # fmt: skip
        return Request(ptx, launches, buffers, Limits(**header["limits"]), bool(header["count_requests"]))
    except (KeyError, TypeError, ValueError) as wrong:
        raise Malformed(f"not a request: {type(wrong).__name__}") from wrong


def encode_emulation(emulation: Emulation) -> bytes:
    blobs = _Blobs()
    outputs = [
        {"name": name, "dtype": array.dtype.str, "bytes": blobs.add(np.ascontiguousarray(array).tobytes())}
        for name, array in emulation.outputs.items()
    ]
    header = {
        "ending": emulation.ending, "reason": emulation.reason, "printed": emulation.printed, "outputs": outputs,
        "observations": [asdict(item) for item in emulation.observations],
        "counts": [asdict(item) for item in emulation.counts],
    }  # fmt: skip
    return _message(header, blobs)


def decode_emulation(message: bytes) -> Emulation:
    """Written by a child that ran a stranger's kernel: believed in nothing but its shape."""
    try:
        header, rest = _header(message)
        outputs: dict[str, Any] = {}
        at = 0
        for item in header["outputs"]:
            size = int(item["bytes"])
            if item["dtype"] not in _DTYPES or size < 0 or at + size > len(rest):
                raise Malformed("an output that does not fit its description")
            outputs[str(item["name"])] = np.frombuffer(bytes(rest[at : at + size]), item["dtype"])
            at += size
        observations = tuple(
            Observation(
                str(item["id"]), None if item["line"] is None else int(item["line"]), _three(item["thread"]),
                _three(item["block"]), dict(item["evidence"]),
            )
            for item in header["observations"]
        )  # fmt: skip
        counts = tuple(_counts(item) for item in header["counts"])
        return Emulation(
            header["ending"], str(header["reason"]), outputs, observations, counts, str(header["printed"])
        )
    except (KeyError, TypeError, ValueError) as wrong:
        raise Malformed(f"not an emulation: {type(wrong).__name__}") from wrong


_DTYPES = frozenset({f"{order}{kind}{size}" for order in "<|" for kind in "iuf" for size in (1, 2, 4, 8)})


def _counts(item: dict[str, Any]) -> Counts:
    lines = {
        int(line): {str(name): int(value) for name, value in row.items()} for line, row in item["by_line"].items()
    }
    numbers: dict[str, Any] = {
        name: int(value) for name, value in item.items() if name not in ("by_line", "active_lane_share")
    }
    return Counts(**numbers, active_lane_share=float(item["active_lane_share"]), by_line=lines)


def _three(values: Any) -> tuple[int, int, int]:
    x, y, z = values
    return int(x), int(y), int(z)


def _encode_argument(argument: Pointer | int | float | bytes) -> dict[str, Any]:
    match argument:
        case Pointer(buffer=name):
            return {"pointer": name}
        case bytes():
            return {"bytes": argument.hex()}
        case float():
            return {"float": argument.hex()}
        case _:
            return {"int": str(int(argument))}


def _decode_argument(item: dict[str, Any]) -> Pointer | int | float | bytes:
    if "pointer" in item:
        return Pointer(str(item["pointer"]))
    if "bytes" in item:
        return bytes.fromhex(item["bytes"])
    return float.fromhex(item["float"]) if "float" in item else int(item["int"])


def read_message(stream: BinaryIO) -> bytes:
    """Everything up to the end of the stream, within the limit."""
    parts: list[bytes] = []
    left = MESSAGE_LIMIT
    while part := stream.read(min(left, CHUNK) + 1):
        parts.append(part)
        left -= len(part)
        if left < 0:
            raise Malformed("a message of more than 1 GiB")
    return b"".join(parts)
