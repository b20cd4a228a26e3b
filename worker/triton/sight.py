"""What the emulator saw of a Triton kernel, in Triton's words: programs instead of threads, masks instead of ifs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from worker.directives.plan import listed
from worker.emulator.request import Evidence, Observation
from worker.protocol import CaseResult
from worker.triton.wire import Note

Advice = tuple[str, int | None, dict[str, object]]
"""A finding by its id, its line and its evidence."""


@dataclass(frozen=True, slots=True)
class Far:
    """An offset that 32 bits do not hold at a shape that is timed."""

    line: int
    farthest: int
    sizes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Sight:
    """What is known of the source beyond its text."""

    masked: Mapping[int, bool] = field(default_factory=dict)
    """Lines that load or store, and whether they have a mask."""
    noted: tuple[Note, ...] = ()
    far: tuple[Far, ...] = ()
    loops: bool = True
    """Whether the text has a loop at all."""
    reduces: bool = True
    """Whether it has a reduction."""

    def advice(self, cases: Sequence[CaseResult], *, right: bool) -> list[Advice]:
        """What the text shows, and which size makes the difference."""
        found: list[Advice] = [
            (_NOTED[one.what], one.line, {"name": one.name})
            for one in self.noted
            if not right or one.what == "no-other"
        ]
        if not right and self.reduces and (size := _only_where_padded(cases)) is not None:
            found.append(("triton-padding-counts", None, {"size": size}))
        return found

    def too_far(self) -> list[Advice]:
        """Offsets that go wrong at the sizes that are timed; who ran those and was right need not be told."""
        return [
            ("triton-offset-overflow", one.line, {"farthest": f"{one.farthest:,}", "sizes": listed(one.sizes)})
            for one in self.far
        ]

    def believed(self, seen: Observation) -> bool:
        """Not what the compiler's own code looks like.

        Of a block with fewer elements than the program has threads, several threads load the same element and one of
        them stores it; lanes that a reduction leaves idle compute with registers that were never set; and a large
        block is much straight code: where there is no loop, none is to blame for the time.
        """
        within = seen.evidence.get("other_block") == seen.block
        again = seen.id == "race-global" and within and seen.evidence.get("hazard") == "write-after-read"
        loop = seen.id == "infinite-loop" and not self.loops
        return not again and not loop and seen.id != "uninitialized-local"

    def named(self, seen: Observation) -> Observation:
        """The observation by the name of its cause, without the thread: nobody who writes Triton knows of it."""
        name = seen.id
        if seen.id in _OUTSIDE and seen.line is not None:
            name = "triton-mask-too-wide" if self.masked.get(seen.line, False) else "triton-missing-mask"
        elif seen.id == "race-global":
            name = _race(seen)
        evidence = _first_outside(seen.evidence) if seen.id in _OUTSIDE else seen.evidence
        return replace(seen, id=name, thread=(0, 0, 0), evidence=evidence)


_NOTED = {"no-other": "triton-no-other", "padding": "triton-zero-padding", "half-sums": "triton-half-sums"}


def _only_where_padded(cases: Sequence[CaseResult]) -> str | None:
    """The size that is a power of two in every right case and in no wrong one: there blocks have no padding."""
    right, wrong = [one for one in cases if one.ok], [one for one in cases if not one.ok and one.mismatches]
    for size in cases[0].sizes if right and wrong else ():
        full = {len({one.sizes[size] for one in right}) > 1 and all(_power(one.sizes[size]) for one in right)}
        if full == {True} and not any(_power(one.sizes[size]) for one in wrong):
            return size
    return None


def _power(number: int) -> bool:
    return number > 0 and number & (number - 1) == 0


_OUTSIDE = frozenset({"out-of-bounds", "vector-past-end"})


def _first_outside(evidence: Evidence) -> Evidence:
    """A wide access may begin inside of its array: the first element beyond is the one to name."""
    index, elements = evidence.get("index"), evidence.get("elements")
    if isinstance(index, int) and isinstance(elements, int) and 0 <= index < elements:
        return {**evidence, "index": elements}
    return evidence


_CROSSED = frozenset({"read-after-write", "write-after-read"})


def _race(seen: Observation) -> str:
    if seen.evidence.get("other_block") == seen.block:
        return "triton-own-race" if seen.evidence.get("hazard") in _CROSSED else "triton-same-offset"
    alone = seen.evidence.get("other_line") == seen.line and seen.evidence.get("hazard") not in _CROSSED
    return "triton-same-place" if alone else "triton-race"
