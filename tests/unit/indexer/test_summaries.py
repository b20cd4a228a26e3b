"""Summaries: the page's own sentences, few, different, and not one that hangs in the air."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from indexer.extract.page import Page, PageWriter
from indexer.summaries import lead, pick, summary
from knowledge.library.embed import Vectors


def by_letters(texts: Sequence[str]) -> Vectors:
    counts = np.array(
        [[text.lower().count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts], "f4"
    )
    return counts / np.linalg.norm(counts, axis=1, keepdims=True)


def page_of(*sentences: str) -> Page:
    writer = PageWriter("T")
    writer.prose(" ".join(sentences))
    return writer.page()


SENTENCES = [f"Sentence number {number} speaks about the memory of a graphics card at length." for number in range(9)]


def test_a_summary_has_at_most_three_sentences_of_the_page_in_its_order() -> None:
    page = page_of(*SENTENCES)
    written = summary(page, by_letters)
    chosen = [sentence for sentence in SENTENCES if sentence in written]
    assert written == " ".join(chosen)
    assert len(chosen) == 3


def test_sentences_that_hang_in_the_air_are_not_taken() -> None:
    page = page_of(
        "This is why the previous kernel was so much slower than ours.",
        SENTENCES[0],
        "It ends here too, of course, as you see.",
    )
    assert summary(page, by_letters) == SENTENCES[0]


def test_a_page_without_whole_sentences_has_no_summary() -> None:
    assert summary(page_of("Links", "More links"), by_letters) == ""


def test_the_second_choice_does_not_repeat_the_first() -> None:
    vectors = np.array([[1, 0], [1, 0.01], [0.6, 0.8]], dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert set(pick(vectors, 2)) != {0, 1}


def test_the_lead_is_the_pages_beginning() -> None:
    assert lead(page_of(*SENTENCES)) == " ".join(SENTENCES[:3])
