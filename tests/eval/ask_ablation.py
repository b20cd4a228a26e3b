"""Which part of the search finds what: hit@5 by cell, for naive ways, for each signal alone, for all together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from knowledge.ask.labelled_questions import Label
from knowledge.ask.open_ask import AskFlow
from knowledge.library.embed import Embedder
from knowledge.search.bridge import Bridge
from knowledge.search.fusion import FITTED, Weights
from knowledge.search.question import read_question
from knowledge.search.signals import rarities, signals
from knowledge.search.source import Source
from knowledge.text.tokens import tokens

CELLS = ("en-en", "zh-zh", "zh-en", "en-zh")
Ranking = Callable[[str], Sequence[int]]
"""Rows of passages for a question, best first."""


def table(flow: AskFlow, labels: Sequence[Label], data_dir: Path) -> Iterator[str]:
    """Lines of a Markdown table, each as soon as it is known; `data_dir` keeps the naive vectors for next time."""
    source = flow.sources.shared()
    paths = [passage.path for passage in source.generation.passages(range(source.size))]
    yield "| way | " + " | ".join(CELLS) + " |"
    yield "|" + " --- |" * (1 + len(CELLS))
    for name, rank in ways(flow, source, data_dir):
        shares = [
            np.mean([_hit(rank(label.question), paths, label) for label in labels if label.cell == cell])
            for cell in CELLS
        ]
        yield f"| {name} | " + " | ".join(f"{share:.2f}" for share in shares) + " |"


def ways(flow: AskFlow, source: Source, data_dir: Path) -> Iterator[tuple[str, Ranking]]:
    passages = source.generation.passages(range(source.size))
    naive = _raw_embedder(passages, flow.embedder, data_dir)
    ours = _bm25(passages, tokens)
    yield "the embedder alone, pages as they are", naive
    yield "BM25 alone, default tokens", _bm25(passages, None)
    yield "BM25 alone, our tokens", ours
    yield "equal RRF of the embedder and BM25 with our tokens", _rrf(naive, ours)
    for name in ("keyword", "coverage", "context", "dense"):
        only = {leg: float(leg == name) for leg in ("keyword", "coverage", "context", "dense")}
        yield f"our {name} signal alone", _ours(flow, source, Weights(**only))
    yield "our signals together, questions without glossary", _ours(flow, source, FITTED, Bridge(()))
    yield "our signals together", _ours(flow, source, FITTED)


def _raw_embedder(passages: Sequence[Any], embedder: Embedder, data_dir: Path) -> Ranking:
    kept = data_dir / "raw_vectors.npy"
    if not kept.is_file():
        np.save(kept, embedder.passages([passage.text for passage in passages]))
    matrix = np.load(kept)
    return lambda question: list(np.argsort(-(matrix @ embedder.queries([question])[0]))[:300])


def _bm25(passages: Sequence[Any], cut: Callable[[str], list[str]] | None) -> Ranking:
    import bm25s

    def cut_all(texts: list[str]) -> Any:
        return [cut(text) for text in texts] if cut else bm25s.tokenize(texts, show_progress=False)

    index = bm25s.BM25()
    index.index(cut_all([passage.text for passage in passages]), show_progress=False)
    return lambda question: list(index.retrieve(cut_all([question]), k=300, show_progress=False)[0][0])


def _rrf(*rankings: Ranking) -> Ranking:
    def rank(question: str) -> list[int]:
        score: dict[int, float] = {}
        for ranking in rankings:
            for place, row in enumerate(ranking(question)[:100], start=1):
                score[int(row)] = score.get(int(row), 0.0) + 1 / (60 + place)
        return sorted(score, key=lambda row: -score[row])

    return rank


def _ours(flow: AskFlow, source: Source, weights: Weights, bridge: Bridge | None = None) -> Ranking:
    embedder = flow.embedder

    def rank(question: str) -> list[int]:
        read = read_question(question, source.bridge if bridge is None else bridge)
        vector = embedder.queries([read.for_embedder(chinese_read=source.chinese_read)])[0]
        found = signals(source, read, vector, rarities(source, read.notions))
        return [of.row for of in sorted(found, key=lambda of: -weights.score(of))]

    return rank


def _hit(rows: Sequence[int], paths: Sequence[str], label: Label, k: int = 5) -> bool:
    return any(path in label.relevant for path in list(dict.fromkeys(paths[row] for row in rows))[:k])
