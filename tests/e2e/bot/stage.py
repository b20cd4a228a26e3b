"""The bot as it runs, over the local Discord: real store, queue and flows; only judge and answers are canned."""

from __future__ import annotations

import asyncio
import dataclasses
import gc
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import pytest
from msgspec.structs import replace
from sqlalchemy import delete

from bot.app import Account, serving
from bot.client import Options, WarpmateBot
from bot.rate_limit import RateLimit
from knowledge.ask.answer import Answer, Citation, Excerpt, Status
from knowledge.ask.gaps import Gap, News, answered_by_now
from knowledge.ask.question_log import QuestionLog
from knowledge.content import Content
from knowledge.outbox import Owed
from knowledge.readings import Reading
from knowledge.services import LibraryState, Services, services_over
from knowledge.store import Scope, Store
from knowledge.store.tables import Base
from knowledge.submit import Collector, ProgressEvents, Submissions
from knowledge.text.sentences import Span
from knowledge.traces import NoTraces
from tests.discord import Channel, LocalDiscord, Person
from tests.discord.gateway import until_connected
from tests.judging import judging
from tests.shipped_content import shipped_recommender
from worker.canned import CannedExecutor, accepted
from worker.protocol import Job, Kind, Verdict
from worker.queue.memory import MemoryQueue
from worker.service import ExecutorFacts, HeldJob, Say

KERNEL = """__global__ void vector_add(const float* a, const float* b, float* c, int n) {
  int i = threadIdx.x;
  c[i] = a[i] + b[i];
}"""
EVERYWHERE = Scope()
ONE_LIFE = pytest.mark.asyncio(loop_scope="module")
"""For modules whose tests disturb nobody: one Discord and one bot for all, a new member and server for each."""
ROUTES = (
    "GET /users/@me",
    "GET /oauth2/applications/@me",
    "GET /gateway/bot",
    "PUT /applications/{app}/commands",
    "POST /interactions/{id}/{token}/callback",
    "GET /webhooks/{app}/{token}/messages/{message}",
    "PATCH /webhooks/{app}/{token}/messages/{message}",
    "POST /webhooks/{app}/{token}",
    "POST /users/@me/channels",
    "POST /channels/{channel}/messages",
    "PATCH /channels/{channel}/messages/{message}",
    "GET /attachments/{number}/{name}",
)
"""Every route that the bot calls when members do something."""
UNASKED = (
    "GET /channels/{channel}/messages",
    "POST /channels/{channel}/messages/{message}/threads",
    "GET /guilds/{guild}/members/{user}",
    "GET /channels/{channel}/messages/{message}",
)
"""What it calls by itself besides."""
QUICK = Options(progress_every_s=0.02, finish_within_s=1.0, retry_after_s=(0.02, 0.02, 0.02))


class ScriptedLibrary:
    """Answers what a test has prepared, and refuses everything else."""

    def __init__(self, questions: QuestionLog) -> None:
        self._questions = questions
        self.gaps_found: list[Gap] = []
        self.reset()

    def reset(self) -> None:
        self.gaps_found.clear()
        self.answers: dict[str, Answer] = {}
        self.grown: dict[str, Sequence[Answer]] = {}
        self.may_write = asyncio.Event()
        self.may_write.set()
        self.calls: list[tuple[str, str | None, str | None, Scope]] = []
        self.failure: Exception | None = None
        self.gate: asyncio.Event | None = None
        self.heard: asyncio.Queue[str] = asyncio.Queue()

    async def ask(
        self,
        question: str,
        lang: Any = None,
        follow_up_of: str | None = None,
        scope: Scope = EVERYWHERE,
        member: str | None = None,
    ) -> Answer:
        self.calls.append((question, lang, follow_up_of, scope))
        self.heard.put_nowait(question)
        if self.gate is not None:
            await self.gate.wait()
        if self.failure is not None:
            raise self.failure
        found = self.answers.get(question) or refused(question)
        return dataclasses.replace(found, lang=lang or "en", asked=question)

    async def compose(
        self, question: str, answer: Answer, earlier: str | None = None, scope: Scope = EVERYWHERE
    ) -> AsyncIterator[Answer]:
        """What a test has prepared a language model to add, in steps; each waits for its turn."""
        for grown in self.grown.get(question, ()):
            await self.may_write.wait()
            yield dataclasses.replace(answer, composed=grown.composed, citations=grown.citations)

    def search(self, text: str, k: int = 10, *, guild_id: str | None = None, lang: Any = None) -> Sequence[Any]:
        return ()

    async def gaps(self, scope: Scope, since: datetime, until: datetime | None = None) -> Sequence[Gap]:
        return self.gaps_found

    async def news(self) -> Sequence[News]:
        return await answered_by_now(self._questions, self, Scope.all())

    def state(self) -> LibraryState:
        return LibraryState("test-generation")

    def preparing(self) -> None:
        return None


class PacedExecutor(CannedExecutor):
    """A canned judge that a test can hold back, and whose verdicts it chooses."""

    def __init__(self) -> None:
        super().__init__(self._verdict)
        self.may_end = asyncio.Event()
        self.reset()

    def reset(self) -> None:
        self.may_end.set()
        self.parts: dict[str, Any] = {}
        self.found_out: dict[str, Any] = {}
        self.seen: list[Job] = []

    @property
    def facts(self) -> ExecutorFacts:
        return dataclasses.replace(super().facts, **self.found_out)

    def _verdict(self, job: Job) -> Verdict:
        return replace(accepted(job), **self.parts)

    async def judge(self, job: Job, progress: Say, held: HeldJob) -> Verdict:
        self.seen.append(job)
        await self._hold()
        return await super().judge(job, progress, held)

    async def _hold(self) -> None:
        await self.may_end.wait()


