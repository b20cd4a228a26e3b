"""A problem as data: what problem.toml says, checked, plus the paths of the files beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from worker.emulator.request import Ctype
from worker.expression import Dims, Expression
from worker.problem.element import ELEMENTS, Element
from worker.problem_file import Level, Peak, Rule

Role = Literal["input", "output", "inout", "size", "scalar"]


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of the kernel that the problem asks for."""

    name: str
    ctype: Ctype
    role: Role
    shape: tuple[Expression, ...] = ()
    """Elements along each axis; empty for a number."""
    value: Expression | float | None = None
    """Of a scalar; None: a float drawn anew for each case."""
    range: tuple[Expression | float, Expression | float] | None = None
    """What random values lie in: from the first, up to but not including the second."""

    @property
    def pointer(self) -> bool:
        return self.role in {"input", "output", "inout"}

    @property
    def element(self) -> Element:
        return ELEMENTS[self.ctype]

    def shape_at(self, sizes: Mapping[str, int]) -> tuple[int, ...]:
        return tuple(axis.value(sizes) for axis in self.shape)

    def elements_at(self, sizes: Mapping[str, int]) -> int:
        return math.prod(self.shape_at(sizes))


@dataclass(frozen=True, slots=True)
class DefaultLaunch:
    """How the kernel is launched when the submission has no directive of its own: all parameters in order."""

    kernel: str
    grid: Dims
    block: Dims
    shared: Expression


@dataclass(frozen=True, slots=True)
class Check:
    rule: Rule
    operations: Expression
    accumulate: Ctype | None = None
    """The type to calculate in where it is not the output's: half matrices are summed in float."""
    scale: float = 1.0
    """Of rule `absolute`: the size of the numbers that the output is made of."""


@dataclass(frozen=True, slots=True)
class Case:
    """One small correctness run."""

    index: int
    sizes: Mapping[str, int]
    values: str


@dataclass(frozen=True, slots=True)
class CaseGroup:
    sizes: tuple[Mapping[str, int], ...]
    values: tuple[str, ...]
    seeds: int


@dataclass(frozen=True, slots=True)
class Bench:
    """One large timed shape."""

    sizes: Mapping[str, int]
    bytes: Expression
    """That any solution has to move."""
    flops: Expression
    peak: Peak
    """Which arithmetic rate of the card bounds it."""


@dataclass(frozen=True, slots=True)
class Problem:
    folder: Path
    slug: str
    level: Level
    topics: tuple[str, ...]
    needs: tuple[str, ...]
    readings: tuple[str, ...]
    title: Mapping[str, str]
    params: tuple[Param, ...]
    launch: DefaultLaunch
    check: Check
    groups: tuple[CaseGroup, ...]
    bench: tuple[Bench, ...]
    score: str | None
    scratch_bytes: Expression

    @property
    def inputs(self) -> tuple[Param, ...]:
        return tuple(param for param in self.params if param.role in {"input", "inout"})

    @property
    def outputs(self) -> tuple[Param, ...]:
        return tuple(param for param in self.params if param.role in {"output", "inout"})

    @property
    def size_names(self) -> tuple[str, ...]:
        """Every name that expressions may use: the sizes of the first case."""
        return tuple(self.groups[0].sizes[0])

    def param(self, name: str) -> Param:
        return next(param for param in self.params if param.name == name)

    def cases(self) -> tuple[Case, ...]:
        """Sizes times values, in the order of the file; random kinds once for each seed."""
        return tuple(Case(index, sizes, values) for index, (sizes, values) in enumerate(self._combinations()))

    def statement(self, lang: Literal["en", "zh"]) -> str:
        return (self.folder / f"statement.{lang}.md").read_text(encoding="utf-8")

    def starter(self) -> str:
        return (self.folder / "starter.cu").read_text(encoding="utf-8")

    @property
    def triton_starter_file(self) -> Path | None:
        """What a member begins with in Triton, where the problem has it."""
        file = self.folder / "starter.py"
        return file if file.is_file() else None

    @property
    def reference_file(self) -> Path:
        return self.folder / "reference.py"

    @property
    def judge_file(self) -> Path:
        """Trusted device code for the large shapes."""
        return self.folder / "judge.cu"

    def solutions(self, kind: Literal["right", "wrong"]) -> tuple[Path, ...]:
        """CUDA's, then Triton's."""
        folder = self.folder / "solutions" / kind
        return (*sorted(folder.glob("*.cu")), *sorted(folder.glob("*.py")))

    def _combinations(self) -> Iterator[tuple[Mapping[str, int], str]]:
        for group in self.groups:
            for values in group.values:
                repeats = group.seeds if values in RANDOM_KINDS else 1
                for sizes in group.sizes:
                    yield from [(sizes, values)] * repeats


VALUE_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "uniform": "from -1 to 1 (integers: -100 to 100, unsigned: 0 to 100), or the parameter's own range",
        "normal": "normally distributed, spread 1 (integers: spread 30)",
        "full_range": "any number of an integer type; floats spread over many powers of two",
        "zeros": "all 0",
        "ones": "all 1",
        "constant": "one random number everywhere, with no short binary form",
        "alternating": "1, -1, 1, -1 … (unsigned: 1, 0, 1, 0 …)",
        "ascending": "0, 1, 2 …, folded into what the type holds exactly",
        "spike": "zeros but for one random place",
        "large": "uniform times 10000 (half: times 100; integers: the type's upper quarter)",
        "tiny": "uniform times 1e-30 (half: times 1e-4; integers: -1, 0 or 1)",
        "denormals": "floats below the smallest normal number",
        "ill_conditioned": "large numbers that nearly cancel, small ones between them",
        "infinities": "uniform with some places infinite",
        "nans": "uniform with some places not a number",
    }
)
"""Every kind that `values` may name, with its meaning."""

RANDOM_KINDS = frozenset({"uniform", "normal", "full_range", "constant", "spike", "large", "tiny", "ill_conditioned"})
