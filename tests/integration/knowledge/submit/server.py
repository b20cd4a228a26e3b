"""A server process that dies at a chosen moment: `python -m … DATABASE REDIS PREFIX MOMENT`.

`commit` dies with the verdict's transaction still open, `settle` between commit and acknowledgement, and
`put` between the row and the job: it hands one submission in itself.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import Any

from knowledge.store import open_store
from knowledge.submit import Collector, HandIn, ProgressEvents, Submissions
from knowledge.traces import NoTraces
from tests.integration.knowledge.submit.setup import HERE
from worker.protocol import Job
from worker.queue import Report
from worker.queue.streams import StreamsQueue, open_streams


class MortalQueue:
    """Everything goes to the real queue, but for the call that the process does not survive."""

    def __init__(self, queue: StreamsQueue, moment: str) -> None:
        self._queue = queue
        self._moment = moment

    def __getattr__(self, name: str) -> Any:
        return getattr(self._queue, name)

    async def settle(self, report: Report) -> None:
        if self._moment == "settle":
            die()
        await self._queue.settle(report)

    async def put(self, job: Job) -> None:
        if self._moment == "put":
            die()
        await self._queue.put(job)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def main(database: str, redis: str, prefix: str, moment: str) -> None:
    def readings(_finding: str, _lang: str) -> tuple[dict[str, Any], ...]:
        if moment == "commit":
            die()
        return ()

    queue: Any = MortalQueue(open_streams(redis, prefix, lease_s=0.5), moment)
    async with open_store(database) as store:
        events = ProgressEvents()
        if moment == "put":
            await Submissions(store, queue, events, ()).hand_in(HERE, HandIn("ann", "// code"))
        await Collector(store, queue, events, readings, NoTraces()).run()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
