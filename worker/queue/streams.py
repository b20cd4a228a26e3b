"""The queue of many hosts: Redis Streams, with every change of state in one script.

A pending entry of the stream `leases` is a job in a worker's hands; the pending entries of `verdicts` are
those that no server has committed. The scripts in scripts/ hold the rules; this file holds the waiting.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

import redis.asyncio as redis
from msgspec.structs import replace
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.commands.core import AsyncScript
from redis.exceptions import AuthenticationError, OutOfMemoryError, ReadOnlyError, ResponseError
from redis.exceptions import ConnectionError as BrokerGone
from redis.exceptions import TimeoutError as BrokerSlow

from worker.protocol import PROTOCOL, Backend, Form, Job, Kind, Progress, Verdict, WorkerState, from_json, to_json
from worker.queue import MAX_ATTEMPTS, Lease, QueueUnavailable, Report, Settled, WrongProtocol, given_up
from worker.queue.lease_renewal import RenewedLease

Entries = list[tuple[str, dict[str, str]]]
"""Ids with their fields."""
Reply = list[tuple[str, Entries]] | dict[str, list[Entries]] | None
"""Of XREAD: a list or, in RESP3, a mapping."""

log = logging.getLogger(__name__)


def entries(reply: Reply) -> Entries:
    """The entries of the one stream that was read."""
    if not reply:
        return []
    if isinstance(reply, dict):
        (chunks,) = reply.values()
        return [entry for chunk in chunks for entry in chunk]
    return list(reply[0][1])


def job_of(submission: str, text: str) -> Job:
    """One that cannot be read is one of no protocol that we speak."""
    try:
        return from_json(Job, text)
    except ValueError:
        log.exception("the job of %s cannot be read", submission)
        return Job(submission, Form.SNIPPET, "", protocol=0)


def hopeless(job: Job) -> str | None:
    if job.protocol != PROTOCOL:
        return f"speaks protocol {job.protocol}, this worker {PROTOCOL}"
    if job.fence > MAX_ATTEMPTS:
        return f"took {MAX_ATTEMPTS} workers with it; it is not tried again"
    return None


def verdict_of(fields: dict[str, str]) -> Verdict:
    """What cannot be read, or speaks of another submission, is a worker's fault and counts as such."""
    submission = fields["submission"]
    try:
        verdict = from_json(Verdict, fields["verdict"])
    except ValueError:
        log.exception("a worker published an unreadable verdict on %s", submission)
    else:
        if verdict.submission == submission:
            return verdict
        log.error("a worker published a verdict on %r in place of %s", verdict.submission, submission)
    return Verdict(submission, Form.SNIPPET, None, Backend.AUTO, Kind.INFRASTRUCTURE_ERROR)


LEASE_S = 5.0
"""A worker that was killed costs its job this long; renewal is five times as frequent."""

SERVER_PATIENCE_S = 3.0
"""How long a server waits for a broker that is gone; a worker has nothing better to do and waits on."""

GROUPS = (("leases", "workers"), ("verdicts", "servers"))
TAKES_NO_WRITES = ("READONLY", "MISCONF", "OOM", "MASTERDOWN", "NOREPLICAS", "UNBLOCKED", "LOADING")
"""How a broker begins that cannot write for the moment: a replica not promoted yet, or one whose disk is full."""
T = TypeVar("T")


