"""Frames between us and a child: what is packed comes back, and nothing else is accepted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from worker.sandbox import framing


class Note(Struct, frozen=True, tag=True):
    text: str
    data: bytes
    numbers: tuple[int, ...]
    share: float


class Refusal(Struct, frozen=True, tag=True):
    why: str


notes = st.builds(
    Note,
    text=st.text(max_size=20),
    data=st.binary(max_size=400),
    numbers=st.lists(st.integers(-(2**63), 2**64 - 1), max_size=5).map(tuple),
    share=st.floats(allow_nan=False),
)


def bodies(stream: bytes, cut: int, at_most: int = 1 << 20) -> Iterator[bytes]:
    """What the stream holds, when it comes in parts of this size."""
    frames = framing.Frames()
    for start in range(0, len(stream), cut):
        frames.add(stream[start : start + cut])
        while (body := frames.take(at_most)) is not None:
            yield body


@given(st.lists(notes, max_size=4), st.integers(1, 50))
def test_messages_come_back_however_the_stream_is_cut(sent: list[Note], cut: int) -> None:
    stream = b"".join(framing.pack(note) for note in sent)
    assert [framing.unpack(body, Note) for body in bodies(stream, cut)] == sent


def test_an_answer_may_be_of_one_of_two_kinds() -> None:
    for message in (Note("a", b"b", (1,), 0.5), Refusal("no")):
        (body,) = bodies(framing.pack(message), 7)
        assert framing.unpack(body, Note, Refusal) == message


@pytest.mark.parametrize(
    "bad",
    [
        b"", b"\xc1", b"\xff\xfe", b"\x80", b"\x81\xa4type\xa4Note", b"\x81\xa4type\xa5Other", b"\xa5ready",
        b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff", b"\x91" * 100_000,
        framing.pack(Refusal("no"))[8:], framing.pack(Note("a", b"b", (1,), 0.5))[8:-1],
        framing.pack(Note("a", b"b", (1,), 0.5))[8:] + b"x", b"\x80\x04\x8c\x05posix\x8c\x06system\x93.",
    ],
)  # fmt: skip
def test_what_is_no_message_of_the_kind_is_a_value_error(bad: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        framing.unpack(bad, Note)


@given(st.binary(max_size=200))
def test_noise_never_does_anything_but_fail(noise: bytes) -> None:
    try:
        framing.unpack(noise, Note, Refusal)
    except ValueError:
        return


@pytest.mark.parametrize("announced", [101, 2**63, 2**64 - 1])
def test_a_body_longer_than_allowed_is_refused_before_it_has_come(announced: int) -> None:
    frames = framing.Frames()
    frames.add(announced.to_bytes(8, "little"))
    with pytest.raises(ValueError, match=str(announced)):
        frames.take(100)
