"""The phases of `make faults`: each a cluster of its own, a load and the deeds that are done to it meanwhile."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import aiohttp

from knowledge.store import open_store
from tests.faults import deeds
from tests.faults.check import Outcome, outcome, settled
from tests.faults.cluster import FAKETIME, Cluster, Prepared, Wanted, may_cut_networks, started
from tests.faults.deeds import Deed
from tests.faults.ledger import Ledger
from tests.faults.load import Load, Source, enrolled
from tests.faults.replays import Replays
from tests.faults.servers import PATIENCE_S
from tests.faults.sleeping_worker import BROKEN, WRONG
from tests.folders import CONTENT
from tests.integration.warpmate.test_faults import children, ends

SETTLED_WITHIN_S = 120.0
GUILDS, MEMBERS = 8, 120


@dataclass(frozen=True)
class Phase:
    name: str
    what: str
    deeds: Sequence[Deed]
    submissions: int
    asks: int
    wanted: Wanted = field(default_factory=Wanted)
    every_s: float = 4.0
    """From one deed to the next, on average."""
    at_once: int = 16
    twice: float = 0.0
    replays: bool = False
    rounds: int = 1_000
    """How often each deed is done at most; a phase ends with its load."""

    @property
    def cannot(self) -> str:
        """Why it cannot be run here."""
        if self.wanted.faked_time and FAKETIME is None:
            return "Debian: faketime"
        if (self.wanted.own_network or self.wanted.small_disks) and not may_cut_networks():
            return "root, and Debian: iproute2"
        return ""


@dataclass(frozen=True)
class Ran:
    phase: str
    seed: int
    judged_by: str
    submissions: int
    asks: int
    seconds: float
    settled_s: float
    deeds: dict[str, int]
    starts: dict[str, int]
    outcome: Outcome
    troubles: dict[str, int]
    slowest_told_s: float
    left_processes: int
    said_again: int = 0

    @property
    def good(self) -> bool:
        return not any(self.outcome.wrong.values()) and not self.left_processes

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"good": self.good}


PHASES = (
    Phase(
        "workers", "workers and what judges for them are killed and frozen",
        (deeds.kill_worker, deeds.kill_children, deeds.freeze_worker), 320, 500,
    ),
    Phase("faces", "sites and bot are killed", (deeds.kill_site, deeds.kill_bot), 200, 800, Wanted(True), 8.0),
    Phase(
        "broker", "the broker is killed, restarted, replaced by its replica, demoted",
        (deeds.kill_broker, deeds.restart_broker, deeds.replace_broker, deeds.demote_broker), 320, 700,
    ),
    Phase("database", "the database crashes and recovers", (deeds.restart_database,), 240, 800, Wanted(True), 8.0),
    Phase(
        "network", "connections are cut, silent, slow, lost and broken off midway; a worker's network has no wire",
        (deeds.cut_broker, deeds.cut_database, deeds.silence_broker, deeds.silence_database, deeds.slow_links,
         deeds.break_midway, deeds.cut_network, deeds.lose_database_silently),
        320, 700, Wanted(own_network=True),
    ),
    Phase(
        "clocks", "clocks jump; verdicts, progress and events come twice and in another order",
        (deeds.jump_clock, deeds.kill_worker), 240, 600, Wanted(True, faked_time=True),
        twice=0.1, replays=True,
    ),
    Phase(
        "disks", "the disks of broker, database and a worker are full",
        tuple(map(deeds.fill_disk, ("broker", "database", "worker0"))), 160, 400, Wanted(small_disks=True), 6.0,
    ),
    Phase(
        "all", "all of it at once",
        (deeds.kill_worker, deeds.freeze_worker, deeds.kill_site, deeds.kill_bot, deeds.kill_broker,
         deeds.replace_broker, deeds.restart_database, deeds.cut_broker, deeds.break_midway, deeds.slow_links),
        200, 500, Wanted(True), 4.0, twice=0.05, replays=True,
    ),
)  # fmt: skip
"""2,000 submissions and 5,000 asks over all of it."""

SHORT = Phase(
    "short", "one of most, with few members, for CI",
    (deeds.kill_worker, deeds.kill_site, deeds.kill_bot, deeds.kill_broker, deeds.replace_broker,
     deeds.restart_database, deeds.cut_broker, deeds.break_midway),
    36, 12, Wanted(True, sites=1), 1.0, 6, twice=0.1, replays=True, rounds=1,
)  # fmt: skip


async def run(phase: Phase, folder: Path, prepared: Prepared, seed: int, tell: Any = print) -> Ran:
    """One phase, from nothing to the last verdict; the folder is gone afterwards unless something was wrong."""
    rng, ledger, before, began = random.Random(f"{seed} {phase.name}"), Ledger(), children(), time.monotonic()
    shutil.rmtree(folder, ignore_errors=True)
    async with started(folder, prepared, phase.wanted) as cluster, open_store(cluster.postgres.url) as store:
        members = await enrolled(cluster.discord, store, GUILDS, MEMBERS)
        await ready(cluster)
        tell(f"{phase.name}: started after {time.monotonic() - began:.0f} s")
        replays = Replays(cluster.broker.url, random.Random(seed))
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(force_close=True)) as session:
            sources = canned_sources() if phase.wanted.sleeping else emulated_sources()
            load = Load(cluster.discord, cluster.addresses, members, sources, ledger, rng, session, twice=phase.twice)
            done, names = Counter({_RUNNING: 0}), {deed.__name__ for deed in phase.deeds}
            doing = asyncio.ensure_future(
                _do(cluster, phase, random.Random(f"{seed} {phase.name} deeds"), done, tell)
            )
            again = asyncio.ensure_future(_replayed(cluster, replays)) if phase.replays else None
            loading = asyncio.ensure_future(
                load.run(phase.submissions, phase.asks, phase.at_once, lambda: not names <= done.keys())
            )
            progress = asyncio.ensure_future(_progress(ledger, tell))
            await asyncio.wait({doing, loading}, return_when=asyncio.FIRST_COMPLETED)
            if doing.done():
                doing.result()  # a deed that failed is a fault of the suite, and told
            await _stopped(doing, done)
            await _healed(cluster)
            await loading
            for task in filter(None, (again, progress)):
                task.cancel()
        settled_s = await settled(store, SETTLED_WITHIN_S)
        found = await outcome(store, cluster.broker.url, ledger)
        starts = Counter({program.name.rstrip("0123456789"): 0 for program in cluster.programs})
        for program in cluster.programs:
            starts[program.name.rstrip("0123456789")] += program.starts
    ran = Ran(
        phase.name, seed, "sleep" if phase.wanted.sleeping else "emulator", len(ledger.hand_ins), ledger.asked,
        round(time.monotonic() - began, 1), round(settled_s, 1), dict(done), dict(starts), found,
        dict(ledger.troubles.most_common(40)), round(max(one.told_after_s for one in ledger.hand_ins), 1),
        sum(not ends(pid, 5) for pid in children() - before), replays.said_again,
    )  # fmt: skip
    if ran.good:
        shutil.rmtree(folder, ignore_errors=True)
    return ran


_RUNNING = "running"


async def _do(cluster: Cluster, phase: Phase, rng: random.Random, done: Counter[str], tell: Any) -> None:
    """Every deed in turn, in an order and at moments of the seed's, until cancelled; `done` counts them."""
    todo = chain.from_iterable(rng.sample(list(phase.deeds), len(phase.deeds)) for _ in range(phase.rounds))
    for deed in todo:
        await asyncio.sleep(min(rng.expovariate(1 / phase.every_s), 3 * phase.every_s))
        began = time.monotonic()
        await asyncio.shield(asyncio.ensure_future(_counted(deed, cluster, rng, done)))
        tell(f"  {deed.__name__} ({time.monotonic() - began:.1f} s)")


