"""The worker's end of the referee: started again when it is lost, asked by one job at a time."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TypeVar

from worker.compile import Compiled
from worker.errors import ChildLost, ChildTimeout, InfrastructureError
from worker.gpu.wire import Done, DriverFailure, Equip, RefereeRequest
from worker.sandbox import Kind, Pool, SandboxedChild
from worker.sandbox.policies import referee_policy

T = TypeVar("T")

SECONDS = 60.0


class RefereePort:
    """Use as a context; the referee's process lives as long."""

    def __init__(self, kind: Kind) -> None:
        self._pool = Pool(kind, "worker.gpu.referee", referee_policy(), warm=0)
        self._box: SandboxedChild | None = None
        self._tools: Equip | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> RefereePort:
        return self

    def __exit__(self, *_: object) -> None:
        self._drop()
        self._pool.close()

    @property
    def pid(self) -> int | None:
        return self._box.pid if self._box else None

    def equip(self, tools: Compiled) -> None:
        """Give the referee its kernels; one that is started later gets them too."""
        self._tools = Equip(tools.cubin, dict(tools.entries))
        self.ask(self._tools, Done)

    def ask(
        self, request: RefereeRequest, kind: type[T], *, descriptors: Sequence[int] = (), seconds: float = SECONDS
    ) -> T:
        """The answer. Trouble here is never a member's fault; the next question goes to a new referee."""
        do = type(request).__name__
        with self._lock:
            try:
                reply = self._opened().ask(request, kind, DriverFailure, seconds=seconds, descriptors=descriptors)
            except (ChildLost, ChildTimeout) as error:
                self._drop()
                raise InfrastructureError(f"the referee was lost at {do}: {error}") from error
            if isinstance(reply, DriverFailure):
                # A CUDA context that failed once fails for good, so its process goes too.
                self._drop()
                raise InfrastructureError(f"the referee failed at {do}: {reply.name}")
            return reply

    def _opened(self) -> SandboxedChild:
        if self._box is None:
            self._box = self._pool.take()
            self._box.wait_ready()
            if self._tools:
                self._box.ask(self._tools, Done, seconds=SECONDS)
        return self._box

    def _drop(self) -> None:
        if self._box is not None:
            self._box.close()
            self._box = None
