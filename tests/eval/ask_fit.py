"""Fit the weights of search, sentences and refusal on the fit half of the labels; the other half is never looked at.

    python -m tests.eval.ask_fit MIRROR [DATA_DIR [fusion|sentences|refusal]]

Prints the constants for knowledge/search/fusion.py and knowledge/ask/weighing.py and writes
knowledge/ask/refusal.json. Run it three times after a change of tokens: each stage is fitted on what the stages
before it find with the constants in use.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from knowledge.ask.compose import AskFlow
from knowledge.ask.evidence import FEATURES
from knowledge.ask.labels import NONE, Label, read_labels, share_inside
from knowledge.search.legs import rarities, signals
from tests.eval.ask_library import opened_library

ROOT = Path(__file__).resolve().parents[2]
LABELS = ROOT / "tests" / "eval" / "corpus.jsonl"
NOTES = ROOT / "tests" / "eval" / "notes.jsonl"
FALSE_REFUSALS = 0.05
"""The aim, among questions of the fit half that the weights did not see: the gate half has no say in the bar."""
_FOLDS = 5
_OVER_NOTES = 0.5
_SWAPPED = 0.5
"""What all questions over our notes, or all with a swapped term, count against those over pages."""
_TELLING = 3.0
_Choice = tuple[NDArray[np.float64], NDArray[np.bool_]]
"""Features of the candidates of one question, and which of them are right."""


async def main() -> None:
    mirror = Path(sys.argv[1])
    labels = [label for label in read_labels(LABELS) if label.follow_up_of is None]
    with tempfile.TemporaryDirectory() as scratch:
        data_dir = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(scratch)
        async with opened_library(data_dir / "pages", mirror) as pages, opened_library(data_dir / "notes") as notes:
            stages: dict[str, Callable[[], None]] = {
                "fusion": lambda: fit_fusion(pages.ask, labels),
                "sentences": lambda: fit_sentences(pages.ask, labels, mirror),
                "refusal": lambda: fit_refusal(pages.ask, notes.ask),
            }
            for name in sys.argv[3:] or stages:
                stages[name]()


def fit_fusion(flow: AskFlow, labels: Sequence[Label]) -> None:
    source = flow.sources.shared()
    choices: dict[str, _Choice] = {}
    for label in labels:
        if label.cell != NONE:
            found = flow.searcher.findings(label.question, 1)
            rarity = rarities(source, found.question.notions)
            every = signals(source, found.question, found.vector, rarity)
            paths = [passage.path for passage in source.generation.passages([of.row for of in every])]
            right = np.array([path in label.relevant for path in paths])
            choices[label.id] = np.array([of.vector for of in every]), right
    weights = choose_weights([choices[label.id] for label in labels if label.id in choices and label.half == "fit"])
    names = ("keyword", "coverage", "context", "dense")
    print(
        "FITTED = Weights("
        + ", ".join(f"{name}={weight:.2f}" for name, weight in zip(names, weights, strict=True))
        + ")"
    )


def fit_sentences(flow: AskFlow, labels: Sequence[Label], mirror: Path) -> None:
    choices = []
    for label in labels:
        if label.gold and label.half == "fit":
            gold = label.gold.text(mirror)
            sentences = [sentence for _, sentence in flow.asker.judge(label.question).weighed]
            right = np.array([share_inside(gold, [sentence.text]) >= 0.6 for sentence in sentences], dtype=bool)
            features = np.array([sentence.features for sentence in sentences]).reshape(-1, len(FEATURES))
            choices.append((features, right))
    weights = choose_weights(choices)
    print("WEIGHTS = (" + ", ".join(f"{weight:.2f}" for weight in weights) + ")")


def fit_refusal(pages: AskFlow, notes: AskFlow) -> None:
    """What no page answers, no note answers either; a question with a swapped term is one on a wrong premise."""
    over_pages = [label for label in read_labels(LABELS) if label.follow_up_of is None]
    over_notes = [*read_labels(NOTES), *(label for label in over_pages if label.cell == NONE)]
    strange = swapped(pages, [label for label in over_pages if label.half == "fit"])
    kinds = [
        *(_judged(pages, over_pages, answerable, 1.0) for answerable in (True, False)),
        *(_judged(notes, over_notes, answerable, _OVER_NOTES) for answerable in (True, False)),
        _judged(pages, strange, False, _SWAPPED),
    ]
    weights, bias = _fitted(kinds, [kind.fit for kind in kinds])
    bar = bar_for(*cross_validated(kinds)[:2])
    odds = [kind.values @ weights + bias for kind in kinds]
    mine = [found[kind.fit] for kind, found in zip(kinds, odds, strict=True)]
    print(
        f"fit half: over pages {np.mean(mine[1] >= bar):.3f} false answers, {np.mean(mine[0] < bar):.3f} false"
        f" refusals; over notes {np.mean(mine[3] >= bar):.3f} and {np.mean(mine[2] < bar):.3f}"
    )
    row = {"weights": [round(float(w), 4) for w in weights], "bias": round(bias, 4), "bar": round(bar, 4)}
    rows = dict.fromkeys(("en", "zh"), row)
    (ROOT / "knowledge" / "ask" / "refusal.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


@dataclass(frozen=True, slots=True)
class _Kind:
    """Questions of one kind over one library: a row of features each, and whether it is for fitting."""

    values: NDArray[np.float64]
    fit: NDArray[np.bool_]
    fold: NDArray[np.int64]
    """By the id, so that a question and its swapped twin are left out together."""
    answerable: bool
    trust: float


def _judged(flow: AskFlow, labels: Sequence[Label], answerable: bool, trust: float) -> _Kind:
    wanted = [label for label in labels if (label.cell != NONE) == answerable]
    found = [(label, doubts) for label in wanted if (doubts := flow.asker.judge(label.question).doubts)]
    fit = np.array([label.half == "fit" for label, _ in found])
    fold = np.array([zlib.crc32(label.id.encode()) % _FOLDS for label, _ in found])
    return _Kind(np.array([doubts.values for _, doubts in found]), fit, fold, answerable, trust)


def _fitted(kinds: Sequence[_Kind], rows: Sequence[NDArray[np.bool_]]) -> tuple[NDArray[np.float64], float]:
    """Weights and bias from these rows of each kind."""
    many = [int(mine.sum()) for mine in rows]
    values = np.concatenate([kind.values[mine] for kind, mine in zip(kinds, rows, strict=True)])
    answerable = np.concatenate([np.full(n, kind.answerable) for kind, n in zip(kinds, many, strict=True)])
    trust = np.concatenate([np.full(n, kind.trust / n) for kind, n in zip(kinds, many, strict=True)])
    return logistic(values, answerable, trust)


def cross_validated(kinds: Sequence[_Kind]) -> list[NDArray[np.float64]]:
    """Log-odds of each kind's questions of the fit half, by weights that were fitted without their fold."""
    odds = [np.zeros(len(kind.fit)) for kind in kinds]
    for fold in range(_FOLDS):
        weights, bias = _fitted(kinds, [kind.fit & (kind.fold != fold) for kind in kinds])
        for kind, found in zip(kinds, odds, strict=True):
            left_out = kind.fit & (kind.fold == fold)
            found[left_out] = kind.values[left_out] @ weights + bias
    return [found[kind.fit] for kind, found in zip(kinds, odds, strict=True)]


