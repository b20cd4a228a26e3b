"""The process that knows: it fills a runner's inputs, and checks its outputs once the member's last launch is over.

No member's code ever runs in its context: nothing that a kernel writes reaches an expected value, a seed or a tally.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from cuda.bindings import driver

from worker.gpu.ceilings import measure
from worker.gpu.child_loop import serve as serve_requests
from worker.gpu.driver import Arena, Module, call, download, launch, open_device, open_stream, upload
from worker.gpu.wire import (
    REFEREE_REQUESTS,
    Bits,
    Check,
    Checked,
    CloseShape,
    Compared,
    Describe,
    DeviceFacts,
    Done,
    Equip,
    InputOrder,
    Launch,
    Measure,
    Measured,
    OpenShape,
    OutputOrder,
    Prepare,
    Probe,
    Probed,
    RefereeRequest,
    WrongElement,
)

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
    order: OpenShape


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

    def answer(
        self, request: RefereeRequest, descriptors: list[int]
    ) -> DeviceFacts | Done | Measured | Probed | Checked:
        match request:
            case Describe():
                return self._describe()
            case Equip():
                return self._equip(request)
            case Measure():
                rates = measure(self._run_tool, self._device, self._stream, request.tensor_multiply_adds)
                return Measured(rates)
            case Probe():
                return self._probe()
            case OpenShape():
                return self._open(request, descriptors)
            case CloseShape():
                return self._close()
            case Prepare():
                return self._prepare(request)
            case Check():
                return self._check(request)

    def _describe(self) -> DeviceFacts:
        kind = driver.CUdevice_attribute

        def attribute(which: driver.CUdevice_attribute) -> int:
            return int(call(driver.cuDeviceGetAttribute(which, self._device)))

        return DeviceFacts(
            name=call(driver.cuDeviceGetName(256, self._device)).split(b"\0")[0].decode(),
            memory=int(call(driver.cuDeviceTotalMem(self._device))),
            cuda=int(call(driver.cuDriverGetVersion())),
            major=attribute(kind.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
            minor=attribute(kind.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
            pageable=attribute(kind.CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS),
            multiprocessors=attribute(kind.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
        )

    def _equip(self, request: Equip) -> Done:
        self._tools, self._entries = (
            Module(request.cubin, dict.fromkeys(request.entries.values(), 0)),
            request.entries,
        )
        return Done()

    def _probe(self) -> Probed:
        """A small sum comes back where the card still computes."""
        self._run_tool("fill<int>", (1, 1, 1), self._tally, 4, 7, 5.0, 6.0)
        call(driver.cuStreamSynchronize(self._stream))
        return Probed(struct.unpack("<4i", download(self._tally, 16)) == (5, 5, 5, 5))

    def _open(self, order: OpenShape, descriptors: list[int]) -> Done:
        """Map a runner's memory and get what is needed to judge it; `worker.gpu.large_shape` writes the order."""
        self._close()
        # The member's memory is mapped into this process, never ours into theirs.
        arena = Arena.adopt(descriptors[0], order.arena_bytes, self._device)
        try:
            own = int(call(driver.cuMemAlloc(max(order.own_bytes, 1))))
            judge = Module(order.cubin, order.shared)
        except Exception:
            arena.close()
            raise
        self._shape = _Shape(arena, own, judge, order)
        return Done()

    def _close(self) -> Done:
        if self._shape is not None:
            shape, self._shape = self._shape, None
            shape.arena.close()
            shape.judge.unload()
            call(driver.cuMemFree(shape.own))
        return Done()

    def _prepare(self, request: Prepare) -> Done:
        shape = self._opened()
        # The order matters: poison goes wherever no input is, guard zones included, and zeros cover a part of it.
        for place in shape.order.poisoned:
            start = shape.arena.address + place.offset
            call(driver.cuMemsetD32Async(start, request.pattern, place.words, self._stream))
        for span in shape.order.zeroed:
            call(driver.cuMemsetD8Async(shape.arena.address + span.offset, 0, span.bytes, self._stream))
        for one in shape.order.inputs:
            self._fill(shape, one, request.seeds[one.name])
            target, source = shape.arena.address + one.at, shape.own + one.own
            if one.bytes:
                call(driver.cuMemcpyDtoDAsync(target, source, one.bytes, self._stream))
        # What the copies left in L2 would make a member's first reads faster than memory is.
        self._run_tool("read_all", _FILL_GRID, self._flush, _FLUSH_BYTES // 16, self._tally)
        call(driver.cuStreamSynchronize(self._stream))
        return Done()

    def _check(self, request: Check) -> Checked:
        """Expected values are computed only now: before, no process of the member's could have found them."""
        shape = self._opened()
        for place in shape.order.scratch:
            call(driver.cuMemsetD8Async(shape.own + place.offset, place.value, place.bytes, self._stream))
        for one in request.launches:
            launch(shape.judge, one, shape.own, self._stream)
        outputs = tuple(self._compare(shape, one) for one in shape.order.outputs)
        changed = tuple(one.name for one in shape.order.inputs if one.constant and self._changed(shape, one))
        return Checked(outputs, changed, self._damage(shape, request.pattern))

    def _fill(self, shape: _Shape, one: InputOrder, seed: int) -> None:
        if not one.elements:
            return
        address = shape.own + one.own
        if one.kernel:
            args = (_bits(address), _bits(one.elements), _bits(seed))
            launch(shape.judge, Launch(one.kernel, _FILL_GRID, _FILL_BLOCK, 0, args), 0, self._stream)
        else:
            low, high = one.range
            self._run_tool(one.tool, _FILL_GRID, address, one.elements, seed, low, high)

    def _compare(self, shape: _Shape, one: OutputOrder) -> Compared:
        upload(self._tally, _TALLY.pack(0, _NO_INDEX, 0, 0.0))
        # The kernels fold into the tally: counts and the largest error rise, the first wrong index falls.
        got, wanted = shape.arena.address + one.at, shape.own + one.expected
        if one.elements:
            magnitude = [] if one.whole else [shape.own + one.magnitude if one.magnitude >= 0 else 0]
            self._run_tool(one.tool, _FILL_GRID, got, wanted, *magnitude, one.elements, *one.allowed, self._tally)
        call(driver.cuStreamSynchronize(self._stream))
        wrong, first, nans, largest = _TALLY.unpack(download(self._tally, _TALLY.size))
        if not wrong:
            return Compared(one.name, wrong, nans, largest)
        size, wide = one.bytes, one.expected_bytes
        element = WrongElement(first, download(got + first * size, size), download(wanted + first * wide, wide))
        return Compared(one.name, wrong, nans, largest, element)

    def _changed(self, shape: _Shape, one: InputOrder) -> bool:
        tool, size = ("compare_words<unsigned>", 4) if one.bytes % 4 == 0 else ("compare_words<unsigned char>", 1)
        got, wanted = shape.arena.address + one.at, shape.own + one.own
        return self._count(tool, got, wanted, one.bytes // size) > 0

    def _damage(self, shape: _Shape, pattern: int) -> int:
        return sum(
            self._count("compare_pattern", shape.arena.address + span.offset, span.bytes, _u32(pattern), span.offset)
            for span in shape.order.guards
        )

    def _count(self, tool: str, *args: int | float | Bits) -> int:
        upload(self._tally, bytes(8))
        self._run_tool(tool, _FILL_GRID, *args, self._tally)
        call(driver.cuStreamSynchronize(self._stream))
        return int.from_bytes(download(self._tally, 8), "little")

    def _run_tool(self, name: str, grid: tuple[int, int, int], /, *args: int | float | Bits) -> None:
        """Ints are 64 bits wide, floats double; `_u32` makes the rest."""
        assert self._tools is not None  # noqa: S101  # our parent equips us first
        one = Launch(self._entries[name], grid, _FILL_BLOCK, 0, tuple(_bits(arg) for arg in args))
        launch(self._tools, one, 0, self._stream)

    def _opened(self) -> _Shape:
        assert self._shape is not None  # noqa: S101  # our parent opens a shape first
        return self._shape


def _u32(value: int) -> Bits:
    return Bits(value.to_bytes(4, "little"))


def _bits(value: int | float | Bits) -> Bits:
    if isinstance(value, Bits):
        return value
    return Bits(struct.pack("<d", value) if isinstance(value, float) else int(value).to_bytes(8, "little"))


def warm() -> Referee:
    return Referee()


def serve(referee: Referee, descriptor: int) -> None:
    serve_requests(descriptor, REFEREE_REQUESTS, referee.answer)
