"""A submission's launches as data, and the numbers they make for one shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from worker.emulator.request import Ctype
from worker.errors import DirectiveError, ExpressionError
from worker.expression import Dims, Expression
from worker.problem.element import ELEMENTS

T = TypeVar("T")

MAX_BLOCK_THREADS = 1024
MAX_BLOCK = (1024, 1024, 64)
MAX_GRID = (2**31 - 1, 65535, 65535)
MAX_SHARED_BYTES = 227 << 10
"""What a block may ask for at launch on a current data-centre card; smaller cards refuse at the launch."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """An argument that is a parameter's or a scratch directive's memory."""

    name: str


@dataclass(frozen=True, slots=True)
class Scalar:
    """An argument that is a number of the problem which is no size, `alpha` for instance."""

    name: str


Arg = Buffer | Scalar | int
"""An int is passed at the width that the compiled kernel declares."""


@dataclass(frozen=True, slots=True)
class Term:
    """An expression of a directive with the place where it stands."""

    expression: Expression
    column: int


@dataclass(frozen=True, slots=True)
class LaunchLine:
    line: int
    kernel: str
    kernel_column: int
    grid: Dims
    grid_column: int
    block: Dims
    block_column: int
    shared: Term
    args: tuple[Buffer | Scalar | Term, ...]
    arg_columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScratchLine:
    line: int
    name: str
    ctype: Ctype
    elements: Term
    zero: bool


@dataclass(frozen=True, slots=True)
class ConcreteLaunch:
    kernel: str
    """As written: `scan` or `reduce<256>`; the compiler says what it is called in the module."""
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    args: tuple[Arg, ...]
    line: int
    """0 when the problem's own launch is used."""

    @property
    def empty(self) -> bool:
        """No block at all, as for zero elements: nothing is launched, like a host that returns early."""
        return 0 in self.grid


@dataclass(frozen=True, slots=True)
class ConcreteScratch:
    name: str
    ctype: Ctype
    elements: int
    zero: bool

    @property
    def bytes(self) -> int:
        return self.elements * ELEMENTS[self.ctype].bytes


@dataclass(frozen=True, slots=True)
class Resolved:
    launches: tuple[ConcreteLaunch, ...]
    scratch: tuple[ConcreteScratch, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    launches: tuple[LaunchLine, ...]
    scratch: tuple[ScratchLine, ...]
    scratch_limit: Expression
    """Bytes that all scratch buffers together may take."""

    @property
    def kernels(self) -> tuple[str, ...]:
        """The distinct kernels launched, in order of their first launch, as written."""
        return tuple(dict.fromkeys(launch.kernel for launch in self.launches))

    def resolve(self, sizes: Mapping[str, int]) -> Resolved:
        """Grid, block, shared memory, arguments and scratch for this shape, or DirectiveError."""
        scratch = tuple(_concrete_scratch(line, sizes) for line in self.scratch)
        self._within_limit(scratch, sizes)
        return Resolved(tuple(_concrete_launch(line, sizes) for line in self.launches), scratch)

    def _within_limit(self, scratch: tuple[ConcreteScratch, ...], sizes: Mapping[str, int]) -> None:
        limit, used = self.scratch_limit.value(sizes), 0
        for line, buffer in zip(self.scratch, scratch, strict=True):
            used += buffer.bytes
            if used > limit:
                raise DirectiveError(
                    line.line,
                    line.elements.column,
                    f"expected at most {limit} bytes of scratch memory, found {used} for {_say(sizes)}",
                )


def _concrete_scratch(line: ScratchLine, sizes: Mapping[str, int]) -> ConcreteScratch:
    elements = _number(line.line, line.elements, sizes)
    if elements < 0:
        what = f"expected elements from 0, found {elements} for {_say(sizes)}"
        raise DirectiveError(line.line, line.elements.column, what)
    return ConcreteScratch(line.name, line.ctype, elements, line.zero)


def _concrete_launch(line: LaunchLine, sizes: Mapping[str, int]) -> ConcreteLaunch:
    def expect(holds: bool, column: int, what: str, found: int) -> None:
        if not holds:
            raise DirectiveError(line.line, column, f"expected {what}, found {found} for {_say(sizes)}")

    grid = _dims(line.line, line.grid, line.grid_column, sizes)
    block = _dims(line.line, line.block, line.block_column, sizes)
    shared = _number(line.line, line.shared, sizes)
    for axis, at_most, size in zip("xyz", MAX_GRID, grid, strict=True):
        expect(0 <= size <= at_most, line.grid_column, f"0 to {at_most} blocks along {axis}", size)
    for axis, at_most, size in zip("xyz", MAX_BLOCK, block, strict=True):
        expect(1 <= size <= at_most, line.block_column, f"1 to {at_most} threads along {axis}", size)
    threads = block[0] * block[1] * block[2]
    expect(threads <= MAX_BLOCK_THREADS, line.block_column, "at most 1024 threads in a block", threads)
    allowed = f"0 to {MAX_SHARED_BYTES} bytes of shared memory"
    expect(0 <= shared <= MAX_SHARED_BYTES, line.shared.column, allowed, shared)
    args = tuple(_number(line.line, arg, sizes) if isinstance(arg, Term) else arg for arg in line.args)
    return ConcreteLaunch(line.kernel, grid, block, shared, args, line.line)


def _dims(line: int, dims: Dims, column: int, sizes: Mapping[str, int]) -> tuple[int, int, int]:
    return _placed(line, column, lambda: dims.value(sizes))


def _number(line: int, term: Term, sizes: Mapping[str, int]) -> int:
    return _placed(line, term.column, lambda: term.expression.value(sizes))


def _placed(line: int, column: int, compute: Callable[[], T]) -> T:
    try:
        return compute()
    except ExpressionError as error:
        raise DirectiveError(line, column + error.column - 1, error.what) from error


def _say(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in sizes.items())
