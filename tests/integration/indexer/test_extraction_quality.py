"""Extraction on pages labelled by hand."""

from __future__ import annotations

import pytest

from indexer.extract import extract
from tests.eval.extraction import labels, mean_score
from tests.needs import corpus

pytestmark = [pytest.mark.needs("corpus"), pytest.mark.slow]


def test_labelled_pages_keep_their_words_lose_the_rest_and_keep_code_exact() -> None:
    mirror = corpus()
    assert mirror is not None
    assert len(list(labels(mirror))) >= 20
    found = mean_score(mirror, lambda file, kind: extract(file.read_bytes(), kind).text)
    assert found.word_f1 >= 0.95
    assert found.span_f1 >= 0.95
    assert found.code_exact >= 0.99
