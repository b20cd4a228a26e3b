"""Cases dealt out to sandboxed emulators, two side by side, and their emulations back in the order of the cases."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from worker.compile import Compiled
from worker.emulator.request import Emulation, Limits, Observation, Request
from worker.errors import ChildLost, ChildTimeout, InfrastructureError
from worker.judge.emulator_request import weight
from worker.protocol import Kind
from worker.sandbox import Pool, SandboxedChild
from worker.sandbox.policies import EMULATOR_SECONDS, GRACE_SECONDS

log = logging.getLogger(__name__)

CASE_LIMITS = Limits(seconds=10.0, thread_instructions=400_000_000)
"""For one case. Our own solutions need up to 101 million instructions; seconds are only the last resort."""

BLOCKS, BLOCKS_EACH, MOST_BLOCKS = 10_000, 16, 160_000
"""Basic blocks of a case: some, more for each thread and element, so that a single thread may walk over all of them,
and at most. Our own solutions need up to 14,000; a warp that looks at eight bits of every element, or tiles that wait
for one another through a library's atomics, up to 80,000. An endless loop has spent those of a small case in a
second."""

MORE_SECONDS = 20.0
"""For what is asked of the counted case's child beside the cases, so that these have the other two thirds."""

Ask = Callable[[Request], Awaitable[Emulation]]

LANES = min(2, os.cpu_count() or 1)
"""Children that share the cases of a submission."""


@dataclass(frozen=True, slots=True)
class Children:
    pool: Pool
    fatal: frozenset[str]
    """Observations after which no further case is run."""
    seconds: float = EMULATOR_SECONDS

    async def emulate(
        self,
        compiled: Compiled,
        cases: Sequence[Request],
        believed: Callable[[Observation], bool] | None = None,
        then: Callable[[Ask], Awaitable[None]] | None = None,
    ) -> list[Emulation | None]:
        """Each case's emulation; None for what came after a failure, or after the time was up.

        Observations that are not believed, if anybody asks, are left out and end nothing.

        The heaviest case alone is counted (sectors, bank conflicts), from the code that a card would run. All others
        run the plain build, which has every access of the source and translates faster. The child that counted is
        then handed to `then`, unless a case fails.
        """
        weights = [weight(case) for case in cases]
        counted = max(range(len(cases)), key=weights.__getitem__)
        requests = [
            replace(
                case,
                ptx=case.ptx or (compiled.ptx if at == counted else compiled.plain_ptx),
                limits=limits(weights[at]),
                count_requests=at == counted,
            )
            for at, case in enumerate(cases)
        ]
        deal = Deal(len(cases), counted, self.fatal, more=then is not None)
        stop_at = time.monotonic() + self.seconds
        lanes = [
            self._lane(requests, deal, stop_at, believed or (lambda _: True), then)
            for _ in range(min(LANES, len(cases)))
        ]
        await _first_of(asyncio.ensure_future(_all(lanes)), asyncio.ensure_future(deal.over.wait()))
        return deal.results()

    async def _lane(
        self,
        requests: Sequence[Request],
        deal: Deal,
        stop_at: float,
        believed: Callable[[Observation], bool],
        then: Callable[[Ask], Awaitable[None]] | None,
    ) -> None:
        """A child that is asked for one case after the other; another one where the first was lost to `then`."""
        while time.monotonic() < stop_at and deal.left:
            async with _child(self.pool) as box:
                await self._answers(box, requests, deal, stop_at, believed, then)

    async def _answers(
        self,
        box: SandboxedChild,
        requests: Sequence[Request],
        deal: Deal,
        stop_at: float,
        believed: Callable[[Observation], bool],
        then: Callable[[Ask], Awaitable[None]] | None,
    ) -> None:
        """One child's, until no case is left or it cannot go on."""
        while (left := stop_at - time.monotonic()) > 0 and (at := deal.next()) is not None:
            try:
                result = await _ask(box, _within(left, requests[at]), left + GRACE_SECONDS)
            except ChildTimeout:
                return
            seen = tuple(one for one in result.observations if believed(one))
            right = deal.done(at, replace(result, observations=seen))
            if then is not None and at == deal.counted:
                lives = not right or await _lives_through(then, box, stop_at)
                deal.done_with_more()
                if not lives:
                    return


