"""Every table in one import, for migrations and for the export of a member's data."""

from knowledge.store.base import Base
from knowledge.store.forum import KeptMessage, KeptThread
from knowledge.store.group import GroupPlanRow, LeaseRow, NamedMember, PostRow
from knowledge.store.library import Fetch, Passage, Resource, Snapshot, Snippet
from knowledge.store.members import Guild, Member, MemberLevel, ReadingEvent
from knowledge.store.outbox import OutboxRow
from knowledge.store.plans import PlanRow, ReviewRow
from knowledge.store.practice import ProblemHelpRow
from knowledge.store.questions import ComposedCount, Feedback, Question
from knowledge.store.sign_in import ApiToken, LoginCode, SiteSession
from knowledge.store.submissions import DailyCount, Submission, VerdictRow
from knowledge.store.workers import EnrolledWorker, SecondOpinion, SetAside

__all__ = [
    "ApiToken",
    "Base",
    "ComposedCount",
    "DailyCount",
    "EnrolledWorker",
    "Feedback",
    "Fetch",
    "GroupPlanRow",
    "Guild",
    "KeptMessage",
    "KeptThread",
    "LeaseRow",
    "LoginCode",
    "Member",
    "MemberLevel",
    "NamedMember",
    "OutboxRow",
    "Passage",
    "PlanRow",
    "PostRow",
    "ProblemHelpRow",
    "Question",
    "ReadingEvent",
    "Resource",
    "ReviewRow",
    "SecondOpinion",
    "SetAside",
    "SiteSession",
    "Snapshot",
    "Snippet",
    "Submission",
    "VerdictRow",
]
