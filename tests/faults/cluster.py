"""warpmate as it runs on many machines: sites, a bot, workers, a broker with its replica, a database.

Every process reaches broker and database over a link of this suite, which can be slow, silent or broken.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tests.discord import LocalDiscord, local_discord
from tests.faults.servers import Postgres, Redis, copied, free_port, listens
from tests.folders import ROOT
from tests.proxies import Link, link_to

HOST = "home.example"
FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
WORKERS, SITES = 4, 2


@dataclass
class Program:
    """One process of ours, started again under the same settings after each end."""

    name: str
    command: Sequence[str]
    surroundings: dict[str, str]
    log: Path
    port: int = 0
    inside: Sequence[str] = ()
    """A command that it is started by, such as one that puts it into a network of its own."""
    process: asyncio.subprocess.Process | None = None
    starts: int = 0

    @property
    def lives(self) -> bool:
        return self.process is not None and self.process.returncode is None

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    async def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = await _begin([*self.inside, *self.command], self.surroundings, log)
        self.starts += 1
        if self.port:
            await listens(self.port)

    def send(self, number: signal.Signals) -> None:
        if self.lives and self.process:
            self.process.send_signal(number)

    async def kill(self) -> None:
        self.send(signal.SIGKILL)
        if self.process:
            await self.process.wait()

    async def end(self, patience_s: float = 60) -> None:
        """As an operator ends it."""
        self.send(signal.SIGTERM)
        if self.process:
            async with asyncio.timeout(patience_s):
                await self.process.wait()


async def _begin(command: Sequence[str], surroundings: dict[str, str], log: IO[bytes]) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=surroundings, stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log
    )


@dataclass(frozen=True)
class Prepared:
    """What is made once: a stopped PostgreSQL with content and index in it, the index, the models."""

    folder: Path

    @property
    def postgres(self) -> Postgres:
        return Postgres(self.folder / "postgres")

    @property
    def index(self) -> Path:
        return self.folder / "index"

    @property
    def models(self) -> Path:
        return self.folder / "data" / "models"


async def prepare(folder: Path, models: Path | None = None) -> Prepared:
    """Make it, unless an earlier run has; `models`: a folder that has them already."""
    prepared = Prepared(folder)
    if (folder / "made").exists():
        return prepared
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, mode=0o711)  # noqa: ASYNC240  nothing else goes on yet
    if models:
        shutil.copytree(models, prepared.models)
    postgres = prepared.postgres
    await postgres.make()
    await postgres.start()
    try:
        settings = {
            "WARPMATE_DATABASE_URL": postgres.url,
            "WARPMATE_DATA_DIR": str(folder / "data"),
            "WARPMATE_INDEX_DIR": str(prepared.index),
        }
        command = [sys.executable, "-m", "warpmate", "index", "build", "--snippets", "0"]
        with (folder / "build.log").open("wb") as log:
            built = await _begin(command, ours() | settings, log)
        assert await built.wait() == 0, (folder / "build.log").read_text()[-2000:]
    finally:
        postgres.process and postgres.process.send_signal(signal.SIGINT)
        postgres.process and await postgres.process.wait()
    (folder / "made").touch()
    return prepared


def ours() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith("WARPMATE_")} | {
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }


@dataclass(frozen=True)
class Wanted:
    """How the cluster of a phase differs from the others."""

    sleeping: bool = False
    """Workers that sleep in place of judging."""
    faked_time: bool = False
    """Of sites, bot and workers; redis-server cannot live on it: its allocator asks for the time too early."""
    own_network: bool = False
    """The last worker lives in a network of its own, which can be cut."""
    small_disks: bool = False
    """Broker, database and one worker write to file systems of few megabytes."""
    workers: int = WORKERS
    sites: int = SITES


@dataclass
class Cluster:
    folder: Path
    discord: LocalDiscord
    postgres: Postgres
    broker: Redis
    replica: Redis
    broker_link: Link
    database_link: Link
    wanted: Wanted
    sites: list[Program] = field(default_factory=list)
    bots: list[Program] = field(default_factory=list)
    workers: list[Program] = field(default_factory=list)
    network: Network | None = None
    disks: dict[str, Path] = field(default_factory=dict)
    """Small ones, by whose they are."""

    @property
    def programs(self) -> list[Program]:
        return [*self.sites, *self.bots, *self.workers]

    @property
    def addresses(self) -> list[str]:
        return [f"http://127.0.0.1:{site.port}" for site in self.sites]

    def set_clock(self, name: str, seconds: int) -> None:
        """A process that lives on faked time sees its wall clock so far ahead; clocks that only count go on."""
        beside = self.folder / "clock.next"
        beside.write_text(f"{seconds:+d}\n")
        beside.rename(clock_of(self.folder, name))

    async def use_replica(self) -> None:
        """The broker is gone for good; its replica takes its place, and has one of its own again."""
        await self.broker.kill()
        await self.replica.command("REPLICAOF", "NO", "ONE")
        self.broker_link.to = ("127.0.0.1", self.replica.port)
        self.broker_link.cut()
        gone, self.broker = self.broker, self.replica
        shutil.rmtree(gone.folder)
        self.replica = Redis(gone.folder, follows=self.broker.port)
        await self.replica.start()


@dataclass(frozen=True)
class Network:
    """A network of one's own with one wire to ours; needs root."""

    name: str
    here: str = "10.203.77.1"
    there: str = "10.203.77.2"

    @property
    def wire(self) -> str:
        return f"{self.name}-w"

    def make(self) -> None:
        for command in (
            f"ip netns add {self.name}",
            f"ip link add {self.wire} type veth peer name eth0 netns {self.name}",
            f"ip addr add {self.here}/30 dev {self.wire}",
            f"ip netns exec {self.name} ip addr add {self.there}/30 dev eth0",
            f"ip netns exec {self.name} ip link set eth0 up",
            f"ip netns exec {self.name} ip link set lo up",
        ):
            _run(command)
        self.join()

    def cut(self) -> None:
        _run(f"ip link set {self.wire} down")

    def join(self) -> None:
        _run(f"ip link set {self.wire} up")

    def remove(self) -> None:
        with suppress(subprocess.CalledProcessError):
            _run(f"ip netns del {self.name}")


