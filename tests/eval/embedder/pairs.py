"""Questions with the passages that answer them, and the passages of all pages that may be trained on.

    python -m tests.eval.embedder.pairs MIRROR DATA_DIR OUT

MIRROR is what tests/eval/reader/pages.py laid out; its index is built in DATA_DIR unless it is there (any embedder
will do: only how pages are cut is used). Definitions of the glossary come along as passages of their own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import lzma
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from knowledge.ask.labelled_questions import NONE, Label, plain
from knowledge.content import Content
from tests.eval.ask_library import opened_library
from tests.eval.reader.collect import (
    Candidate,
    Text,
    allowed_labels,
    by_bm25,
    for_development,
    held_texts,
    may_answer_too,
    passages_of,
    texts_of,
)
from tests.eval.reader.pages import LABELS
from tests.shipped_content import shipped_content

_TERMS = "terms"
_RUN = 8
_ALIKE = 0.7
_ASKED = {
    "en": ("What is {}?", "{}", "what does {} mean", "define {}", "explain {} please"),
    "zh": ("什么是 {}？", "{}", "{} 是什么", "{}是什么意思", "解释一下 {}"),
}


@dataclass(frozen=True, slots=True)
class Pair:
    """A question, the passages that answer it, and others that are no proof of a mistake when they come first."""

    question: str
    gold: tuple[int, ...]
    near: tuple[int, ...]
    """By their words: what has to be told apart from the answer."""
    perhaps: tuple[int, ...]
    """May answer too; never shown as wrong."""
    development: bool
    answerable: bool = True


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage as the embedder is read it."""

    path: str
    context: str
    text: str
    development: bool


async def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    for name in ("mirror", "data_dir", "out"):
        parser.add_argument(name, type=Path)
    asked = parser.parse_args()
    labels = allowed_labels(LABELS, asked.out)
    async with opened_library(asked.data_dir, asked.mirror) as library:
        passages = passages_of(library.ask)
        texts = texts_of(library.ask, passages)
    near = by_bm25(passages)
    pairs = list(_labelled(labels, texts, asked.mirror, lambda question: [one.passage for one in near(question)]))
    shown = [Shown(one.path, one.context, one.text, for_development(one.path)) for one in texts]
    defined, terms = _defined(shipped_content(), len(shown))
    write([asdict(one) for one in (*pairs, *defined)], asked.out / "pairs.jsonl.xz")
    write([asdict(one) for one in (*shown, *terms)], asked.out / "passages.jsonl.xz")
    print(
        f"{len(pairs)} questions of {len(labels)} labels, {len(defined)} on terms; {len(shown) + len(terms)} passages"
    )


def _labelled(
    labels: Sequence[tuple[Label, str]], texts: Sequence[Text], mirror: Path, near: Callable[[str], list[int]]
) -> Iterator[Pair]:
    """Of each label whose sentence the index has; of what nothing answers, only to measure."""
    own: dict[str, list[int]] = defaultdict(list)
    for row, one in enumerate(texts):
        own[one.path].append(row)
    for label, path in labels:
        rows = own.get(path, [])
        gold = _answering(held_texts(label, mirror), {row: texts[row] for row in rows})
        if not rows or (not gold and label.cell != NONE):
            continue
        found = near(label.question)
        perhaps = tuple(row for row in found if may_answer_too(Candidate(row), path, texts))
        perhaps = tuple({*perhaps, *_twins(path, own)} - set(gold))
        wrong = tuple(row for row in found if row not in gold and row not in perhaps)
        yield Pair(label.question, gold, wrong, perhaps, for_development(path), label.cell != NONE)


def _answering(golds: Sequence[str], texts: Mapping[int, Text]) -> tuple[int, ...]:
    """Passages that hold the sentence; only where none has it word for word, those that nearly do."""
    whole = {row: plain(one.text) for row, one in texts.items()}
    exact = tuple(row for row, text in whole.items() if any(gold and gold in text for gold in golds))
    return exact or tuple(row for row, text in whole.items() if any(_nearly(gold, text) for gold in golds))


def _nearly(gold: str, text: str) -> bool:
    """By the share of its runs of characters that the text has."""
    runs = {gold[at : at + _RUN] for at in range(max(1, len(gold) - _RUN + 1))}
    return bool(gold) and sum(run in text for run in runs) >= _ALIKE * len(runs)


def _twins(path: str, own: Mapping[str, list[int]]) -> Sequence[int]:
    """Passages of the same note in the other language."""
    here, there = ("en", "zh") if path.startswith("notes/en/") else ("zh", "en")
    return own.get(path.replace(f"notes/{here}/", f"notes/{there}/"), []) if path.startswith("notes/") else []


def _defined(content: Content, first: int) -> tuple[list[Pair], list[Shown]]:
    """Both languages of each term's definition, asked for in both."""
    dice = random.Random(5)
    pairs: list[Pair] = []
    shown: list[Shown] = []
    for slug, term in content.definitions.by_slug.items():
        rows = {}
        for lang in ("en", "zh"):
            rows[lang] = first + len(shown)
            path = f"{_TERMS}/{lang}/{slug}"
            shown.append(Shown(path, term.title(lang), term.text.text(lang), for_development(f"{_TERMS}/{slug}")))
        gold = tuple(rows.values())
        for lang, shapes in _ASKED.items():
            question = dice.choice(shapes).format(term.title(lang))
            pairs.append(Pair(question, gold, (), (), for_development(f"{_TERMS}/{slug}")))
    return pairs, shown


def write(rows: Sequence[Mapping[str, object]], file: Path) -> None:
    with lzma.open(file, "wt", encoding="utf-8", preset=3) as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


if __name__ == "__main__":
    asyncio.run(main())
