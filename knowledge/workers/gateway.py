"""The gateway: jobs for workers on other hosts and their results, each request signed, nothing believed beyond that.

The gateway holds the leases in the workers' stead. One that its worker does not renew is abandoned, so that another
has the job; a worker that lets jobs run out waits longer each time, and is paused when it goes on so.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from msgspec.structs import replace

from knowledge.workers.registry import REMOTE, Enrolled
from knowledge.workers.verdict_check import wrong_with
from worker.protocol import PROTOCOL, Part, WorkerState, from_json
from worker.queue import JobSource, Lease
from worker.queue.wire import (
    HEADERS,
    PATHS,
    SIGNATURE,
    Beat,
    Head,
    Held,
    Hello,
    OnLease,
    Refusal,
    Take,
    Taken,
    encoded,
    verifies,
)

log = logging.getLogger(__name__)

LEASE_S = 5.0
WAITS_S = 5.0
"""How long a worker's question for a job stays open."""
WINDOW_MS = 30_000
"""How far a request's time may be from ours; as long its nonce is remembered."""
MOST_BODY_BYTES = 1024 * 1024
MOST_LEASES = 8
"""Of one worker: two for each consumer of the largest one."""
DROPS_BEFORE_PAUSE, DROPS_WITHIN_S = 6, 600.0
T = TypeVar("T", bound=Part)


class Refused(Exception):
    """A request that is not obeyed. `why` is for the worker, the text for both logs."""

    def __init__(self, why: str, text: str) -> None:
        super().__init__(text)
        self.why = why


@dataclass(slots=True)
class RemoteLease:
    worker: str
    state: WorkerState
    lease: Lease
    until_s: float


@dataclass(slots=True)
class Behaviour:
    """What the gateway remembers of one worker while it runs."""

    drops: deque[float] = field(default_factory=deque)
    """When it let jobs run out."""
    waits_until_s: float = 0.0
    nonces: dict[str, int] = field(default_factory=dict)
    """Of requests inside the window, by the time until which each is remembered."""


class Registry(Protocol):
    """What the gateway asks about workers; `Workers` answers from the database."""

    async def find(self, name: str) -> Enrolled | None: ...

    async def pause(self, name: str, why: str) -> None: ...


