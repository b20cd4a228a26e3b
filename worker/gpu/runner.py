"""The process in whose CUDA context a member's kernels run. It knows inputs and launches, never an expected value.

Nothing that it says is believed but what the member's kernels computed and how long they took.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from cuda.bindings import driver

from worker.gpu.child_loop import WithDescriptors
from worker.gpu.child_loop import serve as serve_requests
from worker.gpu.driver import (
    Arena,
    CudaError,
    Modules,
    call,
    download,
    launch,
    open_device,
    open_stream,
    upload,
)
from worker.gpu.stopwatch import Stopwatch
from worker.gpu.wire import (
    RUNNER_REQUESTS,
    ArenaOpened,
    CasesRun,
    Done,
    DriverFailure,
    Image,
    Launch,
    OpenArena,
    Reset,
    Run,
    RunCases,
    RunnerRequest,
    Times,
)

_SMALL_BYTES = 64 << 20
_WARM_UPS = 5


class Runner:
    def __init__(self) -> None:
        self._device = open_device()
        self._stream = open_stream()
        self._stopwatch = Stopwatch(self._stream)
        self._arena: Arena | None = None
        self._modules: Modules | None = None
        self._touched = Arena.create(4, self._device)
        # Measured before a member's code was ever here, so that none can make the allowance larger.
        self._overhead_us = self._measure_overhead()

    def answer(self, request: RunnerRequest, _: list[int]) -> CasesRun | WithDescriptors | Done | Times:
        match request:
            case RunCases():
                return self._run_cases(request)
            case OpenArena():
                return self._open_arena(request)
            case Reset():
                return self._reset(request)
            case Run():
                return self._run()

    def _run_cases(self, request: RunCases) -> CasesRun:
        """Each case's memory after its launches, until one fails; modules are loaded anew for each."""
        arena = Arena.create(max(len(case.memory) for case in request.cases), self._device)
        memories: list[bytes] = []
        for case in request.cases:
            try:
                # Loaded anew: __device__ variables begin as the source says, not as the last case left them.
                memories.append(self._run_case(Modules(request.modules), case, arena))
            except CudaError as error:
                return CasesRun(tuple(memories), DriverFailure(error.code, error.name))
        return CasesRun(tuple(memories), None)

    def _run_case(self, modules: Modules, case: Image, arena: Arena) -> bytes:
        upload(arena.address, case.memory)
        self._launch_all(modules, case.launches, arena)
        call(driver.cuStreamSynchronize(self._stream))
        memory = download(arena.address, len(case.memory))
        modules.unload()
        return memory

    def _open_arena(self, request: OpenArena) -> WithDescriptors:
        """Memory for one large shape, shared with the referee."""
        if self._arena is not None:
            self._arena.close()
        self._arena = Arena.create(request.bytes, self._device)
        return WithDescriptors(ArenaOpened(self._arena.bytes, self._overhead_us), [self._arena.export()])

    def _reset(self, request: Reset) -> Done:
        """Modules without memory of earlier runs, their launches recorded; lines kept in L2 are let go."""
        assert self._arena is not None  # noqa: S101  # our parent asks for an arena first
        arena = self._arena
        self._stopwatch.forget()
        if self._modules is not None:
            self._modules.unload()
        self._modules = modules = Modules(request.modules)
        call(driver.cuCtxResetPersistingL2Cache())
        self._stopwatch.record(lambda: self._launch_all(modules, request.launches, arena))
        return Done()

    def _run(self) -> Times:
        """The recorded launches, timed, once the card has turned to this context."""
        call(driver.cuMemsetD32Async(self._touched.address, 0, 1, self._stream))
        call(driver.cuStreamSynchronize(self._stream))
        event_us, wall_us = self._stopwatch.run()
        return Times(event_us, wall_us)

    def _launch_all(self, modules: Modules, launches: Sequence[Launch], arena: Arena) -> None:
        for one in launches:
            launch(modules[one.module], one, arena.address, self._stream)

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
    serve_requests(descriptor, RUNNER_REQUESTS, runner.answer)
