"""Servers of a run's own, to be killed: a Redis that writes to disk, and a PostgreSQL."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.needs import postgres_programs

PATIENCE_S = 180.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def unprivileged() -> str | None:
    """Who runs PostgreSQL: root may not, so it is the system's own user for it then."""
    return "postgres" if os.geteuid() == 0 else None


async def listens(port: int, patience_s: float = PATIENCE_S) -> None:
    until = time.monotonic() + patience_s
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            if time.monotonic() > until:
                raise
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return


@dataclass
class Redis:
    """`follows` is the port of a primary whose replica it is."""

    folder: Path
    port: int = field(default_factory=free_port)
    follows: int = 0
    process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    async def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        replica = ("--replicaof", "127.0.0.1", str(self.follows)) if self.follows else ()
        on_disk = (
            "--save",
            "",
            "--appendonly",
            "yes",
            "--appendfsync",
            "everysec",
            "--repl-diskless-sync-delay",
            "0",
        )
        with (self.folder.parent / "redis.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                "redis-server", "--port", str(self.port), "--dir", str(self.folder), "--bind", "127.0.0.1",
                "--repl-diskless-sync-delay", "0",
                *on_disk, *replica, stdout=log, stderr=log,
            )  # fmt: skip
        await listens(self.port)

    async def command(self, *words: str) -> str:
        asked = await asyncio.create_subprocess_exec(
            "redis-cli", "-p", str(self.port), *words, stdout=asyncio.subprocess.PIPE
        )
        said, _ = await asked.communicate()
        return said.decode().strip()

    async def kill(self) -> None:
        if self.process and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()


@dataclass
class Postgres:
    """Its folder is below /tmp, where the user that it runs as may go."""

    folder: Path
    port: int = field(default_factory=free_port)
    settings: dict[str, str] = field(default_factory=dict)
    process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return self.url_at(self.port)

    def url_at(self, port: int) -> str:
        """The same database through something that listens at another port."""
        return f"postgresql://postgres@127.0.0.1:{port}/postgres"

    async def make(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if user := unprivileged():
            shutil.chown(self.folder, user, user)
        await self._run("initdb", "--username=postgres", "--auth=trust", "--no-sync", f"--pgdata={self.folder}")

    async def start(self) -> None:
        """Without fsync: what these runs end are processes, never the machine."""
        options = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": "",
            "fsync": "off",
            "max_connections": "200",
        } | self.settings
        self.process = await self._begun(
            "postgres", "-D", str(self.folder), *(f"--{name}={value}" for name, value in options.items())
        )
        until = time.monotonic() + PATIENCE_S
        while await self._ended("pg_isready", "--host=127.0.0.1", f"--port={self.port}") != 0:
            assert self.process.returncode is None, (self.folder.parent / "postgres.log").read_text()[-2000:]
            assert time.monotonic() < until, "PostgreSQL does not accept connections"
            await asyncio.sleep(0.05)

    async def stop(self) -> None:
        """At once, as by a crash of all of its processes."""
        if self.process and self.process.returncode is None:
            self.process.send_signal(signal.SIGQUIT)
            await self.process.wait()

    async def _run(self, *command: str) -> None:
        assert await self._ended(*command) == 0, (self.folder.parent / "postgres.log").read_text()[-2000:]

    async def _ended(self, *command: str) -> int:
        return await (await self._begun(*command)).wait()

    async def _begun(self, program: str, *arguments: str) -> asyncio.subprocess.Process:
        with (self.folder.parent / "postgres.log").open("ab") as log:
            return await asyncio.create_subprocess_exec(
                str(Path(postgres_programs()) / program), *arguments, cwd="/", user=unprivileged(),
                group=unprivileged(), stdout=log, stderr=log, stdin=asyncio.subprocess.DEVNULL,
            )  # fmt: skip


def copied(postgres: Postgres, folder: Path) -> Postgres:
    """A server of one's own with the rows of another one, which is stopped."""
    _copy_owned(postgres.folder, folder)
    return Postgres(folder)


def _copy_owned(source: Path, target: Path) -> None:
    shutil.copytree(source, target)
    if user := unprivileged():
        everything: Sequence[Path] = [target, *target.rglob("*")]
        for path in everything:
            shutil.chown(path, user, user)
