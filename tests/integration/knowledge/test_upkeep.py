"""What is deleted after its time, what stays, and counts that do not fall by it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, select, update
from ulid import ULID

from knowledge.store import Scope, Store
from knowledge.store.counts import count_past_days, read_counts
from knowledge.store.tables import Fetch, Member, Question, Resource, ReviewRow, Submission, VerdictRow
from knowledge.submit.predicted_boards import PredictedBoards
from knowledge.upkeep import Keep, tidy
from tests.integration.knowledge.submit.setup import HERE, build
from tests.integration.knowledge.submit.test_leaderboards import judged
from tests.integration.knowledge.submit.test_predicted_boards import counted
from worker.queue.memory import MemoryQueue

NOW = datetime(2027, 3, 20, 12, tzinfo=UTC)
EVERYWHERE = Scope.all()
ADA = "discord:1"


def id_at(at: datetime, name: str) -> str:
    """An id of that time that can be told apart."""
    return str(ULID.from_datetime(at))[:10] + name.rjust(16, "0")


def days_ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


async def ids(store: Store, table: type[Question | Submission]) -> set[str]:
    async with store.reading(EVERYWHERE) as session:
        return {id_.lstrip("0")[10:].lstrip("0") for id_ in await session.scalars(select(table.id))}


async def asked(store: Store, name: str, days: float, **more: object) -> None:
    async with store.session(EVERYWHERE) as session:
        session.add(
            Question(id=id_at(days_ago(days), name), member_id=ADA, text="?", lang="en", status="refused",
                     asked_at=days_ago(days), **more)
        )  # fmt: skip


async def handed_in(store: Store, name: str, days: float, kind: str = "race", **more: object) -> None:
    id_, at = id_at(days_ago(days), name), days_ago(days)
    async with store.session(EVERYWHERE) as session:
        session.add(
            Submission(id=id_, member_id=ADA, form="kernel", problem="saxpy", source="", backend="auto",
                       created_at=at, finished_at=at, **({"state": "done"} | more))
        )  # fmt: skip
        await session.flush()
        if more.get("state") != "waiting":
            session.add(VerdictRow(submission_id=id_, problem="saxpy", kind=kind, backend="emulator", body="{}",
                                   at=at, language="cuda"))  # fmt: skip
        if name == "ASKED":
            session.add(ReviewRow(member_id=ADA, question="mistake:race", submission_id=id_))


async def test_what_is_older_than_it_is_kept_goes_and_what_somebody_needs_stays(store: Store) -> None:
    async with store.session(EVERYWHERE) as session:
        session.add(Member(id=ADA))
    await asked(store, "GONE", 40)
    await asked(store, "SAVED", 40, saved=True)
    await asked(store, "SHARED", 40, public=True)
    await asked(store, "YOUNG", 29)
    for name, days, more in (
        ("GONE", 40, {}), ("SOLVED", 40, {"kind": "accepted"}), ("SHARED", 40, {"public": True}),
        ("ASKED", 40, {}), ("WAITS", 40, {"state": "waiting"}), ("YOUNG", 29, {}),
    ):  # fmt: skip
        await handed_in(store, name, days, **more)
    assert (await tidy(store, Keep(questions_days=1), days_ago(60))).questions == 0  # nothing is counted yet
    before = await read_counts(store)
    nothing = await tidy(store, Keep(), NOW)
    assert (nothing.days_counted, nothing.questions, nothing.submissions) == (2, 0, 0)
    done = await tidy(store, Keep(questions_days=30, submissions_days=30), NOW)
    assert (done.days_counted, done.questions, done.submissions) == (0, 1, 1)
    assert await ids(store, Question) == {"SAVED", "SHARED", "YOUNG"}
    assert await ids(store, Submission) == {"SOLVED", "SHARED", "ASKED", "WAITS", "YOUNG"}
    assert await read_counts(store) == before
    assert (before.verdicts, before.questions) == ({"race": 4, "accepted": 1}, {"refused": 4})


async def test_days_are_counted_once_and_today_as_it_grows(store: Store) -> None:
    async with store.session(EVERYWHERE) as session:
        session.add(Member(id=ADA))
    for number, days in enumerate((5, 5, 3, 0)):
        await asked(store, f"Q{number}", days)
    assert [await count_past_days(store, NOW) for _ in range(2)] == [2, 0]
    assert (await read_counts(store)).questions == {"refused": 4}
    assert await count_past_days(store, NOW + timedelta(days=3)) == 1
    await asked(store, "NEW", -3)
    assert (await read_counts(store)).questions == {"refused": 5}


async def test_the_last_visit_of_each_page_is_kept(store: Store) -> None:
    async with store.session(EVERYWHERE) as session:
        session.add(Resource(id="r", url="https://a.org", title="t", lang="en", kind="a", origin="member"))
        await session.flush()
        for url, days in (("https://a.org", 90), ("https://a.org", 80), ("https://b.org", 90), ("https://a.org", 1)):
            session.add(Fetch(resource_id="r", url=url, at=days_ago(days), outcome="stored"))
    assert (await tidy(store, Keep(fetches_days=30), NOW)).fetches == 2
    async with store.reading(EVERYWHERE) as session:
        left = [(row.url, (NOW - row.at).days) for row in await session.scalars(select(Fetch).order_by(Fetch.id))]
    assert left == [("https://b.org", 90), ("https://a.org", 1)]


async def test_kernels_of_a_version_that_knew_fewer_columns_are_filled_in(store: Store) -> None:
    house = build(store, MemoryQueue())
    await judged(house, "ann", counted())
    async with store.session(EVERYWHERE) as session:
        await session.execute(update(VerdictRow).values(language=None, counted=None))
    boards = PredictedBoards(store)
    assert await boards.board(HERE, "saxpy", "h200") == ()
    assert (await tidy(store, Keep(), NOW)).kernels_filled_in == 1
    (standing,) = await boards.board(HERE, "saxpy", "h200", language="cuda")
    assert standing.member_id == "ann"
    async with store.session(EVERYWHERE) as session:
        await session.execute(delete(Submission))
