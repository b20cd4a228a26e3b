"""Every table in one import, for migrations and for the export of a member's data."""

from knowledge.store.base import Base
from knowledge.store.conversations import Feedback, Question
from knowledge.store.library import Fetch, Passage, Resource, Snapshot, Snippet
from knowledge.store.members import Guild, Member, MemberLevel, ReadingEvent
from knowledge.store.replies import OpenReply
from knowledge.store.submissions import Submission, VerdictRow

__all__ = [
    "Base",
    "Feedback",
    "Fetch",
    "Guild",
    "Member",
    "MemberLevel",
    "OpenReply",
    "Passage",
    "Question",
    "ReadingEvent",
    "Resource",
    "Snapshot",
    "Snippet",
    "Submission",
    "VerdictRow",
]
