"""Fit the weights of search, sentences and refusal on the fit half of the labels, and print the other half's numbers.

    python -m tests.eval.ask_fit MIRROR [DATA_DIR [fusion|sentences|refusal]]

Prints the constants for knowledge/search/fusion.py and knowledge/ask/weighing.py and writes
knowledge/ask/refusal.json. Run it three times after a change of tokens: each stage is fitted on what the stages
before it find with the constants in use.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from knowledge.ask.asker import Asker
from knowledge.ask.compose import AskFlow
from knowledge.ask.evidence import FEATURES
from knowledge.ask.labels import NONE, Label, read_labels, share_inside
from knowledge.search.legs import rarities, signals
from tests.eval.ask_library import opened_library

ROOT = Path(__file__).resolve().parents[2]
LABELS = ROOT / "tests" / "eval" / "corpus.jsonl"
FALSE_REFUSALS = 0.11
"""On the half that the weights were fitted on, which flatters false answers: so the bar leans towards refusing."""
_Choice = tuple[NDArray[np.float64], NDArray[np.bool_]]
"""Features of the candidates of one question, and which of them are right."""


async def main() -> None:
    mirror = Path(sys.argv[1])
    labels = [label for label in read_labels(LABELS) if label.follow_up_of is None]
    with tempfile.TemporaryDirectory() as scratch:
        data_dir = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(scratch)
        async with opened_library(data_dir, mirror) as room:
            stages: dict[str, Callable[[], None]] = {
                "fusion": lambda: fit_fusion(room.ask, labels),
                "sentences": lambda: fit_sentences(room.ask, labels, mirror),
                "refusal": lambda: fit_refusal(room.ask.asker, labels),
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


def fit_refusal(asker: Asker, labels: Sequence[Label]) -> None:
    judged = [(label, asker.judge(label.question).doubts) for label in labels]
    weighed = [(label, np.array(found.values)) for label, found in judged if found]
    values = np.array([values for _, values in weighed])
    answerable = np.array([label.cell != NONE for label, _ in weighed])
    fit = np.array([label.half == "fit" for label, _ in weighed])
    weights, bias = logistic(values[fit], answerable[fit])
    odds = values @ weights + bias
    rows = {}
    both = np.quantile(odds[fit & answerable], FALSE_REFUSALS)
    for lang in ("en", "zh"):
        here = np.array([label.lang == lang for label, _ in weighed])
        # Half of the way from the bar of both languages: one language alone has few questions.
        bar = (both + np.quantile(odds[fit & answerable & here], FALSE_REFUSALS)) / 2
        rows[lang] = {
            "weights": [round(float(w), 4) for w in weights],
            "bias": round(bias, 4),
            "bar": round(float(bar), 4),
        }
        for half, mine in (("fit", fit & here), ("gate", ~fit & here)):
            print(
                f"{lang} {half}: false answers {np.mean(odds[mine & ~answerable] >= bar):.3f},"
                f" false refusals {np.mean(odds[mine & answerable] < bar):.3f}"
            )
    (ROOT / "knowledge" / "ask" / "refusal.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


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


def logistic(values: NDArray[np.float64], answerable: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
    """Weights and bias in the units of the features; both kinds of question count the same."""
    mean, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    scaled = np.column_stack([(values - mean) / spread, np.ones(len(values))])
    counts = np.where(answerable, 1 / answerable.sum(), 1 / (~answerable).sum())
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
