"""Labelled questions: what they ask, which pages answer, and where the answering sentence stands."""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from knowledge.errors import BadInput
from knowledge.text.language import Lang, language_of

NONE = "none"
FOLLOW_UP = "followup"
_TAG = re.compile(r"<[^>]*>")
_MARKUP = re.compile(r"https?://\S+|:[\w-]+:(?=`)|[*`_#|\\$\[\]()（）<>]")
_SPACE = re.compile(r"\s+")
_SHORTEST_RUN = 4
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Gold:
    path: str
    start: int
    end: int
    sha256: str

    def text(self, mirror: Path) -> str:
        """The answering sentence, without markup; BadInput where the page no longer holds it.

        Offsets count in the file, or, for our notes, in what follows the front matter. A sentence that has moved
        since is found by its digest.
        """
        page = (mirror / self.path).read_bytes().decode()
        for text in (page, _FRONT_MATTER.sub("", page, count=1)):
            span = text[self.start : self.end]
            if not self.sha256 or self._is(span):
                return plain(span)
        length = self.end - self.start
        moved = (page[at : at + length] for at in range(len(page) - length + 1))
        if found := next(filter(self._is, moved), ""):
            return plain(found)
        raise BadInput("error.labels.changed", file=self.path, at=self.start)

    def _is(self, span: str) -> bool:
        return hashlib.sha256(span.encode()).hexdigest() == self.sha256


@dataclass(frozen=True, slots=True)
class Label:
    id: str
    cell: str
    question: str
    lang: Lang
    relevant: frozenset[str]
    gold: tuple[Gold | str, ...] = ()
    """The answering sentence, as text or by its place; several where each answers by itself."""
    follow_up_of: str | None = None
    spelled: str | None = None
    """A follow-up as one would ask it without the question before."""

    def gold_texts(self, mirror: Path | None) -> tuple[str, ...]:
        """What answers, plain; places need the mirror that they point into."""
        texts = [plain(one) if isinstance(one, str) else one.text(mirror) if mirror else "" for one in self.gold]
        return tuple(text for text in texts if text)

    @property
    def half(self) -> str:
        """fit or gate, for good: by a hash of the id."""
        return "fit" if int(hashlib.sha256(self.id.encode()).hexdigest(), 16) % 2 else "gate"


def read_labels(file: Path) -> tuple[Label, ...]:
    """One JSON object a line; BadInput names the line that is wrong."""
    labels = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            try:
                labels.append(_label(json.loads(line), number))
            except (ValueError, KeyError, TypeError) as error:
                raise BadInput("error.labels.malformed", file=file.name, line=number, reason=error) from error
    return tuple(labels)


def _label(row: dict[str, Any], number: int) -> Label:
    follows = "second" in row
    question = row["second"] if follows else row["question"]
    gold = row.get("gold")
    return Label(
        id=str(row.get("id", number)),
        cell=row.get("cell", FOLLOW_UP if follows else ""),
        question=question,
        lang=row.get("lang") or language_of(question),
        relevant=frozenset(row.get("relevant", ())),
        gold=tuple(_gold(one) for one in (gold, *row.get("gold_also", ())) if one),
        follow_up_of=row["first"] if follows else None,
        spelled=row.get("spelled"),
    )


def _gold(row: dict[str, Any] | str) -> Gold | str:
    return row if isinstance(row, str) else Gold(row["path"], row["start"], row["end"], row.get("sha256", ""))


def plain(text: str) -> str:
    """Return the text without markup, white space and case: what two extractions of one sentence have in common."""
    return _SPACE.sub("", _MARKUP.sub("", html.unescape(_TAG.sub(" ", text)))).lower()


def share_inside(gold: str, quotes: Iterable[str]) -> float:
    """Share of the gold sentence's characters that lie inside the quotes, in runs."""
    if not gold:
        return 0.0
    blocks = SequenceMatcher(None, gold, "\n".join(map(plain, quotes)), autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks if block.size >= min(_SHORTEST_RUN, len(gold))) / len(gold)