class StreamsQueue:
    """One process's connection to the broker; `open_streams` makes it. Any number share one broker."""

    def __init__(self, client: redis.Redis, prefix: str, lease_s: float) -> None:
        self._redis = client
        self._lease_s = lease_s
        self._base = f"{{{prefix}}}:{PROTOCOL}"
        self._consumer = uuid.uuid4().hex
        self._scripts: dict[str, AsyncScript] = {}
        self._leases: set[RenewedLease] = set()

    async def put(self, job: Job) -> None:
        await self._run("put", job.submission, to_json(job), job.fence)

    async def position(self, submission: str) -> int | None:
        rank = await self._run("position", submission)
        return None if rank is None else int(rank)

    async def unknown(self, submissions: Sequence[str]) -> tuple[str, ...]:
        if not submissions:
            return ()
        places = await self._run("places", *submissions)
        return tuple(name for name, place in zip(submissions, places, strict=True) if place is None)

    async def cancel(self, submission: str) -> bool:
        return bool(await self._run("cancel", submission))

    async def reports(self) -> AsyncGenerator[Report, None]:
        """Two readers side by side: progress goes to every server, a verdict to one that commits it."""
        heard: asyncio.Queue[Report | Exception] = asyncio.Queue(maxsize=64)
        readers = [asyncio.ensure_future(_into(heard, read)) for read in (self._news(), self._verdicts())]
        try:
            while True:
                report = await heard.get()
                if isinstance(report, Exception):
                    raise report
                yield report
        finally:
            for reader in readers:
                reader.cancel()
            await asyncio.gather(*readers, return_exceptions=True)

    async def settle(self, report: Report) -> None:
        receipt, submission = report.receipt.split("|", 1)
        await self._run("settle", receipt, submission)

    async def again(self, report: Report, job: Job) -> None:
        receipt, submission = report.receipt.split("|", 1)
        await self._run("again", receipt, submission, to_json(job), job.fence)

    async def take(self, state: WorkerState) -> Lease:
        """A claim that is under way is never torn off: its job would lie still until the lease ran out."""
        while True:
            claiming = asyncio.ensure_future(self._claim(state))
            try:
                lease_or_bell = await asyncio.shield(claiming)
            except asyncio.CancelledError:
                await self._give_back(claiming)
                raise
            if isinstance(lease_or_bell, str):
                await self._wait_for_bell(lease_or_bell)
            elif reason := hopeless(lease_or_bell.job):
                await self._give_up(lease_or_bell, reason)
            else:
                return lease_or_bell

    async def beat(self, state: WorkerState) -> None:
        has_gpu = int(Backend.GPU in state.backends)
        await self.patiently("beat", state.name, to_json(state), self._lease_ms, has_gpu, state.serves)

    async def workers(self) -> tuple[WorkerState, ...]:
        return tuple(from_json(WorkerState, state) for state in await self._run("workers"))

    async def waiting(self) -> int:
        return int(await self._run("waiting"))

    async def close(self) -> None:
        for lease in tuple(self._leases):
            lease.stop_renewing()
        try:
            await self._command(lambda: self._script("leave", self._consumer), patience_s=0)
        except QueueUnavailable:
            log.info("the broker is gone already")
        await self._redis.aclose()

    # What the leases use

    @property
    def renewal_s(self) -> float:
        return self._lease_s / 5

    async def patiently(self, script: str, *args: str | int) -> Any:
        """Run a script however long the broker is away."""
        return await self._command(lambda: self._script(script, *args), None)

    async def on_lease(self, script: str, lease: RenewedLease, *args: str | int) -> bool:
        """Run a script that does nothing, and answers so, when the lease is no longer ours."""
        job = lease.job
        return bool(await self.patiently(script, self._consumer, lease.entry, job.submission, job.fence, *args))

    async def courteously(self, script: str, lease: RenewedLease, *args: str | int) -> None:
        """The same, for what is kind to say but costs nothing when the broker is away and it stays unsaid."""
        job = lease.job
        try:
            await self._run(script, self._consumer, lease.entry, job.submission, job.fence, *args)
        except QueueUnavailable:
            log.warning("the broker is away: no %s of %s", script, job.submission)

    def dropped(self, lease: RenewedLease) -> None:
        self._leases.discard(lease)

    # Workers

    async def _claim(self, state: WorkerState) -> RenewedLease | str:
        """A job, or the bell's last ring as it was when there was none."""
        asks = (self._lease_ms, MAX_ATTEMPTS, PROTOCOL, state.name, state.serves)
        found = await self.patiently("take_or_take_over", self._consumer, *asks, *state.backends)
        if len(found) == 1:
            return str(found[0])
        if len(found) == 2:
            raise WrongProtocol(str(found[1]))
        entry, submission, job, fence = found
        lease = RenewedLease(self, entry, replace(job_of(submission, job), fence=int(fence)), state.name)
        self._leases.add(lease)
        return lease

    async def _give_back(self, claiming: asyncio.Future[RenewedLease | str]) -> None:
        await asyncio.wait({claiming}, timeout=SERVER_PATIENCE_S)
        if not claiming.done():
            claiming.cancel()
        elif isinstance(lease_or_bell := claiming.result(), RenewedLease):
            await lease_or_bell.release()

    async def _give_up(self, lease: RenewedLease, reason: str) -> None:
        job = lease.job
        log.error("%s %s", job.submission, reason)
        await lease.finish(given_up(job))

    async def _wait_for_bell(self, last_ring: str) -> None:
        """Wait until something is put, and not for ever, for leases run out without a ring."""
        bell = self._key("bell")
        await self._command(lambda: self._redis.xread({bell: last_ring}, block=self._block_ms), None)

    # Servers

    async def _news(self) -> AsyncIterator[Report]:
        newest: Any = await self._command(lambda: self._redis.xrevrange(self._key("news"), count=1), None)
        last = newest[0][0] if newest else "0"
        while True:
            for entry, fields in entries(await self._news_after(last)):
                last = entry
                if "settled" in fields:
                    yield Report(Settled(fields["settled"]), fence=0)
                else:
                    yield Report(from_json(Progress, fields["progress"]), int(fields["fence"]))

    async def _news_after(self, last: str) -> Any:
        return await self._command(
            lambda: self._redis.xread({self._key("news"): last}, count=100, block=self._block_ms), None
        )

    async def _verdicts(self) -> AsyncIterator[Report]:
        """New ones, and those that a server read and did not settle within a lease."""
        look_back_at = 0.0
        while True:
            found: Entries = []
            if time.monotonic() >= look_back_at:
                await self.patiently("serve", PROTOCOL, 3 * self._lease_ms)
                found = await self._unsettled_elsewhere()
                look_back_at = time.monotonic() + self.renewal_s
            for entry, fields in found or entries(await self._next_verdicts()):
                receipt = f"{entry}|{fields['submission']}"
                yield Report(verdict_of(fields), int(fields["fence"]), receipt, fields["worker"])

    async def _unsettled_elsewhere(self) -> Entries:
        verdicts, consumer = self._key("verdicts"), self._consumer
        reply = await self._command(
            lambda: self._redis.xautoclaim(verdicts, "servers", consumer, self._lease_ms, count=16), None
        )
        return [(entry, fields) for entry, fields in reply[1] if fields]

    async def _next_verdicts(self) -> Any:
        streams: Any = {self._key("verdicts"): ">"}
        return await self._command(
            lambda: self._redis.xreadgroup("servers", self._consumer, streams, 16, self._block_ms), None
        )

    # The broker

    @property
    def _lease_ms(self) -> int:
        return int(self._lease_s * 1000)

    @property
    def _block_ms(self) -> int:
        return int(self.renewal_s * 1000)

    def _key(self, name: str) -> str:
        return f"{self._base}:{name}"

    async def _run(self, script: str, *args: str | int) -> Any:
        return await self._command(lambda: self._script(script, *args))

    async def _script(self, name: str, *args: str | int) -> Any:
        if name not in self._scripts:
            self._scripts[name] = self._redis.register_script("".join(map(_source, ("shared", "line", name))))
        return await self._scripts[name](keys=[self._base], args=args)

    async def _command(self, command: Callable[[], Awaitable[T]], patience_s: float | None = SERVER_PATIENCE_S) -> T:
        """Run it until the broker answers. A broker that came back empty gets its groups again."""
        backoff, failures, began = ExponentialBackoff(cap=1, base=0.05), 0, time.monotonic()
        while True:
            try:
                return await _cancellable(command)
            except AuthenticationError as error:
                raise QueueUnavailable("the job broker refuses the user or password in WARPMATE_REDIS_URL") from error
            except (BrokerGone, BrokerSlow, ResponseError) as error:
                if "NOGROUP" in str(error):
                    await self._make_groups()
                    continue
                if isinstance(error, ResponseError) and not _takes_no_writes(error):
                    raise
                failures += 1
                if failures == 1 and patience_s is None:
                    log.warning("the job broker does not answer; waiting for it")
                if patience_s is not None and time.monotonic() - began > patience_s:
                    raise QueueUnavailable("the job broker does not answer") from error
                await asyncio.sleep(backoff.compute(failures))

    async def _make_groups(self) -> None:
        """Make the groups from id 0: entries that outlived their group are delivered again."""
        for stream, group in GROUPS:
            try:
                await self._redis.xgroup_create(self._key(stream), group, id="0", mkstream=True)
            except ResponseError as error:
                if "BUSYGROUP" not in str(error) and not _takes_no_writes(error):
                    raise
            except (BrokerGone, BrokerSlow):
                return  # the command that needed the group meets the same and waits


