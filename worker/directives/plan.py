"""A submission's launches as data, and the numbers they make for one shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from worker.emulator.request import Ctype
from worker.errors import DirectiveError, ExpressionError
from worker.expression import Dims, Expression
from worker.hardware.occupancy import MAX_BLOCK, MAX_BLOCK_THREADS, MAX_GRID, MAX_SHARED_BYTES
from worker.messages import Field, message
from worker.problem.element import ELEMENTS

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Buffer:
    """An argument that is a parameter's or a scratch directive's memory."""

    name: str


@dataclass(frozen=True, slots=True)
class Scalar:
    """An argument that is a number of the problem which is no size, `alpha` for instance."""

    name: str


Arg = Buffer | Scalar | int | float
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
                what = message("launch.scratch-memory", limit=limit, found=used, sizes=listed(sizes))
                raise DirectiveError(line.line, line.elements.column, what)


def _concrete_scratch(line: ScratchLine, sizes: Mapping[str, int]) -> ConcreteScratch:
    elements = _number(line.line, line.elements, sizes)
    if elements < 0:
        what = message("launch.elements", found=elements, sizes=listed(sizes))
        raise DirectiveError(line.line, line.elements.column, what)
    return ConcreteScratch(line.name, line.ctype, elements, line.zero)


def _concrete_launch(line: LaunchLine, sizes: Mapping[str, int]) -> ConcreteLaunch:
    def expect(holds: bool, column: int, id_: str, **fields: Field) -> None:
        if not holds:
            raise DirectiveError(line.line, column, message(id_, sizes=listed(sizes), **fields))

    grid = placed(line.line, line.grid_column, lambda: line.grid.value(sizes))
    block = placed(line.line, line.block_column, lambda: line.block.value(sizes))
    shared = _number(line.line, line.shared, sizes)
    for axis, limit, size in zip("xyz", MAX_GRID, grid, strict=True):
        expect(0 <= size <= limit, line.grid_column, "launch.blocks", limit=limit, axis=axis, found=size)
    for axis, limit, size in zip("xyz", MAX_BLOCK, block, strict=True):
        expect(1 <= size <= limit, line.block_column, "launch.threads", limit=limit, axis=axis, found=size)
    threads, most = block[0] * block[1] * block[2], MAX_BLOCK_THREADS
    expect(threads <= most, line.block_column, "launch.block-threads", limit=most, found=threads)
    enough = 0 <= shared <= MAX_SHARED_BYTES
    expect(enough, line.shared.column, "launch.shared-memory", limit=MAX_SHARED_BYTES, found=shared)
    args = tuple(_number(line.line, arg, sizes) if isinstance(arg, Term) else arg for arg in line.args)
    return ConcreteLaunch(line.kernel, grid, block, shared, args, line.line)


def _number(line: int, term: Term, sizes: Mapping[str, int]) -> int:
    return placed(line, term.column, lambda: term.expression.value(sizes))


def placed(line: int, column: int, compute: Callable[[], T]) -> T:
    """What is computed; an error in an expression that starts at `column` becomes one of its line."""
    try:
        return compute()
    except ExpressionError as error:
        raise DirectiveError(line, column + error.column - 1, error.message) from error


def listed(sizes: Mapping[str, int]) -> list[str]:
    """A shape as messages show it."""
    return [f"{name} = {value}" for name, value in sizes.items()]
