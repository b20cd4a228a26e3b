"""The shipped reader: alone or in a batch, once or twice, whatever the text, it says the same and does not fail."""

from __future__ import annotations

import numpy as np
import pytest

from knowledge.reader.model import Readable, Reader
from knowledge.text.sentences import Span, sentences
from tests import prepared

QUESTION = "What is a warp?"
ANSWERS = "A warp is a group of 32 threads. The cake is in the oven. Bananas are yellow."
CHINESE = "线程束是 32 个线程的一组。今天天气很好。"
LOWEST = -30.0


def readable(text: str) -> Readable:
    return Readable("Warps", text, sentences(text))


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return Reader(prepared.models(tmp_path_factory))


def test_the_sentence_that_answers_has_the_highest_logit(reader: Reader) -> None:
    english, chinese = reader.read(QUESTION, [readable(ANSWERS), readable(CHINESE)])
    assert int(english.argmax()) == int(chinese.argmax()) == 0
    assert int(reader.read("什么是线程束？", [readable(CHINESE)])[0].argmax()) == 0


def test_a_batch_says_what_each_passage_says_alone(reader: Reader) -> None:
    passages = [readable(ANSWERS), readable("Short."), readable(ANSWERS * 12), readable(CHINESE)]
    together = reader.read(QUESTION, passages)
    for passage, found in zip(passages, together, strict=True):
        (alone,) = reader.read(QUESTION, [passage])
        np.testing.assert_allclose(found, alone, atol=1e-3)


def test_the_same_weights_say_the_same_twice(reader: Reader, tmp_path_factory: pytest.TempPathFactory) -> None:
    again = Reader(tmp_path_factory.mktemp("again"))
    assert again.revision == reader.revision
    for first in (reader, again):
        np.testing.assert_array_equal(
            first.read(QUESTION, [readable(ANSWERS)])[0], reader.read(QUESTION, [readable(ANSWERS)])[0]
        )


def test_what_does_not_fit_has_the_lowest_logit(reader: Reader) -> None:
    (found,) = reader.read(QUESTION, [readable(ANSWERS * 40)])
    assert found[0] > LOWEST
    assert found[-1] == LOWEST
    assert found.min() == LOWEST


@pytest.mark.parametrize(
    "text", ["", "\x00\x1b[2J\u202e\ufeff", "x" * 100_000, "句" * 100_000, "🙂" * 2000, "</s><s> query: [PAD] <mask>"]
)
def test_hostile_text_is_read_without_error(reader: Reader, text: str) -> None:
    whole = Readable(text, text, (Span(0, len(text)),))
    for question in (text, QUESTION):
        (found,) = reader.read(question, [whole])
        assert found.shape == (1,)
        assert np.isfinite(found).all()


def test_nothing_to_read_gives_nothing(reader: Reader) -> None:
    assert reader.read(QUESTION, []) == []
    (found,) = reader.read(QUESTION, [Readable("", "", ())])
    assert found.shape == (0,)