class Deal:
    """Which case is next, and what came back: up to the first failure, whoever was faster.

    The counted case, whose optimised code may blame a line near by, ends nothing by its failure. It is dealt early,
    for it is the longest, but not first: most mistakes show in the small cases, and are then told sooner.
    """

    def __init__(self, cases: int, counted: int, fatal: frozenset[str], *, more: bool = False) -> None:
        others = [at for at in range(cases) if at != counted]
        self._order = [*others[:LANES], counted, *others[LANES:]]
        self.counted, self._fatal = counted, fatal
        self._more = more
        """Whether somebody still wants something of the counted case's child."""
        self._dealt, self._last = 0, cases
        self._results: dict[int, Emulation] = {}
        self.over = asyncio.Event()
        """Nothing that still runs could change the results."""

    @property
    def left(self) -> bool:
        """Whether there is another case to deal."""
        return self._dealt < self._last

    def next(self) -> int | None:
        if not self.left:
            return None
        self._dealt += 1
        return self._order[self._dealt - 1]

    def done(self, at: int, result: Emulation) -> bool:
        """Note a case's emulation, and say whether it went well."""
        self._results[at] = result
        failed = self._failed(result)
        if at != self.counted and failed:
            self._last = min(self._last, self._order.index(at) + 1)
        self._look_whether_over()
        return not failed

    def done_with_more(self) -> None:
        self._more = False
        self._look_whether_over()

    def _look_whether_over(self) -> None:
        complete = all(one in self._results for one in self._order[: self._last])
        if complete and not (self._more and self._last == len(self._order)):
            self.over.set()

    def results(self) -> list[Emulation | None]:
        """Emulations in the order of the cases; None for what came after a failure, or was not done in time."""
        wanted = self._order[: self._last]
        return [self._results.get(at) if at in wanted else None for at in range(len(self._order))]

    def _failed(self, result: Emulation) -> bool:
        return result.ending is not Kind.RAN or any(seen.id in self._fatal for seen in result.observations)


def limits(weight: int) -> Limits:
    """What a case of that weight may use."""
    return replace(CASE_LIMITS, blocks=min(BLOCKS + BLOCKS_EACH * weight, MOST_BLOCKS))


def _within(seconds: float, request: Request) -> Request:
    """The same request, with no more time than is left."""
    return replace(request, limits=replace(request.limits, seconds=min(seconds, request.limits.seconds)))


async def _lives_through(then: Callable[[Ask], Awaitable[None]], box: SandboxedChild, stop_at: float) -> bool:
    """Hand the child over, and say whether it is still there. No verdict hangs on what `then` is for."""
    until = min(stop_at, time.monotonic() + MORE_SECONDS)

    async def ask(request: Request) -> Emulation:
        left = max(0.0, until - time.monotonic())
        return await _ask(box, _within(left, request), left + GRACE_SECONDS)

    try:
        await then(ask)
    except (ChildTimeout, InfrastructureError) as error:
        log.warning("a kernel that runs could not be counted: %s", error)
        return False
    return True


async def _all(asking: Sequence[Coroutine[None, None, None]]) -> None:
    """Run them all. When one fails or we are cancelled, the others are ended before we go on."""
    tasks = [asyncio.ensure_future(one) for one in asking]
    try:
        await asyncio.gather(*tasks)
    finally:
        await _ended(*tasks)


async def _first_of(*tasks: asyncio.Future[Any]) -> None:
    """Wait for one of them, end the others, and raise what it raised."""
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await _ended(*tasks)
    for task in done:
        task.result()


async def _ended(*tasks: asyncio.Future[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def _child(pool: Pool) -> AsyncIterator[SandboxedChild]:
    """A child that somebody owns, also when we are cancelled while it is handed over."""
    taking = asyncio.ensure_future(asyncio.to_thread(pool.take))
    try:
        box = await asyncio.shield(taking)
    except asyncio.CancelledError:
        (await taking).close()
        raise
    with box:
        yield box


async def _ask(box: SandboxedChild, request: Request, seconds: float) -> Emulation:
    """The child's reply. When we are cancelled the child is killed, not left to finish."""
    asking = asyncio.ensure_future(asyncio.to_thread(box.ask, request, Emulation, seconds=seconds))
    try:
        return await asyncio.shield(asking)
    except ChildLost as error:
        raise InfrastructureError(f"the emulator broke down: {error}") from error
    finally:
        if not asking.done():
            box.kill()
            await asyncio.gather(asking, return_exceptions=True)