def _run(command: str) -> None:
    subprocess.run(command.split(), check=True, capture_output=True)


def may_cut_networks() -> bool:
    return os.geteuid() == 0 and bool(shutil.which("ip"))


@asynccontextmanager
async def small_disk(folder: Path, megabytes: int) -> AsyncIterator[Path]:
    """A file system of its own at the folder; needs root."""
    folder.mkdir(parents=True)  # noqa: ASYNC240  likewise
    _run(f"mount -t tmpfs -o size={megabytes}m,mode=777 tmpfs {folder}")
    try:
        yield folder
    finally:
        _run(f"umount --lazy {folder}")


@asynccontextmanager
async def started(folder: Path, prepared: Prepared, wanted: Wanted) -> AsyncIterator[Cluster]:
    """All of it, running; nothing of it is left after the block."""
    async with AsyncExitStack() as stack:
        folder.mkdir(parents=True, mode=0o711)  # noqa: ASYNC240  likewise
        discord = await stack.enter_async_context(local_discord())
        disks = {}
        for name, megabytes in (("broker", 24), ("worker0", 24), ("database", 320)):
            if wanted.small_disks:
                at = await stack.enter_async_context(small_disk(folder / "disks" / name, megabytes))
                disks[name] = at
        postgres = await asyncio.to_thread(copied, prepared.postgres, disks.get("database", folder) / "postgres")
        await postgres.start()
        stack.push_async_callback(postgres.stop)
        broker = Redis(disks.get("broker", folder) / "redis")
        await broker.start()
        replica = Redis(folder / "replica", follows=broker.port)
        await replica.start()
        network = Network(f"wm{os.getpid()}") if wanted.own_network else None
        if network:
            stack.callback(network.remove)
            network.make()
        outside = (network.here,) if network else ()
        broker_link = await stack.enter_async_context(link_to("127.0.0.1", broker.port, *outside))
        database_link = await stack.enter_async_context(link_to("127.0.0.1", postgres.port))
        cluster = Cluster(folder, discord, postgres, broker, replica, broker_link, database_link, wanted)
        cluster.network, cluster.disks = network, disks
        stack.push_async_callback(_end_all, cluster)
        _describe(cluster, prepared)
        await asyncio.gather(*(program.start() for program in cluster.programs))
        yield cluster


