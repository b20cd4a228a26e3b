"""Review questions as the faces use them: what is due, one question with its answer, how the member did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge.content import Content
from knowledge.errors import NotFound
from knowledge.members import ensure_member
from knowledge.plans.questions import Question, mistake_question, term_question
from knowledge.plans.records import Records, read_records
from knowledge.plans.review_schedule import Card, after, first_due
from knowledge.recommend import Recommender
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import ReviewRow, Submission, VerdictRow
from worker.protocol import Finding, Verdict, from_json

EVERYWHERE = Scope.all()
"""A question goes to nobody but the member whose it is, from wherever they ask."""
_MISTAKES_OF_A_SUBMISSION, _READINGS = 2, 2


class Reviews:
    def __init__(self, store: Store, content: Content, recommender: Recommender, today: Callable[[], date]) -> None:
        self._store = store
        self._content = content
        self._recommender = recommender
        self._today = today

    async def due(self, member_id: str, lang: str = "en", most: int = 50) -> tuple[Question, ...]:
        """What is due today, oldest debt first."""
        async with self._store.reading(EVERYWHERE) as session:
            cards = self._due(await read_records(session, member_id))
            found = [await self._question(session, member_id, card, lang) for card in cards[:most]]
        return tuple(question for question in found if question)

    async def question(self, member_id: str, question: str, lang: str = "en") -> Question:
        """One that is due; NotFound where it is not, as after it was answered."""
        async with self._store.reading(EVERYWHERE) as session:
            for card in self._due(await read_records(session, member_id)):
                if card.question == question and (found := await self._question(session, member_id, card, lang)):
                    return found
        raise NotFound("error.review.not_due")

    async def answer(self, member_id: str, question: str, right: bool) -> date | None:
        """Note how the member did; the day on which it is asked again, or None once it is known."""
        today = self._today()
        async with self._store.session(EVERYWHERE) as session:
            await ensure_member(session, member_id)
            due = {card.question: card for card in self._due(await read_records(session, member_id))}
            if question not in due:
                raise NotFound("error.review.not_due")
            await _make_row(session, member_id, due[question])
            row = await session.get_one(ReviewRow, (member_id, question), with_for_update=True)
            if row.due is None or row.due > today:
                raise NotFound("error.review.not_due")
            row.step, row.due = after(row.step, right, today)
            row.at = now()
            return row.due

    def _due(self, records: Records) -> tuple[Card, ...]:
        known = self._content.definitions.by_slug
        return tuple(
            card
            for card in records.cards
            if card.due <= self._today()
            and (not card.question.startswith("term:") or card.question.removeprefix("term:") in known)
        )

    async def _question(self, session: AsyncSession, member_id: str, card: Card, lang: str) -> Question | None:
        kind, _, name = card.question.partition(":")
        if kind == "term":
            definition = self._content.definitions.by_slug[name]
            return term_question(definition, card.due, card.step, lang, self._note(definition.note, lang))
        row = await session.get(Submission, card.submission) if card.submission else None
        stored = await session.get(VerdictRow, card.submission) if row and row.member_id == member_id else None
        if row is None or stored is None:
            return None
        verdict = from_json(Verdict, stored.body)
        finding = next((one for one in verdict.findings if one.id == name), None)
        if finding is None:
            return None
        readings = self._recommender.for_finding(name, lang)[:_READINGS]
        return mistake_question(
            finding, self._title(row.problem, lang), row.source, card.due, card.step, lang, readings
        )

    def _note(self, slug: str | None, lang: str) -> tuple[dict[str, Any], ...]:
        """The note that says more, where there is one."""
        sides = {str(note.lang): note for note in self._content.notes if note.slug == slug}
        found = sides.get(lang) or next(iter(sides.values()), None)
        return ({"resource_id": found.id, "title": found.title, "url": None},) if found else ()

    def _title(self, problem: str | None, lang: str) -> str:
        titles = (card.title.text(lang) for card in self._content.problems if card.slug == problem)
        return next(titles, problem or "")


async def note_mistakes(session: AsyncSession, submission: Submission, verdict: Verdict) -> None:
    """Ask the member tomorrow about what they got wrong; the same mistake again begins anew, at its newest line."""
    tomorrow = first_due(now().date())
    for finding in _worth_asking(verdict):
        card = Card(tomorrow, f"mistake:{finding.id}"[:100], submission=submission.id)
        await _make_row(session, submission.member_id, card)
        row = await session.get_one(ReviewRow, (submission.member_id, card.question), with_for_update=True)
        row.step, row.due, row.submission_id, row.at = 0, tomorrow, submission.id, now()


def _worth_asking(verdict: Verdict) -> Iterator[Finding]:
    """The first mistakes that there is something to read about, each once; a paste from elsewhere is none."""
    errors = [one for one in verdict.findings if one.severity == "error" and not one.id.startswith("paste-")]
    found = {one.id: one for one in reversed(errors) if one.readings}
    yield from list(reversed(found.values()))[:_MISTAKES_OF_A_SUBMISSION]


async def _make_row(session: AsyncSession, member_id: str, card: Card) -> None:
    """Two answers at once make one row."""
    dialect = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
    row = {"member_id": member_id, "question": card.question, "step": card.step, "due": card.due,
           "submission_id": card.submission, "at": now()}  # fmt: skip
    await session.execute(dialect.insert(ReviewRow).values(row).on_conflict_do_nothing())
