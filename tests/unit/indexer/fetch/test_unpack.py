"""Content encodings, sound and hostile."""

from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
import zstandard

from indexer.fetch.unpack import BadBody, unpack

TEXT = b"the threads of a warp run together " * 100
PACKED = {
    "gzip": gzip.compress(TEXT),
    "deflate": zlib.compress(TEXT),
    "br": brotli.compress(TEXT),
    "zstd": zstandard.compress(TEXT),
}


@pytest.mark.parametrize("encoding", PACKED)
def test_each_encoding_is_undone(encoding: str) -> None:
    assert unpack(PACKED[encoding], encoding, len(TEXT)) == TEXT


def test_a_bare_deflate_stream_is_undone_too() -> None:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    assert unpack(packer.compress(TEXT) + packer.flush(), "deflate", len(TEXT)) == TEXT


def test_two_encodings_are_undone_last_first() -> None:
    assert unpack(brotli.compress(gzip.compress(TEXT)), "gzip, br", 1 << 20) == TEXT


@pytest.mark.parametrize("encoding", PACKED)
def test_what_unpacks_to_more_than_the_limit_is_refused(encoding: str) -> None:
    with pytest.raises(BadBody, match="unpacks to more"):
        unpack(PACKED[encoding], encoding, len(TEXT) - 1)


@pytest.mark.parametrize("encoding", PACKED)
def test_a_body_that_is_cut_short_is_refused(encoding: str) -> None:
    with pytest.raises(BadBody, match="cut short"):
        unpack(PACKED[encoding][:-6], encoding, 1 << 20)


@pytest.mark.parametrize("encoding", PACKED)
def test_a_body_that_is_not_packed_at_all_is_refused(encoding: str) -> None:
    with pytest.raises(BadBody, match=r"damaged|cut short"):
        unpack(b"\xff" * 40, encoding, 1 << 20)


def test_an_unknown_encoding_is_refused_by_name() -> None:
    with pytest.raises(BadBody, match="'compress'"):
        unpack(TEXT, "compress", 1 << 20)
