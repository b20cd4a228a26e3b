"""Reading a question of figures: which cards, capabilities or toolkits, and which of their figures.

A question is read from left to right in phrases of the word files (`[figure_question]` of typed.toml, every
language at once) and names of the tables. One word that is neither makes it another kind of question: why the
bandwidth of a card matters is not asked for here. A remark that asks nothing may follow: `4090 bandwidth? for a
roofline`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, TypeGuard

from knowledge.figures.card_names import as_in_names, plain_ways
from knowledge.figures.remark import before_remarks
from knowledge.text.fold import fold
from knowledge.words import FOLDER, language_codes, read_table
from worker.hardware.architectures import Architecture, CudaVersion, architectures, cuda_versions
from worker.hardware.cards import CardFacts, cards

LONGEST_QUESTION = 200
_PARTS = re.compile(r"[a-z]+|\d+|[^\sa-z\d_-]")
_UNKNOWN = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?![a-z])|[a-z\d]+|.", re.DOTALL)
_NOT_OF_TABLES = frozenset({"number", "other", "elsewhere"})
_MEASURED = frozenset({"quantity", "form", "rate"})
_BETWEEN = re.compile(r"[\s,.?!;:、，。？！；：/'\"()（）…-]+")
_WORD = re.compile(r"[a-z]{6,}")
_ARCHITECTURE = re.compile(r"sm[\s_-]?(\d{2,3})[af]?(?![a-z\d])")
_CUDA = re.compile(r"cuda\s*(?:toolkit\s*)?(\d{1,2}\.\d)(?![\d])")
_SIZE = re.compile(r"[\s_-]*(\d+)[\s_-]*gb(?![a-z\d])")
_CAPABILITY = re.compile(r"(\d{1,2}\.\d)(?!\d)")
_SCOPES = MappingProxyType(
    {
        ("threads", "per_block"): "block_threads",
        ("threads", "per_sm"): "threads",
        ("resident_threads", "per_sm"): "threads",
        ("resident_threads", "per_block"): "block_threads",
        ("resident_threads", ""): "threads",
        ("resident_blocks", "per_sm"): "blocks",
        ("resident_blocks", ""): "blocks",
        ("warps", "per_sm"): "warps",
        ("warps", ""): "warps",
        ("blocks", "per_sm"): "blocks",
        ("blocks", "per_cluster"): "cluster_blocks",
        ("registers", "per_sm"): "registers",
        ("registers", ""): "registers",
        ("registers", "per_thread"): "thread_registers",
        ("shared_kib", "per_sm"): "shared_kib",
        ("shared_kib", ""): "shared_kib",
        ("shared_kib", "per_block"): "block_shared_kib",
        ("cores", "per_sm"): "sm_cores",
        ("l1_kib", "per_sm"): "l1_kib",
    }
)
"""What a noun means within a scope; nouns outside of this table have no scope."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of figures as it was understood."""

    cards: tuple[CardFacts, ...]
    architectures: tuple[Architecture, ...]
    toolkits: tuple[CudaVersion, ...]
    quantities: tuple[str, ...]
    """Ids as in the word files; none where everything is asked for."""
    compare: bool


@dataclass(slots=True)
class _Read:
    """What was met so far, by kind."""

    subjects: dict[str, list[Any]] = field(default_factory=lambda: {"card": [], "architecture": [], "toolkit": []})
    nouns: list[str] = field(default_factory=list)
    forms: list[str] = field(default_factory=list)
    marks: set[str] = field(default_factory=set)

    def add(self, kind: str, value: Any) -> None:
        known = self.subjects.get(kind, {"quantity": self.nouns, "form": self.forms}.get(kind))
        if known is None:
            self.marks.add(kind)
        else:
            known.extend(each for each in (value if isinstance(value, tuple) else (value,)) if each not in known)


