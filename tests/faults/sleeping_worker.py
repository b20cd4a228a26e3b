"""A worker that sleeps in place of judging, and is right all the same: the source says what it is."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys

from msgspec.structs import replace

from worker.canned import CannedExecutor, accepted
from worker.protocol import Job, Kind, Verdict
from worker.queue.streams import open_streams
from worker.service import Settings, Worker

WRONG, BROKEN = "// wrong\n", "// does not compile\n"
"""What a source begins with that gets another verdict than accepted."""


def verdict(job: Job) -> Verdict:
    found = accepted(job)
    if job.source.startswith(WRONG):
        return replace(found, verdict=Kind.WRONG_ANSWER, score=None)
    if job.source.startswith(BROKEN):
        return replace(found, verdict=Kind.COMPILE_ERROR, score=None)
    return found


async def serve(url: str, compile_s: float, card_s: float, consumers: int) -> None:
    queue, stop = open_streams(url), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    settings = Settings(f"{socket.gethostname()}-{os.getpid()}", consumers=consumers)
    try:
        await Worker(queue, CannedExecutor(verdict, compile_s, card_s), settings).run(stop)
    finally:
        await queue.close()


def main() -> None:
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(message)s", level=logging.INFO)
    given = os.environ
    compile_s, card_s = float(given.get("SLEEP_COMPILE_S", "0.05")), float(given.get("SLEEP_CARD_S", "0.05"))
    asyncio.run(serve(given["WARPMATE_REDIS_URL"], compile_s, card_s, int(given.get("CONSUMERS", "2"))))


if __name__ == "__main__":
    main()
