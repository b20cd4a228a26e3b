"""How well an extractor keeps what a page says and drops what surrounds it, against labels made by hand.

A label (`extraction.jsonl`, one page a line) points into the page's source: `keep`, `drop` and `code` are lists of
spans, a span is a list of [start, end) pieces, and `hashes` guard the text that they meant when they were made.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

LABELS = Path(__file__).with_name("extraction.jsonl")
_WORD = re.compile(
    r"[\u3400-\u9fff\u3040-\u30ff]|[^\W_\u3400-\u9fff\u3040-\u30ff][^\W\u3400-\u9fff\u3040-\u30ff]*|_\w*"
)
_INLINE = {"a", "abbr", "b", "code", "em", "i", "span", "strong", "sub", "sup", "tt", "u", "font", "small", "kbd"}


@dataclass(frozen=True, slots=True)
class Label:
    path: str
    kind: str
    keep: tuple[str, ...]
    drop: tuple[str, ...]
    code: tuple[str, ...]
    unlabelled: tuple[str, ...] = ()
    """Words that no span of a Markdown or RST page covers: markup and text run together there; they do not count."""


@dataclass(frozen=True, slots=True)
class Score:
    """Of one page, or the mean over pages: rates from 0 to 1."""

    word_f1: float
    span_f1: float
    code_exact: float


def labels(mirror: Path, path: Path = LABELS) -> Iterator[Label]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        source = (mirror / row["path"]).read_text(encoding="utf-8")
        label = Label(
            row["path"],
            row["kind"],
            *(
                tuple(text_of(source, span, row["kind"], want) for span in row[want])
                for want in ("keep", "drop", "code")
            ),
        )
        if row["kind"] != "html":
            label = replace(label, unlabelled=tuple(_unlabelled(source, label)))
        if digest(label) != row["sha256"]:
            raise ValueError(f"{row['path']}: the page is not the one that was labelled")
        yield label


def _unlabelled(source: str, label: Label) -> Iterator[str]:
    labelled = Counter(word for span in (*label.keep, *label.drop, *label.code) for word in words(span))
    yield from (Counter(words(source)) - labelled).elements()


def digest(label: Label) -> str:
    text = "\0".join(("\1".join(label.keep), "\1".join(label.drop), "\1".join(label.code)))
    return hashlib.sha256(text.encode()).hexdigest()


def text_of(source: str, span: Iterable[tuple[int, int]], kind: str, want: str) -> str:
    raw = "".join(source[start:end] for start, end in span)
    if kind == "html":
        raw = _visible(raw, "" if want == "code" else " ")
    elif want != "code":
        raw = re.sub(r"\]\([^)\s]*\)", "]", raw)  # the address of a link is not text
    return raw.strip("\r\n").rstrip() if want == "code" else " ".join(raw.split())


def _visible(raw: str, gap: str) -> str:
    raw = re.sub(r"(?is)<(script|style)\b.*?</\1\s*>|<!--.*?-->", gap, raw)
    if not gap:
        raw = re.sub(r"(?i)<br\s*/?>", "\n", raw)
    return html.unescape(re.sub(r"(?s)</?([a-zA-Z][\w-]*)[^>]*>", lambda tag: "" if tag[1] in _INLINE else gap, raw))


def words(text: str) -> list[str]:
    return _WORD.findall(text)


def score(label: Label, extracted: str) -> Score:
    page = _Said(extracted)
    kept = [page.says(span) for span in (*label.keep, *label.code)]
    leaked = [page.says(span) for span in _decidable(label)]
    exact = [span in extracted for span in label.code]
    gold = Counter(word for span in (*label.keep, *label.code) for word in words(span))
    given = Counter(words(extracted)) - Counter(label.unlabelled)
    return Score(
        word_f1=_f1((gold & given).total(), gold.total(), given.total()),
        span_f1=_f1(sum(kept), len(kept), sum(kept) + sum(leaked)),
        code_exact=mean(exact) if exact else 1.0,
    )


def _decidable(label: Label) -> list[str]:
    """What was dropped without being said elsewhere on the page: a table of contents repeats the headings."""
    kept = {tuple(words(span)) for span in label.keep}
    return [span for span in label.drop if tuple(words(span)) not in kept]


class _Said:
    """A span is said if nine tenths of its word fours occur, or, of under four words, if it is a line or cell."""

    def __init__(self, extracted: str) -> None:
        self._fours = _fours(words(extracted))
        self._lines = {tuple(words(line)) for line in re.split(r"[\n|]", extracted)}

    def says(self, span: str) -> bool:
        wanted = words(span)
        if len(wanted) < 4:
            return tuple(wanted) in self._lines
        fours = _fours(wanted)
        return len(fours & self._fours) >= 0.9 * len(fours)


def _fours(found: list[str]) -> set[tuple[str, ...]]:
    return set(zip(found, found[1:], found[2:], found[3:], strict=False))


def _f1(hits: int, wanted: int, given: int) -> float:
    return 2 * hits / (wanted + given) if wanted + given else 1.0


def mean_score(mirror: Path, extract: Callable[[Path, str], str], path: Path = LABELS) -> Score:
    """Of `extract(file, kind)` over every labelled page."""
    scores = [score(label, extract(mirror / label.path, label.kind)) for label in labels(mirror, path)]
    return Score(*(mean(getattr(each, name) for each in scores) for name in Score.__slots__))
