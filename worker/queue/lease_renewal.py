"""A job in this worker's hands, kept from others by renewing its pending entry in the stream `leases`.

When the worker dies, nothing renews it, and scripts/take_or_take_over.lua hands it to the next worker that asks.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from worker.protocol import Job, Progress, Verdict, to_json


class LeaseBroker(Protocol):
    """What a lease asks of the connection that it was taken over."""

    @property
    def renewal_s(self) -> float: ...

    async def on_lease(self, script: str, lease: RenewedLease, *args: str | int) -> bool:
        """Run a script that does nothing, and answers so, when the lease is no longer ours."""
        ...

    async def courteously(self, script: str, lease: RenewedLease, *args: str | int) -> None:
        """The same, for what is kind to say but costs nothing when the broker is away and it stays unsaid."""
        ...

    def dropped(self, lease: RenewedLease) -> None:
        """Hear that a lease renews itself no longer."""
        ...


class RenewedLease:
    """Renews itself until it is finished, released or lost."""

    def __init__(self, broker: LeaseBroker, entry: str, job: Job, worker: str) -> None:
        self.entry = entry
        self._worker = worker
        self._broker = broker
        self._job = job
        self._gone = asyncio.Event()
        self._renewing = asyncio.ensure_future(self._renew())

    @property
    def job(self) -> Job:
        return self._job

    async def held(self) -> bool:
        """Ask the broker whether the job is still ours: a process that was frozen cannot tell from its own clock."""
        if not self._gone.is_set() and not await self._broker.on_lease("renew", self):
            self._lose()
        return not self._gone.is_set()

    async def lost(self) -> None:
        await self._gone.wait()

    async def progress(self, progress: Progress) -> None:
        await self._broker.courteously("progress", self, to_json(progress))

    async def finish(self, verdict: Verdict) -> bool:
        try:
            return await self._broker.on_lease("finish", self, to_json(verdict), self._worker)
        finally:
            self.stop_renewing()

    async def release(self) -> None:
        """Give the job back. Where the broker is away, the lease runs out by itself."""
        self.stop_renewing()
        await self._broker.courteously("release", self, 1)

    async def abandon(self) -> None:
        self.stop_renewing()
        await self._broker.courteously("release", self, 0)

    def stop_renewing(self) -> None:
        self._renewing.cancel()
        self._broker.dropped(self)

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._broker.renewal_s)
            if not await self.held():
                return

    def _lose(self) -> None:
        self._gone.set()
        self._broker.dropped(self)
