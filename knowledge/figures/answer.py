"""The answer to a question of figures: the figures themselves, and sentences that say them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeVar

from knowledge.figures.asked import Asked, figures_asked, figures_claimed
from knowledge.figures.lookup import (
    FORMATS,
    LIMITS,
    Figure,
    Subject,
    figure,
    quantity_name,
    subject_name,
    supports,
)
from knowledge.words import Language, Message
from worker.hardware.architectures import Architecture, CudaVersion, architecture
from worker.hardware.cards import CardFacts, Source

_Item = TypeVar("_Item")
MOST_SUBJECTS = 6
MAIN = (
    "multiprocessors", "memory_gb", "bandwidth_gb_per_s", "l2_mib", "tflops.fp32", "tflops.fp16", "tflops.bf16",
    "tdp_w",
)  # fmt: skip
"""What is said of a card where nothing in particular was asked for."""
_SAID_IN_PASSING = frozenset({"cuda", "memory_gb", "registers", "blocks", "warps", "tensor_cores", "tflops"})
"""Beside these stand numbers of other things as well: an H100 with 2 blocks, CUDA 12."""
_ROUNDED = 0.03
_TOOLKIT = ("ptx", "highest", "driver", "oldest_driver")


@dataclass(frozen=True, slots=True)
class FiguresAnswer:
    """An answer of at least one figure, or of what the tables are known to lack."""

    figures: tuple[Figure, ...]
    missing: tuple[tuple[str, str], ...]
    """Subject and quantity of what was asked for and is not in the tables."""
    sentences: tuple[Message, ...]

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(dict.fromkeys(each.source for each in self.figures))

    def text(self, lang: str) -> str:
        """Return the sentences in a language, one per line."""
        return "\n".join(sentence.text(lang) for sentence in self.sentences)

    def as_json(self, language: Language) -> dict[str, Any]:
        return {
            "text": "\n".join(language.say(sentence) for sentence in self.sentences),
            "figures": [each.as_json() for each in self.figures],
            "missing": [{"subject": subject, "quantity": quantity} for subject, quantity in self.missing],
        }


def answer_figures(question: str) -> FiguresAnswer | None:
    """The answer from the tables; None where the question is not one of figures."""
    asked = figures_asked(question)
    return _answer(asked) if asked else None


def all_figures(answers: Sequence[FiguresAnswer]) -> FiguresAnswer | None:
    """One answer of several, each sentence once; None of none."""
    if not answers:
        return None
    return FiguresAnswer(
        _each_once(chain.from_iterable(each.figures for each in answers)),
        _each_once(chain.from_iterable(each.missing for each in answers)),
        _each_once(chain.from_iterable(each.sentences for each in answers)),
    )


def _each_once(items: Iterable[_Item]) -> tuple[_Item, ...]:
    """In their order; a sentence holds its values in a mapping, so that it is compared and not hashed."""
    kept: list[_Item] = []
    for item in items:
        if item not in kept:
            kept.append(item)
    return tuple(kept)


def correct_figures(question: str) -> FiguresAnswer | None:
    """What the tables say where a question about one card takes another number for granted."""
    claimed = figures_claimed(question)
    if claimed is None or len(claimed[0].cards) != 1 or claimed[0].toolkits:
        return None
    quantities = tuple(quantity for quantity in claimed[0].quantities if quantity not in _SAID_IN_PASSING)
    found = _answer(replace(claimed[0], quantities=quantities, architectures=(), compare=False))
    values = [float(each.value) for each in found.figures if type(each.value) in {int, float}] if found else []
    right = any(_agree(number, value) for number in claimed[1] for value in values)
    return None if right or not quantities or not values else found


def _agree(number: float, value: float) -> bool:
    """Whether both are the same, rounded or in a neighbouring unit: 4.8 TB/s are 4800 GB/s."""
    return any(abs(number * scale - value) <= _ROUNDED * value for scale in (1, 1000, 1024))


def _answer(asked: Asked) -> FiguresAnswer | None:
    if asked.toolkits and (asked.cards or asked.architectures):
        return _support(asked)
    subjects: tuple[Subject, ...] = (*asked.cards, *asked.architectures, *asked.toolkits)
    if not 0 < len(subjects) <= MOST_SUBJECTS:
        return None
    pairs = [(subject, quantity) for subject in subjects for quantity in _quantities(asked, subject)]
    found = [(subject, quantity, figure(subject, quantity)) for subject, quantity in pairs]
    figures = tuple(each for _, _, each in found if each)
    missing = tuple(
        (subject_name(subject), quantity)
        for subject, quantity, each in found
        if each is None and _was_named(asked, quantity)
    )
    if not figures and not missing:
        return None
    sentences = [_sentence(each) for each in figures]
    sentences += [Message("figure.missing", subject=name, quantity=quantity_name(what)) for name, what in missing]
    sentences += _last_toolkits(asked, subjects)
    return FiguresAnswer(figures, missing, (*sentences, *_ratios(asked, figures)))


def _quantities(asked: Asked, subject: Subject) -> Iterator[str]:
    if "tflops" in asked.quantities:
        yield from (f"tflops.{form}" for form in FORMATS)
    if asked.quantities:
        yield from (quantity for quantity in asked.quantities if quantity != "tflops")
    elif isinstance(subject, CardFacts):
        yield from MAIN
    else:
        yield from _TOOLKIT if isinstance(subject, CudaVersion) else LIMITS


def _was_named(asked: Asked, quantity: str) -> bool:
    return quantity in asked.quantities


def _sentence(found: Figure) -> Message:
    name = quantity_name(found.quantity)
    if isinstance(found.value, bool):
        which = "figure.has" if found.value else "figure.has_not"
        return Message(which, subject=found.subject, quantity=name)
    return Message("figure.is", subject=found.subject, quantity=name, value=found.shown)


def _support(asked: Asked) -> FiguresAnswer | None:
    """Whether toolkits compile for what was named."""
    if asked.quantities and set(asked.quantities) - {"cuda"}:
        return None
    figures, sentences = [], []
    for toolkit in asked.toolkits:
        subjects: tuple[CardFacts | Architecture, ...] = (*asked.cards, *asked.architectures)
        for subject in subjects:
            machine = architecture(subject.arch) if isinstance(subject, CardFacts) else subject
            if machine is None:
                return None
            known = supports(toolkit, machine)
            name = subject_name(subject)
            figures.append(Figure(name, "cuda", known, "", toolkit.source_of("highest")))
            which = "figure.compiles" if known else "figure.compiles_not"
            sentences.append(
                Message(which, version=toolkit.version, subject=name, arch=machine.name, first=machine.first_cuda)
            )
    return FiguresAnswer(tuple(figures), (), tuple(sentences))


def _last_toolkits(asked: Asked, subjects: tuple[Subject, ...]) -> Iterator[Message]:
    """A capability that newer toolkits have left behind is told with the first."""
    for subject in subjects if "cuda" in asked.quantities else ():
        machine = subject if isinstance(subject, Architecture) else None
        machine = architecture(subject.arch) if isinstance(subject, CardFacts) else machine
        if machine and machine.last_cuda:
            yield Message("figure.last_cuda", subject=subject_name(subject), version=machine.last_cuda)


def _ratios(asked: Asked, figures: tuple[Figure, ...]) -> Iterator[Message]:
    """Say of two cards how many times one is the other, in what was asked for."""
    if len(asked.cards) != 2:
        return
    for quantity in asked.quantities:
        pair = [each for each in figures if each.quantity == quantity and not isinstance(each.value, str | bool)]
        if len(pair) != 2 or quantity == "year" or pair[0].value == pair[1].value:
            continue
        more, less = sorted(pair, key=lambda each: float(each.value), reverse=True)
        if float(less.value):
            times = f"{float(more.value) / float(less.value):.3g}"
            name = quantity_name(quantity)
            yield Message("figure.times", more=more.subject, less=less.subject, times=times, quantity=name)
