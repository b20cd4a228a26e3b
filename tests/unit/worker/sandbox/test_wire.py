"""Frames between us and a child: what is packed comes back, and nothing else is accepted."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.sandbox import wire

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.binary(max_size=40),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=5).filter(lambda k: k != "$blob"), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(values)
def test_a_message_comes_back(message: Any) -> None:
    assert wire.unpack(wire.pack(message)) == message


def frame(text: bytes, *blobs: bytes, count: int | None = None) -> bytes:
    lengths = b"".join(struct.pack("<I", len(blob)) for blob in blobs)
    return struct.pack("<II", len(text), len(blobs) if count is None else count) + text + lengths + b"".join(blobs)


@pytest.mark.parametrize(
    "bad",
    [
        b"", b"\0\0\0", frame(b"{"), frame(b"{}")[:-1], frame(b"{}") + b"x", frame(b"{}", b"a", b"b")[:-1],
        frame(b"{}", count=5), frame(b"{}", count=2**31), frame(b'{"$blob": 0}'), frame(b'{"$blob": -1}', b"a"),
        frame(b'{"$blob": "0"}', b"a"), frame(b"\xff\xfe"), struct.pack("<II", 2**32 - 1, 0) + b"{}",
        b"\x80\x04\x8c\x05posix\x8c\x06system\x93.",
    ],
)  # fmt: skip
def test_what_pack_did_not_make_is_refused(bad: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        wire.unpack(bad)


@given(st.binary(max_size=200))
def test_noise_never_does_anything_but_fail(noise: bytes) -> None:
    try:
        wire.unpack(noise)
    except ValueError:
        return


def test_the_json_part_is_plain_json() -> None:
    packed = wire.pack({"a": b"bytes", "b": 1})
    length = struct.unpack_from("<I", packed)[0]
    assert json.loads(packed[8 : 8 + length]) == {"a": {"$blob": 0}, "b": 1}
