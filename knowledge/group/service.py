"""What a guild does together, as the faces use it: its plan, who is named, what is open, what the bot posts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, func, or_, select
from sqlalchemy.exc import IntegrityError

from knowledge.content import Content, Level, ProblemCard
from knowledge.errors import BadInput, NotFound
from knowledge.group.due import Due, digest_due, digest_key, digest_keys, due_of_plan
from knowledge.group.named import Named
from knowledge.group.plan import GroupPlan, first_opening
from knowledge.group.posts import Posts
from knowledge.group.standing import Solver, WeekStanding, solvers_of, standing_of
from knowledge.group.weeks import GroupWeek, group_weeks
from knowledge.members import guilds_with
from knowledge.plans.goal import goal_named
from knowledge.plans.weeks import WEEK
from knowledge.practice.streaks import monday
from knowledge.recommend import Recommender
from knowledge.recommend.shelf import Item
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import GroupPlanRow, Question

MOST_WEEKS = 26
DIGEST_CHANNEL = "gaps_channel"
"""The setting of a guild that opted in: where its digest goes."""
_LONGEST_DIGEST = 4 * WEEK
"""Of a digest that was off for a while, or whose channel was closed."""
_EPOCH = date(1970, 1, 5)
"""A Monday."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """Nobody is named beside it."""

    id: str
    text: str
    lang: str
    asked_at: datetime


@dataclass(frozen=True, slots=True)
class Answered:
    """Questions of some time that got an answer: how many, and those that their askers shared."""

    count: int
    shared: tuple[OpenQuestion, ...]


@dataclass(frozen=True, slots=True)
class Group:
    store: Store
    content: Content
    recommender: Recommender
    clock: Callable[[], datetime] = now

    @property
    def posts(self) -> Posts:
        return Posts(self.store)

    @property
    def named(self) -> Named:
        return Named(self.store)

    async def start(
        self, scope: Scope, goal: str, weeks: int, weekday: int, channel: str,
        *, hour: int | None = None, level: Level = "beginner", lang: str = "en",
    ) -> GroupPlan:  # fmt: skip
        """Begin the guild's plan, in place of the one that it may have."""
        if scope.guild_id is None:
            raise BadInput("error.group.no_guild")
        if not 1 <= weeks <= MOST_WEEKS:
            raise BadInput("error.group.weeks", most=MOST_WEEKS)
        aim = goal_named(self.content, goal, lang)
        cut = group_weeks(await self.recommender.shelf(scope), aim, level, weeks, lang)
        if not cut:
            raise BadInput("error.group.does_not_fit", goal=aim.title, weeks=weeks)
        row = GroupPlanRow(
            guild_id=scope.guild_id, goal=aim.id, level=level, channel=channel,
            weeks=[{"items": list(week.items), "problem": week.problem, "minutes": week.minutes} for week in cut],
            starts_at=first_opening(self.clock(), weekday, hour),
        )  # fmt: skip
        try:
            async with self.store.session(scope) as session:
                await session.execute(delete(GroupPlanRow))
                session.add(row)
                await session.flush()
                return self._plan(row)
        except IntegrityError:  # two at once: neither could see the other's row when it deleted
            raise BadInput("error.group.begun_meanwhile") from None

    async def plan(self, scope: Scope) -> GroupPlan | None:
        """Return the guild's plan, also one that has ended; None where there is none."""
        if scope.guild_id is None:
            return None
        async with self.store.reading(scope) as session:
            row = await session.scalar(select(GroupPlanRow))
        return self._known(row) if row else None

    async def stop(self, scope: Scope) -> None:
        async with self.store.session(scope) as session:
            if (await session.execute(delete(GroupPlanRow).returning(GroupPlanRow.id))).first() is None:
                raise NotFound("error.group.no_plan")

    async def due(self, at: datetime) -> tuple[tuple[GroupPlan | None, Due], ...]:
        """Return everything that is to be posted by now in any guild, posted or not, with the plan that it is of."""
        async with self.store.reading(Scope.all()) as session:
            plans = [
                self._known(row) for row in await session.scalars(select(GroupPlanRow).order_by(GroupPlanRow.id))
            ]
        of_plans = [(plan, due) for plan in plans if plan for due in due_of_plan(plan, at)]
        digests = [(None, digest_due(guild_id, at)) for guild_id in await guilds_with(self.store, DIGEST_CHANNEL)]
        return (*of_plans, *digests)

    async def standing(self, plan: GroupPlan, number: int, at: datetime) -> WeekStanding:
        """Return who did what of a week by its end, or by now."""
        scope, until = Scope.guild(plan.guild_id), min(plan.closes_at(number), at)
        named = await self.named.all(scope)
        return await standing_of(self.store, scope, plan.week(number), number, named, plan.starts_at, until)

    async def standings(self, plan: GroupPlan, at: datetime) -> tuple[WeekStanding, ...]:
        """Return every week that has begun as it stands now: who was late is counted as well."""
        scope = Scope.guild(plan.guild_id)
        named = await self.named.all(scope)
        return tuple(
            [
                await standing_of(self.store, scope, plan.week(number), number, named, plan.starts_at, at)
                for number in range(1, min(plan.number_at(at), len(plan.weeks)) + 1)
            ]
        )

    async def items(self, plan: GroupPlan, number: int) -> tuple[Item, ...]:
        """Return what a week holds, without what the library no longer has."""
        shelf = await self.recommender.shelf(Scope.guild(plan.guild_id))
        found = (shelf.by_id.get(id_) for id_ in plan.week(number).items)
        return tuple(item for item in found if item is not None and item.link_state != "dead")

    async def problem_to_open(self, guild_id: str, at: datetime) -> ProblemCard | None:
        """Return the problem of a digest's week: another every week; None while a plan has problems of its own."""
        plan = await self.plan(Scope.guild(guild_id))
        if plan is not None and plan.runs_at(at):
            return None
        problems = self.content.problems
        return problems[(monday(at.date()) - _EPOCH) // WEEK % len(problems)]

    async def problem_to_close(self, guild_id: str, at: datetime) -> tuple[str, tuple[Solver, ...]] | None:
        """Return the problem that last week's digest opened, with who solved it until this Monday."""
        last = await self.posts.find(digest_key(guild_id, at - WEEK))
        if last is None or last.problem is None:
            return None
        closed = datetime.combine(monday(at.date()), datetime.min.time(), at.tzinfo)
        solvers = await solvers_of(self.store, Scope.guild(guild_id), last.problem, closed - WEEK, closed)
        return last.problem, solvers

    async def open_questions(self, scope: Scope, lately: timedelta = timedelta(days=30)) -> Sequence[OpenQuestion]:
        """Return what nobody could answer and its asker put on the list, by saving or sharing it: newest first.

        Outside of every guild saving is between the asker and us, so that only what they shared is listed. What its
        asker kept from the list is on none.
        """
        saved_here = and_(Question.saved.is_(True), Question.guild_id.is_not(None))
        wished = (or_(Question.public.is_(True), saved_here), Question.unlisted.is_(False))
        return await self._questions(scope, self.clock() - lately, Question.status == "refused", *wished)

    async def digest_since(self, guild_id: str, until: datetime) -> datetime:
        """Return where a digest that ends there begins: where the last one ended, with nothing between them."""
        last = await self.posts.last_posted(digest_keys(guild_id), until)
        return max(last, until - _LONGEST_DIGEST) if last else until - WEEK

    async def answered(self, scope: Scope, since: datetime, until: datetime) -> Answered:
        which = (Question.status == "answered", Question.asked_at < until)
        count = select(func.count()).where(Question.asked_at >= since, *which)
        async with self.store.reading(scope) as session:
            found = await session.scalar(count.select_from(Question)) or 0
        return Answered(found, tuple(await self._questions(scope, since, *which, Question.public.is_(True))))

    async def _questions(self, scope: Scope, since: datetime, *which: ColumnElement[bool]) -> Sequence[OpenQuestion]:
        """Return each text once."""
        wanted = select(Question).where(Question.asked_at >= since, *which).order_by(Question.asked_at.desc())
        async with self.store.reading(scope) as session:
            rows = list(await session.scalars(wanted.limit(200)))
        by_text = {" ".join(row.text.casefold().split()): row for row in reversed(rows)}
        newest = sorted(by_text.values(), key=lambda row: row.asked_at, reverse=True)
        return [OpenQuestion(row.id, row.text, row.lang, row.asked_at) for row in newest]

    def _known(self, row: GroupPlanRow) -> GroupPlan | None:
        """Return the plan; None where the content no longer has its goal: it keeps no other guild's posts back."""
        try:
            return self._plan(row)
        except NotFound:
            return None

    def _plan(self, row: GroupPlanRow) -> GroupPlan:
        return GroupPlan(
            id=row.id,
            guild_id=row.guild_id or "",
            goal=goal_named(self.content, row.goal),
            level=row.level,
            weeks=tuple(GroupWeek(tuple(week["items"]), week["problem"], week["minutes"]) for week in row.weeks),
            channel=row.channel,
            starts_at=row.starts_at,
        )
