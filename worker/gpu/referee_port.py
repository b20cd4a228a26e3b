"""The worker's end of the referee: started again when it is lost, asked by one job at a time."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from worker.compile import Compiled
from worker.errors import ChildLost, ChildTimeout, InfrastructureError
from worker.gpu.policy import referee_policy
from worker.sandbox import Box, Kind, Pool

SECONDS = 60.0


class RefereePort:
    """Use as a context; the referee's process lives as long."""

    def __init__(self, kind: Kind) -> None:
        self._pool = Pool(kind, "worker.gpu.referee", referee_policy(), warm=0)
        self._box: Box | None = None
        self._tools: Compiled | None = None
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
        """Its kernels; a referee that is started later gets them too."""
        self._tools = tools
        self.ask("equip", cubin=tools.cubin, entries=dict(tools.entries))

    def ask(
        self, do: str, *, descriptors: Sequence[int] = (), seconds: float = SECONDS, **request: Any
    ) -> Mapping[str, Any]:
        """The answer. Trouble here is never a member's fault; the next question goes to a new referee."""
        with self._lock:
            try:
                reply = self._opened().ask({"do": do, **request}, seconds, descriptors)
            except (ChildLost, ChildTimeout) as error:
                self._drop()
                raise InfrastructureError(f"the referee was lost at {do!r}: {error}") from error
        if "failed" in reply:
            with self._lock:
                self._drop()
            raise InfrastructureError(f"the referee failed at {do!r}: {reply['failed']['name']}")
        return dict(reply)

    def _opened(self) -> Box:
        if self._box is None:
            self._box = self._pool.take()
            self._box.wait_ready()
            if self._tools:
                entries = dict(self._tools.entries)
                self._box.ask({"do": "equip", "cubin": self._tools.cubin, "entries": entries}, SECONDS)
        return self._box

    def _drop(self) -> None:
        if self._box is not None:
            self._box.close()
            self._box = None
