"""The bot as it runs, over the local Discord: real store, queue and flows; only judge and answers are canned."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete

from bot.app import serving
from bot.client import Options, WarpmateBot
from bot.flows import Flows
from bot.manners import Pace
from knowledge.ask.answer import Answer, Citation, Quote
from knowledge.ask.gaps import Gap, News, answered_by_now
from knowledge.ask.record import QuestionLog
from knowledge.content import Content, content_folder
from knowledge.content.findings import load_finding_topics
from knowledge.contribute import SharedLibrary
from knowledge.promises import PromiseLog
from knowledge.readings import Reading
from knowledge.recommend import Recommender
from knowledge.store import Scope, Store
from knowledge.store.tables import Base
from knowledge.submit import Boards, Collector, Notices, Replies, Submissions
from tests.discord import Channel, LocalDiscord, Person
from tests.discord.gateway import until_connected
from tests.judging import judging
from worker.canned import CannedExecutor, accepted
from worker.protocol import Job, Kind, Verdict
from worker.queue.memory import MemoryQueue
from worker.service import Facts, Held, Say

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
    "GET /attachments/{number}/{name}",
)
"""Every route that the bot calls."""
QUICK = Options(progress_every_s=0.02, finish_within_s=1.0, retry_after_s=(0.02, 0.02, 0.02))


class ScriptedAsker:
    """Answers what a test has prepared, and refuses everything else."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.calls: list[tuple[str, str | None, str | None, Scope]] = []
        self.failure: Exception | None = None
        self.gate: asyncio.Event | None = None
        self.heard: asyncio.Queue[str] = asyncio.Queue()

    async def ask(
        self, question: str, lang: Any = None, follow_up_of: str | None = None, scope: Scope = EVERYWHERE
    ) -> Answer:
        self.calls.append((question, lang, follow_up_of, scope))
        self.heard.put_nowait(question)
        if self.gate is not None:
            await self.gate.wait()
        if self.failure is not None:
            raise self.failure
        found = self.answers.get(question) or refused(question)
        return dataclasses.replace(found, lang=lang or "en", asked=question)


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
    def facts(self) -> Facts:
        return dataclasses.replace(super().facts, **self.found_out)

    def _verdict(self, job: Job) -> Verdict:
        return dataclasses.replace(accepted(job), **self.parts)

    async def judge(self, job: Job, progress: Say, held: Held) -> Verdict:
        self.seen.append(job)
        await self._hold()
        return await super().judge(job, progress, held)

    async def _hold(self) -> None:
        await self.may_end.wait()


@dataclass(repr=False)  # asyncio shows a fixture's result at every test, and this one holds the whole library
class Stage:
    discord: LocalDiscord
    store: Store
    flows: Flows
    asker: ScriptedAsker
    executor: PacedExecutor
    gaps: list[Gap]
    folder: Path
    options: Options
    living: list[WarpmateBot] = field(default_factory=list)

    @asynccontextmanager
    async def bot(self, **options: Any) -> AsyncIterator[WarpmateBot]:
        """One life of the bot, and a stage may see several; where one lives already it is that one."""
        if self.living:
            assert not options, "the bot of this module runs already; a test with options needs a stage of its own"
            yield self.living[-1]
            return
        chosen = dataclasses.replace(self.options, **options) if options else self.options
        before = self.discord.gateway.identifies
        async with serving(
            self.flows,
            self.discord.token,
            api_base=self.discord.api_base,
            gateway=self.discord.gateway.url,
            options=chosen,
            guild_ready_timeout=0.02,
        ) as bot:
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
        assert set(self.discord.rest.calls) <= set(ROUTES)

    async def calm(self) -> None:
        """Everything told, every table empty, and nothing left of what a test has prepared."""
        self.executor.may_end.set()
        await self.settled()
        async with self.store.session(Scope.all()) as session:
            for table in reversed(Base.metadata.sorted_tables):
                await session.execute(delete(table))
        self.executor.reset()
        self.asker.reset()
        self.gaps.clear()
        self.discord.pings.clear()

    async def settled(self) -> None:
        """Every verdict is ticked off."""
        await self.until(lambda: self.flows.replies.owed("discord"), ())

    async def until(self, look: Callable[[], Awaitable[Any]], wanted: Any) -> None:
        """Until a row reads as wanted; it rings no bell, so one looks again."""
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


def flows_over(
    store: Store, queue: MemoryQueue, content: Content, asker: Any, gaps: list[Gap]
) -> tuple[Flows, Collector]:
    notices = Notices()
    topics = load_finding_topics(content_folder(), content.topics)
    recommender = Recommender(store, content, topics)
    collector = Collector(store, queue, notices, recommender.for_finding)

    questions = QuestionLog(store)

    async def newest() -> Sequence[News]:
        return await answered_by_now(questions, asker, Scope.all())

    async def missing(scope: Scope, since: datetime) -> Sequence[Gap]:
        return gaps

    flows = Flows(
        store=store,
        content=content,
        content_dir=content_folder(),
        asker=asker,
        questions=questions,
        gaps=missing,
        news=newest,
        recommender=recommender,
        submissions=Submissions(store, queue, notices, {card.slug for card in content.problems}),
        boards=Boards(store),
        replies=Replies(store),
        promises=PromiseLog(store),
        library=SharedLibrary(store, content),
        generation=lambda: "test-generation",
    )
    return flows, collector


@asynccontextmanager
async def staged(discord: LocalDiscord, store: Store, content: Content, folder: Path) -> AsyncIterator[Stage]:
    """Everything but the bot itself, running."""
    queue, asker, executor = MemoryQueue(), ScriptedAsker(), PacedExecutor()
    gaps: list[Gap] = []
    flows, collector = flows_over(store, queue, content, asker, gaps)
    async with judging(queue, executor, collector):
        options = dataclasses.replace(QUICK, sync_file=folder / "commands.json", pace=Pace())
        yield Stage(discord, store, flows, asker, executor, gaps, folder, options)


def answered(*texts: str, lang: str = "en", code: bool = False, title: str = "Shared memory", **more: Any) -> Answer:
    """An answer with one quote a text, all from one page."""
    citation = Citation(
        1, "note:shared-memory", 1, "https://example.org/shared#banks", title, "Banks", "shared.md", lang,
        datetime(2026, 5, 1, tzinfo=UTC),
    )  # fmt: skip
    quotes = tuple(Quote(text, text, 0, 1, "code" if code else "prose", "cuda" if code else "") for text in texts)
    return Answer("answered", "en", "", quotes, (citation,), **more)


def refused(question: str) -> Answer:
    reading = Reading("note:coalescing", "Coalescing", None, "en", "beginner", 8, "note", ("coalescing",), "nearest")
    return Answer("refused", "en", question, readings=(reading,))


async def longest_hold_s() -> float:
    """The most that the loop's thread computed between two looks 10 ms apart, until it is cancelled.

    Its own processor time, so that a busy machine, which lets every thread wait, counts for nothing.
    """
    longest_s = 0.0
    try:
        while True:
            before_s = time.thread_time()
            await asyncio.sleep(0.01)
            longest_s = max(longest_s, time.thread_time() - before_s)
    except asyncio.CancelledError:
        return longest_s


__all__ = ["KERNEL", "Facts", "Kind", "Stage", "answered", "longest_hold_s", "refused", "staged"]
