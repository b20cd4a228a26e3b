"""How well do pages keep their words? Ours against trafilatura's default, on the labelled pages of the corpus.

WARPMATE_CORPUS=... python bench/extraction.py
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).parents[1]))

from indexer.extract import extract
from tests.eval.extraction import Score, labels, score
from tests.needs import corpus


def ours(file: Path, kind: str) -> str:
    return extract(file.read_bytes(), kind).text


def trafilaturas(file: Path, kind: str) -> str:
    """It reads HTML only; the other formats are handed through as they are."""
    import trafilatura

    source = file.read_text(encoding="utf-8")
    return (trafilatura.extract(source) or "") if kind == "html" else source


def main() -> None:
    mirror = corpus()
    if mirror is None:
        sys.exit("no corpus: set WARPMATE_CORPUS to a folder of pages with a manifest.jsonl")
    pages = list(labels(mirror))
    print(f"{len(pages)} labelled pages; mean over pages\n")
    print(
        f"{'':14}{'word F1':>9}{'span F1':>9}{'code exact':>12}{'HTML word F1':>14}{'HTML span F1':>14}{'seconds':>9}"
    )
    for name, extractor in (("warpmate", ours), ("trafilatura", trafilaturas)):
        since = time.perf_counter()
        texts = [extractor(mirror / page.path, page.kind) for page in pages]
        seconds = time.perf_counter() - since
        scores = [score(page, text) for page, text in zip(pages, texts, strict=True)]
        of_html = [each for page, each in zip(pages, scores, strict=True) if page.kind == "html"]
        row = [mean(getattr(each, field) for each in scores) for field in Score.__slots__]
        html = [mean(getattr(each, field) for each in of_html) for field in ("word_f1", "span_f1")]
        print(f"{name:14}{row[0]:9.3f}{row[1]:9.3f}{row[2]:12.3f}{html[0]:14.3f}{html[1]:14.3f}{seconds:9.2f}")


if __name__ == "__main__":
    main()
