"""Everything that bot and site are given: the three flows and what belongs to them. Nothing here opens anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal, Protocol

from knowledge.api_tokens import ApiTokens
from knowledge.ask.answer import Asks, Composes
from knowledge.ask.question_log import QuestionLog
from knowledge.catalogue import Catalogue
from knowledge.content import Content
from knowledge.counting import Counts, OwnCounts
from knowledge.discord_status import DiscordStatus
from knowledge.group import Group
from knowledge.kept_threads import KeptThreads
from knowledge.leases import Leases
from knowledge.login_codes import LoginCodes
from knowledge.memberships import Memberships
from knowledge.outbox import Outbox
from knowledge.plans import Plans
from knowledge.practice import Practice
from knowledge.recommend import Recommender
from knowledge.site_sessions import SiteSessions
from knowledge.store import Scope, Store
from knowledge.submit import Boards, Shares, Submissions
from knowledge.submit.predicted_boards import PredictedBoards
from knowledge.submit.set_aside import AsideJobs
from knowledge.text.language import Lang
from knowledge.traces import Traces
from knowledge.workers.second_opinions import SecondOpinions

if TYPE_CHECKING:
    from knowledge.ask.gaps import Gap, News
    from knowledge.search.searcher import Hit


@dataclass(frozen=True, slots=True)
class Preparing:
    """How far the first index of a fresh machine is."""

    stage: Literal["start", "read", "embed", "publish"] = "start"
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class LibraryState:
    """The index as a visitor may know it."""

    generation: str = ""
    made_at: datetime | None = None
    counts: Mapping[str, int] | None = None

    @property
    def ready(self) -> bool:
        return bool(self.generation)


class Library(Asks, Composes, Protocol):
    """The library as the faces use it; `ask`, `compose`, `search` and `gaps` raise IndexUnusable
    while it is being prepared."""

    def search(
        self, text: str, k: int = 10, *, guild_id: str | None = None, lang: Lang | None = None
    ) -> Sequence[Hit]: ...

    async def gaps(self, scope: Scope, since: datetime, until: datetime | None = None) -> Sequence[Gap]:
        """Return what was asked since then, until now or then, and not answered well, most askers first."""
        ...

    async def news(self) -> Sequence[News]:
        """Wait for the library, then return the saved questions of every place that it can answer by now."""
        ...

    def state(self) -> LibraryState: ...

    def preparing(self) -> Preparing | None:
        """Return None once questions can be answered."""
        ...


@dataclass(frozen=True, slots=True)
class Services:
    """All that a face may call, by topic; bot and site have the same."""

    store: Store
    content: Content
    library: Library
    questions: QuestionLog
    catalogue: Catalogue
    recommender: Recommender
    submissions: Submissions
    shares: Shares
    aside: AsideJobs
    opinions: SecondOpinions
    boards: Boards
    predicted_boards: PredictedBoards
    outbox: Outbox
    plans: Plans
    practice: Practice
    group: Group
    kept_threads: KeptThreads
    discord: DiscordStatus
    """Of this process."""
    memberships: Memberships
    """As the bot of this process knows them."""
    sessions: SiteSessions
    tokens: ApiTokens
    login_codes: LoginCodes
    leases: Leases
    """Of this process."""
    traces: Traces
    counts: Counts
    """How often who did what: of this process, or of all."""


def services_over(
    store: Store,
    content: Content,
    library: Library,
    recommender: Recommender,
    submissions: Submissions,
    traces: Traces,
    counts: Counts | None = None,
) -> Services:
    """Build the services that need nothing but the database around those that were opened."""
    return Services(
        store=store,
        content=content,
        library=library,
        questions=QuestionLog(store, traces),
        catalogue=Catalogue(store, content),
        recommender=recommender,
        submissions=submissions,
        shares=Shares(store),
        aside=AsideJobs(store),
        opinions=SecondOpinions(store),
        boards=Boards(store),
        predicted_boards=PredictedBoards(store),
        outbox=Outbox(store),
        plans=Plans(store, content, recommender),
        practice=Practice(store, content, recommender),
        group=Group(store, content, recommender),
        kept_threads=KeptThreads(store),
        discord=DiscordStatus(),
        memberships=Memberships(),
        sessions=SiteSessions(store),
        tokens=ApiTokens(store),
        login_codes=LoginCodes(store),
        leases=Leases(store),
        traces=traces,
        counts=counts or OwnCounts(),
    )
