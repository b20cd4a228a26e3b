"""What is stored about a member is handed out whole, and deletion leaves nothing in any table."""

from __future__ import annotations

from datetime import UTC, date, datetime

from sqlalchemy import select

from knowledge.privacy import export, forget
from knowledge.store import Scope, Store
from knowledge.store.tables import (
    ApiToken,
    Base,
    Feedback,
    KeptMessage,
    KeptThread,
    LoginCode,
    Member,
    MemberLevel,
    NamedMember,
    OutboxRow,
    PlanRow,
    ProblemHelpRow,
    Question,
    ReadingEvent,
    Resource,
    ReviewRow,
    SecondOpinion,
    SetAside,
    SiteSession,
    Submission,
    VerdictRow,
)

ADA, BOB = "local:ada", "discord:42"


async def fill(store: Store, member: str) -> None:
    """One row of everything that a member can cause."""
    async with store.session(Scope.all()) as session:
        session.add(Member(id=member, language="zh"))
        session.add(
            Resource(
                id=f"r-{member}",
                url=f"https://example.org/{member}",
                title="t",
                lang="en",
                kind="article",
                origin="member",
                added_by=member,
            )
        )
        await session.flush()
        question = Question(member_id=member, text=f"asked by {member}", lang="en", status="refused", guild_id="7")
        submission = Submission(member_id=member, form="snippet", source=f"// {member}", backend="auto")
        session.add_all([question, submission])
        thread = KeptThread(guild_id="7", thread=str(len(member)), title="t")
        session.add(thread)
        await session.flush()
        session.add_all(
            [
                KeptMessage(message=member, kept_thread=thread.id, author=member, text="t", guild_id="7"),
                Feedback(question_id=question.id, member_id=member, helpful=False, reason=f"{member} says no"),
                VerdictRow(submission_id=submission.id, kind="compiled", backend="compile", body="{}"),
                SetAside(submission_id=submission.id, reason="judge_failed", attempts=2, worker="w"),
                SecondOpinion(submission_id=submission.id, worker="remote/w", opinions=[], agree=True),
                ReadingEvent(member_id=member, item="note:warps", event="read"),
                OutboxRow(kind="verdict", about=submission.id, face="discord", owner=member, address={"for": member}),
                NamedMember(member_id=member, guild_id="7"),
                MemberLevel(member_id=member, topic="cuda-basics", level="beginner"),
                plan_of(member),
                ProblemHelpRow(member_id=member, problem="vector_add", hints=1),
                ReviewRow(member_id=member, question="mistake:race-shared", submission_id=submission.id),
                ApiToken(member_id=member, name="laptop", scopes=["read"], secret_hash=f"hash of {member}"),
                LoginCode(
                    id=f"code of {member}",
                    code=member[-4:],
                    name="laptop",
                    scopes=["read"],
                    member_id=member,
                    expires_at=datetime(2026, 12, 23, tzinfo=UTC),
                ),
                SiteSession(id=f"hash of {member}", member_id=member, expires_at=datetime(2026, 12, 23, tzinfo=UTC)),
            ]
        )


def plan_of(member: str) -> PlanRow:
    begun = date(2026, 11, 23)
    return PlanRow(member_id=member, goal="path:gemm", level="beginner", minutes_a_week=60, items=[], starts_on=begun)


async def rows_that_mention(store: Store, needle: str) -> dict[str, int]:
    """Every table, every column, as text: an oracle that knows nothing of foreign keys."""
    found: dict[str, int] = {}
    async with store.engine.connect() as connection:
        for table in Base.metadata.sorted_tables:
            rows = (await connection.execute(select(table))).all()
            if count := sum(any(needle in str(cell) for cell in row) for row in rows):
                found[table.name] = count
    return found


async def test_an_export_holds_every_row_about_the_member_and_none_about_another(store: Store) -> None:
    await fill(store, ADA)
    await fill(store, BOB)
    exported = await export(store, ADA)
    assert exported.keys() >= {"members", "questions", "feedback", "submissions", "reading_events", "member_levels"}
    assert BOB not in str(exported)
    assert [len(rows) for rows in exported.values()] == [1] * len(exported)


async def test_after_forgetting_no_table_mentions_the_member_and_the_others_keep_all(store: Store) -> None:
    await fill(store, ADA)
    await fill(store, BOB)
    before = await rows_that_mention(store, BOB)
    removed = await forget(store, ADA)
    left = await rows_that_mention(store, ADA)
    assert set(left) <= {"resources"}  # the address that they gave to the library stays, their name does not
    assert await rows_that_mention(store, BOB) == before
    assert removed["members"] == 1
    async with store.reading(Scope.all()) as session:
        assert await session.scalar(select(Resource.added_by).where(Resource.id == f"r-{ADA}")) is None
        assert (await session.scalars(select(VerdictRow.submission_id))).all() != []
        assert len((await session.scalars(select(VerdictRow))).all()) == 1


async def test_forgetting_someone_unknown_removes_nothing(store: Store) -> None:
    assert await forget(store, "local:nobody") == {}
    assert await export(store, "local:nobody") == {}


NOT_ABOUT_MEMBERS = {
    "leases",
    "daily_counts",
    "kept_threads",
    "guilds",
    "snapshots",
    "passages",
    "snippets",
    "fetches",
    "composed_counts",
    "group_plans",
    "posts",
    "workers",
}
"""Tables that hold pages, kernels of pages, counts, and what moderators decided for a server."""


async def test_every_table_is_known_to_these_tests(store: Store) -> None:
    """Whoever adds a table fills it above, or says that it names no member."""
    await fill(store, ADA)
    filled = {name for name, rows in (await row_counts(store)).items() if rows} - {
        "kept_threads"
    }  # of several members
    assert filled | NOT_ABOUT_MEMBERS == {table.name for table in Base.metadata.sorted_tables}
    assert filled & NOT_ABOUT_MEMBERS == set()
    assert filled == set(await export(store, ADA))


async def row_counts(store: Store) -> dict[str, int]:
    async with store.engine.connect() as connection:
        return {
            table.name: len((await connection.execute(select(table))).all()) for table in Base.metadata.sorted_tables
        }


async def test_a_table_that_points_at_members_is_covered_on_the_day_it_is_added(store: Store) -> None:
    """Whatever column refers to a member, directly, is known to the export."""
    await fill(store, ADA)
    pointing = {
        table.name
        for table in Base.metadata.sorted_tables
        if any(key.column.table.name == "members" for column in table.columns for key in column.foreign_keys)
    }
    assert pointing <= set(await export(store, ADA))
