"""Do our summaries say more of a page than its first sentences do?

    WARPMATE_CORPUS=... python bench/summaries.py [pages]      (default: every page that a labelled question is about)

Both are at most three sentences of the page. A labelled question states what somebody wants from a page, so a good
summary holds its words and points where it points. Printed for both: the share of the questions' words that the
summary holds, the cosine between question and summary, the cosine between the summary and all sentences of the page
together, the cosine of its two most alike sentences (repetition), and its length in characters.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from bench.record import record
from indexer.extract import Page, extract
from indexer.mirror import read_mirror
from indexer.summaries import MOST_SENTENCES, eligible, pick
from knowledge.content import load_content
from knowledge.library.embed import Embedder, Vectors, open_embedder
from knowledge.search.wording import wording_of
from knowledge.text.tokens import tokens
from tests.needs import corpus

ROOT = Path(__file__).resolve().parents[1]
QUESTIONS = ROOT / "tests" / "eval" / "corpus.jsonl"
Read = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Figures:
    words: float
    question_cosine: float
    page_cosine: float
    repetition: float
    characters: float


def questions_by_page() -> dict[str, list[str]]:
    """Questions in the language of the page that answers them."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        if row.get("cell") in {"en-en", "zh-zh"} and row.get("gold"):
            found[row["gold"]["path"]].append(row["question"])
    return found


def figures(chosen: Sequence[int], sentences: Sequence[str], vectors: Vectors, asked: Asked) -> Figures:
    own = vectors[list(chosen)]
    held = set(tokens(" ".join(sentences[index] for index in chosen)))
    alike = own @ own.T - 2 * np.eye(len(own))
    return Figures(
        words=mean(len(words & held) / len(words) for words in asked.words if words),
        question_cosine=float((asked.vectors @ unit(own.mean(axis=0))).mean()),
        page_cosine=float(unit(vectors.mean(axis=0)) @ unit(own.mean(axis=0))),
        repetition=float(alike.max()) if len(own) > 1 else 0.0,
        characters=float(sum(len(sentences[index]) for index in chosen)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    words: tuple[set[str], ...]
    vectors: Vectors


def of_page(page: Page, asked: Sequence[str], embedder: Embedder, read: Read) -> tuple[Figures, Figures] | None:
    """Ours and the lead's; None where the page has so few sentences that both are the same."""
    sentences = eligible(page)
    if len(sentences) <= MOST_SENTENCES:
        return None
    vectors = embedder.passages([read(sentence) for sentence in sentences])
    of = Asked(tuple(set(tokens(one)) for one in asked), embedder.queries([read(one) for one in asked]))
    ours = pick(vectors, MOST_SENTENCES)
    return figures(ours, sentences, vectors, of), figures(range(MOST_SENTENCES), sentences, vectors, of)


def unit(vector: Vectors) -> Vectors:
    scaled: Vectors = vector / (np.linalg.norm(vector) or 1.0)
    return scaled


def main() -> None:
    mirror = corpus()
    if mirror is None:
        sys.exit("no corpus: set WARPMATE_CORPUS to a folder of pages with a manifest.jsonl")
    asked = questions_by_page()
    sources = [source for source in read_mirror(mirror)[0] if source.path in asked]
    most = int(sys.argv[1]) if len(sys.argv) > 1 else len(sources)
    with tempfile.TemporaryDirectory() as models:
        embedder = open_embedder(cache=Path(models))
        read = wording_of(load_content(ROOT / "content").glossary, embedder).readable
        step = max(1, -(-len(sources) // most))
        compared = []
        for source in sources[::step]:
            page = extract(source.file.read_bytes(), source.kind, title=source.title)
            found = of_page(page, asked[source.path], embedder, read)
            compared += [found] if found else []
    print(f"{len(compared)} pages with labelled questions\n")
    print(f"{'':8}" + "".join(f"{name:>17}" for name in Figures.__slots__))
    rows = {}
    for number, name in enumerate(("ours", "lead")):
        rows[name] = {
            key: round(mean(getattr(pair[number], key) for pair in compared), 3) for key in Figures.__slots__
        }
        print(f"{name:8}" + "".join(f"{value:17.3f}" for value in rows[name].values()))
    record("summaries", {"pages": len(compared), **rows})


if __name__ == "__main__":
    main()
