"""The process in whose CUDA context a member's kernels run. It knows inputs and launches, never an expected value.

Nothing that it says is believed but what the member's kernels computed and how long they took.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from cuda.bindings import driver

from worker.gpu.driver import (
    Arena,
    CudaError,
    Module,
    Stopwatch,
    call,
    download,
    launch,
    open_device,
    open_stream,
    upload,
)
from worker.gpu.serving import Reply
from worker.gpu.serving import serve as serve_requests

_SMALL_BYTES = 64 << 20
_WARM_UPS = 5

Launches = Sequence[Mapping[str, Any]]


class Runner:
    def __init__(self) -> None:
        self._device = open_device()
        self._stream = open_stream()
        self._stopwatch = Stopwatch(self._stream)
        self._arena: Arena | None = None
        self._module: Module | None = None
        self._touched = Arena.create(4, self._device)
        self._overhead_us = self._measure_overhead()

    def cases(self, cubin: bytes, shared: Mapping[str, int], cases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Each case's memory after its launches, until one fails; the module is loaded anew for each."""
        size = max(len(case["image"]) for case in cases)
        arena = Arena.create(size, self._device)
        images: list[bytes] = []
        for case in cases:
            try:
                images.append(self._case(Module(cubin, shared), case, arena))
            except CudaError as error:
                return {"images": images, "ended": {"code": error.code, "name": error.name}}
        return {"images": images, "ended": None}

    def _case(self, module: Module, case: Mapping[str, Any], arena: Arena) -> bytes:
        upload(arena.address, case["image"])
        self._launch_all(module, case["launches"], arena)
        call(driver.cuStreamSynchronize(self._stream))
        image = download(arena.address, len(case["image"]))
        module.unload()
        return image

    def arena(self, size: int) -> Reply:
        """Memory for one large shape, shared with the referee."""
        if self._arena is not None:
            self._arena.close()
        self._arena = Arena.create(size, self._device)
        return Reply({"bytes": self._arena.bytes, "overhead_us": self._overhead_us}, [self._arena.export()])

    def reset(self, cubin: bytes, shared: Mapping[str, int], launches: Launches) -> dict[str, Any]:
        """A module without memory of earlier runs, its launches recorded; lines kept in L2 are let go."""
        assert self._arena is not None  # noqa: S101  # our parent asks for an arena first
        arena = self._arena
        self._stopwatch.forget()
        if self._module is not None:
            self._module.unload()
        self._module = module = Module(cubin, shared)
        call(driver.cuCtxResetPersistingL2Cache())
        self._stopwatch.record(lambda: self._launch_all(module, launches, arena))
        return {}

    def run(self) -> dict[str, Any]:
        """The recorded launches, timed, once the card has turned to this context."""
        call(driver.cuMemsetD32Async(self._touched.address, 0, 1, self._stream))
        call(driver.cuStreamSynchronize(self._stream))
        event_us, wall_us = self._stopwatch.run()
        return {"event_us": event_us, "wall_us": wall_us}

    def _launch_all(self, module: Module, launches: Launches, arena: Arena) -> None:
        for one in launches:
            launch(module, one, arena.address, self._stream)

    def _measure_overhead(self) -> float:
        """What the wall clock shows above the events when nothing of a member's was ever loaded."""
        memory = Arena.create(_SMALL_BYTES, self._device)
        fill = lambda: call(driver.cuMemsetD32Async(memory.address, 0, _SMALL_BYTES // 4, self._stream))  # noqa: E731
        self._stopwatch.record(fill)
        times = [self._stopwatch.run() for _ in range(_WARM_UPS)]
        self._stopwatch.forget()
        memory.close()
        return statistics.median(wall - event for event, wall in times)


def warm() -> Runner:
    return Runner()


def serve(runner: Runner, descriptor: int) -> None:
    serve_requests(
        descriptor, {"cases": runner.cases, "arena": runner.arena, "reset": runner.reset, "run": runner.run}
    )
