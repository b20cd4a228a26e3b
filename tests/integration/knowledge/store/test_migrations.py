"""Every migration goes up and down with rows in the tables, on both databases."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, TextClause, bindparam, inspect, select, text

from knowledge.addresses import key_of
from knowledge.errors import StoreNewer
from knowledge.store import Scope, Store, migrations, open_store
from knowledge.store.base import UtcDateTime, new_id, now
from knowledge.store.migrate import downgrade, revisions, upgrade
from knowledge.store.tables import Base, Member, OutboxRow, Question, ReadingEvent, Resource
from tests.stores import empty_database


def tables(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names()) - {"alembic_version"}


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return list(compare_metadata(context, Base.metadata))


def test_migrations_are_numbered_one_by_one_and_each_follows_the_one_before() -> None:
    numbers = [f"{number:04}" for number in range(1, len(revisions()) + 1)]
    assert list(revisions()) == numbers
    scripts = ScriptDirectory(str(Path(migrations.__file__).parent)).walk_revisions()
    named = {Path(script.path).name[:4]: (script.revision, script.down_revision) for script in scripts}
    assert named == {own: (own, before) for before, own in pairwise((None, *numbers))}


async def rows_in(store: Store, table: str) -> int:
    async with store.engine.connect() as connection:
        return int(await connection.scalar(text(f"SELECT count(*) FROM {table}")) or 0)


async def test_the_migrations_make_exactly_the_tables_of_the_code(database: str, tmp_path: Path) -> None:
    async with empty_database(database, tmp_path) as url, open_store(url) as store:
        await upgrade(store)
        async with store.engine.connect() as connection:
            assert await connection.run_sync(tables) == set(Base.metadata.tables)
            assert await connection.run_sync(differences) == []


async def test_each_step_down_and_up_again_keeps_the_rows_of_the_tables_that_stay(
    database: str, tmp_path: Path
) -> None:
    async with empty_database(database, tmp_path) as url, open_store(url) as store:
        await upgrade(store)
        async with store.session(Scope.all()) as session:
            session.add(Member(id="local:ada"))
            session.add(Resource(id="r", url="https://example.org", title="t", lang="en", kind="a", origin="content"))
            await session.flush()
            session.add(Question(member_id="local:ada", text="why", lang="en", status="refused"))
        steps = ("base", *revisions())
        for below, step in reversed(list(pairwise(steps))):
            await downgrade(store, below)
            await upgrade(store, step)
            if below != "base":  # the first migration makes the tables: below it there is nothing to keep rows in
                assert await rows_in(store, "members") == 1
            await downgrade(store, below)
        await upgrade(store)
        async with store.engine.connect() as connection:
            assert await connection.run_sync(differences) == []


async def test_pages_of_an_older_database_get_their_keys_and_lose_contradicting_decisions(
    database: str, tmp_path: Path
) -> None:
    async with empty_database(database, tmp_path) as url, open_store(url) as store:
        await upgrade(store)
        async with store.session(Scope.all()) as session:
            for id_, page in (("web:1", "http://www.example.org/a/"), ("page:2", "notes/a.md"), ("task", None)):
                session.add(Resource(id=id_, url=page, title="t", lang="en", kind="a", origin="member"))
            session.add(Resource(id="gone", title="t", lang="en", kind="a", origin="member", state="removed",
                                 overrides={"state": "removed"}))  # fmt: skip
            session.add(Resource(id="back", title="t", lang="en", kind="a", origin="member", state="approved",
                                 overrides={"state": "removed", "level": "advanced"}))  # fmt: skip
        await downgrade(store, "0005")
        await upgrade(store)
        async with store.reading(Scope.all()) as session:
            rows = {row.id: row for row in await session.scalars(select(Resource))}
        assert {id_: rows[id_].address_key for id_ in ("web:1", "page:2", "task")} == {
            "web:1": key_of("https://example.org/a"),
            "page:2": "notes/a.md",
            "task": None,
        }
        assert rows["gone"].overrides == {"state": "removed"}
        assert rows["back"].overrides == {"level": "advanced"}


OLD_ROWS = (
    "INSERT INTO members (id, preferences, created_at) VALUES ('discord:7', '{}', '2026-01-01 00:00:00+00:00')",
    """INSERT INTO open_replies (id, face, reply_to, until)
    VALUES ('5', 'discord', '{"token": "t", "lang": "zh"}', '2026-01-02 00:00:00+00:00')""",
    *(
        "INSERT INTO submissions (id, member_id, form, source, backend, state, fence, attempts, reply_to, public,"
        f" withdrawn, created_at) VALUES ('{id_}', 'discord:7', 'snippet', '', 'auto', 'waiting', 0, 0, '{note}',"
        " false, false, '2026-01-01 00:00:00+00:00')"
        for id_, note in (
            ("owed", '{"face": "discord", "channel": 9, "lang": "zh"}'),
            ("shown", '{"face": "discord", "channel": 9, "lang": "zh", "replied": true}'),
            ("site", "{}"),
        )
    ),
    *(
        "INSERT INTO questions (id, member_id, text, lang, status, answer, generation, saved, told_at,"
        f" undelivered_at, public, asked_at) VALUES ('{id_}', 'discord:7', '', 'en', 'refused', '{{}}', '', true,"
        f" {told}, {closed}, false, '2026-01-01 00:00:00+00:00')"
        for id_, told, closed in (
            ("waits", "NULL", "NULL"),
            ("told", "'2026-01-03 00:00:00+00:00'", "NULL"),
            ("missed", "NULL", "'2026-01-03 00:00:00+00:00'"),
        )
    ),
)


async def test_what_was_owed_before_the_outbox_is_owed_in_it_and_again_without_it(
    database: str, tmp_path: Path
) -> None:
    async with empty_database(database, tmp_path) as url, open_store(url) as store:
        await upgrade(store, "0006")
        async with store.engine.begin() as connection:
            for statement in OLD_ROWS:
                await connection.exec_driver_sql(statement)
        for _ in range(2):
            await upgrade(store, "0007")
            async with store.reading(Scope.all()) as session:
                rows = {row.about: row for row in await session.scalars(select(OutboxRow))}
            assert {about: (row.kind, row.state, row.owner) for about, row in rows.items()} == {
                "5": ("reply", "open", None),
                "owed": ("verdict", "open", "discord:7"),
                "waits": ("answer", "open", "discord:7"),
                "missed": ("answer", "undelivered", "discord:7"),
            }
            assert rows["owed"].address == {"channel": 9, "lang": "zh"}
            assert rows["5"].address == {"token": "t", "lang": "zh"}
            async with store.engine.connect() as connection:
                spoken = await connection.execute(text("SELECT id, lang FROM submissions"))
                assert {row[0]: row[1] for row in spoken}["owed"] == "zh"
            await downgrade(store, "0006")
            async with store.engine.connect() as connection:
                told = await connection.execute(text("SELECT id FROM questions WHERE told_at IS NULL"))
                assert {row[0] for row in told} == {"waits", "missed"}
                closed = await connection.execute(text("SELECT id FROM questions WHERE undelivered_at IS NOT NULL"))
                assert {row[0] for row in closed} == {"missed"}


async def test_going_down_to_the_ground_leaves_no_table(database: str, tmp_path: Path) -> None:
    async with empty_database(database, tmp_path) as url, open_store(url) as store:
        await upgrade(store)
        await downgrade(store, "base")
        async with store.engine.connect() as connection:
            assert await connection.run_sync(tables) == set()


async def test_an_upgrade_that_was_done_is_done_again_without_effect(database: str, tmp_path: Path) -> None:
    async with empty_database(database, tmp_path) as url, open_store(url) as store:
        assert await upgrade(store) == (None, revisions()[-1])
        assert await upgrade(store) == (revisions()[-1], revisions()[-1])


async def test_a_database_of_a_newer_version_is_refused_and_left_as_it_is(database: str, tmp_path: Path) -> None:
    async with empty_database(database, tmp_path) as url, open_store(url) as store:
        await upgrade(store)
        async with store.engine.begin() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        with pytest.raises(StoreNewer, match="newer warpmate"):
            await upgrade(store)
        async with store.engine.connect() as connection:
            assert (await connection.scalar(text("SELECT version_num FROM alembic_version"))) == "9999"


HANDED_IN = """
INSERT INTO submissions
    (id, member_id, form, problem, source, backend, state, fence, attempts, public, withdrawn, created_at)
