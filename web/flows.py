"""Everything that the site is given: the flows of the core, opened elsewhere. Nothing here opens anything."""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from knowledge.ask.answer import Asks
from knowledge.ask.record import QuestionLog
from knowledge.content import Content
from knowledge.contribute import SharedLibrary
from knowledge.recommend import Recommender
from knowledge.store import Scope, Store
from knowledge.submit import Boards, Shares, Submissions
from knowledge.text.language import Lang

if TYPE_CHECKING:
    from knowledge.ask.gaps import Gap
    from knowledge.search.searcher import Hit


class Searches(Protocol):
    def search(
        self, text: str, k: int = 10, *, guild_id: str | None = None, lang: Lang | None = None
    ) -> Sequence[Hit]: ...


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


@dataclass(frozen=True, slots=True)
class Flows:
    store: Store
    content: Content
    content_dir: Path
    asker: Asks
    searcher: Searches
    questions: QuestionLog
    gaps: Callable[[Scope, datetime], Awaitable[Sequence[Gap]]]
    library_state: Callable[[], LibraryState]
    preparing: Callable[[], Preparing | None]
    """None once questions can be answered."""
    recommender: Recommender
    submissions: Submissions
    shares: Shares
    boards: Boards
    library: SharedLibrary
    waiting: Callable[[], Awaitable[int]]
    """Jobs in line."""


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms the site is served."""

    host: str = "127.0.0.1"
    member: str = "local"
    """Whose submissions and readings these are: whoever sits at this machine."""

    @property
    def everything(self) -> bool:
        """On loopback the whole site; elsewhere the reading pages alone, as long as nobody can sign in."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"
