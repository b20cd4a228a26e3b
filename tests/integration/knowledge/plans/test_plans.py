"""Plans and review questions over both databases and the real content, day after day of a made-up calendar."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import pytest
from msgspec.structs import replace
from sqlalchemy import select, update

from knowledge.content import Content
from knowledge.errors import BadInput, NotFound
from knowledge.plans import Plan, Plans
from knowledge.plans.weeks import WEEK
from knowledge.privacy import export, forget
from knowledge.recommend import Recommender
from knowledge.store import Scope, Store
from knowledge.store.tables import Member, PlanRow, ReadingEvent, Resource, ReviewRow, Submission
from knowledge.submit.problem_progress import problem_progress
from knowledge.submit.verdicts import commit
from tests.plans import item_with_terms
from tests.shipped_content import shipped_content, shipped_recommender
from worker.canned import accepted
from worker.protocol import Backend, Finding, Form, Job, Kind, Verdict

HERE = Scope()
ADA, BOB = "local:ada", "discord:42"
FIRST = date(2026, 11, 25)
"""A Wednesday: weeks of a plan begin on the weekday on which it was begun."""
SOURCE = "__global__ void k(float* x) {\n  int i = threadIdx.x;\n  x[i] = 1;\n}"


@pytest.fixture(scope="module")
def content() -> Content:
    return shipped_content()


@dataclass
class Life:
    store: Store
    content: Content
    recommender: Recommender
    today: date = FIRST

    def __post_init__(self) -> None:
        self.plans = Plans(self.store, self.content, self.recommender, lambda: self.today)

    async def plan(self, member: str = ADA) -> Plan:
        found = await self.plans.look(HERE, member)
        assert found is not None
        return found

    async def do(self, item: str, event: str = "read", member: str = ADA) -> None:
        """On the day that it is in this life."""
        await self.recommender.remember(HERE, member, item, event)
        at = datetime(self.today.year, self.today.month, self.today.day, 12, tzinfo=UTC)
        async with self.store.session(Scope.all()) as session:
            newest = select(ReadingEvent.id).order_by(ReadingEvent.id.desc()).limit(1).scalar_subquery()
            await session.execute(update(ReadingEvent).where(ReadingEvent.id == newest).values(at=at))

    async def hand_in(self, verdict: Verdict, problem: str | None = "reduce_sum", member: str = ADA) -> str:
        async with self.store.session(Scope.guild("7")) as session:
            if await session.get(Member, member) is None:
                session.add(Member(id=member))
                await session.flush()
            row = Submission(
                member_id=member, form="kernel", problem=problem, source=SOURCE, backend="auto", guild_id="7"
            )
            session.add(row)
            await session.flush()
            await commit(session, row, 1, verdict, self.recommender.for_finding)
            return row.id


@pytest.fixture
def life(store: Store, content: Content) -> Life:
    return Life(store, content, shipped_recommender(store))


def items(plan: Plan) -> list[str]:
    return list(dict.fromkeys(part.reading.resource_id for week in plan.weeks for part in week.parts))


def right() -> Verdict:
    return accepted(Job("", Form.KERNEL, "", problem="reduce_sum"))


def wrong(*findings: str, line: int = 3) -> Verdict:
    found = tuple(Finding(one, "error", {"en": f"{one}!", "zh": f"{one}！"}, line) for one in findings)
    return Verdict("", Form.KERNEL, "reduce_sum", Backend.EMULATOR, Kind.RACE, findings=found)


async def test_a_plan_is_weeks_within_the_hours_that_name_their_days(life: Life) -> None:
    plan = await life.plans.start(HERE, ADA, "tiling", 2, "beginner", "zh")
    assert plan.goal.id == "path:tiling"
    assert [week.starts_on for week in plan.weeks] == [FIRST + n * WEEK for n in range(len(plan.weeks))]
    assert all(week.minutes <= 120 for week in plan.weeks)
    assert len(plan.weeks) > 2
    assert sum(week.questions for week in plan.weeks) > 0
    assert plan.weeks[0].parts[0].reading.lang == "zh"


async def test_a_week_in_which_nothing_was_done_moves_on_as_it_was(life: Life) -> None:
    before = await life.plans.start(HERE, ADA, "tiling", 3)
    life.today = FIRST + timedelta(days=16)
    after = await life.plan()
    assert [[part.reading.resource_id for part in week.parts] for week in after.weeks] == [
        [part.reading.resource_id for part in week.parts] for week in before.weeks
    ]
    assert after.weeks[0].number == 3


async def test_what_was_read_and_solved_counts_at_once_wherever_it_was_told(life: Life) -> None:
    planned = items(await life.plans.start(HERE, ADA, "reduction", 3))
    await life.do(planned[0])
    await life.hand_in(right())
    plan = await life.plan()
    assert items(plan) == [item for item in planned if item not in {planned[0], "problem:reduce_sum"}]
    assert {one.resource_id for one in plan.done} == {planned[0], "problem:reduce_sum"}


async def test_what_was_done_this_week_takes_its_minutes_from_it(life: Life) -> None:
    first = (await life.plans.start(HERE, ADA, "tiling", 1)).weeks[0]
    for part in first.parts:
        await life.do(part.reading.resource_id)
    after = (await life.plan()).weeks[0]
    assert sum(part.minutes for part in (*first.parts, *after.parts)) <= 50
    life.today = FIRST + WEEK
    assert (await life.plan()).weeks[0].parts


async def test_what_a_member_had_done_before_is_not_planned(life: Life) -> None:
    await life.do("note:tiling")
    await life.hand_in(right())
    planned = items(await life.plans.start(HERE, ADA, "tiling", 3))
    assert not {"note:tiling", "problem:reduce_sum"} & set(planned)


async def test_a_skipped_week_is_free_once_however_often_it_is_said(life: Life) -> None:
    before = await life.plans.start(HERE, ADA, "tiling", 3)
    week = before.weeks[0].starts_on
    for _ in range(2):
        skipped = await life.plans.skip(HERE, ADA, week)
    assert skipped.weeks[0].starts_on == skipped.pauses_until == FIRST + WEEK
    assert items(skipped) == items(before)
    assert (await life.plans.skip(HERE, ADA)).pauses_until == FIRST + 2 * WEEK
    resumed = await life.plans.resume(HERE, ADA)
    assert (resumed.weeks[0].starts_on, resumed.pauses_until) == (FIRST, None)


async def test_without_a_level_the_one_that_was_reached_is_taken(life: Life) -> None:
    assert (await life.plans.start(HERE, ADA, "reduction", 3)).level == "beginner"
    await life.hand_in(right())
    assert (await life.plans.start(HERE, ADA, "reduction", 3)).level == "intermediate"
    await life.recommender.set_level(ADA, "reduction", "advanced")
    assert (await life.plans.start(HERE, ADA, "reduction", 3)).level == "advanced"


async def test_fewer_hours_make_more_weeks_of_the_same(life: Life) -> None:
    before = await life.plans.start(HERE, ADA, "tiling", 6)
    after = await life.plans.set_hours(HERE, ADA, 1)
    assert items(after) == items(before)
    assert len(after.weeks) > len(before.weeks)
    assert all(week.minutes <= 60 for week in after.weeks)


@pytest.mark.parametrize("hours", [0, 41, -3])
async def test_hours_that_no_week_has_are_refused(life: Life, hours: int) -> None:
    with pytest.raises(BadInput, match="1 to 40"):
        await life.plans.start(HERE, ADA, "tiling", hours)


async def test_a_long_item_is_done_in_sittings_that_count_once(life: Life) -> None:
    async with life.store.session(Scope.all()) as session:
        session.add(
            Resource(
                id="course", url="https://course.example.org/", title="A course", lang="en", kind="course",
                level="beginner", topics=["cuda-basics"], minutes=600, origin="member",
            )
        )  # fmt: skip
        session.add(Member(id=ADA))
        await session.flush()
        session.add(
            PlanRow(
                member_id=ADA, goal="topic:cuda-basics", level="beginner", minutes_a_week=120, starts_on=FIRST,
                items=[{"item": "course", "terms": []}],
            )
        )  # fmt: skip
    plan = await life.plan()
    part = plan.weeks[0].parts[0]
    assert (part.minutes, part.left, len(plan.weeks)) == (100, 500, 6)
    for _ in range(2):
        after = await life.plans.sit(HERE, ADA, "course", part.reached)
    assert after.weeks[0].parts == ()
    assert (after.weeks[1].parts[0].minutes, after.weeks[1].parts[0].left) == (100, 400)
    life.today = FIRST + WEEK
    assert (await life.plan()).weeks[0].parts[0].reached == 200
    with pytest.raises(NotFound, match="note:tiling"):
        await life.plans.sit(HERE, ADA, "note:tiling", 10)


async def test_of_plans_begun_at_once_one_stands(life: Life) -> None:
    goals = ("tiling", "reduction", "matmul", "tiling")
    begun = await asyncio.gather(*(life.plans.start(HERE, ADA, goal, 3) for goal in goals))
    assert (await life.plan()).goal.id in {plan.goal.id for plan in begun}


async def test_a_plan_that_is_stopped_is_gone_and_what_was_done_stays(life: Life) -> None:
    await life.plans.start(HERE, ADA, "tiling", 3)
    await life.do("note:tiling")
    await life.plans.stop(ADA)
    assert await life.plans.look(HERE, ADA) is None
    assert "note:tiling" in (await life.recommender.history(ADA)).done
    for change in (life.plans.stop(ADA), life.plans.set_hours(HERE, ADA, 2), life.plans.skip(HERE, ADA)):
        with pytest.raises(NotFound, match="no plan yet"):
            await change


async def test_everything_done_is_a_finished_plan(life: Life) -> None:
    for item in items(await life.plans.start(HERE, ADA, "problem:vector_add", 3)):
        await life.do(item)
    assert (await life.plan()).finished
    with pytest.raises(BadInput, match="nothing to plan"):
        await life.plans.start(HERE, ADA, "problem:vector_add", 3)


async def test_terms_are_asked_the_day_after_their_reading_and_come_back_as_the_rule_says(life: Life) -> None:
    await life.plans.start(HERE, ADA, "tiling", 3)
    await life.do(await item_with_terms(life.store, ADA))
    assert await life.plans.reviews.due(ADA) == ()
    life.today = FIRST + timedelta(days=1)
    asked = await life.plans.reviews.due(ADA)
    assert len(asked) == (await life.plan()).due == 3
    days, question = [], asked[0].id
    due: date | None = life.today
    while due is not None:
        days.append((due - FIRST).days)
        life.today = due
        due = await life.plans.reviews.answer(ADA, question, right=True)
    assert days == [1, 4, 11, 27, 62]
    assert question not in {one.id for one in await life.plans.reviews.due(ADA)}


async def test_a_wrong_answer_is_asked_again_tomorrow_and_counts_from_the_start(life: Life) -> None:
    await life.plans.start(HERE, ADA, "tiling", 3)
    await life.do(await item_with_terms(life.store, ADA))
    life.today = FIRST + timedelta(days=1)
    question = (await life.plans.reviews.due(ADA))[0].id
    life.today = await life.plans.reviews.answer(ADA, question, right=True) or FIRST
    assert await life.plans.reviews.answer(ADA, question, right=False) == life.today + timedelta(days=1)
    life.today += timedelta(days=1)
    assert (await life.plans.reviews.question(ADA, question)).step == 0


async def test_a_question_is_answered_once_a_day_even_by_two_presses_at_once(life: Life) -> None:
    await life.plans.start(HERE, ADA, "tiling", 3)
    await life.do(await item_with_terms(life.store, ADA))
    life.today = FIRST + timedelta(days=1)
    question = (await life.plans.reviews.due(ADA))[0].id
    answers = (life.plans.reviews.answer(ADA, question, right=True) for _ in range(3))
    told = await asyncio.gather(*answers, return_exceptions=True)
    assert sum(isinstance(one, NotFound) for one in told) == 2
    with pytest.raises(NotFound, match="not due"):
        await life.plans.reviews.answer(ADA, "term:no-such-term", right=True)


async def test_a_mistake_is_asked_about_at_its_newest_line_with_something_to_read(life: Life) -> None:
    await life.hand_in(wrong("race-shared", line=2))
    newest = await life.hand_in(wrong("race-shared", line=3))
    life.today = datetime.now(UTC).date() + timedelta(days=1)
    (asked,) = await life.plans.reviews.due(ADA, "zh")
    assert asked.id == "mistake:race-shared"
    assert "第 3 行" in asked.ask.text("zh")
    assert (3, "  x[i] = 1;") in asked.code
    assert asked.answer == "race-shared！"
    assert asked.readings
    assert await life.plans.reviews.due(BOB) == ()
    async with life.store.reading(Scope.all()) as session:
        assert await session.scalar(select(ReviewRow.submission_id)) == newest


async def test_an_accepted_kernel_asks_nothing_and_a_cancelled_one_counts_for_nothing(life: Life) -> None:
    await life.hand_in(right())
    await life.hand_in(replace(right(), verdict=Kind.CANCELLED), "matmul")
    life.today = datetime.now(UTC).date() + timedelta(days=1)
    assert await life.plans.reviews.due(ADA) == ()
    marks = await problem_progress(life.store, ADA, ("reduce_sum", "matmul", "saxpy"))
    assert marks == {"reduce_sum": "solved", "matmul": "tried", "saxpy": "new"}


async def test_an_accepted_kernel_is_an_event_of_progress_and_of_the_level(life: Life) -> None:
    assert await life.recommender.progress(HERE, ADA) == ()
    await life.hand_in(right())
    standings = {one.topic: one for one in await life.recommender.progress(HERE, ADA)}
    problem = next(card for card in life.content.problems if card.slug == "reduce_sum")
    assert standings[problem.topics[0]].done == 1
    assert standings[problem.topics[0]].level == "intermediate"


async def test_a_plan_is_the_members_alone_exported_with_their_data_and_forgotten(life: Life) -> None:
    await life.plans.start(HERE, ADA, "tiling", 3)
    await life.plans.start(HERE, BOB, "gemm", 3)
    await life.do("note:tiling")
    await life.hand_in(wrong("race-shared"))
    stored = await export(life.store, ADA)
    assert stored["plans"][0]["starts_on"] == FIRST.isoformat()
    assert stored["reviews"][0]["question"] == "mistake:race-shared"
    await forget(life.store, ADA)
    assert await life.plans.look(HERE, ADA) is None
    assert await life.plans.reviews.due(ADA) == ()
    assert (await life.plan(BOB)).goal.id == "path:gemm"
