"""Cases out to sandboxed emulators, two side by side, and their emulations back in the order of the cases."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from worker.compile import Compiled
from worker.errors import ChildLost, ChildTimeout, InfrastructureError
from worker.judge.requests import weight
from worker.sandbox import GIB, MIB, Box, Policy, Pool

SECONDS = 60.0
"""For all cases of a submission together."""

CASE_LIMITS: Mapping[str, float] = MappingProxyType({"seconds": 10.0, "thread_instructions": 400_000_000})
"""For one case. Our own solutions need up to 101 million instructions; seconds are only the last resort."""

BLOCKS, BLOCKS_EACH, MOST_BLOCKS = 10_000, 4, 45_000
"""Basic blocks of a case: some, more for each thread and element, so that a single thread may walk over all of them,
and at most. Our own solutions need up to 14,000 and never more than half of what they may; an endless loop has spent
those of a small case in half a second."""

LANES = min(2, os.cpu_count() or 1)
"""Children that share the cases of a submission."""


def policy() -> Policy:
    """No files but numpy's, which it imports late; memory for the emulator's own limit and numpy's temporaries."""
    return Policy(
        readable=(Path(np.__file__).parent,),
        memory_bytes=4 * GIB,
        seconds=SECONDS + 5,
        answer_bytes=256 * MIB,
        environment=MappingProxyType({"OPENBLAS_NUM_THREADS": "1"}),
    )


@dataclass(frozen=True, slots=True)
class Children:
    pool: Pool
    fatal: frozenset[str]
    """Observations after which a child runs no further case."""

    async def emulate(self, compiled: Compiled, cases: Sequence[dict[str, Any]]) -> list[Any]:
        """Each case's emulation as plain data; None for what came after a failure, or after the time was up.

        The heaviest case alone is counted (sectors, bank conflicts), from the code that a card would run. All others
        run the plain build, which has every access of the source and translates faster.
        """
        weights = [weight(case) for case in cases]
        counted = max(range(len(cases)), key=weights.__getitem__)
        lanes = _lanes(weights)
        requests = [
            {
                "ptx": compiled.plain_ptx,
                "counted_ptx": compiled.ptx if counted in lane else "",
                "seconds": SECONDS,
                "fatal": sorted(self.fatal),
                "cases": [{**cases[at], "count": at == counted, "limits": limits(weights[at])} for at in lane],
            }
            for lane in lanes
        ]
        replies = await _all([_ask(self.pool, request) for request in requests])
        results: list[Any] = [None] * len(cases)
        for lane, reply in zip(lanes, replies, strict=True):
            for at, result in zip(lane, reply["results"], strict=False):
                results[at] = result
        return results


def limits(weight: int) -> dict[str, float]:
    """What a case of that weight may use."""
    return {**CASE_LIMITS, "blocks": min(BLOCKS + BLOCKS_EACH * weight, MOST_BLOCKS)}


def _lanes(weights: Sequence[int]) -> list[list[int]]:
    """Cases dealt out, the heaviest first, to whoever has least; each lane in the order of the cases."""
    lanes: list[list[int]] = [[] for _ in range(min(LANES, len(weights)))]
    for at in sorted(range(len(weights)), key=lambda at: -weights[at]):
        min(lanes, key=lambda lane: sum(weights[one] for one in lane)).append(at)
    return [sorted(lane) for lane in lanes if lane]


async def _all(asking: Sequence[Any]) -> list[Any]:
    """Every answer. When one fails or we are cancelled, the others are ended before we go on."""
    tasks = [asyncio.ensure_future(one) for one in asking]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _ask(pool: Pool, request: dict[str, Any]) -> Any:
    """The child's reply. When we are cancelled the child is killed, not left to finish."""
    box = await _taken(pool)
    asking = asyncio.ensure_future(asyncio.to_thread(box.ask, request))
    try:
        return await asyncio.shield(asking)
    except ChildTimeout:
        return {"results": []}
    except ChildLost as error:
        raise InfrastructureError(f"the emulator broke down: {error}") from error
    finally:
        box.kill()
        await asyncio.gather(asking, return_exceptions=True)
        box.close()


async def _taken(pool: Pool) -> Box:
    """A child that somebody owns, also when we are cancelled while it is handed over."""
    taking = asyncio.ensure_future(asyncio.to_thread(pool.take))
    try:
        return await asyncio.shield(taking)
    except asyncio.CancelledError:
        (await taking).close()
        raise
