"""Reads the kernels of this folder: CUDA code under a header of comments.

    // expect: clean                       or the id of a finding, whose line is marked with BUG
    // hints: shift-too-far                what PTX defines and C++ does not, where a kernel does it on purpose
    // compare: exact                      or ulp N, ulp16 N, relative X, absolute X, documented (bounds.py), none
    // buffer x: f32 1000 uniform const    name: type, elements, filling, and whether it is an input
    // segment 512: add.u32                which instruction made the elements of `o` from there on
    //! launch k<<<4, 256, 0>>>(x, 1000)   grid and block, also as dim3(2, 3)

The same text feeds the emulator and, on a machine with a card, the driver: nothing here needs either.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parent
POISON = 0xCB
"""What an uninitialised buffer holds on both sides."""

DTYPES = {
    "i8": "i1", "u8": "u1", "i16": "i2", "u16": "u2", "i32": "i4", "u32": "u4", "i64": "i8", "u64": "u8",
    "f16": "u2", "bf16": "u2", "f32": "f4", "f64": "f8",
}  # fmt: skip

Dim = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Filled:
    name: str
    ctype: str
    elements: int
    filling: str
    const: bool

    @property
    def data(self) -> bytes | None:
        """None for an uninitialised buffer."""
        return None if self.filling == "uninitialized" else fill(self).tobytes()

    @property
    def bytes_on_card(self) -> bytes:
        size = self.elements * np.dtype(DTYPES[self.ctype]).itemsize
        return bytes([POISON]) * size if self.data is None else self.data


@dataclass(frozen=True, slots=True)
class Start:
    kernel: str
    grid: Dim
    block: Dim
    shared_bytes: int
    arguments: tuple[str | int | float, ...]


@dataclass(frozen=True, slots=True)
class KernelCase:
    name: str
    source: str
    expect: str
    compare: str
    bug_lines: frozenset[int]
    buffers: tuple[Filled, ...]
    launches: tuple[Start, ...]
    segments: tuple[tuple[int, str], ...]
    hints: frozenset[str]


def load_all() -> list[KernelCase]:
    return [load(path) for path in sorted(FOLDER.rglob("*.cu"))]


def load(path: Path) -> KernelCase:
    source = path.read_text()

    def header(key: str, default: str) -> str:
        found = re.search(rf"^// {key}: *(.+)$", source, re.MULTILINE)
        return found.group(1).strip() if found else default

    expect = header("expect", "clean")
    return KernelCase(
        f"{path.parent.name}/{path.stem}", source, expect,
        header("compare", "exact" if expect == "clean" else "none"),
        frozenset(number for number, line in enumerate(source.splitlines(), 1) if re.search(r"//.*\bBUG\b", line)),
        tuple(_buffer(*match) for match in re.findall(r"^// buffer (\w+): (.+)$", source, re.MULTILINE)),
        tuple(_launch(text) for text in re.findall(r"^//! launch (.+)$", source, re.MULTILINE)),
        tuple((int(at), what.strip()) for at, what in re.findall(r"^// segment (\d+): (.+)$", source, re.MULTILINE)),
        frozenset(header("hints", "").split()),
    )  # fmt: skip


def _buffer(name: str, text: str) -> Filled:
    words = text.split()
    const = words[-1] == "const"
    return Filled(name, words[0], int(words[1]), " ".join(words[2 : -1 if const else None]), const)


def _launch(text: str) -> Start:
    match = re.fullmatch(r"(\w+)<<<(.+?)>>>\((.*)\)\s*", text)
    assert match, text
    shape = re.findall(r"\([\d, ]+\)|\d+", match.group(2).replace("dim3", ""))
    dims = [tuple(int(n) for n in re.findall(r"\d+", part)) for part in shape]
    grid, block = (_three(dims[place]) for place in (0, 1))
    arguments = tuple(_argument(part.strip()) for part in match.group(3).split(",") if part.strip())
    return Start(match.group(1), grid, block, dims[2][0] if len(dims) > 2 else 0, arguments)


def _three(numbers: tuple[int, ...]) -> Dim:
    x, y, z = (*numbers, 1, 1)[:3]
    return x, y, z


def _argument(text: str) -> str | int | float:
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    return float(text) if re.fullmatch(r"-?\d*\.\d+(e-?\d+)?", text) else text


def fill(buffer: Filled) -> NDArray[Any]:
    """Always the same numbers for the same name, type and filling."""
    rng = np.random.default_rng(zlib.crc32(f"{buffer.name} {buffer.ctype} {buffer.filling}".encode()))
    dtype, count = np.dtype(DTYPES[buffer.ctype]), buffer.elements
    kind, *numbers = buffer.filling.split()
    if kind in ("zeros", "ones"):
        return _as_type(np.full(count, kind == "ones", np.float64), buffer.ctype)
    if kind == "index":
        return _as_type(np.arange(count).astype(np.float64), buffer.ctype)
    if kind == "integers":
        return _as_type(rng.integers(int(numbers[0]), int(numbers[1]), count).astype(np.float64), buffer.ctype)
    if kind == "uniform":
        return _as_type(rng.uniform(-1, 1, count), buffer.ctype)
    if kind == "positive":
        return _as_type(rng.uniform(0.01, 4, count), buffer.ctype)
    if kind == "convertible":
        return _as_type(rng.uniform(-1, 1, count) * 10.0 ** rng.integers(-3, 12, count), buffer.ctype)
    if kind == "special":
        return _special(rng, count, dtype)
    if kind in ("special16", "halves", "bhalves", "small16"):
        return _halves(rng, kind, buffer)
    return _bit_patterns(rng, kind, count, dtype)


def _as_type(values: NDArray[Any], ctype: str) -> NDArray[Any]:
    if ctype == "f16":
        return values.astype(np.float16).view(np.uint16)
    if ctype == "bf16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return values.astype(DTYPES[ctype])


def _bit_patterns(rng: np.random.Generator, kind: str, count: int, dtype: Any) -> NDArray[Any]:
    """bits, sparse (few bits set), near (small numbers and extremes), nonzero."""
    raw = rng.integers(0, 256, count * dtype.itemsize, np.uint8).view(f"u{dtype.itemsize}")
    width = 8 * dtype.itemsize
    if kind == "sparse":
        raw = raw >> rng.integers(0, width, count).astype(raw.dtype)
        raw[:: count // 8] = 0
    if kind == "near":
        raw = rng.integers(-2, 3, count).astype(f"i{dtype.itemsize}").view(raw.dtype)
        raw[::7] = 1 << (width - 1)
        raw[::11] = (1 << (width - 1)) - 1
    if kind == "nonzero":
        raw = raw >> rng.integers(0, width - 1, count).astype(raw.dtype)
        raw[raw == 0] = 3
    return np.asarray(raw.view(dtype))


def _special(rng: np.random.Generator, count: int, dtype: Any) -> NDArray[Any]:
    """Ordinary numbers among zeros, infinities, NaN, subnormals and extremes."""
    limits = np.finfo(dtype)
    values = (rng.uniform(-1, 1, count) * 2.0 ** rng.integers(-40, 40, count)).astype(dtype)
    odd = np.array(
        [0.0, -0.0, np.inf, -np.inf, np.nan, limits.tiny, -limits.tiny / 8, limits.tiny / 3, limits.max, 1.0], dtype
    )
    chosen = rng.random(count) < 0.4
    values[chosen] = rng.choice(odd, int(chosen.sum()))
    return values


def _halves(rng: np.random.Generator, kind: str, buffer: Filled) -> NDArray[Any]:
    bfloat = buffer.ctype == "bf16" or kind == "bhalves"
    count = buffer.elements * (1 if kind in ("special16", "small16") else 2)
    if kind == "small16":
        return _as_type(rng.uniform(-3, 3, count), buffer.ctype)
    values = _as_type(rng.uniform(-1, 1, count) * 2.0 ** rng.integers(-14, 14, count), "bf16" if bfloat else "f16")
    if kind == "special16":
        odd = [0, 0x8000, 0x7F80, 0xFF80, 0x0001, 0x3F80] if bfloat else [0, 0x8000, 0x7C00, 0xFC00, 0x0001, 0x7BFF]
        chosen = rng.random(count) < 0.25
        values[chosen] = rng.choice(np.array(odd, np.uint16), int(chosen.sum()))
    return values if kind == "special16" else values.view(np.uint32)
