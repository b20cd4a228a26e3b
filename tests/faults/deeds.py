"""What can happen to a cluster. Each deed ends with what was broken working again, if it does not mend itself."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from tests.faults.cluster import Cluster, Program
from tests.faults.servers import PATIENCE_S
from worker.queue.streams import LEASE_S

Deed = Callable[[Cluster, random.Random], Awaitable[None]]


async def kill_worker(cluster: Cluster, rng: random.Random) -> None:
    """A worker is killed and started again."""
    await _kill(rng.choice(cluster.workers))


async def kill_children(cluster: Cluster, rng: random.Random) -> None:
    """All that compiles and judges for a worker is killed under it."""
    for pid in children_of(rng.choice(cluster.workers).pid):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


async def freeze_worker(cluster: Cluster, rng: random.Random) -> None:
    """A worker is frozen for longer than its lease, and goes on."""
    program = rng.choice(cluster.workers)
    program.send(signal.SIGSTOP)
    await asyncio.sleep(LEASE_S * rng.uniform(1.2, 2.0))
    program.send(signal.SIGCONT)


async def kill_site(cluster: Cluster, rng: random.Random) -> None:
    """A site, with its collector of verdicts, is killed and started again."""
    await _kill(rng.choice(cluster.sites))


async def kill_bot(cluster: Cluster, rng: random.Random) -> None:
    """The bot, with its collector of verdicts, is killed and started again."""
    gateway, before = cluster.discord.gateway, cluster.discord.gateway.identifies
    await _kill(rng.choice(cluster.bots))
    async with asyncio.timeout(PATIENCE_S):
        while gateway.identifies == before:  # noqa: ASYNC110  the gateway rings no bell
            await asyncio.sleep(0.1)


async def kill_broker(cluster: Cluster, rng: random.Random) -> None:
    """The broker is killed, away for a while, and comes back with what its file has."""
    await cluster.broker.kill()
    await asyncio.sleep(rng.uniform(0.1, 4.0))
    await cluster.broker.start()


async def restart_broker(cluster: Cluster, rng: random.Random) -> None:
    """The broker is told to end and started again."""
    await cluster.broker.command("SHUTDOWN", "NOSAVE")
    await cluster.broker.kill()
    await cluster.broker.start()


async def replace_broker(cluster: Cluster, rng: random.Random) -> None:
    """The broker is gone with its disk, and its replica takes its place."""
    await cluster.use_replica()


async def demote_broker(cluster: Cluster, rng: random.Random) -> None:
    """For a while the address leads to the replica, which takes no writes: a change of roles gone wrong."""
    cluster.broker_link.to = ("127.0.0.1", cluster.replica.port)
    cluster.broker_link.cut()
    await asyncio.sleep(rng.uniform(1.0, 3.0))
    cluster.broker_link.to = ("127.0.0.1", cluster.broker.port)
    cluster.broker_link.cut()


async def restart_database(cluster: Cluster, rng: random.Random) -> None:
    """The database crashes with all of its connections, is away for a while and recovers from its log."""
    await cluster.postgres.stop()
    await asyncio.sleep(rng.uniform(0.0, 4.0))
    await cluster.postgres.start()


async def cut_broker(cluster: Cluster, rng: random.Random) -> None:
    """Every connection to the broker ends, and nobody gets a new one for a while."""
    cluster.broker_link.shut = True
    cluster.broker_link.cut()
    await asyncio.sleep(rng.uniform(0.5, 4.0))
    cluster.broker_link.heal()


async def cut_database(cluster: Cluster, rng: random.Random) -> None:
    """The same of the database."""
    cluster.database_link.shut = True
    cluster.database_link.cut()
    await asyncio.sleep(rng.uniform(0.5, 4.0))
    cluster.database_link.heal()


async def silence_broker(cluster: Cluster, rng: random.Random) -> None:
    """Nothing comes through to the broker, untold, for longer than a lease; then every connection ends."""
    cluster.broker_link.silence()
    await asyncio.sleep(LEASE_S * rng.uniform(1.1, 1.6))
    cluster.broker_link.cut()
    cluster.broker_link.heal()


async def silence_database(cluster: Cluster, rng: random.Random) -> None:
    """Nothing comes through to the database for a while; what was sent meanwhile arrives late."""
    cluster.database_link.silence()
    await asyncio.sleep(rng.uniform(3.0, 8.0))
    cluster.database_link.heal()


async def lose_database_silently(cluster: Cluster, rng: random.Random) -> None:
    """What was sent to the database never arrives, and the connections look alive for ever: a switch has died."""
    cluster.database_link.forget()
    await asyncio.sleep(rng.uniform(1.0, 3.0))


async def slow_links(cluster: Cluster, rng: random.Random) -> None:
    """Each piece takes a fifth of a second to broker and database."""
    for link in (cluster.broker_link, cluster.database_link):
        link.delay_s = rng.uniform(0.02, 0.2)
    await asyncio.sleep(rng.uniform(3.0, 6.0))
    for link in (cluster.broker_link, cluster.database_link):
        link.heal()


async def break_midway(cluster: Cluster, rng: random.Random) -> None:
    """The connections to broker or database break off in the middle of a message."""
    link = rng.choice((cluster.broker_link, cluster.database_link))
    link.break_after = rng.randrange(1, 4000)
    await asyncio.sleep(2.0)
    link.heal()


async def cut_network(cluster: Cluster, rng: random.Random) -> None:
    """The network of one worker has no wire any more, for longer than a lease."""
    assert cluster.network is not None
    cluster.network.cut()
    await asyncio.sleep(LEASE_S * rng.uniform(1.1, 2.0))
    cluster.network.join()


async def jump_clock(cluster: Cluster, rng: random.Random) -> None:
    """The wall clock of one process jumps by up to an hour, forwards or back."""
    name = rng.choice([program.name for program in cluster.programs])
    cluster.set_clock(name, rng.choice((-1, 1)) * rng.randrange(60, 3600))


def fill_disk(whose: str) -> Deed:
    async def deed(cluster: Cluster, rng: random.Random) -> None:
        filler = cluster.disks[whose] / "filler"
        await asyncio.to_thread(_fill, filler)
        await asyncio.sleep(rng.uniform(2.0, 6.0))
        filler.unlink()
        if whose == "database" and cluster.postgres.process and cluster.postgres.process.returncode is not None:
            await cluster.postgres.start()
        if whose == "broker" and cluster.broker.process and cluster.broker.process.returncode is not None:
            await cluster.broker.start()

    deed.__doc__ = f"The disk of the {whose} is full for a while."
    deed.__name__ = f"fill_disk_of_{whose}"
    return deed


def _fill(file: Path) -> None:
    with suppress(OSError), file.open("wb", buffering=0) as filler:
        while filler.write(b"\0" * 65_536):
            pass
    with suppress(OSError), file.open("ab", buffering=0) as filler:
        while filler.write(b"\0" * 64):
            pass


async def _kill(program: Program) -> None:
    await program.kill()
    await program.start()


def children_of(parent: int) -> list[int]:
    """Every process that it has begun, and those that they have; the fields behind a name are state and parent."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
    found, newest = list[int](), {parent}
    while newest:
        newest = {pid for pid, its in parents.items() if its in newest}
        found += newest
    return found
