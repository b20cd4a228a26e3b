"""PostgreSQL is brought back to a moment by the commands of docs/operations.md, on a server of the test's own."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import delete, func, select, text

from knowledge.store import Scope, Store, open_store
from knowledge.store.migrate import revisions, upgrade
from knowledge.store.tables import Member
from tests.folders import ROOT
from tests.needs import postgres_programs

pytestmark = [pytest.mark.needs("initdb"), pytest.mark.slow]
EVERYWHERE = Scope.all()


@dataclass
class Server:
    """A PostgreSQL that archives its log; root may run none, so it is the system's user for it then."""

    folder: Path
    port: int
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def run(self, script: str) -> None:
        programs = f"{postgres_programs()}{os.pathsep}{os.environ['PATH']}"
        surroundings = {"PATH": programs, "PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGUSER": "postgres"}
        subprocess.run(
            ["bash", "-euc", script], check=True, timeout=120, cwd=self.folder, user=_user(), group=_user(),
            env=surroundings | self.settings, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        )  # fmt: skip

    def follow(self, deed: str) -> None:
        """Run the commands after the words in bold, as they stand."""
        _, _, told = (ROOT / "docs/operations.md").read_text(encoding="utf-8").partition(f"**To a moment**: {deed}.")
        self.run(told.partition("```sh\n")[2].partition("```")[0])


def _user() -> str | None:
    return "postgres" if os.geteuid() == 0 else None


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = Path("/tmp") / f"warpmate-{tmp_path_factory.mktemp('moment').name}-{os.getpid()}"
    folder.mkdir(mode=0o700)
    if user := _user():
        shutil.chown(folder, user, user)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        made = Server(folder, probe.getsockname()[1])
    made.settings = {"BASE": f"{folder}/base", "ARCHIVE": f"{folder}/archive", "RESTORED": f"{folder}/restored"}
    conf = (
        f"listen_addresses = '127.0.0.1'\nport = {made.port}\nunix_socket_directories = '{folder}'\nfsync = off\n"
        "archive_mode = on\narchive_command = 'test ! -f {0}/archive/%f && cp %p {0}/archive/%f'\n"
    ).replace("{0}", str(folder))
    try:
        made.run("mkdir archive; initdb --pgdata=data --username=postgres --auth=trust --no-sync")
        made.run(f"cat >> data/postgresql.conf <<'END'\n{conf}END\npg_ctl --pgdata=data --wait --log=log start")
        yield made
    finally:
        for data in ("restored", "data"):
            if (folder / data / "postmaster.pid").exists():
                made.run(f"pg_ctl --pgdata={data} --mode=immediate stop")
        shutil.rmtree(folder)


async def test_rows_until_the_moment_are_there_again_and_none_after_it(server: Server) -> None:
    async with open_store(server.url) as store:
        await upgrade(store)
        await added(store, "before the base backup")
        await asyncio.to_thread(server.follow, "base backup")
        await added(store, "after the base backup")
        async with store.reading(EVERYWHERE) as session:
            moment: datetime = (await session.scalars(select(func.clock_timestamp()))).one()
        await added(store, "too late")
        async with store.session(EVERYWHERE) as session:
            await session.execute(delete(Member))  # the deed that is to be undone
        await archived(store)
    server.run("pg_ctl --pgdata=data --mode=immediate stop")
    server.settings["MOMENT"] = moment.isoformat()
    await asyncio.to_thread(server.follow, "restore")
    async with open_store(server.url) as store:
        async with store.reading(EVERYWHERE) as session, asyncio.timeout(30):
            while (await session.scalars(select(func.pg_is_in_recovery()))).one():  # noqa: ASYNC110  nothing tells
                await asyncio.sleep(0.1)
        assert await upgrade(store) == (revisions()[-1], revisions()[-1])
        async with store.reading(EVERYWHERE) as session:
            left = (await session.scalars(select(Member.id).order_by(Member.id))).all()
        assert left == ["after the base backup", "before the base backup"]
        await added(store, "from now on")


async def added(store: Store, member: str) -> None:
    async with store.session(EVERYWHERE) as session:
        session.add(Member(id=member))


async def archived(store: Store) -> None:
    """Wait until the file of the log that has the last change is in the archive."""
    async with store.session(EVERYWHERE) as session:
        name = (await session.scalars(text("SELECT pg_walfile_name(pg_current_wal_lsn())"))).one()
        await session.execute(text("SELECT pg_switch_wal()"))
    async with asyncio.timeout(30):
        while True:
            async with store.reading(EVERYWHERE) as session:
                last = (await session.scalars(text("SELECT last_archived_wal FROM pg_stat_archiver"))).one()
            if last is not None and last[:24] >= name:
                return
            await asyncio.sleep(0.1)
