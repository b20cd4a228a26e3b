"""A worker of its own: jobs from the broker until a signal, and the question whether it lives."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket

from redis.exceptions import RedisError

from worker.config import WorkerConfig
from worker.errors import SettingsError, WorkerError
from worker.queue import QueueUnavailable, WrongProtocol
from worker.queue.streams import StreamsQueue, open_streams
from worker.service import Worker

log = logging.getLogger("worker")
_PATIENCE_S = 4.0
"""A health check that takes longer is a failed one."""


class Trouble(WorkerError):
    """Why the worker cannot run, or does not."""


def serve(config: WorkerConfig) -> None:
    """Take jobs until SIGTERM or SIGINT; jobs in hand are then given back. Trouble says why it cannot."""
    try:
        queue = _open_queue(config)
        from worker.judge.executor import open_worker  # after what may be mistyped: the judge takes a while to load

        with open_worker(config, queue, str(os.getpid())) as worker:
            asyncio.run(_serve(queue, worker))
    except* (WorkerError, RedisError, QueueUnavailable, WrongProtocol) as errors:
        raise Trouble(str(_first(errors))) from None


def check_health(config: WorkerConfig) -> None:
    """Raise Trouble unless the broker answers and has heard of a worker of this host within a lease."""
    try:
        names = asyncio.run(_workers(_open_queue(config)))
    except (RedisError, QueueUnavailable, TimeoutError) as error:
        raise Trouble(f"the broker cannot be asked: {error or 'it takes too long'}") from None
    if not any(name.startswith(f"{socket.gethostname()}-") for name in names):
        raise Trouble("no worker of this host has been heard of lately")


def _first(errors: BaseException) -> BaseException:
    """Several tasks of a worker meet the same trouble at once; it is told once."""
    while isinstance(errors, BaseExceptionGroup):
        errors = errors.exceptions[0]
    return errors


def _open_queue(config: WorkerConfig) -> StreamsQueue:
    if config.redis_url is None:
        raise SettingsError("WARPMATE_REDIS_URL is not set: a worker of its own takes its jobs from Redis")
    try:
        return open_streams(config.redis_url)
    except ValueError as error:
        raise SettingsError(f"WARPMATE_REDIS_URL is not the address of a Redis: {error}") from None


async def _workers(queue: StreamsQueue) -> tuple[str, ...]:
    async with asyncio.timeout(_PATIENCE_S):
        names = tuple(state.name for state in await queue.workers())
        await queue.close()
        return names


async def _serve(queue: StreamsQueue, worker: Worker) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    log.info("%s takes jobs for %s", worker.state.name, ", ".join(worker.state.backends))
    try:
        await worker.run(stop)
    finally:
        await queue.close()
