"""Fit the weights of search, of sentences and of certainty on labelled questions.

    python -m tests.eval.ask_fit MIRROR DATA_DIR [fusion|merit|certainty]

`fusion` sees the fit half of corpus.jsonl; MIRROR is then its folder of pages. `merit` and `certainty` see the labels
of the reader, and MIRROR is what tests/eval/reader/pages.py laid out: merit is fitted on the pages that the reader
was trained on, certainty, which needs its word on pages that are new to it, on those kept for development.

Prints the constants for knowledge/search/fusion.py and knowledge/ask/weighing.py and writes
knowledge/ask/certainty.json. Each stage is fitted on what the stages before it find with the constants in use.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from knowledge.ask.evidence import FEATURES, sentences_of
from knowledge.ask.labelled_questions import NONE, Label, read_labels
from knowledge.ask.open_ask import AskFlow
from knowledge.search.signals import rarities, signals
from tests.eval.ask_library import opened_library
from tests.eval.reader.collect import allowed_labels, for_development, gold_among, passages_of, texts_of
from tests.eval.reader.pages import LABELS as OF_READER

ROOT = Path(__file__).resolve().parents[2]
LABELS = ROOT / "tests" / "eval" / "corpus.jsonl"
LOST = 0.015
"""The aim among answerable questions of development: questions by other hands lose somewhat more."""
FALSE = 0.1
"""The aim among unanswerable ones, which share their words with the page that they were asked beside."""
_PASSAGES, _OF_ONE_PAGE = 20, 6
_OF_A_CELL = 400
_SHARP = 3.0
"""How nearly a passage counts by its best sentence alone while weights are fitted."""
Floats = NDArray[np.float64]
_Choice = tuple[Floats, NDArray[np.bool_]]
"""Features of the candidates of one question, and which of them are right."""


async def main() -> None:
    mirror, data_dir, stages = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    async with opened_library(data_dir, mirror) as library:
        if "fusion" in stages:
            fit_fusion(library.ask)
        if "merit" in stages:
            fit_merit(library.ask, mirror)
        if "certainty" in stages:
            fit_certainty(library.ask)


def fit_fusion(flow: AskFlow) -> None:
    source = flow.sources.shared()
    choices = []
    for label in read_labels(LABELS):
        if label.cell != NONE and label.follow_up_of is None and label.half == "fit":
            found = flow.searcher.findings(flow.searcher.read(label.question), 1)
            rarity = rarities(source, found.question.notions)
            every = signals(source, found.question, found.vector, rarity)
            paths = [passage.path for passage in source.generation.passages([of.row for of in every])]
            right = np.array([path in label.relevant for path in paths])
            choices.append((np.array([of.vector for of in every]), right))
    weights = choose_weights(choices)
    names = ("keyword", "coverage", "context", "dense")
    print(f"FITTED = Weights({', '.join(f'{name}={of:.2f}' for name, of in zip(names, weights, strict=True))})")


def labels_of(*, development: bool) -> Iterator[tuple[Label, str]]:
    """Labels of the reader over pages that may be used, each with its page."""
    with tempfile.TemporaryDirectory() as scratch:
        for label, path in allowed_labels(OF_READER, Path(scratch)):
            if for_development(path) == development:
                yield label, path


@dataclass(frozen=True, slots=True)
class _Found:
    """The passages found for one question: the features of their sentences, and whether they answer."""

    sentences: Floats
    starts: NDArray[np.int64]
    """Where each passage begins among the sentences."""
    right: NDArray[np.bool_]

    def strengths(self, weights: Floats) -> tuple[Floats, Floats]:
        """Of each passage, nearly its best sentence; and how its features count in that."""
        scores = _SHARP * (self.sentences @ weights)
        top = np.maximum.reduceat(scores, self.starts)
        each = np.exp(scores - np.repeat(top, np.diff(self.starts, append=len(scores))))
        sums = np.add.reduceat(each, self.starts)
        pooled = np.add.reduceat(each[:, None] * self.sentences, self.starts) / sums[:, None]
        return (top + np.log(sums)) / _SHARP, pooled


def fit_merit(flow: AskFlow, mirror: Path) -> None:
    """Weights under which the best sentence of a right passage stands before those of the others."""
    every = [one for one in found_for(flow, mirror) if one.right.any()]

    def gradient(weights: Floats) -> Floats:
        total = np.zeros(len(weights))
        for one in every:
            strengths, pooled = one.strengths(weights)
            total = total + _pulled(strengths, one.right) @ pooled / len(every)
        return total

    weights = descend(gradient, len(FEATURES))
    print(f"MERIT = ({', '.join(f'{weight:.2f}' for weight in weights)}), from {len(every)} questions")


def found_for(flow: AskFlow, mirror: Path) -> Iterator[_Found]:
    """For up to so many questions of each cell, as search finds them."""
    passages = passages_of(flow)
    texts = texts_of(flow, passages)
    own: dict[str, list[int]] = {}
    for one in passages:
        own.setdefault(one.path, []).append(one.row)
    labels = [pair for pair in labels_of(development=False) if pair[0].cell != NONE and pair[1] in own]
    random.Random(5).shuffle(labels)
    seen: dict[str, int] = {}
    for label, path in labels:
        seen[label.cell] = seen.get(label.cell, 0) + 1
        if seen[label.cell] <= _OF_A_CELL:
            gold = gold_among(label.gold_texts(mirror), {row: texts[row] for row in own[path]})
            asked = flow.searcher.read(label.question)
            hits = sentences_of(flow.searcher.findings(asked, _PASSAGES, per_page=_OF_ONE_PAGE))
            if hits:
                features = np.array([one.features for _, of_hit in hits for one in of_hit])
                counts = np.cumsum([0, *(len(of_hit) for _, of_hit in hits[:-1])])
                yield _Found(features, counts, np.array([str(hit.passage.row) in gold for hit, _ in hits]))


def fit_certainty(flow: AskFlow) -> None:
    judged = [
        (weighed.features.values, label.cell != NONE)
        for label, _ in labels_of(development=True)
        if (weighed := flow.asker.weigh(label.question)).features
    ]
    values, answerable = np.array([of for of, _ in judged]), np.array([right for _, right in judged])
    row = scale_of(values, answerable)
    (ROOT / "knowledge" / "ask" / "certainty.json").write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")


def scale_of(values: Floats, answerable: NDArray[np.bool_]) -> dict[str, object]:
    """Weights, bias and borders: few answers lost below the first, few false above the second."""
    weights, bias = logistic(values, answerable)
    odds = values @ weights + bias
    lost, false = float(np.quantile(odds[answerable], LOST)), float(np.quantile(odds[~answerable], 1 - FALSE))
    perhaps = [(odds[kind] >= lost) & (odds[kind] < false) for kind in (answerable, ~answerable)]
    print(
        f"{answerable.sum()} answerable: {LOST} not here, {np.mean(perhaps[0]):.3f} perhaps;"
        f" {(~answerable).sum()} not: {FALSE} answered, {np.mean(perhaps[1]):.3f} perhaps"
    )
    return {
        "weights": [round(float(weight), 4) for weight in weights],
        "bias": round(bias, 4),
        "perhaps_from": round(lost, 3),
        "answered_from": round(false, 3),
    }


def choose_weights(choices: Sequence[_Choice], pull: float = 0.02) -> Floats:
    """Weights under which the right candidates of each question have the most of a softmax."""
    usable = [(features, right) for features, right in choices if right.any()]

    def gradient(weights: Floats) -> Floats:
        total = pull * weights
        for features, right in usable:
            total = total + _pulled(features @ weights, right) @ features / len(usable)
        return total

    return descend(gradient, usable[0][0].shape[1])


def _pulled(scores: Floats, right: NDArray[np.bool_]) -> Floats:
    """How far each candidate's share of a softmax is from what it should be."""
    share = np.exp(scores - scores.max())
    share /= share.sum()
    return share - share * right / (share * right).sum()


def logistic(values: Floats, answerable: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Weights and bias in the units of the features; both kinds of question count the same."""
    mean, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    scaled = np.column_stack([(values - mean) / spread, np.ones(len(values))])
    counts = np.where(answerable, 1 / answerable.sum(), 1 / (~answerable).sum())
    pull = np.append(np.full(values.shape[1], 0.01), 0.0)

    def gradient(weights: Floats) -> Floats:
        sure = 1 / (1 + np.exp(-scaled @ weights))
        pulled: Floats = scaled.T @ ((sure - answerable) * counts) + pull * weights
        return pulled

    found = descend(gradient, scaled.shape[1])
    weights = found[:-1] / spread
    return weights, float(found[-1] - weights @ mean)


def descend(gradient: Callable[[Floats], Floats], size: int, steps: int = 400, rate: float = 0.3) -> Floats:
    """Adam, with a rate that falls: the problems are convex, or nearly so, and small."""
    weights, first, second = np.zeros(size), np.zeros(size), np.zeros(size)
    for step in range(1, steps + 1):
        slope = gradient(weights)
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        pace = rate * 0.01 ** (step / steps)
        weights = weights - pace * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return weights


if __name__ == "__main__":
    asyncio.run(main())