def figures_asked(question: str) -> Asked | None:
    """What the question asks of the tables; None where it asks for anything else."""
    text = as_in_names(fold(question).lower().strip())
    if not text or len(text) > LONGEST_QUESTION:
        return None
    return _asked(text) or next((asked for first in before_remarks(text) if _names_one(asked := _asked(first))), None)


def _asked(text: str) -> Asked | None:
    phrases = tuple(_phrases_of(_spelt(text)))
    return None if _NOT_OF_TABLES & {kind for kind, _ in phrases} else _understood(_read(phrases))


def _names_one(asked: Asked | None) -> TypeGuard[Asked]:
    """One card or capability, and what is asked of it: all that is answered where a remark follows."""
    return asked is not None and bool(asked.quantities) and len((*asked.cards, *asked.architectures)) == 1


def figures_claimed(question: str) -> tuple[Asked, tuple[float, ...]] | None:
    """Figures that the question takes for granted, with its numbers: `an H100 has 144 SMs, so how many waves`.

    A number counts beside the name of a quantity, with nothing but fillers between them; whatever else is asked.
    """
    text = as_in_names(fold(question).lower().strip())
    if not text or len(text) > LONGEST_QUESTION:
        return None
    phrases = tuple(phrase for phrase in _phrases_of(text) if phrase[0] != "fillers")
    numbers = tuple(
        value
        for at, (kind, value) in enumerate(phrases)
        if kind == "number" and {near for near, _ in phrases[max(at - 1, 0) : at + 2]} & _MEASURED
    )
    asked = _understood(_read(phrase for phrase in phrases if phrase[0] not in {"number", "other"}))
    return (asked, numbers) if asked and numbers else None


def _read(phrases: Iterable[tuple[str, Any]]) -> _Read:
    read = _Read()
    for kind, value in phrases:
        read.add(kind, value)
    return read


def _phrases_of(text: str) -> Iterator[tuple[str, Any]]:
    """The text from left to right; what is neither a phrase nor a name is a number or something other."""
    at = 0
    while at < len(text):
        if between := _BETWEEN.match(text, at):
            at = between.end()
        elif longest := max(_matches(text, at), default=None, key=lambda match: match[0]):
            at, kind, value = longest
            yield kind, value
        elif unknown := _UNKNOWN.match(text, at):
            at = unknown.end()
            yield ("number", float(unknown["number"])) if unknown["number"] else ("other", unknown[0])


def _matches(text: str, at: int) -> Iterator[tuple[int, str, Any]]:
    """Everything that can stand here: where it ends, of which kind it is, and what it names."""
    if (found := _ARCHITECTURE.match(text, at)) and (machine := architectures().get(f"sm_{found[1]}")):
        yield found.end(), "architecture", machine
    if (found := _CUDA.match(text, at)) and (toolkit := cuda_versions().get(found[1])):
        yield found.end(), "toolkit", toolkit
    if (found := _CAPABILITY.match(text, at)) and (capable := _by_capability().get(found[1])):
        yield found.end(), "architecture", capable
    for pattern, kind, value in _phrases().get(text[at], ()):
        if found := pattern.match(text, at):
            yield _with_its_memory(text, found.end(), value) if kind == "card" else found.end(), kind, value


def _with_its_memory(text: str, at: int, card: CardFacts) -> int:
    """Where a card's name ends: `L40S 48GB` is the L40S, that size says nothing new."""
    size = _SIZE.match(text, at)
    return size.end() if size and float(size[1]) == card.figure("memory_gb") else at


