"""Backup, restore and the way back from a newer version: the commands of docs/operations.md, as they stand there."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from sqlalchemy import inspect

from knowledge.store import open_store
from tests import prepared
from tests.integration.warpmate.cli import Home
from tests.stores import empty_database
from warpmate.options import default_member

ROOT = Path(__file__).parents[3]
OPERATIONS = ROOT / "docs" / "operations.md"
WRONG_KERNEL = ROOT / "content" / "problems" / "vector_add" / "solutions" / "wrong" / "no_bounds_check.cu"
ME = default_member()
QUESTION = "what is warp divergence?"
LATER_PAGE = "https://pages.example.org/zebra.md"
LATER_MEMBER = "local:later"
NEWER = (
    "CREATE TABLE badges (member_id VARCHAR(64) REFERENCES members (id))",
    "UPDATE alembic_version SET version_num = '9999'",
)
"""What a newer version may do: a table that would keep the older tables from being dropped one by one."""


@dataclass(frozen=True, slots=True)
class Case:
    """One database, its recipes in the document, and a core that uses it."""

    kind: str
    home: Home
    url: str

    def follow(self, deed: str) -> None:
        """Run the commands of the document as an operator would, beside the data directory."""
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        subprocess.run(
            ["sh", "-euc", self.recipe(deed)],
            cwd=self.home.folder.parent,
            env=self.home.environment | {"PATH": path},
            check=True,
            timeout=400,
        )

    def recipe(self, deed: str) -> str:
        """The first commands after the words in bold; the name of the database is all that is another."""
        _, _, told = OPERATIONS.read_text(encoding="utf-8").partition(f"**{self.kind}**: {deed}.")
        commands = told.partition("```sh\n")[2].partition("```")[0]
        assert commands, f"docs/operations.md has no recipe for the {deed} of {self.kind}"
        return commands.replace("copy.dump warpmate\n", f"copy.dump {self.url.rpartition('/')[2]}\n")


@pytest.fixture(
    params=[
        pytest.param("SQLite", marks=pytest.mark.needs("sqlite3")),
        pytest.param("PostgreSQL", marks=pytest.mark.needs("postgres", "pg_dump")),
    ]
)
async def case(
    request: pytest.FixtureRequest, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Case]:
    kind, folder = str(request.param), tmp_path / "data"
    settings = {"WARPMATE_JUDGE_BACKEND": "emulator"}
    async with empty_database("sqlite" if kind == "SQLite" else "postgres", folder) as url:
        if kind == "SQLite":
            prepared.give_first_index(tmp_path_factory, folder)
        else:  # the first index is made on the way
            prepared.give_work(tmp_path_factory, folder)
            settings |= {"WARPMATE_DATABASE_URL": url, "PGHOST": "127.0.0.1", "PGUSER": "postgres"}
        yield Case(kind, Home(folder, settings), url)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.needs("bubblewrap")
def test_what_was_backed_up_is_there_again_after_everything_went_wrong(case: Case, tmp_path: Path) -> None:
    home = case.home
    with serving(home) as (process, address):
        asked = ask(address)
        home.json("remember", "read", "note:warp-divergence", "--member", ME)
        home.run("submit", str(WRONG_KERNEL), "--problem", "vector_add", "--member", ME)
        stored = json.loads(home.say("db", "export", ME))
        tables = asyncio.run(tables_of(case.url))
        case.follow("backup")
        ask(address)
        home.json("remember", "read", "note:warp-divergence", "--member", LATER_MEMBER)
        home.json("index", "add", LATER_PAGE, "--mirror", str(later_mirror(tmp_path / "mirror")))
        assert found_later_page(home)
        asyncio.run(migrate_further(case.url))
        assert "newer warpmate" in home.refusal("db", "upgrade")
        process.kill()  # the last deed: nobody tidies up what it leaves

    case.follow("restore")

    assert asyncio.run(tables_of(case.url)) == tables
    assert "nothing is stored" in home.refusal("db", "export", LATER_MEMBER)
    assert not found_later_page(home)
    with serving(home) as (_, address):
        assert json.loads(home.say("db", "export", ME)) == stored
        again = ask(address)
    assert (again["excerpts"], again["citations"]) == (asked["excerpts"], asked["citations"])
    assert all(len(stored[table]) == 1 for table in ("questions", "reading_events", "submissions", "verdicts"))


@contextmanager
def serving(home: Home) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A core with its library ready, and its address; stopped in good order unless the block killed it."""
    process = home.start("run")
    assert process.stdout is not None
    try:
        address = process.stdout.readline().split()[-1]
        while (line := process.stdout.readline()) != "the library is ready\n":
            assert line, "it ended before its library was ready"
        yield process, address
    finally:
        process.terminate()
        process.communicate(timeout=60)


def ask(address: str) -> dict[str, Any]:
    body = json.dumps({"question": QUESTION}).encode()
    with urlopen(Request(f"{address}/api/v1/ask", body, {"Content-Type": "application/json"})) as reply:
        answer: dict[str, Any] = json.load(reply)
    assert answer["status"] == "answered"
    return answer


def later_mirror(folder: Path) -> Path:
    folder.mkdir()
    (folder / "zebra.md").write_text("# Zebra\n\nThe zebra scheduler stripes its blocks over seventeen partitions.\n")
    row = {"url": LATER_PAGE, "path": "zebra.md", "title": "Zebra", "lang": "en", "kind": "markdown"}
    (folder / "manifest.jsonl").write_text(json.dumps(row))
    return folder


def found_later_page(home: Home) -> bool:
    hits = home.json("search", "the zebra scheduler stripes its blocks", "-k", "1")["results"]
    return bool(hits and hits[0]["url"].startswith(LATER_PAGE))


async def migrate_further(url: str) -> None:
    async with open_store(url) as store, store.engine.begin() as connection:
        for statement in NEWER:
            await connection.exec_driver_sql(statement)


async def tables_of(url: str) -> set[str]:
    async with open_store(url) as store, store.engine.connect() as connection:
        return set(await connection.run_sync(lambda place: inspect(place).get_table_names()))
