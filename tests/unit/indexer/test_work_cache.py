"""Work done once: vectors by what was read to the embedder, whatever else changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from indexer.work_cache import WorkCache, open_cache
from knowledge.library.embed import EmbedderSpec, Progress, Vectors


class Letters:
    """Counts letters, and remembers what it was asked."""

    spec = EmbedderSpec("letters", "1", "test", 26, 100, "", "", "none")

    def __init__(self) -> None:
        self.asked: list[str] = []

    def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        self.asked += texts
        if progress:
            progress(len(texts))
        return np.array([[text.count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts], "f4")

    queries = passages

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]


class Broken(Letters):
    def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        raise RuntimeError("the model cannot read this")


@pytest.fixture
def embedder() -> Letters:
    return Letters()


@pytest.fixture
def cache(tmp_path: Path, embedder: Letters) -> Iterator[WorkCache]:
    with open_cache(tmp_path, embedder) as opened:
        yield opened


def test_rows_come_in_the_order_of_the_texts_and_equal_texts_are_read_once(
    cache: WorkCache, embedder: Letters
) -> None:
    found = cache.passages(["ccc", "a", "ccc", "bb"])
    assert [int(row.argmax()) for row in found] == [2, 0, 2, 1]
    assert sorted(embedder.asked) == ["a", "bb", "ccc"]
    assert cache.embedded == 3
    assert cache.passages([]).shape == (0, 26)


def test_what_was_read_once_is_not_read_again_by_the_next_build(tmp_path: Path, embedder: Letters) -> None:
    for _ in range(2):
        with open_cache(tmp_path, embedder) as cache:
            found = cache.passages(["abc", "xyz"])
    assert embedder.asked == ["abc", "xyz"]
    assert found[1][23:].tolist() == [1, 1, 1]


def test_what_was_begun_is_there_when_it_is_asked_for(cache: WorkCache, embedder: Letters) -> None:
    cache.begin(["abc", "xyz"], str.upper, "1")
    cache.passages(["abc"], str.upper, "1")
    assert embedder.asked == ["ABC", "XYZ"]


def test_under_a_new_version_only_what_reads_differently_is_embedded(cache: WorkCache, embedder: Letters) -> None:
    rendered: list[str] = []

    def by(words: dict[str, str]) -> Callable[[str], str]:
        def render(text: str) -> str:
            rendered.append(text)
            return words.get(text, text)

        return render

    cache.passages(["one", "two"], by({}), "1")
    found = cache.passages(["one", "two"], by({"two": "second"}), "2")
    assert embedder.asked == ["one", "two", "second"]
    assert found[1].tolist() == Letters().passages(["second"])[0].tolist()
    assert cache.passages(["one", "two"], by({}), "1")[1].tolist() == Letters().passages(["two"])[0].tolist()
    assert rendered == ["one", "two", "one", "two"], "what was rendered under a version is not rendered again"


def test_progress_counts_all_that_is_wanted_and_ends_full(tmp_path: Path, embedder: Letters) -> None:
    told: list[tuple[int, int]] = []
    with open_cache(tmp_path, embedder, lambda done, total: told.append((done, total))) as cache:
        cache.begin([f"text {number}" for number in range(600)])
        cache.passages(["one more"])
    assert told == [(512, 600), (600, 600), (601, 601)]


def test_a_fault_of_the_embedder_is_raised_where_the_vectors_are_wanted(tmp_path: Path) -> None:
    with open_cache(tmp_path, Broken()) as cache:
        cache.begin(["a"])
        with pytest.raises(RuntimeError, match="cannot read this"):
            cache.passages(["a"])


def test_other_work_is_remembered_by_its_name_and_its_text(cache: WorkCache) -> None:
    done: list[str] = []

    def shout(text: str) -> bytes:
        done.append(text)
        return text.upper().encode()

    assert cache.remembered("shout 1", ["a", "b", "a"], shout) == [b"A", b"B", b"A"]
    assert cache.remembered("shout 1", ["b"], shout) == [b"B"]
    assert cache.remembered("shout 2", ["b"], shout) == [b"B"]
    assert done.count("b") == 2