async def _end_all(cluster: Cluster) -> None:
    for program in cluster.programs:
        program.send(signal.SIGCONT)
        await program.kill()
    await cluster.broker.kill()
    await cluster.replica.kill()


def _describe(cluster: Cluster, prepared: Prepared) -> None:
    """The programs, as an operator starts them."""
    discord, wanted = cluster.discord, cluster.wanted
    discord.oauth.redirect_uris.add(f"https://{HOST}/signin/callback")
    shared = ours() | {
        "WARPMATE_REDIS_URL": f"redis://127.0.0.1:{cluster.broker_link.port}/0",
        "WARPMATE_DATABASE_URL": cluster.postgres.url_at(cluster.database_link.port),
        "WARPMATE_INDEX_DIR": str(prepared.index),
        "WARPMATE_PUBLIC_URL": f"https://{HOST}",
        "WARPMATE_DISCORD_TOKEN": discord.token,
        "WARPMATE_DISCORD_API_BASE": discord.api_base,
        "WARPMATE_DISCORD_GATEWAY": discord.gateway.url,
        "WARPMATE_DISCORD_CLIENT_ID": str(discord.world.application_id),
        "WARPMATE_DISCORD_CLIENT_SECRET": discord.oauth.secret,
        "WARPMATE_DISCORD_AUTHORIZE_URL": f"{discord.http}/oauth2/authorize",
    }

    def faked(name: str) -> dict[str, str]:
        return on_faked_time(cluster.folder, name) if wanted.faked_time else {}

    run = (sys.executable, "-m", "warpmate", "run", "--only")
    for name, face in [*((f"site{n}", "site") for n in range(wanted.sites)), ("bot0", "bot")]:
        data = _data_folder(cluster.folder / name, prepared)
        port = free_port() if face == "site" else 0
        own = {"WARPMATE_DATA_DIR": str(data), "WARPMATE_HTTP_PORT": str(port)}
        program = Program(name, (*run, face), shared | own | faked(name), cluster.folder / f"{name}.log", port)
        (cluster.sites if port else cluster.bots).append(program)
    what = "tests.faults.sleeping_worker" if wanted.sleeping else "worker"
    for number in range(wanted.workers):
        name = f"worker{number}"
        abroad = cluster.network if number == wanted.workers - 1 else None
        at = abroad.here if abroad else "127.0.0.1"
        data = cluster.disks.get(name, cluster.folder / name)
        surroundings = {
            "PATH": "/usr/bin:/bin",
            "WARPMATE_REDIS_URL": f"redis://{at}:{cluster.broker_link.port}/0",
            "WARPMATE_DATA_DIR": str(data),
            "WARPMATE_JUDGE_BACKEND": "emulator",
        }
        inside = ("ip", "netns", "exec", abroad.name) if abroad else ()
        command = (sys.executable, "-m", what)
        cluster.workers.append(
            Program(name, command, surroundings | faked(name), cluster.folder / f"{name}.log", 0, inside)
        )


def _data_folder(folder: Path, prepared: Prepared) -> Path:
    """With the models in it, as links: they are replaced and never written to."""
    shutil.copytree(prepared.models, folder / "models", copy_function=os.link)
    return folder


def clock_of(folder: Path, name: str) -> Path:
    return folder / f"{name}.clock"


def on_faked_time(folder: Path, name: str) -> dict[str, str]:
    """What a process lives in whose wall clock is as a file says; the machine's own clock is never touched."""
    file = clock_of(folder, name)
    file.write_text("+0\n")
    assert FAKETIME is not None, "Debian: faketime"
    return {
        "LD_PRELOAD": str(FAKETIME),
        "FAKETIME_TIMESTAMP_FILE": str(file),
        "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "DONT_FAKE_MONOTONIC": "1",
    }
