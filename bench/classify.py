"""How well do the rules label pages? Kappa of levels and F1 of topics on pages labelled by hand.

    python bench/classify.py [--mirror DIR] [--labels FILE] [--misses] [--fit]

Prints both figures for the pages that the rules were tuned on and for the half held out, with two baselines:
every page intermediate, and the topics whose title stands in the page's title. `--fit` fits the weights of the
level's signals anew and prints the kappa that ten-fold cross-validation gives, each page judged by weights that
were fitted without it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import yaml

from indexer.classify import Classification, Classifier, features_of
from indexer.classify.level_rules import WEIGHTS
from indexer.extract import extract
from indexer.mirror import SourcePage, read_mirror
from knowledge.content import Topics, load_topics

LEVELS = ("beginner", "intermediate", "advanced")
Floats = npt.NDArray[np.float64]
ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Judged:
    path: str
    held_out: bool
    level: str
    topics: frozenset[str]
    found: Classification
    named_in_title: frozenset[str]
    signals: Mapping[str, float]


def main() -> None:
    arguments = _arguments()
    topics = load_topics(ROOT / "content")
    judged = judge(arguments.mirror, arguments.labels, topics)
    report = {}
    for name, pages in (
        ("tuned on", [page for page in judged if not page.held_out]),
        ("held out", [page for page in judged if page.held_out]),
        ("all", judged),
    ):
        report[name] = figures(pages)
        print(name.ljust(9), json.dumps(report[name]))
    if arguments.fit:
        print("fitted   ", json.dumps(fitted(judged)))
    if arguments.misses:
        for page in judged:
            if not page.held_out:
                _print_miss(page)


def judge(mirror: Path, labels: Path, topics: Topics) -> list[Judged]:
    """Every labelled page, read and classified."""
    pages, failures = read_mirror(mirror)
    if failures:
        sys.exit("; ".join(f"{failure.path}: {failure.reason}" for failure in failures[:3]))
    by_path = {page.path: page for page in pages}
    classifier = Classifier(topics)
    return [
        _judged(row, by_path[row["path"]], classifier, topics) for row in yaml.safe_load(labels.read_text())["pages"]
    ]


def _judged(row: dict[str, object], source: SourcePage, classifier: Classifier, topics: Topics) -> Judged:
    page = extract(source.file.read_bytes(), source.kind, charset=source.charset, title=source.title)
    titled = {
        topic.id for topic in topics if topic.title.en.lower() in page.title.lower() or topic.title.zh in page.title
    }
    features = features_of(page, source.url)
    found = classifier.classify_features(features)
    wanted = row["topics"]
    assert isinstance(wanted, list)
    return Judged(
        str(row["path"]),
        bool(row["held_out"]),
        str(row["level"]),
        frozenset(map(str, wanted)),
        found,
        frozenset(titled),
        {signal.name: signal.amount for signal in classifier.signals(features, found.topics)},
    )


def figures(pages: Sequence[Judged]) -> dict[str, float]:
    wanted = [LEVELS.index(page.level) for page in pages]
    return {
        "pages": len(pages),
        "kappa": round(weighted_kappa(wanted, [LEVELS.index(page.found.level.value) for page in pages]), 3),
        "topic_f1": round(micro_f1((page.topics, frozenset(page.found.topic_ids)) for page in pages), 3),
        "kappa_all_intermediate": round(weighted_kappa(wanted, [1] * len(pages)), 3),
        "topic_f1_title_only": round(micro_f1((page.topics, page.named_in_title) for page in pages), 3),
    }


def fitted(pages: Sequence[Judged], folds: int = 10, repeats: int = 5) -> dict[str, object]:
    """Weights by ridge regression on all pages, and the kappa that such weights reach on pages left out."""
    amounts = np.array([[1.0, *(page.signals.get(name, 0.0) for name in WEIGHTS)] for page in pages])
    levels = np.array([LEVELS.index(page.level) for page in pages], dtype=np.float64)
    kappas = []
    for seed in range(repeats):
        order = np.random.default_rng(seed).permutation(len(pages))
        heights = np.zeros(len(pages))
        for left_out in np.array_split(order, folds):
            rest = np.setdiff1d(order, left_out)
            heights[left_out] = amounts[left_out] @ _ridge(amounts[rest], levels[rest])
        found = np.digitize(heights, (0.5, 1.5)).tolist()
        kappas.append(weighted_kappa(levels.astype(int).tolist(), found))
    weights = _ridge(amounts, levels)
    named = dict(zip(("base", *WEIGHTS), weights.round(2).tolist(), strict=True))
    return {"cross_validated_kappa": round(float(np.mean(kappas)), 3), "weights": named}


def _ridge(amounts: Floats, levels: Floats, penalty: float = 1.0) -> Floats:
    """Least squares with a small penalty on every weight but the base."""
    penalties = penalty * np.eye(amounts.shape[1])
    penalties[0, 0] = 0.0
    return np.linalg.solve(amounts.T @ amounts + penalties, amounts.T @ levels).astype(np.float64)


def weighted_kappa(wanted: Sequence[int], found: Sequence[int], kinds: int = 3) -> float:
    """Cohen's kappa with quadratic weights: 1 is full agreement, 0 what chance gives."""
    pairs = list(zip(wanted, found, strict=True))
    observed = sum((a - b) ** 2 for a, b in pairs) / len(pairs)
    chance = sum((a - b) ** 2 for a in wanted for b in found) / (len(wanted) * len(found))
    return 1 - observed / chance if chance else 1.0


def micro_f1(pairs: Iterable[tuple[frozenset[str], frozenset[str]]]) -> float:
    hits = labels = 0
    for wanted, found in pairs:
        hits += len(wanted & found)
        labels += len(wanted) + len(found)
    return 2 * hits / labels if labels else 0.0


def _print_miss(page: Judged) -> None:
    if page.found.level.value != page.level:
        why = "; ".join(reason.text("en") for reason in page.found.level.reasons)
        print(f"{page.path}: {page.level}, found {page.found.level.value} ({why})")
    if frozenset(page.found.topic_ids) != page.topics:
        print(f"{page.path}: {sorted(page.topics)}, found {list(page.found.topic_ids)}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirror", type=Path, default=ROOT.parent / "shared" / "corpus")
    parser.add_argument("--labels", type=Path, default=ROOT / "tests" / "eval" / "levels.yaml")
    parser.add_argument("--misses", action="store_true", help="list the wrong labels of the pages tuned on")
    parser.add_argument("--fit", action="store_true", help="fit the weights of the level's signals anew")
    return parser.parse_args()


if __name__ == "__main__":
    main()
