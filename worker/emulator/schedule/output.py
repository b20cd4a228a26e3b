"""printf and assert: what a kernel says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from worker.emulator.maths.values import S32, U32, U64, Dtype, Value
from worker.emulator.memory.indexed import Access
from worker.emulator.schedule.group import Group

if TYPE_CHECKING:
    from worker.emulator.memory.access import Memory

LINE_LIMIT = 4096
WIDEST = 4095
"""What C promises that one directive may print; beyond it the formatting on the host of a GPU may break down."""

STRING_LIMIT = 1024
_DIRECTIVE = re.compile(r"%([-+ #0]*)(\d*|\*)(?:\.(\d*|\*))?(hh|h|ll|l|j|z|t|L)?([diouxXeEfFgGaAcsp%])")


class PrintedText:
    """Collects text up to a limit and drops the rest, as the hardware's buffer does."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.parts: list[str] = []
        self.size = 0

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def print(self, memory: Memory, group: Group, values: tuple[Value, ...], site: int) -> Value:
        """Each thread's line in the order of threads; answers the number of arguments, or -1 when full."""
        pattern, arguments = (group.full(value) for value in values)
        texts: dict[int, str] = {}
        for lane in range(group.count):
            if self.size >= self.limit:
                return S32(-1).view(np.uint32)
            address = int(pattern[lane])
            if address not in texts:
                texts[address] = read_string(memory, address)
            one = group.part(np.array([lane]))
            self._say(format_line(texts[address], _Arguments(memory, one, int(arguments[lane]), site)))
        return np.uint32(0)

    def assertion(self, memory: Memory, group: Group, values: tuple[Value, ...]) -> str:
        message, file, line, function = (group.full(value) for value in values[:4])
        expression = read_string(memory, int(message[0]))
        where = read_string(memory, int(function[0]))
        thread, block = group.batch.coordinates(int(group.members()[0]))
        self._say(
            f"{read_string(memory, int(file[0]))}:{int(line[0])}: {where}: "
            f"block: {list(block)}, thread: {list(thread)} "
            f"Assertion `{expression}` failed.\n"
        )
        return expression

    def _say(self, text: str) -> None:
        text = text[: self.limit - self.size]
        self.parts.append(text)
        self.size += len(text)


def read_string(memory: Memory, address: int) -> str:
    """A zero-terminated string in global memory, as far as it goes."""
    return _text(_global_bytes(memory, address) or b"")


def _global_bytes(memory: Memory, address: int) -> bytes | None:
    """What lies in a variable from there on; None where there is no variable."""
    region = memory.space.at(address)
    if region is None or address - region.base >= region.size:
        return None
    start = address - region.base
    return bytes(region.data[start : min(start + STRING_LIMIT, region.size)].tobytes())


def _text(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode("utf-8", "replace")


class _Arguments:
    """The packed arguments of one printf call: each aligned to its own size."""

    def __init__(self, memory: Memory, group: Group, address: int, site: int) -> None:
        self.memory, self.group, self.site = memory, group, site
        self.at = address

    def take(self, size: int) -> bytes:
        self.at = -(-self.at // size) * size
        kind: Dtype = U32 if size == 4 else U64
        (value,) = self.memory.load(self.group, Access("generic", 0, kind, 1, self.site), np.uint64(self.at))
        self.at += size
        return bytes(np.asarray(value).reshape(-1)[0].tobytes())

    def integer(self, size: int, *, signed: bool) -> int:
        return int.from_bytes(self.take(size), "little", signed=signed)

    def real(self) -> float:
        return float(np.frombuffer(self.take(8), np.float64)[0])

    def string(self) -> str:
        """Of any address space; a pointer to nothing is a finding."""
        address = self.integer(8, signed=False)
        space, offset = address >> 60, address & 0xFFFFFFFF
        raw: bytes | None
        if space == 1 and (piece := self.memory.shared.piece_at(offset)) is not None:
            start = int(self.group.of("block_of")[0]) * self.memory.shared.batch.shared_size
            end = start + piece.start + piece.size
            raw = self.memory.shared.data[start + offset : min(end, start + offset + STRING_LIMIT)].tobytes() or None
        elif space == 2 and offset < self.group.local_top:
            row = self.memory.local.data[int(self.group.members()[0])]
            raw = row[offset : min(offset + STRING_LIMIT, self.group.local_top)].tobytes()
        else:
            raw = _global_bytes(self.memory, address)
        if raw is None:
            self.memory.findings.report("printf-no-string", self.group, 0, self.site, address=f"{address:#x}")
        return _text(raw or b"")

    def number(self, written: str) -> str:
        """A width or precision, from the text or the arguments; one that is too large is a finding."""
        found = self.integer(4, signed=True) if written == "*" else int(written[:19] or 0)
        if abs(found) > WIDEST:
            self.memory.findings.report("printf-too-wide", self.group, 0, self.site, width=found, limit=WIDEST)
        return str(max(-WIDEST, min(WIDEST, found)))


def format_line(pattern: str, arguments: _Arguments) -> str:
    """What C's printf would make of it."""

    def directive(match: re.Match[str]) -> str:
        flags, width, precision, length, letter = match.groups()
        if letter == "%":
            return "%"
        width = arguments.number(width) if width else ""
        shape = f"%{flags}{width}"
        if precision is not None:
            digits = arguments.number(precision)
            shape += "" if digits.startswith("-") else f".{digits}"  # a negative one counts as left out
        return _one(shape, length or "", letter, arguments)

    return _DIRECTIVE.sub(directive, pattern)[:LINE_LIMIT]


def _one(shape: str, length: str, letter: str, arguments: _Arguments) -> str:
    if letter in "diouxX":
        size = 8 if length in ("l", "ll", "j", "z", "t") else 4
        value = arguments.integer(size, signed=letter in "di")
        value = _narrowed(value, {"h": 16, "hh": 8}.get(length, 64), signed=letter in "di")
        return (shape + ("d" if letter in "diu" else letter)) % value
    if letter == "c":
        return (shape + "c") % chr(arguments.integer(4, signed=False) & 0xFF)
    if letter == "s":
        return (shape + "s") % arguments.string()
    if letter == "p":
        return hex(arguments.integer(8, signed=False))
    real = arguments.real()
    return real.hex() if letter in "aA" else (shape + letter) % real


def _narrowed(value: int, bits: int, *, signed: bool) -> int:
    if bits == 64:
        return value
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value
