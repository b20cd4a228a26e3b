"""Batches of training questions in tokens, put together as knowledge/reader/model.py puts them together."""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from knowledge.reader import model

PAD = 1
"""Of the tokens; the product reads passages one by one and fills nothing up."""
_GOLD_SHOWN = 2
_HARDEST = 6
_WITHOUT_ANSWER = 0.10
"""So often an answerable question is shown none of its pages: then the null is right."""
Ints = NDArray[np.int64]
_Tokens = tuple[list[int], list[int], list[int]]
"""Of one row: tokens, segments, and the number of the sentence, counted from 1."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of several questions, one after another."""

    ids: Ints
    segments: Ints
    sentence: Ints
    passages: tuple[int, ...]
    """How many rows each question has."""
    gold: tuple[tuple[tuple[int, int], ...], ...]
    """Of each question: the row and the number, from 0, of every sentence that answers."""


@dataclass(frozen=True, slots=True)
class _Cut:
    """A passage in tokens."""

    path: str
    context: list[int]
    ids: list[int]
    sentence: list[int]


class Encoder:
    """Texts as rows of at most `most` tokens."""

    def __init__(self, base: Path, most: int) -> None:
        self._tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
        self._most = most

    def cut(self, row: dict[str, Any]) -> _Cut:
        context = self._ids(row["context"][-model._CONTEXT_CHARACTERS :])[-model._CONTEXT_TOKENS :]
        pieces = [self._ids(row["text"][start:end][: model._SENTENCE_CHARACTERS]) for start, end in row["sentences"]]
        numbers = [number for number, piece in enumerate(pieces, start=1) for _ in piece]
        return _Cut(row["path"], context, [token for piece in pieces for token in piece], numbers)

    def rows(self, question: str, passages: Sequence[_Cut]) -> list[_Tokens]:
        asked = self._ids("query: " + question)[: model._QUESTION_TOKENS]
        return [self._row(asked, passage) for passage in passages]

    def _row(self, asked: list[int], passage: _Cut) -> _Tokens:
        head = [model._START, *asked, model._END, model._END, *passage.context, model._END]
        room = self._most - len(head) - 1
        ids = [*head, *passage.ids[:room], model._END]
        before = len(asked) + 3
        segments = [0] * before + [1] * (len(ids) - before)
        return ids, segments, [*[0] * len(head), *passage.sentence[:room], 0]

    def _ids(self, text: str) -> list[int]:
        found: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return found


class Batches:
    """Of one epoch; each is made when it is asked for, from its own seed, so that several processes can make them."""

    def __init__(
        self,
        encoder: Encoder,
        passages: Sequence[_Cut],
        questions: Sequence[dict[str, Any]],
        per_batch: int,
        passages_each: int,
        epoch: int,
    ) -> None:
        self._encoder, self._passages, self._each, self._epoch = encoder, passages, passages_each, epoch
        order = list(questions)
        random.Random(epoch).shuffle(order)
        self._groups = [order[at : at + per_batch] for at in range(0, len(order), per_batch)]

    def __len__(self) -> int:
        return len(self._groups)

    def __getitem__(self, at: int) -> Batch:
        if at >= len(self):
            raise IndexError(at)
        dice = random.Random(self._epoch * 100_003 + at)
        rows: list[_Tokens] = []
        counts, gold = [], []
        for question in self._groups[at]:
            shown, right = chosen(question, self._passages, self._each, dice)
            rows += self._encoder.rows(question["text"], [self._passages[one] for one in shown])
            counts.append(len(shown))
            gold.append(tuple((row, number) for row, one in enumerate(shown) for number in right.get(str(one), ())))
        ids, segments, sentence = (_even(rows, part, fill) for part, fill in ((0, PAD), (1, 0), (2, 0)))
        return Batch(ids, segments, sentence, tuple(counts), tuple(gold))


def chosen(
    question: dict[str, Any], passages: Sequence[_Cut], many: int, dice: random.Random
) -> tuple[list[int], dict[str, list[int]]]:
    """Numbers of the passages to show, and the sentences in them that answer."""
    gold: dict[str, list[int]] = question["gold"]
    right = [int(one) for one in gold]
    wrong = [one["passage"] for one in question["candidates"] if str(one["passage"]) not in gold]
    if question["answerable"] and dice.random() < _WITHOUT_ANSWER:
        wrong = [one for one in wrong if passages[one].path not in question["pages"]]
        right, gold = [], {}
    dice.shuffle(right)
    right = right[:_GOLD_SHOWN]
    room = many - len(right)
    if dice.random() < 0.5:
        rest = wrong[_HARDEST:]
        dice.shuffle(rest)
        return right + [*wrong[:_HARDEST], *rest][:room], gold
    return right + dice.sample(wrong, min(room, len(wrong))), gold


def _even(rows: Sequence[_Tokens], part: int, fill: int) -> Ints:
    made = np.full((len(rows), max((len(row[part]) for row in rows), default=0)), fill, dtype=np.int64)
    for at, row in enumerate(rows):
        made[at, : len(row[part])] = row[part]
    return made


def stored(file: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
