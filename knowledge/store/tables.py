"""Every table in one import, for migrations and for the export of a member's data."""

from knowledge.store.base import Base
from knowledge.store.library import Fetch, Passage, Resource, Snapshot, Snippet
from knowledge.store.members import Guild, Member, MemberLevel, ReadingEvent
from knowledge.store.outbox import OutboxRow
from knowledge.store.plans import PlanRow, ReviewRow
from knowledge.store.questions import ComposedCount, Feedback, Question
from knowledge.store.submissions import Submission, VerdictRow

__all__ = [
    "Base",
    "ComposedCount",
    "Feedback",
    "Fetch",
    "Guild",
    "Member",
    "MemberLevel",
    "OutboxRow",
    "Passage",
    "PlanRow",
    "Question",
    "ReadingEvent",
    "Resource",
    "ReviewRow",
    "Snapshot",
    "Snippet",
    "Submission",
    "VerdictRow",
]
