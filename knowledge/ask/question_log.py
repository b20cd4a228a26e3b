"""What was asked and what people thought of it: stored questions, feedback, the review list, who is to be told."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Select, and_, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge.ask.answer import Answer, stored_shape
from knowledge.ask.intents import ELSEWHERE, UNKNOWABLE
from knowledge.errors import BadInput, NotAllowed, NotFound
from knowledge.members import ensure_member
from knowledge.outbox import OutboxItem, Owed
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import Feedback, OutboxRow, Question
from knowledge.traces import Traces

REASONS = ("wrong", "off_topic", "incomplete", "outdated", "hard_to_read")
"""Why an answer did not help; a face shows them in its language."""
_LONGEST_REASON = 300


@dataclass(frozen=True, slots=True)
class StoredQuestion:
    """A stored question, as lists of them show it."""

    id: str
    text: str
    lang: str
    status: str
    guild_id: str | None
    member_id: str | None
    asked_at: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """A stored question with its whole answer, as somebody who may read it sees it."""

    id: str
    question: str
    answer: Answer
    own: bool
    public: bool
    unlisted: bool = False
    """Kept from the group's page and feeds."""


class QuestionLog:
    def __init__(self, store: Store, traces: Traces) -> None:
        self._store = store
        self._traces = traces

    async def keep(
        self,
        scope: Scope,
        question: str,
        answer: Answer,
        member_id: str | None = None,
        thread: str | None = None,
        follow_up_of: str | None = None,
    ) -> str:
        """Store the question with its answer; returns its id, which feedback and saving refer to."""
        async with self._store.session(scope) as session:
            if member_id is not None:
                await ensure_member(session, member_id)
            row = Question(
                guild_id=scope.guild_id,
                member_id=member_id,
                thread=thread,
                text=question,
                lang=answer.lang,
                status=answer.status,
                answer=_stored().dump_python(answer, mode="json"),
                generation=answer.generation,
                follow_up_of=follow_up_of,
            )
            session.add(row)
            await session.flush()
            kept = row.id
        self._traces.question(kept, answer)
        return kept

    async def complete(self, scope: Scope, question_id: str, answer: Answer) -> None:
        """Store the answer anew, with what a language model has added; a question deleted meanwhile stays so."""
        stored = _stored().dump_python(answer, mode="json")
        async with self._store.session(scope) as session:
            await session.execute(update(Question).where(Question.id == question_id).values(answer=stored))

    async def get(self, scope: Scope, question_id: str, viewer: str) -> StoredAnswer:
        """Return an answer to who asked, and to everybody here once it is shared; to all others it does not exist."""
        async with self._store.reading(scope) as session:
            row = await session.scalar(select(Question).where(Question.id == question_id))
        if row is None or (row.member_id != viewer and not row.public):
            raise _no_such_answer()
        try:
            answer = _stored().validate_python(stored_shape(row.answer))
        except ValidationError:  # of a version that kept less
            raise _no_such_answer() from None
        return StoredAnswer(row.id, row.text, answer, row.member_id == viewer, row.public, row.unlisted)

    async def share(self, scope: Scope, question_id: str, owner: str, *, public: bool) -> None:
        own = (Question.id == question_id, Question.member_id == owner)
        async with self._store.session(scope) as session:
            found = await session.execute(update(Question).where(*own).values(public=public).returning(Question.id))
            if found.first() is None:
                raise _no_such_answer()

    async def last_in(self, scope: Scope, thread: str, member_id: str) -> tuple[str, str] | None:
        """Id and understood text of what this member asked last in this thread: a conversation is theirs alone."""
        async with self._store.reading(scope) as session:
            row = await session.scalar(
                select(Question)
                .where(Question.thread == thread, Question.member_id == member_id)
                .order_by(Question.asked_at.desc(), Question.id.desc())
                .limit(1)
            )
            return (row.id, str(row.answer.get("asked") or row.text)) if row else None

    async def rate(self, scope: Scope, question_id: str, member_id: str, *, helpful: bool, reason: str = "") -> None:
        """One opinion a member and question; a later one replaces it. Who asked may say theirs from anywhere."""
        if len(reason) > _LONGEST_REASON:
            raise BadInput("error.answer.reason_too_long", most=_LONGEST_REASON)
        async with self._store.session(Scope.all()) as session:
            row = await session.get(Question, question_id)
            if row is None or (row.guild_id != scope.guild_id and row.member_id != member_id):
                raise _unknown_question()
            await ensure_member(session, member_id)
            given = await session.scalar(
                select(Feedback).where(Feedback.question_id == question_id, Feedback.member_id == member_id)
            )
            if given is None:
                given = Feedback(question_id=question_id, member_id=member_id, helpful=helpful)
                session.add(given)
            given.helpful, given.reason, given.reviewed_at = helpful, "" if helpful else reason.strip(), None

    async def save(self, scope: Scope, question_id: str, member_id: str) -> None:
        """The asker wants to hear when the library can answer; only the asker can say so."""
        async with self._store.session(scope) as session:
            row = await _question(session, question_id)
            if row.member_id != member_id:
                raise NotAllowed("error.question.not_yours")
            if not row.saved:
                row.saved = True
                face = member_id.partition(":")[0]
                session.add(OutboxItem(Owed.ANSWER, row.id, face, member_id, scope).as_row())

    async def unlist(self, scope: Scope, question_id: str, member_id: str, *, unlisted: bool) -> None:
        """The asker keeps the question from the group's page and feeds, or no longer."""
        own = (Question.id == question_id, Question.member_id == member_id)
        async with self._store.session(scope) as session:
            changed = update(Question).where(*own).values(unlisted=unlisted).returning(Question.id)
            if (await session.execute(changed)).first() is None:
                raise _unknown_question()

    async def review_list(self, scope: Scope, limit: int = 50) -> tuple[StoredQuestion, ...]:
        """Answers that somebody found unhelpful and nobody has looked at yet, latest first."""
        statement = (
            select(Question, Feedback.reason)
            .join(Feedback, Feedback.question_id == Question.id)
            .where(Feedback.helpful.is_(False), Feedback.reviewed_at.is_(None))
            .order_by(Feedback.at.desc())
            .limit(limit)
        )
        async with self._store.reading(scope) as session:
            return tuple(_stored_question(row, reason) for row, reason in (await session.execute(statement)).all())

    async def reviewed(self, scope: Scope, question_id: str) -> None:
        async with self._store.session(scope) as session:
            await _question(session, question_id)
            await session.execute(
                update(Feedback).where(Feedback.question_id == question_id).values(reviewed_at=now())
            )

    async def unanswered(
        self, scope: Scope, since: datetime, until: datetime | None = None
    ) -> tuple[StoredQuestion, ...]:
        """Refused, saved or down-voted questions: what the library lacks.

        A refusal of what no library can know, or of what is not its field, says nothing of it.
        """
        disliked = exists().where(Feedback.question_id == Question.id, Feedback.helpful.is_(False))
        intent = func.coalesce(Question.answer["intent"].as_string(), "")
        refused = and_(Question.status == "refused", intent.not_in((*UNKNOWABLE, *ELSEWHERE)))
        within = (Question.asked_at >= since, *([Question.asked_at < until] if until else ()))
        statement = (
            select(Question)
            .where(*within, or_(refused, Question.saved.is_(True), disliked))
            .order_by(Question.asked_at)
        )
        async with self._store.reading(scope) as session:
            return tuple(_stored_question(row) for row in await session.scalars(statement))

    async def waiting(self, scope: Scope) -> tuple[StoredQuestion, ...]:
        """Return saved questions whose asker is to be told of an answer as soon as there is one."""
        statement = _owed_answers("open").order_by(Question.asked_at)
        async with self._store.reading(scope) as session:
            return tuple(_stored_question(row) for row in await session.scalars(statement))

    async def undelivered(self, scope: Scope, member_id: str) -> tuple[StoredQuestion, ...]:
        """Return saved questions of this member that had an answer and no way to them, as far as it may be told here.

        What a server's own library answers stays in that server.
        """
        statement = (
            _owed_answers("undelivered")
            .where(
                OutboxRow.owner == member_id,
                or_(Question.guild_id.is_(None), Question.guild_id == scope.guild_id),
            )
            .order_by(Question.asked_at)
        )
        async with self._store.reading(Scope.all()) as session:
            return tuple(_stored_question(row) for row in await session.scalars(statement))


def _owed_answers(state: str) -> Select[Question]:
    """Select the saved questions whose answer the outbox holds in this state."""
    owed = (OutboxRow.kind == Owed.ANSWER.value, OutboxRow.state == state, Question.saved.is_(True))
    return select(Question).join(OutboxRow, OutboxRow.about == Question.id).where(*owed)


@cache
def _stored() -> TypeAdapter[Answer]:
    """An answer as it stands in its row, and back."""
    return TypeAdapter(Answer)


def _no_such_answer() -> NotFound:
    return NotFound("error.answer.unknown")


async def _question(session: AsyncSession, question_id: str) -> Question:
    row = await session.scalar(select(Question).where(Question.id == question_id))
    if row is None:
        raise _unknown_question()
    return row


def _unknown_question() -> NotFound:
    return NotFound("error.question.unknown")


def _stored_question(row: Question, reason: str = "") -> StoredQuestion:
    return StoredQuestion(row.id, row.text, row.lang, row.status, row.guild_id, row.member_id, row.asked_at, reason)