async def _counted(deed: Deed, cluster: Cluster, rng: random.Random, done: Counter[str]) -> None:
    done[_RUNNING] += 1
    try:
        await deed(cluster, rng)
        done[deed.__name__] += 1
    finally:
        done[_RUNNING] -= 1


async def _stopped(doing: asyncio.Future[None], done: Counter[str]) -> None:
    """What was begun is ended first: half a deed would leave the cluster broken."""
    doing.cancel()
    await asyncio.gather(doing, return_exceptions=True)
    while done[_RUNNING]:  # noqa: ASYNC110  no event tells of it
        await asyncio.sleep(0.05)
    del done[_RUNNING]


async def _healed(cluster: Cluster) -> None:
    cluster.broker_link.heal()
    cluster.database_link.heal()
    for program in cluster.programs:
        if not program.lives:
            raise AssertionError(f"{program.name} ended by itself; {program.log} says why")


async def _replayed(cluster: Cluster, replays: Replays) -> None:
    """At whatever server is the broker now."""
    while True:
        replays.url = cluster.broker.url
        with suppress(TimeoutError):
            async with asyncio.timeout(5):
                await replays.run()


async def _progress(ledger: Ledger, tell: Any) -> None:
    while True:
        await asyncio.sleep(15)
        told = sum(bool(one.told) for one in ledger.hand_ins)
        tell(
            f"  {told} of {len(ledger.hand_ins)} submissions told, {ledger.answered} of {ledger.asked} asks answered"
        )


async def ready(cluster: Cluster) -> None:
    """Until the bot has told Discord its commands, and each site can answer questions."""
    async with asyncio.timeout(PATIENCE_S), aiohttp.ClientSession() as session:
        while not cluster.discord.world.commands.get(None):  # noqa: ASYNC110  likewise
            await asyncio.sleep(0.1)
        for address in cluster.addresses:
            while True:
                with suppress(aiohttp.ClientError):
                    async with session.get(f"{address}/readyz") as reply:
                        if reply.status == 200 and '"connected"' in await reply.text():
                            break
                await asyncio.sleep(0.1)


def canned_sources() -> list[Source]:
    kernel = "__global__ void vector_add(const float* a, const float* b, float* c, int n) {}"
    return [
        *(Source(f"// {number}\n{kernel}", "accepted") for number in range(3)),
        Source(WRONG + kernel, "wrong_answer"),
        Source(BROKEN + kernel, "compile_error"),
    ]


def emulated_sources() -> list[Source]:
    """Of the shipped solutions, each with the verdict that the judge's own tests hold it to."""
    folder = CONTENT / "problems" / "vector_add" / "solutions"
    right = [Source((folder / "right" / name).read_text(), "accepted") for name in ("simple.cu", "grid_stride.cu")]
    wrong = (folder / "wrong" / "first_block_only.cu").read_text()
    broken = (folder / "wrong" / "misspelt_type.cu").read_text()
    return [*right, Source(wrong, _stated(wrong)), Source(broken, _stated(broken))]


def _stated(source: str) -> str:
    return source.splitlines()[0].removeprefix("// verdict:").strip()


def room() -> Path:
    """Below /tmp, where the user that PostgreSQL runs as may go."""
    return Path("/tmp") / f"warpmate-faults-{os.getuid()}"
