"""No session returns, changes or adds what belongs to another guild."""

from __future__ import annotations

import pytest
from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge.errors import NotAllowed
from knowledge.store import Scope, Store
from knowledge.store.scope import GuildsOwn, SharedOrGuild
from knowledge.store.tables import Base, Fetch, Member, Passage, Question, Resource, Snapshot, Submission

OURS, THEIRS = Scope.guild("111"), Scope.guild("222")


def resource(name: str, guild_id: str | None) -> Resource:
    return Resource(
        id=name,
        url=f"https://example.org/{name}",
        title=name,
        lang="en",
        kind="article",
        origin="member",
        guild_id=guild_id,
    )


def snapshot(of: str, guild_id: str | None) -> Snapshot:
    return Snapshot(
        resource_id=of,
        url=f"https://example.org/{of}",
        title=of,
        lang="en",
        kind="html",
        text=of,
        content_hash=of,
        source_hash=of,
        guild_id=guild_id,
    )


@pytest.fixture
async def stocked(store: Store) -> Store:
    """One shared resource, one of each guild, and a question and a submission of each guild and of nobody's."""
    async with store.session(Scope.all()) as session:
        session.add(Member(id="m"))
        session.add_all([resource("shared", None), resource("ours", "111"), resource("theirs", "222")])
        await session.flush()
        session.add_all([snapshot("shared", None), snapshot("ours", "111"), snapshot("theirs", "222")])
        for guild in (None, "111", "222"):
            session.add(Question(member_id="m", text="why", lang="en", status="refused", guild_id=guild))
            session.add(Submission(member_id="m", form="snippet", source="x", backend="auto", guild_id=guild))
    return store


async def names(session: AsyncSession) -> set[str]:
    return set(await session.scalars(select(Resource.id)))


async def test_a_guild_sees_the_shared_library_and_its_own_rows(stocked: Store) -> None:
    async with stocked.reading(OURS) as session:
        assert await names(session) == {"shared", "ours"}


async def test_nobodys_guild_sees_the_shared_library_alone(stocked: Store) -> None:
    async with stocked.reading(Scope()) as session:
        assert await names(session) == {"shared"}


async def test_another_guilds_row_cannot_be_fetched_by_its_key(stocked: Store) -> None:
    async with stocked.reading(OURS) as session:
        assert await session.get(Resource, "theirs") is None
        assert await session.get(Resource, "ours") is not None


async def test_joins_counts_and_subqueries_do_not_leak(stocked: Store) -> None:
    async with stocked.reading(OURS) as session:
        joined = select(Snapshot.text).join(Resource, Snapshot.resource_id == Resource.id)
        assert set(await session.scalars(joined)) == {"shared", "ours"}
        assert await session.scalar(select(func.count()).select_from(Resource)) == 2
        inner = select(Resource.id).where(Resource.title == "theirs")
        assert (await session.scalars(select(Snapshot.text).where(Snapshot.resource_id.in_(inner)))).all() == []


async def test_updates_and_deletes_do_not_reach_other_guilds(stocked: Store) -> None:
    async with stocked.session(OURS) as session:
        await session.execute(update(Resource).values(title="taken over"))
        await session.execute(delete(Snapshot))
    async with stocked.reading(Scope.all()) as session:
        assert await session.scalar(select(Resource.title).where(Resource.id == "theirs")) == "theirs"
        assert "theirs" in set(await session.scalars(select(Snapshot.text)))


async def test_a_row_for_another_guild_or_for_everyone_is_refused(stocked: Store) -> None:
    for foreign in ("222", None):
        with pytest.raises(NotAllowed):
            async with stocked.session(OURS) as session:
                session.add(resource("smuggled", foreign))


@pytest.mark.parametrize("table", [Question, Submission])
async def test_what_members_did_elsewhere_is_not_seen_here(stocked: Store, table: type[Base]) -> None:
    for scope, guild in ((OURS, "111"), (THEIRS, "222"), (Scope(), None)):
        async with stocked.reading(scope) as session:
            rows = (await session.scalars(select(table))).all()
        assert [row.guild_id for row in rows] == [guild]  # type: ignore[attr-defined]


def test_every_table_that_a_guild_can_fill_is_scoped() -> None:
    scoped = {
        m.class_.__tablename__ for m in Base.registry.mappers if issubclass(m.class_, SharedOrGuild | GuildsOwn)
    }
    with_guild = {name for name, table in Base.metadata.tables.items() if "guild_id" in table.columns}
    assert scoped == with_guild
    assert {Resource, Snapshot, Passage, Fetch} <= {m.class_ for m in Base.registry.mappers}
