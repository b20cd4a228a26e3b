"""A worker of its own: jobs from the broker until a signal, and the question whether it lives."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from redis.exceptions import RedisError

from worker.config import WorkerConfig
from worker.errors import SettingsError, WorkerError
from worker.queue import JobSource, QueueUnavailable, WrongProtocol
from worker.service import Worker

if TYPE_CHECKING:
    from worker.queue.streams import StreamsQueue

log = logging.getLogger("worker")
_PATIENCE_S = 4.0
"""A health check that takes longer is a failed one."""


class Trouble(WorkerError):
    """Why the worker cannot run, or does not."""


def serve(config: WorkerConfig) -> None:
    """Take jobs until SIGTERM or SIGINT; jobs in hand are then given back. Trouble says why it cannot."""
    try:
        queue = _open_source(config)
        from worker.judge.executor import open_worker  # after what may be mistyped: the judge takes a while to load

        with open_worker(config, queue, str(os.getpid())) as worker:
            asyncio.run(_serve(queue, worker))
    except* (WorkerError, RedisError, QueueUnavailable, WrongProtocol) as errors:
        raise Trouble(str(_first(errors))) from None


def check_health(config: WorkerConfig) -> None:
    """Raise Trouble unless the broker answers and has heard of a worker of this host within a lease."""
    if config.gateway_url:
        _check_gateway(config)
        return
    try:
        names = asyncio.run(_workers(_open_queue(config)))
    except (RedisError, QueueUnavailable, TimeoutError) as error:
        raise Trouble(f"the broker cannot be asked: {error or 'it takes too long'}") from None
    if not any(name.startswith(f"{socket.gethostname()}-") for name in names):
        raise Trouble("no worker of this host has been heard of lately")


def _check_gateway(config: WorkerConfig) -> None:
    """The gateway tells a worker nothing of others, itself included: ask whether it would be listened to."""
    from worker.queue.remote import open_remote

    async def greet() -> None:
        async with asyncio.timeout(_PATIENCE_S):
            await open_remote(config.gateway_url, config.key_file or Path(), config.gateway_ca).greet()

    try:
        asyncio.run(greet())
    except (QueueUnavailable, WrongProtocol, TimeoutError) as error:
        raise Trouble(f"the gateway cannot be asked: {error or 'it takes too long'}") from None


def _first(errors: BaseException) -> BaseException:
    """Several tasks of a worker meet the same trouble at once; it is told once."""
    while isinstance(errors, BaseExceptionGroup):
        errors = errors.exceptions[0]
    return errors


def _open_source(config: WorkerConfig) -> JobSource:
    """The server's gateway for a worker on another host, the broker for one that is trusted with it."""
    if not config.gateway_url:
        return _open_queue(config)
    if config.redis_url:
        raise SettingsError(
            "WARPMATE_GATEWAY_URL and WARPMATE_REDIS_URL are both set: a worker takes its jobs from one"
        )
    if config.key_file is None:
        raise SettingsError("WARPMATE_WORKER_KEY is not set: the gateway knows a worker by its key")
    from worker.queue.remote import open_remote

    return open_remote(config.gateway_url, config.key_file, config.gateway_ca)


def _open_queue(config: WorkerConfig) -> StreamsQueue:
    if config.redis_url is None:
        raise SettingsError(
            "WARPMATE_REDIS_URL is not set: a worker takes its jobs from Redis, or through WARPMATE_GATEWAY_URL"
        )
    from worker.queue.streams import open_streams

    try:
        return open_streams(config.redis_url)
    except ValueError as error:
        raise SettingsError(f"WARPMATE_REDIS_URL is not the address of a Redis: {error}") from None


async def _workers(queue: StreamsQueue) -> tuple[str, ...]:
    async with asyncio.timeout(_PATIENCE_S):
        names = tuple(state.name for state in await queue.workers())
        await queue.close()
        return names


async def _serve(queue: JobSource, worker: Worker) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    log.info("%s takes jobs for %s", worker.state.name, ", ".join(worker.state.backends))
    try:
        await worker.run(stop)
    finally:
        await queue.close()
