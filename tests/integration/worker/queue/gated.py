"""A worker process whose judge waits for a word on its standard input: `python -m … URL PREFIX LEASE_S DRAIN_S`.

It says `judging <submission> <attempt>` and then reads a line: the verdict to give. What it does next it
says as well, so that a test never has to guess where the process is.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys

from worker.protocol import Backend, Job, Kind, Verdict
from worker.queue.streams import open_streams
from worker.service import ExecutorFacts, HeldJob, Say, Settings, Worker


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class GatedExecutor:
    def __init__(self, words: asyncio.StreamReader) -> None:
        self._words = words

    @property
    def facts(self) -> ExecutorFacts:
        return ExecutorFacts(backends=(Backend.EMULATOR, Backend.COMPILE))

    async def judge(self, job: Job, progress: Say, held: HeldJob) -> Verdict:
        tell(f"judging {job.submission} {job.fence}")
        word = (await self._words.readline()).decode().strip()
        if word == "check":
            tell("held" if await held() else "lost")
            word = (await self._words.readline()).decode().strip()
        return Verdict(job.submission, job.form, job.problem, Backend.EMULATOR, Kind(word))


class Teller(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        tell(f"log {record.getMessage()}")


async def main(url: str, prefix: str, lease_s: str, drain_s: str) -> None:
    logging.getLogger("worker").addHandler(Teller())
    loop = asyncio.get_running_loop()
    words, stop = asyncio.StreamReader(), asyncio.Event()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(words), sys.stdin)
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    queue = open_streams(url, prefix, float(lease_s))
    settings = Settings("gated", consumers=1, beat_s=0.1, drain_s=float(drain_s))
    await Worker(queue, GatedExecutor(words), settings).run(stop)
    await queue.close()
    tell("stopped")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