VALUES (:id, :member_id, 'kernel', :problem, '', 'auto', 'done', 1, 1, false, false, :at)
"""
JUDGED = """
INSERT INTO verdicts (submission_id, problem, kind, backend, body, at) VALUES (:id, :problem, :kind, 'gpu', '{}', :at)
"""


def _at_0007(statement: str) -> TextClause:
    """In words of that revision: the classes of the code know columns that came later."""
    return text(statement).bindparams(bindparam("at", type_=UtcDateTime()))


async def test_kernels_that_were_accepted_before_count_as_solved_once(database: str, tmp_path: Path) -> None:
    async with empty_database(database, tmp_path) as url, open_store(url) as store:
        await upgrade(store, "0007")
        async with store.session(Scope.all()) as session:
            session.add_all([Member(id="local:ada"), Member(id="local:bob")])
            await session.flush()
            session.add(ReadingEvent(member_id="local:bob", item="problem:matmul", event="solved"))
            for member, problem, kind in (
                ("local:ada", "matmul", "accepted"), ("local:ada", "matmul", "accepted"),
                ("local:ada", "histogram", "race"), ("local:ada", None, "compiled"),
                ("local:bob", "matmul", "accepted"),
            ):  # fmt: skip
                handed_in = {"id": new_id(), "member_id": member, "problem": problem, "at": now()}
                await session.execute(_at_0007(HANDED_IN), handed_in)
                await session.execute(_at_0007(JUDGED), {**handed_in, "kind": kind})
        await upgrade(store)
        async with store.reading(Scope.all()) as session:
            told = select(ReadingEvent.member_id, ReadingEvent.item, ReadingEvent.event)
            solved = ("problem:matmul", "solved")
            assert sorted(map(tuple, await session.execute(told))) == [
                ("local:ada", *solved), ("local:bob", *solved)
            ]  # fmt: skip
