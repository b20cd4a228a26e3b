"""A cross-encoder puts in order what search found, and changes nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from knowledge.errors import SetupError
from knowledge.search.reranker import CrossEncoderReranker
from knowledge.search.searcher import Searcher
from tests.integration.knowledge.ask.pages import SmallLibrary
from tests.models import write_cross_encoder

QUESTION = "what is a bank conflict?"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_cross_encoder(tmp_path_factory.mktemp("cross-encoder"))


def scores_of_transformers(model: Path, question: str, passages: Sequence[str]) -> list[float]:
    """Pair by pair, without padding, by the library below the one that we use."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer, judge = AutoTokenizer.from_pretrained(model), AutoModelForSequenceClassification.from_pretrained(model)
    with torch.no_grad():
        return [
            float(judge(**tokenizer(question, passage, truncation=True, return_tensors="pt")).logits)
            for passage in passages
        ]


def test_passages_come_in_the_order_of_the_models_scores(library: SmallLibrary, model: Path) -> None:
    plain = library.flow.searcher
    first = plain.search(QUESTION, 24)
    wanted = scores_of_transformers(model, QUESTION, [hit.passage.in_context for hit in first])
    reranking = Searcher(library.flow.sources, library.flow.embedder, reranker=CrossEncoderReranker(str(model)))
    found = reranking.search(QUESTION, 24)
    by_score = [hit.passage.row for _, hit in sorted(zip(wanted, first, strict=True), key=lambda pair: -pair[0])]
    assert [hit.passage.row for hit in found] == by_score
    assert by_score != [hit.passage.row for hit in first]
    assert [(hit.rank, hit.score) for hit in found] == [(hit.rank, hit.score) for hit in first]


class Backwards:
    def scores(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        return range(len(passages))


def test_what_the_reranker_prefers_is_taken_though_search_ranked_it_low(library: SmallLibrary) -> None:
    last = library.flow.searcher.search(QUESTION, 24)[-1]
    reranking = Searcher(library.flow.sources, library.flow.embedder, reranker=Backwards())
    assert reranking.search(QUESTION, 1)[0] == replace(
        last, rank=1, score=library.flow.searcher.search(QUESTION, 1)[0].score
    )


def test_a_search_that_finds_nothing_asks_no_reranker(library: SmallLibrary) -> None:
    reranking = Searcher(library.flow.sources, library.flow.embedder, reranker=Backwards())
    assert reranking.search(QUESTION, 0) == ()


def test_a_model_with_several_outputs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="it has 3 outputs; name a model with one"):
        CrossEncoderReranker(str(write_cross_encoder(tmp_path, outputs=3)))