@dataclass(repr=False)  # asyncio shows a fixture's result at every test, and this one holds the whole library
class Stage:
    discord: LocalDiscord
    store: Store
    services: Services
    asker: ScriptedLibrary
    executor: PacedExecutor
    folder: Path
    options: Options
    living: list[WarpmateBot] = field(default_factory=list)

    @property
    def account(self) -> Account:
        return Account(self.discord.token, self.discord.api_base, self.discord.gateway.url)

    @asynccontextmanager
    async def bot(self, **options: Any) -> AsyncIterator[WarpmateBot]:
        """One life of the bot, and a stage may see several; where one lives already it is that one."""
        if self.living:
            assert not options, "the bot of this module runs already; a test with options needs a stage of its own"
            yield self.living[-1]
            return
        chosen = dataclasses.replace(self.options, **options) if options else self.options
        before = self.discord.gateway.identifies
        async with serving(self.services, self.account, chosen, guild_ready_timeout=0.02) as connected:
            bot = connected.bot
            await self.discord.world.until(
                lambda: self.discord.gateway.identifies > before, what="the bot to identify"
            )
            await bot.wait_until_ready()
            await until_connected(self.discord.gateway, self.discord.gateway.shards)
            self.living.append(bot)
            try:
                yield bot
            finally:
                self.living.remove(bot)

    def behaved(self) -> None:
        """After every test: each text has said whom it may ping, and each route is one that faults are tried on."""
        assert self.discord.unguarded == []
        assert set(self.discord.rest.calls) <= {*ROUTES, *UNASKED}

    async def calm(self) -> None:
        """Everything told, every table empty, and nothing left of what a test has prepared."""
        self.executor.may_end.set()
        await self.settled()
        async with self.store.session(Scope.all()) as session:
            for table in reversed(Base.metadata.sorted_tables):
                await session.execute(delete(table))
        self.executor.reset()
        self.asker.reset()
        self.discord.pings.clear()

    async def settled(self) -> None:
        """Every verdict is ticked off."""
        await self.until(lambda: self.services.outbox.open("discord", Owed.VERDICT), ())

    async def until(self, look: Callable[[], Awaitable[Any]], wanted: Any) -> None:
        """Until a row reads as wanted; no event tells of it, so it is read again."""
        async with asyncio.timeout(8):
            while await look() != wanted:  # noqa: ASYNC110  see the docstring
                await asyncio.sleep(0.02)

    def place(self, kind: str, person: Person) -> Channel:
        """Somewhere to talk: `guild`, `dm`, or `user` (a server without the bot, for who installed it)."""
        if kind == "dm":
            return self.discord.world.direct_channel(person.user)
        if kind == "user":
            return self.discord.world.private_channel(person.user)
        return self.discord.world.add_guild().general


def services_for(
    store: Store, queue: MemoryQueue, content: Content, library: ScriptedLibrary
) -> tuple[Services, Collector]:
    events = ProgressEvents()
    recommender = shipped_recommender(store)
    submissions = Submissions(store, queue, events, {card.slug for card in content.problems})
    services = services_over(store, content, library, recommender, submissions, NoTraces())
    return services, Collector(store, queue, events, recommender.for_finding, NoTraces())


@asynccontextmanager
async def staged(discord: LocalDiscord, store: Store, content: Content, folder: Path) -> AsyncIterator[Stage]:
    """Everything but the bot itself, running."""
    queue, library, executor = MemoryQueue(), ScriptedLibrary(QuestionLog(store, NoTraces())), PacedExecutor()
    services, collector = services_for(store, queue, content, library)
    async with judging(queue, executor, collector):
        options = dataclasses.replace(QUICK, sync_file=folder / "commands.json", rate_limit=RateLimit())
        yield Stage(discord, store, services, library, executor, folder, options)


def answered(
    *texts: str,
    status: Status = "answered",
    lang: str = "en",
    code: bool = False,
    title: str = "Shared memory",
    **more: Any,
) -> Answer:
    """An answer with one excerpt a text, marked as a whole, all from one page."""
    citation = Citation(
        1, "note:shared-memory", 1, "https://example.org/shared#banks", title, "Banks", "shared.md", lang,
        datetime(2026, 5, 1, tzinfo=UTC),
    )  # fmt: skip
    kind: Literal["prose", "code"] = "code" if code else "prose"
    excerpts = tuple(Excerpt(text, 0, (Span(0, len(text)),), 1, kind, "cuda" if code else "") for text in texts)
    return Answer(status, "en", "", excerpts, (citation,), **more)


def refused(question: str) -> Answer:
    reading = Reading("note:coalescing", "Coalescing", None, "en", "beginner", 8, "note", ("coalescing",), "nearest")
    return Answer("refused", "en", question, readings=(reading,))


async def longest_hold_s() -> float:
    """The most that the loop's thread computed between two looks 10 ms apart, until it is cancelled.

    Its own processor time, so that a busy machine, which lets every thread wait, counts for nothing; what tests
    before it left in memory is not gone through by the collector meanwhile.
    """
    longest_s = 0.0
    gc.collect()
    gc.freeze()
    try:
        while True:
            before_s = time.thread_time()
            await asyncio.sleep(0.01)
            longest_s = max(longest_s, time.thread_time() - before_s)
    except asyncio.CancelledError:
        return longest_s
    finally:
        gc.unfreeze()


__all__ = ["KERNEL", "Kind", "Stage", "answered", "longest_hold_s", "refused", "staged"]
