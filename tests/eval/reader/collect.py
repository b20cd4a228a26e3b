"""Questions for training, each with passages that may answer and the sentences that do.

    python -m tests.eval.reader.collect MIRROR DATA_DIR OUT

MIRROR is what pages.py laid out; its index is built in DATA_DIR unless it is there. Questions for training have
candidates by BM25 and from their own page; those kept for development have what the product's search finds.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import lzma
import random
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from knowledge.ask.evidence import sentences_of
from knowledge.ask.labelled_questions import NONE, Label, plain, read_labels, share_inside
from knowledge.ask.open_ask import AskFlow
from knowledge.ask.weighing import merit
from knowledge.errors import BadInput
from knowledge.library.passages import Passage
from knowledge.text.tokens import tokens
from tests.eval.ask_library import opened_library
from tests.eval.reader.pages import ALLOWED, LABELS, page_of, read_rows

_BY_WORDS, _SAME_PAGE = 14, 8
_SEARCHED, _SEARCHED_PER_PAGE = 20, 6
_ALIKE = 0.7
"""This share of the labelled sentence inside the passage's one, or the other way round, makes them the same."""
_DEVELOPMENT = 6
"""One page in so many is kept for development, with all its questions."""
Find = Callable[[str], list["Candidate"]]


@dataclass(frozen=True, slots=True)
class Candidate:
    passage: int
    score: float = 0.0
    merits: tuple[float, ...] = ()
    """What the words say of each of its sentences; with the score of search, for development alone."""


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    pages: tuple[str, ...]
    """Where it is answered; of an unanswerable question, the page that it was asked beside."""
    answerable: bool
    development: bool
    candidates: tuple[Candidate, ...] = ()
    gold: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Numbers of the sentences that answer, by the passage's number (a word: JSON has no other keys)."""


@dataclass(frozen=True, slots=True)
class Text:
    """A passage as the reader is shown it."""

    path: str
    context: str
    text: str
    sentences: tuple[tuple[int, int], ...]


async def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    for name in ("mirror", "data_dir", "out"):
        parser.add_argument(name, type=Path)
    asked = parser.parse_args()
    labels = allowed_labels(LABELS, asked.out)
    async with opened_library(asked.data_dir, asked.mirror) as library:
        passages = passages_of(library.ask)
        texts = texts_of(library.ask, passages)
        questions = collected(labels, passages, texts, asked.mirror, library.ask)
    write(questions, texts, asked.out)
    found = sum(question.answerable for question in questions)
    print(f"{len(questions)} questions of {len(labels)} labels, {found} answerable; {len(texts)} passages")


def allowed_labels(packed: Path, out: Path) -> list[tuple[Label, str]]:
    """Labels over pages that may be trained on, each with its page."""
    rows = [row for row in read_rows(packed) if row["licence"] in ALLOWED]
    out.mkdir(parents=True, exist_ok=True)
    plain_file = out / "labels.jsonl"
    plain_file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return [(label, page_of(row)) for label, row in zip(read_labels(plain_file), rows, strict=True)]


def for_development(path: str) -> bool:
    """By a hash of the page; both languages of a note go the same way."""
    page = re.sub(r"^notes/(en|zh)/", "notes/", path)
    return int(hashlib.sha256(f"dev:{page}".encode()).hexdigest(), 16) % _DEVELOPMENT == 0


def passages_of(flow: AskFlow) -> list[Passage]:
    generation = flow.sources.shared().generation
    return generation.passages(list(range(len(generation.page_of))))


def texts_of(flow: AskFlow, passages: Sequence[Passage]) -> list[Text]:
    sentences = flow.sources.shared().sentences
    return [
        Text(one.path, one.context, one.text, tuple((span.start, span.end) for span in sentences.of(one.row)[0]))
        for one in passages
    ]


def collected(
    labels: Sequence[tuple[Label, str]],
    passages: Sequence[Passage],
    texts: Sequence[Text],
    mirror: Path,
    flow: AskFlow,
) -> list[Question]:
    """What no longer finds its sentence in the index is left out."""
    own: dict[str, list[int]] = defaultdict(list)
    for one in passages:
        own[one.path].append(one.row)
    by_words, searched, dice = by_bm25(passages), by_search(flow), random.Random(3)
    questions = []
    for label, path in labels:
        if path not in own:
            continue
        gold = gold_among(held_texts(label, mirror), {row: texts[row] for row in own[path]})
        if gold or label.cell == NONE:
            development = for_development(path)
            found = searched(label.question) if development else by_words(label.question)
            beside = [] if development else dice.sample(own[path], min(_SAME_PAGE, len(own[path])))
            shown = (*found, *map(Candidate, beside))
            candidates = {one.passage: one for one in shown if development or not may_answer_too(one, path, texts)}
            pages = tuple(dict.fromkeys((path, *label.relevant)))
            questions.append(
                Question(label.question, pages, label.cell != NONE, development, tuple(candidates.values()), gold)
            )
    return questions


def may_answer_too(candidate: Candidate, path: str, texts: Sequence[Text]) -> bool:
    """Whether it is of the beginner's note beside the one that was labelled, or the other way round."""
    other = texts[candidate.passage].path
    return other.startswith("notes/") and other != path and subject_of(other) == subject_of(path)


def subject_of(path: str) -> str:
    """The file's name, whatever the language and level of the note."""
    return path.rpartition("/")[2].removesuffix(".md").removesuffix("-for-beginners")


def held_texts(label: Label, mirror: Path) -> tuple[str, ...]:
    """What answers, of that which its pages still say: notes are mended, and a label may outlive its sentence."""
    try:
        return label.gold_texts(mirror)
    except BadInput:
        return ()


def by_bm25(passages: Sequence[Passage]) -> Find:
    import bm25s

    index = bm25s.BM25()
    index.index([tokens(one.in_context) for one in passages], show_progress=False)

    def find(question: str) -> list[Candidate]:
        many = min(_BY_WORDS, len(passages))
        rows, _ = index.retrieve([tokens(question) or ["?"]], k=many, show_progress=False)
        return [Candidate(int(row)) for row in rows[0]]

    return find


def by_search(flow: AskFlow) -> Find:
    searcher = flow.searcher

    def find(question: str) -> list[Candidate]:
        findings = searcher.findings(searcher.read(question), _SEARCHED, per_page=_SEARCHED_PER_PAGE)
        return [
            Candidate(hit.passage.row, hit.score, tuple(round(merit(one), 3) for one in of_hit))
            for hit, of_hit in sentences_of(findings)
        ]

    return find


def gold_among(golds: Sequence[str], texts: Mapping[int, Text]) -> dict[str, tuple[int, ...]]:
    found = {}
    for row, text in texts.items():
        cut = [plain(text.text[start:end]) for start, end in text.sentences]
        right = tuple(at for at, own in enumerate(cut) if own and any(alike(own, gold) for gold in golds))
        if right:
            found[str(row)] = right
    return found


def alike(one: str, other: str) -> bool:
    """Whether one plain text lies mostly inside the other."""
    if one in other or other in one:
        return True
    return share_inside(one, [other]) >= _ALIKE or share_inside(other, [one]) >= _ALIKE


def write(questions: Sequence[Question], texts: Sequence[Text], out: Path) -> None:
    for name, rows in (("questions", questions), ("passages", texts)):
        with lzma.open(out / f"{name}.jsonl.xz", "wt", encoding="utf-8", preset=3) as file:
            file.writelines(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows)


if __name__ == "__main__":
    asyncio.run(main())
