"""A day of load in minutes: questions, submissions, builds of the library, an upgrade under load; what is left of it.

    python bench/day_of_load.py [--share 0.1]

The servers and processes of `make faults`, with workers that sleep in place of judging. A whole day is 20,000
questions and 5,000 submissions; `--share 0.1` a tenth of them. First comes, under load, an upgrade of one process
after the other. Told in the end: by how much each process has grown since a fifth of the load, and what it holds more
of now: files, sockets, children.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
from record import record

sys.path.insert(0, str(Path(__file__).parents[1]))
from knowledge.store import Store, open_store
from tests.faults.check import outcome, settled
from tests.faults.cluster import Cluster, Program, Wanted, ours, prepare, started
from tests.faults.deeds import children_of
from tests.faults.ledger import Ledger
from tests.faults.load import Load, Member, enrolled
from tests.faults.phases import canned_sources, ready, room

ASKS, SUBMISSIONS, ROUNDS = 20_000, 5_000, 10
GREW = 1.10


@dataclass(frozen=True)
class Held:
    """What one process of ours holds."""

    rss_mb: float
    files: int
    sockets: int
    children: int


def held(program: Program) -> Held:
    folder = Path(f"/proc/{program.pid}")
    pages = int((folder / "statm").read_text().split()[1])
    open_now = [str(one.readlink()) for one in (folder / "fd").iterdir() if one.is_symlink()]
    sockets = sum(name.startswith("socket:") for name in open_now)
    return Held(pages * os.sysconf("SC_PAGE_SIZE") / 2**20, len(open_now) - sockets, sockets,
                len(children_of(program.pid)))  # fmt: skip


async def rolled(cluster: Cluster) -> None:
    """As an upgrade without an end of service: the database first, then each process in its turn."""
    database = cluster.postgres.url_at(cluster.database_link.port)
    command = (sys.executable, "-m", "warpmate", "db", "upgrade")
    surroundings = ours() | {"WARPMATE_DATABASE_URL": database, "WARPMATE_DATA_DIR": str(cluster.folder / "upgrade")}
    upgrade = await asyncio.create_subprocess_exec(*command, env=surroundings, stdout=asyncio.subprocess.DEVNULL)
    assert await upgrade.wait() == 0
    for program in cluster.programs:
        await program.end()
        await program.start()
    await ready(cluster)


async def refreshed(cluster: Cluster) -> None:
    """The library is built and published beside the load, as by the process that fills it."""
    surroundings = cluster.sites[0].surroundings | {"WARPMATE_DATA_DIR": str(cluster.folder / "filler")}
    command = (sys.executable, "-m", "warpmate", "index", "build", "--snippets", "0")
    with (cluster.folder / "build.log").open("ab") as log:
        build = await asyncio.create_subprocess_exec(*command, env=surroundings, stdout=log, stderr=log)
        assert await build.wait() == 0, (cluster.folder / "build.log").read_text()[-2000:]


async def day(share: float, seed: int) -> dict[str, Any]:
    room().mkdir(mode=0o711, exist_ok=True)
    prepared = await prepare(room() / "prepared")
    ledger = Ledger()
    async with (
        started(room() / f"day-{os.getpid()}", prepared, Wanted(sleeping=True)) as cluster,
        open_store(cluster.postgres.url) as store,
    ):
        members = await enrolled(cluster.discord, store, 8, 120)
        await ready(cluster)
        # Under load, and first of all: what is compared must be of the same processes.
        await asyncio.gather(rolled(cluster), _rounds(cluster, members, ledger, share, seed, range(1)))
        await refreshed(cluster)
        warm = await _rounds(cluster, members, ledger, share, seed, range(1, 2))
        late = await _rounds(cluster, members, ledger, share, seed, range(2, ROUNDS))
        await refreshed(cluster)
        connections = await _connections(store)
        found = await _found(store, cluster, ledger)
    grew = {name: round(late[name].rss_mb / warm[name].rss_mb, 3) for name in warm}
    more = {
        f"{name} {what}": getattr(late[name], what) - getattr(warm[name], what)
        for name in warm
        for what in ("files", "sockets", "children")
        if getattr(late[name], what) > getattr(warm[name], what) + 5
    }
    return {
        "share": share, "asks": ledger.asked, "submissions": len(ledger.hand_ins), "memory_grew": grew,
        "grown_too_much": [name for name, by in grew.items() if by > GREW], "more_than_before": more,
        "database_connections": connections, "wrong": found,
    }  # fmt: skip


async def _rounds(
    cluster: Cluster, members: list[Member], ledger: Ledger, share: float, seed: int, rounds: range
) -> dict[str, Held]:
    """So many tenths of the load; what everybody holds afterwards, at rest."""
    for number in rounds:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(force_close=True)) as session:
            rng = random.Random(f"{seed} {number}")
            load = Load(cluster.discord, cluster.addresses, members, canned_sources(), ledger, rng, session)
            tenth = share / ROUNDS
            await load.run(round(SUBMISSIONS * tenth), round(ASKS * tenth), 12, lambda: False)
        print(f"round {number + 1}: {ledger.answered} asks, {len(ledger.hand_ins)} submissions", flush=True)
    await asyncio.sleep(15)  # idle connections and children are let go after a while
    return {program.name: held(program) for program in cluster.programs}


async def _connections(store: Store) -> int:
    async with store.engine.connect() as connection:
        counted = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'warpmate'"
        return int((await connection.exec_driver_sql(counted)).scalar_one())


async def _found(store: Store, cluster: Cluster, ledger: Ledger) -> dict[str, int]:
    await settled(store, 60)
    found = await outcome(store, cluster.broker.url, ledger)
    return {what: count for what, count in found.wrong.items() if count}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--share", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=20)
    options = parser.parse_args()
    result = asyncio.run(day(options.share, options.seed))
    print(json.dumps(result, indent=1))
    record("day_of_load", result)
    sys.exit(bool(result["grown_too_much"] or result["more_than_before"] or result["wrong"]))


if __name__ == "__main__":
    main()
