"""Matrix instructions of a warp: fragments gathered into matrices, multiplied by numpy, and dealt out again."""

from __future__ import annotations

import numpy as np

from worker.emulator.maths.half import narrow, widen
from worker.emulator.maths.values import F32, F64, S8, S32, S64, U8, U16, U32, U64, Array, Dtype, Value
from worker.emulator.memory.access import Memory
from worker.emulator.memory.indexed import Access
from worker.emulator.schedule import fragments
from worker.emulator.schedule.fragments import FragmentPlaces, shape_of
from worker.emulator.schedule.group import Group
from worker.emulator.schedule.lanes import Lanes

_ELEMENT: dict[str, Dtype] = {
    "f16": U16, "bf16": U16, "tf32": U32, "f32": U32, "s32": U32, "s8": U8, "u8": U8, "f64": U64,
}  # fmt: skip


ROW_BYTES = 16
"""What ldmatrix reads at each address: eight halves."""


class Matrices:
    """wmma.load and wmma.store: every lane moves its own elements."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def load(
        self, group: Group, space: str, base: Value, stride: Value | None, which: str, shape: str, column_major: bool,
        kind: str, registers: int, site: int,
    ) -> tuple[Value, ...]:  # fmt: skip
        element = _ELEMENT[kind]
        access = Access(space, 0, element, 1, site, whole=False)
        bits = 8 * access.size
        each = max(1, 32 // bits)
        results = []
        for register in range(registers):
            parts = []
            for place in range(each):
                address = self._address(
                    group, base, stride, which, shape, column_major, bits, registers * each, register * each + place
                )
                parts.append(self.memory.load(group, access, address)[0])
            results.append(_pack(parts, bits))
        return tuple(results)

    def store(
        self, group: Group, space: str, base: Value, stride: Value | None, shape: str, column_major: bool, kind: str,
        registers: tuple[Value, ...], site: int,
    ) -> None:  # fmt: skip
        element = _ELEMENT[kind]
        access = Access(space, 0, element, 1, site, whole=False)
        bits = 8 * access.size
        each = max(1, 32 // bits)
        for number, register in enumerate(registers):
            for place in range(each):
                address = self._address(
                    group, base, stride, "d", shape, column_major, bits, len(registers) * each, number * each + place
                )
                value = register if each == 1 else (register >> U32(bits * place)).astype(element)
                self.memory.store(group, access, address, (value.view(element),))

    def _address(
        self, group: Group, base: Value, stride: Value | None, which: str, shape: str, column_major: bool, bits: int,
        elements: int, number: int,
    ) -> Array:  # fmt: skip
        rows, columns = shape_of(shape).of(which)
        row, column = (item[:, number][group.of("lane")] for item in fragments.wmma(rows, columns, elements))
        if column_major:
            row, column, columns = column, row, rows
        step = U64(columns) if stride is None else stride.astype(U64)
        return np.asarray(base.astype(U64) + (row.astype(U64) * step + column.astype(U64)) * U64(bits // 8))


def _pack(parts: list[Value], bits: int) -> Value:
    if len(parts) == 1:
        return parts[0]
    whole = U32(0)
    for place, part in enumerate(parts):
        whole = whole | (part.astype(U32) << U32(bits * place))
    return whole


def multiply(lanes: Lanes, variant: str, *registers: Array) -> tuple[Array, ...]:
    """`variant`: family, shape, the types of d, a, b, c, whether it saturates, how many registers a, b, c take."""
    family, shape, d_type, a_type, b_type, c_type, saturating, *counts = variant.split("_")
    a_count, b_count, _ = (int(count) for count in counts)
    a = _matrix(lanes, list(registers[:a_count]), family, shape, "a", a_type)
    b = _matrix(lanes, list(registers[a_count : a_count + b_count]), family, shape, "b", b_type)
    c = _matrix(lanes, list(registers[a_count + b_count :]), family, shape, "c", c_type)
    # Products of halves and of tf32 numbers are exact in double. How a tensor core rounds while it sums is not
    # documented, so one rounding at the end stands for it; the tolerance of a problem has room for the difference.
    product = np.matmul(a, b)
    total = product + c
    if saturating == "1":
        total = np.clip(total, -(1 << 31), (1 << 31) - 1)
    if d_type == "f32":
        total = total.astype(F32)
    return _deal(lanes, total, family, shape, d_type)


def _place(family: str, shape: str, which: str, kind: str, elements: int) -> FragmentPlaces:
    if family == "mma":
        return fragments.mma(shape, 8 * _ELEMENT[kind]().itemsize, which)
    return fragments.wmma(*shape_of(shape).of(which), elements)


def _matrix(lanes: Lanes, registers: list[Array], family: str, shape: str, which: str, kind: str) -> Array:
    """(warps, rows, columns) in float64, or in int64 for integers."""
    element = _ELEMENT[kind]
    each = max(1, 4 // element().itemsize)
    columns = []
    for register in registers:
        bits: Array = register.view(U64 if kind == "f64" else U32)
        columns += [
            (bits >> bits.dtype.type(8 * place * element().itemsize)).astype(element) for place in range(each)
        ]
    held = np.stack([_numbers(lanes.spread(column), kind) for column in columns], axis=2)
    row, column = _place(family, shape, which, kind, len(columns))
    matrix = np.zeros((held.shape[0], *shape_of(shape).of(which)), held.dtype)
    matrix[:, row, column] = held
    return matrix


def _numbers(bits: Array, kind: str) -> Array:
    if kind in ("f16", "bf16"):
        return np.asarray(widen(bits, kind).astype(F64))
    if kind == "tf32":
        # tf32 is a float with 10 bits of mantissa: the 13 bits below take no part, whatever stands in them.
        return np.asarray((bits & U32(0xFFFFE000)).view(F32).astype(F64))
    if kind in ("f32", "f64"):
        return np.asarray(bits.view(F32 if kind == "f32" else F64).astype(F64))
    return np.asarray(bits.view({"s8": S8, "u8": U8, "s32": S32}[kind]).astype(S64))


def _deal(lanes: Lanes, matrix: Array, family: str, shape: str, kind: str) -> tuple[Array, ...]:
    """Hand a matrix back to registers, lane by lane."""
    elements = {"f16": 8, "f32": 8, "s32": 8, "f64": 2}[kind] if family == "wmma" else 0
    row, column = _place(family, shape, "d", kind, elements)
    held = matrix[:, row, column].reshape(-1, row.shape[1])[lanes.slot]
    if kind == "f16":
        halves = narrow(held, "f16")
        return tuple(
            halves[:, place].astype(U32) | (halves[:, place + 1].astype(U32) << U32(16))
            for place in range(0, halves.shape[1], 2)
        )
    if kind == "s32":
        # Without .satfinite a sum wraps around, as here; with it, it has been clipped before.
        held = held.astype(S32).view(U32)
    return tuple(np.ascontiguousarray(held[:, place]) for place in range(held.shape[1]))


def load_rows(lanes: Lanes, variant: str, address: Array) -> tuple[Array, ...]:
    """ldmatrix: the address of each row of eight halves comes from one lane."""
    space, count, transposed = variant.split("_")
    group = _whole(lanes)
    memory, site = lanes.services.memory, lanes.arrival.site
    words, parts = (Access(space, 0, kind, 1, site, whole=False) for kind in (U32, U16))
    rows = lanes.spread(address.astype(U64)).reshape(-1)
    _check_rows(lanes, group, address, int(count), site)
    results = []
    for matrix in range(int(count)):
        # Lanes 8m to 8m + 7 bring the addresses of the rows of matrix m; lane l then gets the elements 2 (l % 4) and
        # 2 (l % 4) + 1 of row l / 4, or of column l / 4 when it is transposed.
        first = lanes.warp * 32 + 8 * matrix
        if transposed == "0":
            where = rows[first + lanes.lane // 4] + (lanes.lane % 4 * 4).astype(U64)
            results.append(group.full(memory.load(group, words, where)[0]))
            continue
        halves = []
        for place in range(2):
            where = rows[first + lanes.lane % 4 * 2 + place] + (lanes.lane // 4 * 2).astype(U64)
            halves.append(memory.load(group, parts, where)[0].astype(U32))
        results.append(halves[0] | (halves[1] << U32(16)))
    return tuple(results)


def _check_rows(lanes: Lanes, group: Group, address: Array, count: int, site: int) -> None:
    """Report a row that does not start at a multiple of its 16 bytes, among the lanes whose addresses are used."""
    bad = np.flatnonzero((address.astype(U64) % U64(ROW_BYTES) != 0) & (lanes.lane < 8 * count))
    if len(bad):
        memory = lanes.services.memory
        memory.findings.report("misaligned", group, int(bad[0]), site, access="read", bytes=ROW_BYTES)


def _whole(lanes: Lanes) -> Group:
    """All threads of the instruction as one group, for memory."""
    group = lanes.arrival.group
    return Group(lanes.batch, [], lanes.threads, group.frame, group.local_base, group.local_top)
