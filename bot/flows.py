"""Everything that the bot is given: the flows of the core, opened elsewhere. Nothing here opens anything."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from knowledge.ask.answer import Asks
from knowledge.ask.record import QuestionLog
from knowledge.content import Content
from knowledge.contribute import SharedLibrary
from knowledge.promises import PromiseLog
from knowledge.recommend import Recommender
from knowledge.store import Scope, Store
from knowledge.submit import Boards, Replies, Submissions

if TYPE_CHECKING:
    from knowledge.ask.gaps import Gap, News


@dataclass(frozen=True, slots=True)
class Flows:
    store: Store
    content: Content
    content_dir: Path
    asker: Asks
    questions: QuestionLog
    gaps: Callable[[Scope, datetime], Awaitable[Sequence[Gap]]]
    """What was asked since then and not answered well, most askers first."""
    news: Callable[[], Awaitable[Sequence[News]]]
    """Saved questions of every place that the library can answer by now."""
    recommender: Recommender
    submissions: Submissions
    boards: Boards
    replies: Replies
    promises: PromiseLog
    library: SharedLibrary
    generation: Callable[[], str]
    """Which generation of the library answers, in a word."""
