"""The element types of buffers and scalars: CUDA's names for them and numpy's arrays of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from worker.emulator.request import Ctype

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Element:
    ctype: Ctype
    family: Literal["integer", "float"]
    bytes: int
    stored: str
    """The numpy type that holds its bits; bfloat16 has none of its own."""
    eps: float
    """Distance from 1 to the next number; 0 for integers."""
    smallest: float
    """Smallest positive number, denormals included."""
    largest: float

    def encode(self, values: Array) -> Array:
        """Numbers as this type's bits, rounded to nearest even; out of range floats become infinite."""
        if self.ctype == "bf16":
            return _to_bfloat16(np.asarray(values, np.float64))
        with np.errstate(over="ignore", invalid="ignore"):
            encoded = np.asarray(values).astype(np.float16 if self.ctype == "f16" else self.stored)
        return encoded.view(self.stored)

    def decode(self, bits: Array) -> Array:
        """The numbers behind the bits, exactly: float64, or int64 (uint64 for u64)."""
        if self.ctype == "bf16":
            return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
        if self.ctype == "f16":
            return bits.view(np.float16).astype(np.float64)
        if self.family == "float":
            return bits.view(self.stored).astype(np.float64)
        return bits.view(self.stored).astype(np.uint64 if self.ctype == "u64" else np.int64)


def _to_bfloat16(values: NDArray[np.float64]) -> NDArray[np.uint16]:
    """Round by way of float32 rounded to odd, so that the second rounding cannot double the first."""
    with np.errstate(over="ignore", invalid="ignore"):
        near = values.astype(np.float32)
    bits = near.view(np.uint32).copy()
    inexact = (near.astype(np.float64) != values) & np.isfinite(near)
    away = inexact & (np.abs(near.astype(np.float64)) > np.abs(values))
    bits[away] -= 1
    bits[inexact] |= 1
    kept = bits >> 16
    rest = bits & 0xFFFF
    kept = kept + ((rest > 0x8000) | ((rest == 0x8000) & (kept & 1 == 1)))
    kept = np.where(np.isnan(values), np.uint32(0x7FC0), kept)
    return kept.astype(np.uint16)


def _integer(ctype: Ctype, stored: str) -> Element:
    info = np.iinfo(stored)
    return Element(ctype, "integer", info.bits // 8, stored, 0.0, 1.0, float(info.max))


ELEMENTS: dict[Ctype, Element] = {
    "i8": _integer("i8", "int8"),
    "u8": _integer("u8", "uint8"),
    "i16": _integer("i16", "int16"),
    "u16": _integer("u16", "uint16"),
    "i32": _integer("i32", "int32"),
    "u32": _integer("u32", "uint32"),
    "i64": _integer("i64", "int64"),
    "u64": _integer("u64", "uint64"),
    "f16": Element("f16", "float", 2, "uint16", 2.0**-10, 2.0**-24, 65504.0),
    "bf16": Element("bf16", "float", 2, "uint16", 2.0**-7, 2.0**-133, float.fromhex("0x1.fep+127")),
    "f32": Element("f32", "float", 4, "float32", 2.0**-23, 2.0**-149, float(np.finfo(np.float32).max)),
    "f64": Element("f64", "float", 8, "float64", 2.0**-52, 5e-324, float(np.finfo(np.float64).max)),
}

CUDA_NAMES: dict[str, Ctype] = {
    "char": "i8",
    "signed char": "i8",
    "int8_t": "i8",
    "unsigned char": "u8",
    "uint8_t": "u8",
    "short": "i16",
    "int16_t": "i16",
    "unsigned short": "u16",
    "uint16_t": "u16",
    "int": "i32",
    "int32_t": "i32",
    "unsigned": "u32",
    "unsigned int": "u32",
    "uint32_t": "u32",
    "long long": "i64",
    "int64_t": "i64",
    "unsigned long long": "u64",
    "uint64_t": "u64",
    "size_t": "u64",
    "half": "f16",
    "__half": "f16",
    "__nv_bfloat16": "bf16",
    "nv_bfloat16": "bf16",
    "float": "f32",
    "double": "f64",
}

_SHORT: dict[str, Ctype] = {
    "int8": "i8",
    "uint8": "u8",
    "int16": "i16",
    "uint16": "u16",
    "int32": "i32",
    "uint32": "u32",
    "int64": "i64",
    "uint64": "u64",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
}

TRITON_NAMES: dict[str, Ctype] = {**_SHORT, **{f"tl.{name}": ctype for name, ctype in _SHORT.items()}}
"""As a Triton kernel writes them."""