class Gateway:
    """Stands between the queue and workers on other hosts; `run` has to run beside it."""

    def __init__(
        self, queue: JobSource, workers: Registry, lease_s: float = LEASE_S, most_leases: int = MOST_LEASES
    ) -> None:
        self._queue = queue
        self._workers = workers
        self._lease_s = lease_s
        self._most_leases = most_leases
        self._epoch = secrets.token_hex(16)
        self._leases: dict[str, RemoteLease] = {}
        self._taking: dict[str, tuple[str, asyncio.Task[Lease]]] = {}
        self._known: dict[str, Behaviour] = {}

    async def run(self) -> None:
        """Abandon what is not renewed, until cancelled; then give back what is held."""
        try:
            while True:
                await asyncio.sleep(self._lease_s / 5)
                await self._abandon_late()
        finally:
            for held in self._leases.values():
                await held.lease.release()

    def hello(self) -> Hello:
        return Hello(self._epoch, PROTOCOL, _now_ms())

    async def admit(self, head: Head) -> Enrolled:
        """Look at who speaks before anything of the body is read: cheap, and enough for most who should not."""
        if head.protocol != str(PROTOCOL):
            raise Refused("protocol", str(PROTOCOL))
        if head.epoch != self._epoch:
            raise Refused("epoch", "the request was signed for another start of the gateway")
        if (
            not head.at_ms.isascii()
            or not head.at_ms.isdecimal()
            or abs(int(head.at_ms[:20]) - _now_ms()) > WINDOW_MS
        ):
            raise Refused("time", "the request is not of this moment")
        if not 16 <= len(head.nonce) <= 64:
            raise Refused("nonce", "the nonce is none")
        worker = await self._workers.find(head.worker[:64])
        if worker is None:
            raise Refused("signature", "the request is not signed by a worker that is enrolled")
        return worker

    def verify(self, worker: Enrolled, head: Head, signature: str, path: str, body: bytes) -> None:
        """The signature first, then the nonce: whoever cannot sign can fill no memory of ours either."""
        if not verifies(worker.public_key, signature, head.signed("POST", path, body)):
            raise Refused("signature", "the request is not signed by a worker that is enrolled")
        if worker.revoked_at is not None:
            raise Refused("revoked", f"the key of {worker.name} was revoked")
        nonces, now = self._behaviour(worker.name).nonces, _now_ms()
        if head.nonce in nonces:
            raise Refused("replay", "the request was sent before")
        for old in [nonce for nonce, until in nonces.items() if until < now]:
            del nonces[old]
        nonces[head.nonce] = now + 2 * WINDOW_MS

    async def obey(self, worker: Enrolled, path: str, body: bytes) -> Part | None:
        """Do what was asked; None for no job."""
        match path:
            case "take":
                return await self._take(worker, _read(Take, body))
            case "beat":
                await self._queue.beat(_of(worker, _read(Beat, body).state))
                return Held(True)
            case "renew":
                return Held(await self._renew(worker, _read(OnLease, body)))
            case "progress":
                return Held(await self._progress(worker, _read(OnLease, body)))
            case "finish":
                return Held(await self._finish(worker, _read(OnLease, body)))
            case "release":
                return Held(await self._release(worker, _read(OnLease, body)))
        raise Refused("path", f"the gateway knows {', '.join(PATHS)}")

    async def _take(self, worker: Enrolled, asked: Take) -> Taken | None:
        if worker.paused_at is not None:
            raise Refused("paused", f"{worker.name} is paused: {worker.paused_why}")
        if not 16 <= len(asked.lease) <= 64 or asked.lease in self._leases or asked.lease in self._taking:
            raise Refused("lease", "the name of the lease is none, or was used")
        mine = [held for held in self._leases.values() if held.worker == worker.name]
        waiting = [task for name, task in self._taking.values() if name == worker.name]
        if len(mine) + len(waiting) >= self._most_leases:
            raise Refused("busy", f"{worker.name} holds {len(mine)} jobs already")
        state = _of(worker, asked.state)
        pause_s = self._behaviour(worker.name).waits_until_s - time.monotonic()
        if pause_s > 0:
            await asyncio.sleep(min(pause_s, WAITS_S))
            return None
        task = asyncio.ensure_future(self._queue.take(state))
        self._taking[asked.lease] = (worker.name, task)
        try:
            await asyncio.wait({task}, timeout=WAITS_S)
        finally:
            del self._taking[asked.lease]
            if (lease := await _ended(task)) is not None:
                self._leases[asked.lease] = RemoteLease(worker.name, state, lease, time.monotonic() + self._lease_s)
        return Taken(lease.job, self._lease_s) if lease else None

    async def _renew(self, worker: Enrolled, on: OnLease) -> bool:
        held = self._held(worker, on)
        if not await held.lease.held():
            self._leases.pop(on.lease, None)
            return False
        held.until_s = time.monotonic() + self._lease_s
        return True

    async def _progress(self, worker: Enrolled, on: OnLease) -> bool:
        held = self._held(worker, on)
        said = on.progress
        if said is None or said.submission != held.lease.job.submission or said.position is not None:
            raise Refused("result", "progress of another submission")
        await held.lease.progress(replace(said, worker=held.state.name))
        return True

    async def _finish(self, worker: Enrolled, on: OnLease) -> bool:
        held = self._held(worker, on)
        if on.verdict is None:
            raise Refused("result", "there is no verdict")
        if why := wrong_with(on.verdict, held.lease.job, held.state):
            raise Refused("result", f"the verdict on {on.submission} is refused: {why}")
        del self._leases[on.lease]
        return await held.lease.finish(on.verdict)

    async def _release(self, worker: Enrolled, on: OnLease) -> bool:
        if (waiting := self._taking.get(on.lease)) and waiting[0] == worker.name:
            waiting[1].cancel()
            return True
        if (held := self._leases.get(on.lease)) is None:
            return False
        if held.worker != worker.name:
            raise Refused("lease", "the lease is not this worker's")
        del self._leases[on.lease]
        await (held.lease.abandon() if on.counts else held.lease.release())
        return True

    def _held(self, worker: Enrolled, on: OnLease) -> RemoteLease:
        """The lease, if worker, submission and attempt are its own."""
        held = self._leases.get(on.lease)
        if held is None or held.worker != worker.name:
            raise Refused("lease", "the lease is not this worker's")
        if (held.lease.job.submission, held.lease.job.fence) != (on.submission, on.fence):
            raise Refused("lease", "the lease is of another submission or attempt")
        return held

    async def _abandon_late(self) -> None:
        now = time.monotonic()
        for name, held in list(self._leases.items()):
            if held.until_s < now and name in self._leases:
                del self._leases[name]
                log.warning("%s let %s run out", held.state.name, held.lease.job.submission)
                await held.lease.abandon()
                await self._count_drop(held.worker, now)

    async def _count_drop(self, worker: str, now: float) -> None:
        """Each time it waits twice as long, so that another may have the job first."""
        behaviour = self._behaviour(worker)
        drops = behaviour.drops
        drops.append(now)
        while drops[0] < now - DROPS_WITHIN_S:
            drops.popleft()
        behaviour.waits_until_s = now + self._lease_s * 2 ** len(drops)
        if len(drops) >= DROPS_BEFORE_PAUSE:
            drops.clear()
            await self._workers.pause(worker, f"let {DROPS_BEFORE_PAUSE} jobs run out")
            log.error("%s is paused: it let %d jobs run out", worker, DROPS_BEFORE_PAUSE)

    def _behaviour(self, worker: str) -> Behaviour:
        return self._known.setdefault(worker, Behaviour())


def head_of(headers: Mapping[str, str]) -> Head:
    """From headers by name in small letters; what lacks is empty, and refused as such."""
    return Head(**{field: headers.get(header.lower(), "") for field, header in HEADERS.items()})


def signature_of(headers: Mapping[str, str]) -> str:
    return headers.get(SIGNATURE.lower(), "")


def answer_of(answer: Part) -> bytes:
    return encoded(answer)


def refusal_of(refused: Refused) -> bytes:
    return encoded(Refusal(refused.why, str(refused)))


async def _ended(taking: asyncio.Task[Lease]) -> Lease | None:
    """The lease, if there is one by now: a claim that is under way is ended and not torn off."""
    taking.cancel()
    await asyncio.wait({taking})
    if taking.cancelled():
        return None
    return taking.result()


def _read(kind: type[T], body: bytes) -> T:
    try:
        return from_json(kind, body)
    except ValueError as error:
        raise Refused("result", f"the body is not what was agreed on: {str(error)[:200]}") from None


LONGEST_NAME = 100


def _of(worker: Enrolled, state: WorkerState) -> WorkerState:
    """What it says of itself, under the name that it was given here."""
    card = state.card
    words = (state.serves, state.version, *((card.name, card.arch, card.driver) if card else ()))
    if len(state.backends) > 4 or any(len(word) > LONGEST_NAME or "|" in word for word in words):
        raise Refused("result", "the worker's state is out of shape")
    return replace(state, name=REMOTE + worker.name, busy_with=(state.busy_with or "")[:LONGEST_NAME] or None)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