def open_streams(url: str, prefix: str = "warpmate", lease_s: float = LEASE_S) -> StreamsQueue:
    """Connects with the first command. Retrying is ours: some waits are bounded and some are not."""
    client = redis.Redis.from_url(
        url,
        decode_responses=True,
        socket_timeout=max(lease_s, 2.0),
        socket_connect_timeout=2.0,
        health_check_interval=0,
        retry=Retry(NoBackoff(), 0),
    )
    return StreamsQueue(client, prefix, lease_s)


def _takes_no_writes(error: ResponseError) -> bool:
    """Also where the error went through a script; redis-py drops the first word of those that it has a class for."""
    return isinstance(error, ReadOnlyError | OutOfMemoryError) or any(sign in str(error) for sign in TAKES_NO_WRITES)


async def _cancellable(command: Callable[[], Awaitable[T]]) -> T:
    """Run a command and keep its cancellation, which `wait_for`, used by redis-py, can swallow before Python 3.12."""
    task = asyncio.current_task()
    before = task.cancelling() if task else 0
    reply = await command()
    if task and task.cancelling() > before:
        raise asyncio.CancelledError
    return reply


async def _into(heard: asyncio.Queue[Report | Exception], reports: AsyncIterator[Report]) -> None:
    try:
        async for report in reports:
            await heard.put(report)
    except Exception as error:  # noqa: BLE001  # raised again where the reports are read
        await heard.put(error)


@cache
def _source(name: str) -> str:
    return (files("worker.queue") / "scripts" / f"{name}.lua").read_text(encoding="utf-8")
