"""The keyword index against the BM25 formula, written out."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.search.keywords import K1, B, KeywordIndex

DOCUMENTS = [["warp", "warp", "lane"], ["block", "warp"], ["grid"], ["block", "block", "grid", "lane", "sm"]]


def build(documents: list[list[str]]) -> KeywordIndex:
    return KeywordIndex.build([Counter(document) for document in documents])


def by_the_book(documents: list[list[str]], query: list[str]) -> list[float]:
    average = sum(map(len, documents)) / len(documents)
    scores = []
    for document in documents:
        score = 0.0
        for token in query:
            holding = sum(token in other for other in documents)
            rarity = math.log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
            count = document.count(token)
            score += rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * len(document) / average))
        scores.append(score)
    return scores


@given(
    st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=9), min_size=1, max_size=8),
    st.lists(st.sampled_from("abcdef"), max_size=4),
)
def test_scores_follow_the_formula(documents: list[list[str]], query: list[str]) -> None:
    np.testing.assert_allclose(build(documents).scores(query), by_the_book(documents, query), rtol=1e-4, atol=1e-5)


def test_shares_are_of_the_rarity_that_a_passage_holds() -> None:
    index = build(DOCUMENTS)
    shares = index.shares(["warp", "grid"])
    warp, grid = index.rarity_of("warp"), index.rarity_of("grid")
    assert shares[0] == pytest.approx(warp / (warp + grid))
    assert shares[3] == pytest.approx(grid / (warp + grid))


def test_an_unknown_token_is_rarer_than_any_known_one() -> None:
    index = build(DOCUMENTS)
    assert index.rarity_of("cobol") > max(index.rarity_of(token) for token in index.numbers)
    assert index.count_of("cobol") == 0


def test_held_by_names_the_tokens_of_the_given_passages() -> None:
    index = build(DOCUMENTS)
    assert index.held_by(np.array([0, 2]), {"warp", "grid", "block", "cobol"}) == {"warp", "grid"}


def test_a_saved_index_answers_the_same(tmp_path: Path) -> None:
    index = build(DOCUMENTS)
    index.save(tmp_path)
    opened = KeywordIndex.open(tmp_path)
    np.testing.assert_array_equal(opened.scores(["warp", "lane"]), index.scores(["warp", "lane"]))
    assert opened.size == 4


def test_an_empty_index_finds_nothing(tmp_path: Path) -> None:
    build([]).save(tmp_path)
    assert KeywordIndex.open(tmp_path).scores(["warp"]).tolist() == []
