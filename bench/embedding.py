"""How much faster is the int8 path than plain torch, and how much of its retrieval quality is left?

    WARPMATE_CORPUS=... python bench/embedding.py [step]      (step 3: every third page, where time is short)

The same passages (English prose of the corpus) and the labelled English questions for both. Texts a second by the
wall and by the processor, medians over rounds that take turns; nDCG@10 and hit@5 by page, exact search.
"""

from __future__ import annotations

import json
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from bench.record import record
from indexer.cut_passages import cut_passages
from indexer.extract import extract
from indexer.mirror import read_mirror
from knowledge.library.embed import PACKAGED, Embedder, open_embedder
from knowledge.library.passages import context_of, in_context
from tests.needs import corpus

QUESTIONS = Path(__file__).parents[1] / "tests" / "eval" / "corpus.jsonl"
ROUNDS = 3
SAMPLE = 96


def english_passages(mirror: Path, embedder: Embedder, step: int) -> tuple[list[str], list[str]]:
    """Texts as they are embedded, and the path of the page of each."""
    texts, paths = [], []
    for source in [source for source in read_mirror(mirror)[0] if source.lang == "en"][::step]:
        page = extract(source.file.read_bytes(), source.kind, title=source.title)
        for chunk in cut_passages(page, embedder.count_tokens):
            if chunk.kind == "prose":
                text = page.text[chunk.start : chunk.end]
                texts.append(in_context(context_of(page.title, chunk.headings), text))
                paths.append(source.path)
    return texts, paths


def quality(embedder: Embedder, texts: list[str], paths: list[str]) -> dict[str, float]:
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    asked = [row for row in rows if row.get("cell") == "en-en" and set(row["relevant"]) & set(paths)]
    scores = embedder.queries([row["question"] for row in asked]) @ embedder.passages(texts).T
    ranked = [list(dict.fromkeys(paths[index] for index in np.argsort(-one)[:200])) for one in scores]
    hits = [bool(set(pages[:5]) & set(row["relevant"])) for pages, row in zip(ranked, asked, strict=True)]
    gains = [_ndcg(pages, set(row["relevant"]) & set(paths)) for pages, row in zip(ranked, asked, strict=True)]
    return {"questions": len(asked), "hit@5": float(np.mean(hits)), "ndcg@10": float(np.mean(gains))}


def _ndcg(pages: list[str], relevant: set[str]) -> float:
    got = sum(1 / np.log2(rank + 2) for rank, page in enumerate(pages[:10]) if page in relevant)
    return float(got / sum(1 / np.log2(rank + 2) for rank in range(min(10, len(relevant)))))


def speeds(embedders: dict[str, Embedder], sample: list[str]) -> dict[str, dict[str, float]]:
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in embedders}
    for embedder in embedders.values():
        embedder.passages(sample[:16])
    for _ in range(ROUNDS):
        for name, embedder in embedders.items():
            wall, cpu = time.perf_counter(), _processor_seconds()
            embedder.passages(sample)
            taken[name].append((time.perf_counter() - wall, _processor_seconds() - cpu))
    return {
        name: {
            "texts_per_s": len(sample) / statistics.median(wall for wall, _ in rounds),
            "texts_per_processor_s": len(sample) / statistics.median(cpu for _, cpu in rounds),
        }
        for name, rounds in taken.items()
    }


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    mirror = corpus()
    if mirror is None:
        sys.exit("no corpus: set WARPMATE_CORPUS to a folder of pages with a manifest.jsonl")
    step = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with tempfile.TemporaryDirectory() as models:
        small = open_embedder(cache=Path(models))
        embedders = {"int8": small, "torch fp32": open_embedder(PACKAGED, cache=Path(models), backend="torch")}
        texts, paths = english_passages(mirror, small, step)
        chosen = np.random.default_rng(0).choice(len(texts), SAMPLE, replace=False)
        speed = speeds(embedders, [texts[index] for index in chosen])
        for name, row in speed.items():
            print(f"{name:10} " + "  ".join(f"{key} {value:.1f}" for key, value in row.items()), flush=True)
        result: dict[str, Any] = {name: speed[name] | quality(each, texts, paths) for name, each in embedders.items()}
    for name, row in result.items():
        print(f"{name:10} " + "  ".join(f"{key} {value:.3f}" for key, value in row.items()))
    ratios = {key: result["int8"][key] / result["torch fp32"][key] for key in result["int8"] if key != "questions"}
    print("int8 / torch: " + "  ".join(f"{key} {ratio:.3f}" for key, ratio in ratios.items()))
    record(
        "embedding",
        {
            "step": step,
            "passages": len(texts),
            "sample": SAMPLE,
            "rounds": ROUNDS,
            "results": result,
            "ratios": ratios,
        },
    )


if __name__ == "__main__":
    main()