def bar_for(answerable: NDArray[np.float64], unanswerable: NDArray[np.float64]) -> float:
    """The bar under which as many are refused as the aim allows: the few unanswerable labels are no measure of it."""
    bar = float(np.quantile(answerable, FALSE_REFUSALS))
    print(
        f"cross-validated on the fit half: {np.mean(unanswerable >= bar):.3f} false answers,"
        f" {np.mean(answerable < bar):.3f} false refusals"
    )
    return bar


def swapped(flow: AskFlow, labels: Sequence[Label]) -> list[Label]:
    """In each question a telling term gives way to one of another question."""
    dice = random.Random(7)
    source = flow.sources.shared()
    told: dict[str, list[tuple[Label, str]]] = {"en": [], "zh": []}
    for label in labels:
        if label.cell != NONE:
            read = flow.searcher.read(label.question)
            for notion, rarity in zip(read.notions, rarities(source, read.notions), strict=True):
                if rarity > _TELLING and notion.text in label.question:
                    told[label.lang].append((label, notion.text))
    made = {}
    for own in told.values():
        for label, term in own:
            other, strange = dice.choice(own)
            if not other.relevant & label.relevant and strange.lower() not in label.question.lower():
                made[label.id] = replace(label, cell=NONE, question=label.question.replace(term, strange))
    return list(made.values())


def choose_weights(choices: Sequence[_Choice], pull: float = 0.02) -> NDArray[np.float64]:
    """Weights under which the right candidates of each question have the most of a softmax."""
    usable = [(features, right) for features, right in choices if right.any()]

    def gradient(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        total = pull * weights
        for features, right in usable:
            scores = features @ weights
            share = np.exp(scores - scores.max())
            share /= share.sum()
            wanted = share * right / (share * right).sum()
            total = total + (share - wanted) @ features / len(usable)
        return total

    return descend(gradient, usable[0][0].shape[1])


def logistic(
    values: NDArray[np.float64], answerable: NDArray[np.bool_], trust: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    """Weights and bias in the units of the features; both kinds of question count the same, each row by its trust."""
    mean, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    scaled = np.column_stack([(values - mean) / spread, np.ones(len(values))])
    counts = trust * np.where(answerable, 1 / trust[answerable].sum(), 1 / trust[~answerable].sum())
    pull = np.append(np.full(values.shape[1], 0.01), 0.0)

    def gradient(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        sure = 1 / (1 + np.exp(-scaled @ weights))
        pulled: NDArray[np.float64] = scaled.T @ ((sure - answerable) * counts) + pull * weights
        return pulled

    found = descend(gradient, scaled.shape[1])
    weights = found[:-1] / spread
    return weights, float(found[-1] - weights @ mean)


def descend(
    gradient: Callable[[NDArray[np.float64]], NDArray[np.float64]], size: int, steps: int = 400, rate: float = 0.3
) -> NDArray[np.float64]:
    """Adam, with a rate that falls: the problems are convex and small."""
    weights, first, second = np.zeros(size), np.zeros(size), np.zeros(size)
    for step in range(1, steps + 1):
        slope = gradient(weights)
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        pace = rate * 0.01 ** (step / steps)
        weights = weights - pace * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
    return weights


if __name__ == "__main__":
    asyncio.run(main())
