"""Practice as the faces use it: open a hint, give up, read the explanation, and what comes after *accepted*."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge.content import Content
from knowledge.errors import BadInput, NotAllowed, NotFound
from knowledge.members import ensure_member
from knowledge.practice.after_accepted import AfterAccepted, left_on_the_table
from knowledge.practice.next_problem import next_problem
from knowledge.practice.problem_help import Editorial, HintsOpened, editorial_of
from knowledge.practice.streaks import SolvedLately, Streak, solved_lately, streak_of
from knowledge.recommend import Recommender
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import ProblemHelpRow
from knowledge.submit.problem_progress import problem_progress, progress_in
from worker.protocol import Kind, Verdict

EVERYWHERE = Scope.all()
"""Hints are the member's own, from wherever they ask."""


class Practice:
    def __init__(self, store: Store, content: Content, recommender: Recommender) -> None:
        self._store = store
        self._content = content
        self._recommender = recommender

    async def hints(self, member_id: str, problem: str, lang: str) -> HintsOpened:
        """Return the hints that the member has opened."""
        self._check(problem)
        async with self._store.reading(EVERYWHERE) as session:
            row = await session.get(ProblemHelpRow, (member_id, problem))
            opened, gave_up = (row.hints, row.gave_up_at is not None) if row else (0, False)
            may_read = gave_up or (await progress_in(session, member_id, (problem,)))[problem] == "solved"
        hints = self._content.help[problem].hints.get(lang, ())
        return HintsOpened(hints[:opened], len(hints), may_read)

    async def open_hint(self, member_id: str, problem: str, number: int | None, lang: str) -> HintsOpened:
        """Open a hint, counted from 1, or the next one; one that is open stays so, and none is skipped."""
        self._check(problem)
        hints = len(self._content.help[problem].hints.get(lang, ()))
        if not hints:
            raise NotFound("error.hint.none")
        async with self._store.session(EVERYWHERE) as session:
            row = await _own_row(session, member_id, problem)
            wanted = min(row.hints + 1, hints) if number is None else number
            if not 1 <= wanted <= hints:
                raise BadInput("error.hint.no_such", most=hints)
            if wanted > row.hints + 1:
                raise NotAllowed("error.hint.one_by_one", next=row.hints + 1)
            row.hints, row.at = max(row.hints, wanted), now()
        return await self.hints(member_id, problem, lang)

    async def give_up(self, member_id: str, problem: str) -> None:
        """Open the explanation for good; said twice, the first time counts."""
        self._check(problem)
        async with self._store.session(EVERYWHERE) as session:
            row = await _own_row(session, member_id, problem)
            row.gave_up_at = row.gave_up_at or now()

    async def editorial(self, scope: Scope, member_id: str, problem: str, lang: str) -> Editorial:
        """Return the explanation; NotAllowed until the problem is solved or given up."""
        if not (await self.hints(member_id, problem, lang)).editorial_open:
            raise NotAllowed("error.editorial.closed")
        made = editorial_of(self._content, await self._recommender.shelf(scope), problem, lang)
        if not made.steps:
            raise NotFound("error.editorial.none")
        return made

    async def after(self, scope: Scope, member_id: str, verdict: Verdict) -> AfterAccepted | None:
        """Return what comes after an accepted kernel of a problem; None after anything else."""
        cards = self._content.problems
        if verdict.verdict is not Kind.ACCEPTED or verdict.problem not in {card.slug for card in cards}:
            return None
        marks = await problem_progress(self._store, member_id, (card.slug for card in cards))
        solved = sum(mark == "solved" for mark in marks.values())
        following = next_problem(cards, marks, verdict.problem)
        streak = await self.streak(scope, member_id)
        left = left_on_the_table(verdict, self._content.solution_times)
        return AfterAccepted(left, following, solved, len(cards), streak)

    async def streak(self, scope: Scope, member_id: str) -> Streak:
        return await streak_of(self._store, scope, member_id)

    async def solved_lately(self, guild_id: str, since: datetime, until: datetime) -> SolvedLately:
        return await solved_lately(self._store, guild_id, since, until)

    def _check(self, problem: str) -> None:
        if problem not in self._content.help:
            raise NotFound("error.problem.unknown", name=problem[:64])


async def _own_row(session: AsyncSession, member_id: str, problem: str) -> ProblemHelpRow:
    """Return the member's row, made if it is missing, and held until the session ends."""
    await ensure_member(session, member_id)
    dialect = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
    row = {"member_id": member_id, "problem": problem, "hints": 0, "at": now()}
    await session.execute(dialect.insert(ProblemHelpRow).values(row).on_conflict_do_nothing())
    return await session.get_one(ProblemHelpRow, (member_id, problem), with_for_update=True)
