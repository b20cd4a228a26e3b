"""The scalar types of PTX, a closed set."""

from __future__ import annotations

from enum import Enum
from typing import Literal

Kind = Literal["predicate", "bits", "unsigned", "signed", "float", "packed"]


class Type(Enum):
    """Value: (spelling, kind, bits)."""

    PRED = ("pred", "predicate", 1)
    B8 = ("b8", "bits", 8)
    B16 = ("b16", "bits", 16)
    B32 = ("b32", "bits", 32)
    B64 = ("b64", "bits", 64)
    B128 = ("b128", "bits", 128)
    U8 = ("u8", "unsigned", 8)
    U16 = ("u16", "unsigned", 16)
    U32 = ("u32", "unsigned", 32)
    U64 = ("u64", "unsigned", 64)
    S8 = ("s8", "signed", 8)
    S16 = ("s16", "signed", 16)
    S32 = ("s32", "signed", 32)
    S64 = ("s64", "signed", 64)
    F16 = ("f16", "float", 16)
    BF16 = ("bf16", "float", 16)
    TF32 = ("tf32", "float", 32)
    F32 = ("f32", "float", 32)
    F64 = ("f64", "float", 64)
    F16X2 = ("f16x2", "packed", 32)
    BF16X2 = ("bf16x2", "packed", 32)
    E4M3X2 = ("e4m3x2", "packed", 16)
    E5M2X2 = ("e5m2x2", "packed", 16)

    def __init__(self, spelling: str, kind: Kind, bits: int) -> None:
        self.spelling = spelling
        self.kind = kind
        self.bits = bits

    @property
    def bytes(self) -> int:
        return max(1, self.bits // 8)

    @property
    def is_integer(self) -> bool:
        return self.kind in ("bits", "unsigned", "signed")


BY_SPELLING = {member.spelling: member for member in Type}