def _understood(read: _Read) -> Asked | None:
    scopes = [mark for mark in ("per_block", "per_sm", "per_thread", "per_cluster") if mark in read.marks]
    nouns = [noun for noun in read.nouns if noun != "capability" or not read.subjects["architecture"]]
    if scopes and "multiprocessors" in nouns and len(nouns) > 1:
        nouns.remove("multiprocessors")
    quantities = [_quantity(noun, scopes) for noun in nouns]
    quantities += [f"{'format' if 'support' in read.marks else 'tflops'}.{form}" for form in read.forms]
    if "rate" in read.marks and not read.forms and "tensor_cores" not in nouns:
        quantities.append("tflops")
    if None in quantities or (scopes and not nouns):
        return None
    subjects = [each for kind in read.subjects.values() for each in kind]
    whole = "sheet" in read.marks or ("compare" in read.marks and len(subjects) > 1) or _asks_what_it_has(read)
    known = tuple(dict.fromkeys(quantity for quantity in quantities if quantity))
    if (
        not subjects
        or not (known or whole)
        or (read.marks & {"support"} and not known and not read.subjects["toolkit"])
    ):
        return None
    return Asked(
        tuple(read.subjects["card"]), tuple(read.subjects["architecture"]), tuple(read.subjects["toolkit"]), known,
        "compare" in read.marks,
    )  # fmt: skip


def _asks_what_it_has(read: _Read) -> bool:
    """`what does compute capability 9.0 have`; whether a toolkit supports something."""
    named = "capability" in read.nouns and bool(read.subjects["architecture"])
    return named or (bool(read.subjects["toolkit"]) and "support" in read.marks)


def _quantity(noun: str, scopes: Sequence[str]) -> str | None:
    """The figure that a noun means within the scopes named; None where it means none."""
    scoped = any(known == noun for known, _ in _SCOPES)
    if not scopes:
        return _SCOPES.get((noun, "")) or (None if noun in {"threads", "blocks"} else noun)
    return next((found for scope in scopes if (found := _SCOPES.get((noun, scope)))), None if scoped else noun)


def _spelt(text: str) -> str:
    """The text with its longer words as the vocabulary spells them."""

    def nearest(match: re.Match[str]) -> str:
        if match[0] in _vocabulary():
            return match[0]
        return next(iter(difflib.get_close_matches(match[0], _vocabulary(), n=1, cutoff=0.86)), match[0])

    return _WORD.sub(nearest, text)


@cache
def _vocabulary() -> tuple[str, ...]:
    """The longer Latin words of every phrase and name."""
    return tuple(sorted({word for phrase, _, _ in (*_typed(), *_named()) for word in _WORD.findall(phrase)}))


@cache
def _by_capability() -> Mapping[str, Architecture]:
    return MappingProxyType({machine.capability: machine for machine in architectures().values()})


@cache
def _phrases() -> Mapping[str, tuple[tuple[re.Pattern[str], str, Any], ...]]:
    """Every phrase of every language and every name of a card, by its first character."""
    by_first: dict[str, list[tuple[re.Pattern[str], str, Any]]] = {}
    for phrase, kind, value in ((fold(each), kind, value) for each, kind, value in (*_typed(), *_named())):
        by_first.setdefault(phrase[0], []).append((_pattern(phrase), kind, value))
    return MappingProxyType({first: tuple(phrases) for first, phrases in by_first.items()})


def _typed() -> Iterator[tuple[str, str, Any]]:
    for code in language_codes():
        for kind, phrases in read_table(FOLDER / code / "typed.toml").get("figure_question", {}).items():
            if isinstance(phrases, list):
                yield from ((phrase.lower(), kind, None) for phrase in phrases)
                continue
            for meant, ways in phrases.items():
                value = _of_generation(meant) if kind == "generation" else meant
                yield from ((way.lower(), "architecture" if kind == "generation" else kind, value) for way in ways)


def _named() -> Iterator[tuple[str, str, Any]]:
    yield from ((way, "card", card) for card in cards() for way in plain_ways(card))


def _of_generation(name: str) -> tuple[Architecture, ...]:
    return tuple(machine for machine in architectures().values() if machine.generation == name)


def _pattern(phrase: str) -> re.Pattern[str]:
    """The phrase with its words apart, joined or hyphened; its last word ends where it ends in the text."""
    parts = [re.escape(part) for part in _PARTS.findall(phrase)]
    end = r"(?![a-z\d])" if phrase[-1].isascii() and phrase[-1].isalnum() else ""
    return re.compile(r"[\s_-]*".join(parts) + end)
