"""Where a kernel is timed: events on the card around one recorded graph, and beside them the clock on the wall.

How often that is done, and which times are believed, stands in large_shape_runs.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from cuda.bindings import driver

from worker.gpu.driver import call

_EXTERNAL_EVENT = 1


class Stopwatch:
    """Work recorded once as a graph between two events: nothing of ours lies between its launches."""

    def __init__(self, stream: driver.CUstream) -> None:
        self._stream = stream
        self._events = [call(driver.cuEventCreate(0)) for _ in range(2)]
        self._graph: driver.CUgraphExec | None = None

    def record(self, work: Callable[[], None]) -> None:
        """`work()` makes its launches on the stream."""
        self.forget()
        mode = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
        call(driver.cuStreamBeginCapture(self._stream, mode))
        call(driver.cuEventRecordWithFlags(self._events[0], self._stream, _EXTERNAL_EVENT))
        work()
        call(driver.cuEventRecordWithFlags(self._events[1], self._stream, _EXTERNAL_EVENT))
        graph = call(driver.cuStreamEndCapture(self._stream))
        self._graph = call(driver.cuGraphInstantiate(graph, 0))
        call(driver.cuGraphDestroy(graph))
        call(driver.cuGraphUpload(self._graph, self._stream))
        call(driver.cuStreamSynchronize(self._stream))

    def run(self) -> tuple[float, float]:
        """Microseconds by the events, and by the clock on the wall from before the launch until it is done."""
        started = time.perf_counter_ns()
        call(driver.cuGraphLaunch(self._graph, self._stream))
        call(driver.cuStreamSynchronize(self._stream))
        wall_us = (time.perf_counter_ns() - started) / 1e3
        return float(call(driver.cuEventElapsedTime(*self._events))) * 1e3, wall_us

    def forget(self) -> None:
        if self._graph is not None:
            call(driver.cuGraphExecDestroy(self._graph))
            self._graph = None
