"""Vectors that come along: taken where a text is as it was, and made where it is not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from indexer.shipped_vectors import FILE, Collecting, key_of, read_vectors, write_vectors
from indexer.work_cache import open_cache
from knowledge.library.embed import EmbedderSpec, Vectors
from tests.unit.indexer.test_work_cache import Letters


class Unit(Letters):
    """Letters counted, as vectors of length 1."""

    def passages(self, texts, progress=None):  # type: ignore[no-untyped-def]
        counted: Vectors = super().passages(texts, progress)
        return counted / np.linalg.norm(counted, axis=1, keepdims=True)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    collecting = Collecting(Unit(), None)
    collecting.passages(["warp", "block", "grid"])
    write_vectors(tmp_path / FILE, collecting, "1.0", collecting.vectors)
    return tmp_path / FILE


def test_a_text_that_came_along_is_not_embedded_and_an_edited_one_is(tmp_path: Path, file: Path) -> None:
    embedder = Unit()
    with open_cache(tmp_path, embedder, shipped=file) as cache:
        found = cache.passages(["block", "warps", "warp"])
    assert embedder.asked == ["warps"]
    assert cache.embedded == 1
    expected = Unit().passages(["block", "warps", "warp"])
    assert np.einsum("ij,ij->i", found, expected).min() > 0.9999


def test_what_came_along_is_found_by_what_the_embedder_is_read_and_not_by_the_text(
    tmp_path: Path, file: Path
) -> None:
    embedder = Unit()
    with open_cache(tmp_path, embedder, shipped=file) as cache:
        cache.passages(["线程束"], {"线程束": "warp"}.__getitem__, "1")
        cache.passages(["线程束"], {"线程束": "bundle"}.__getitem__, "2")
    assert embedder.asked == ["bundle"]


def test_once_in_the_cache_it_stays_without_the_file(tmp_path: Path, file: Path) -> None:
    embedder = Unit()
    with open_cache(tmp_path, embedder, shipped=file) as cache:
        first = cache.passages(["grid"])
    file.unlink()
    with open_cache(tmp_path, embedder, shipped=file) as cache:
        assert cache.passages(["grid"]).tolist() == first.tolist()
    assert embedder.asked == []


def test_vectors_of_another_model_are_passed_over(tmp_path: Path, file: Path) -> None:
    other = Unit()
    other.spec = EmbedderSpec("letters", "2", "test", 26, 100, "", "", "none")
    assert read_vectors(file, other) is None
    with open_cache(tmp_path, other, shipped=file) as cache:
        cache.passages(["warp"])
    assert other.asked == ["warp"]


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_file_that_was_cut_off_is_passed_over(tmp_path: Path, file: Path, share: float) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[: int(share * len(whole))])
    embedder = Unit()
    with open_cache(tmp_path, embedder, shipped=file) as cache:
        cache.passages(["warp"])
    assert embedder.asked == ["warp"]


def test_a_file_with_any_byte_changed_is_passed_over(file: Path) -> None:
    whole = file.read_bytes()
    for at in range(0, len(whole), 7):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        assert read_vectors(file, Unit()) is None


def test_the_same_vectors_make_the_same_file(tmp_path: Path, file: Path) -> None:
    collecting = Collecting(Unit(), None)
    collecting.passages(["grid", "warp"])
    collecting.passages(["block"])
    write_vectors(tmp_path / "again.bin", collecting, "1.0", collecting.vectors)
    assert (tmp_path / "again.bin").read_bytes() == file.read_bytes()


def test_what_is_taken_along_again_changes_no_byte(tmp_path: Path, file: Path) -> None:
    collecting = Collecting(Unit(), read_vectors(file, Unit()))
    collecting.passages(["warp", "block", "grid"])
    write_vectors(tmp_path / "again.bin", collecting, "1.0", collecting.vectors)
    assert (tmp_path / "again.bin").read_bytes() == file.read_bytes()


def test_what_is_collected_is_all_that_was_asked_for_and_only_the_missing_is_embedded(file: Path) -> None:
    embedder = Unit()
    collecting = Collecting(embedder, read_vectors(file, embedder))
    collecting.passages(["warp", "lane"])
    assert embedder.asked == ["lane"]
    assert collecting.missing == 1
    assert collecting.vectors.keys() == {key_of("warp"), key_of("lane")}
