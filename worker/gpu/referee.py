"""The process that knows: it fills a runner's inputs, and checks its outputs once the member's last launch is over.

No member's code ever runs in its context: nothing that a kernel writes reaches an expected value, a seed or a tally.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cuda.bindings import driver

from worker.gpu.driver import Arena, Module, call, download, launch, open_device, open_stream, upload
from worker.gpu.measuring import measure
from worker.gpu.serving import serve as serve_requests

_FLUSH_BYTES = 256 << 20
_TALLY = struct.Struct("<QQQd")
_NO_INDEX = (1 << 64) - 1
_FILL_GRID = (4096, 1, 1)
_FILL_BLOCK = (256, 1, 1)


@dataclass(frozen=True, slots=True)
class _Shape:
    """One large shape of one submission."""

    arena: Arena
    own: int
    """Address of what only the referee sees: its inputs, expected values, scratch."""
    judge: Module
    order: Mapping[str, Any]


class Referee:
    def __init__(self) -> None:
        self._device = open_device()
        self._stream = open_stream()
        self._flush = int(call(driver.cuMemAlloc(_FLUSH_BYTES)))
        self._tally = int(call(driver.cuMemAlloc(_TALLY.size)))
        call(driver.cuMemsetD8(self._flush, 1, _FLUSH_BYTES))
        self._tools: Module | None = None
        self._entries: Mapping[str, str] = {}
        self._shape: _Shape | None = None

    def facts(self) -> dict[str, Any]:
        """Of the card, as the driver tells."""
        kind = driver.CUdevice_attribute
        asked = {
            "major": kind.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
            "minor": kind.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
            "pageable": kind.CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS,
            "multiprocessors": kind.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
        }
        facts = {name: int(call(driver.cuDeviceGetAttribute(what, self._device))) for name, what in asked.items()}
        name = call(driver.cuDeviceGetName(256, self._device)).split(b"\0")[0].decode()
        memory = int(call(driver.cuDeviceTotalMem(self._device)))
        return {"name": name, "memory": memory, "cuda": int(call(driver.cuDriverGetVersion())), **facts}

    def equip(self, cubin: bytes, entries: Mapping[str, str]) -> dict[str, Any]:
        """Its own kernels; before anything else."""
        self._tools, self._entries = Module(cubin, dict.fromkeys(entries.values(), 0)), entries
        return {}

    def measure(self, tensor_multiply_adds: Sequence[int]) -> dict[str, Any]:
        """What the card reaches, in GB/s and GFLOP/s."""
        return measure(self._run_tool, self._device, self._stream, tensor_multiply_adds)

    def probe(self) -> dict[str, Any]:
        """Whether the card still computes: a small sum comes back."""
        self._run_tool("fill<int>", (1, 1, 1), self._tally, 4, 7, 5.0, 6.0)
        call(driver.cuStreamSynchronize(self._stream))
        return {"healthy": struct.unpack("<4i", download(self._tally, 16)) == (5, 5, 5, 5)}

    def open(self, descriptors: list[int], **order: Any) -> dict[str, Any]:
        """Map a runner's memory and get what is needed to judge it; `worker.gpu.orders` writes the order."""
        self.close()
        arena = Arena.adopt(descriptors[0], order["arena_bytes"], self._device)
        try:
            own = int(call(driver.cuMemAlloc(max(order["own_bytes"], 1))))
            judge = Module(order["cubin"], order["shared"])
        except Exception:
            arena.close()
            raise
        self._shape = _Shape(arena, own, judge, order)
        return {}

    def close(self) -> dict[str, Any]:
        """Give a shape's memory back."""
        if self._shape is not None:
            shape, self._shape = self._shape, None
            shape.arena.close()
            shape.judge.unload()
            call(driver.cuMemFree(shape.own))
        return {}

    def prepare(self, seeds: Mapping[str, int], pattern: int) -> dict[str, Any]:
        """New inputs, everything else in the runner's memory poisoned, L2 full of something else."""
        shape = self._opened()
        for start, words in shape.order["poisoned"]:
            call(driver.cuMemsetD32Async(shape.arena.address + start, pattern, words, self._stream))
        for start, count in shape.order["zeroed"]:
            call(driver.cuMemsetD8Async(shape.arena.address + start, 0, count, self._stream))
        for one in shape.order["inputs"]:
            self._fill(shape, one, seeds[one["name"]])
            target, source = shape.arena.address + one["at"], shape.own + one["own"]
            if one["bytes"]:
                call(driver.cuMemcpyDtoDAsync(target, source, one["bytes"], self._stream))
        self._run_tool("read_all", _FILL_GRID, self._flush, _FLUSH_BYTES // 16, self._tally)
        call(driver.cuStreamSynchronize(self._stream))
        return {}

    def check(self, launches: Sequence[Mapping[str, Any]], pattern: int) -> dict[str, Any]:
        """Expected values are computed only now, then compared: outputs, inputs, guard zones."""
        shape = self._opened()
        for start, count, value in shape.order["scratch"]:
            call(driver.cuMemsetD8Async(shape.own + start, value, count, self._stream))
        for one in launches:
            launch(shape.judge, one, shape.own, self._stream)
        outputs = [self._compare(shape, one) for one in shape.order["outputs"]]
        changed = [one["name"] for one in shape.order["inputs"] if one["constant"] and self._changed(shape, one)]
        return {"outputs": outputs, "inputs_changed": changed, "guards_damaged": self._damage(shape, pattern)}

    def _fill(self, shape: _Shape, one: Mapping[str, Any], seed: int) -> None:
        if not one["elements"]:
            return
        address = shape.own + one["own"]
        if one["kernel"]:
            args = [_bits(address), _bits(one["elements"]), _bits(seed)]
            order = {"kernel": one["kernel"], "grid": _FILL_GRID, "block": _FILL_BLOCK, "shared": 0, "args": args}
            launch(shape.judge, order, 0, self._stream)
        else:
            low, high = one["range"]
            self._run_tool(one["tool"], _FILL_GRID, address, one["elements"], seed, low, high)

    def _compare(self, shape: _Shape, one: Mapping[str, Any]) -> dict[str, Any]:
        upload(self._tally, _TALLY.pack(0, _NO_INDEX, 0, 0.0))
        got, wanted = shape.arena.address + one["at"], shape.own + one["expected"]
        if one["elements"]:
            magnitude = [] if one["whole"] else [shape.own + one["magnitude"] if one["magnitude"] >= 0 else 0]
            numbers = [float(number) for number in one["allowed"]]
            self._run_tool(one["tool"], _FILL_GRID, got, wanted, *magnitude, one["elements"], *numbers, self._tally)
        call(driver.cuStreamSynchronize(self._stream))
        wrong, first, nans, largest = _TALLY.unpack(download(self._tally, _TALLY.size))
        reply = {"name": one["name"], "wrong": wrong, "nans": nans, "largest_error": largest, "first": None}
        if wrong:
            size, wide = one["bytes"], one["expected_bytes"]
            reply["first"] = first
            reply["got"] = download(got + first * size, size)
            reply["expected"] = download(wanted + first * wide, wide)
        return reply

    def _changed(self, shape: _Shape, one: Mapping[str, Any]) -> bool:
        tool, size = ("compare_words<unsigned>", 4) if one["bytes"] % 4 == 0 else ("compare_words<unsigned char>", 1)
        got, wanted = shape.arena.address + one["at"], shape.own + one["own"]
        return self._count(tool, got, wanted, one["bytes"] // size) > 0

    def _damage(self, shape: _Shape, pattern: int) -> int:
        return sum(
            self._count("compare_pattern", shape.arena.address + start, count, _u32(pattern), start)
            for start, count in shape.order["guards"]
        )

    def _count(self, tool: str, *args: Any) -> int:
        upload(self._tally, bytes(8))
        self._run_tool(tool, _FILL_GRID, *args, self._tally)
        call(driver.cuStreamSynchronize(self._stream))
        return int.from_bytes(download(self._tally, 8), "little")

    def _run_tool(self, name: str, grid: tuple[int, int, int], *args: Any) -> None:
        """Ints are 64 bits wide, floats double; `_u32` makes the rest."""
        assert self._tools is not None  # noqa: S101  # our parent equips us first
        order = {
            "kernel": self._entries[name],
            "grid": grid,
            "block": _FILL_BLOCK,
            "shared": 0,
            "args": [_bits(arg) for arg in args],
        }
        launch(self._tools, order, 0, self._stream)

    def _opened(self) -> _Shape:
        assert self._shape is not None  # noqa: S101  # our parent opens a shape first
        return self._shape


Bits = tuple[str, int, int]


def _u32(value: int) -> Bits:
    return "bits", 4, value


def _bits(value: Any) -> Bits:
    if isinstance(value, tuple):
        return value
    if isinstance(value, float):
        return "bits", 8, int.from_bytes(struct.pack("<d", value), "little")
    return "bits", 8, int(value)


def warm() -> Referee:
    return Referee()


def serve(referee: Referee, descriptor: int) -> None:
    names = ("facts", "equip", "measure", "probe", "open", "close", "prepare", "check")
    serve_requests(descriptor, {name: getattr(referee, name) for name in names})
