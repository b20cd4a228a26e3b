"""Ask and search, put together: the embedder, the reader, and the flow over the published index."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from knowledge.ask.answer import Answer
from knowledge.ask.before_search import BeforeSearch
from knowledge.ask.budget import DailyBudget
from knowledge.ask.faithful.check import Checker
from knowledge.ask.gaps import Gap, News, answered_by_now, gaps
from knowledge.ask.language_model import Composer, settings_of
from knowledge.ask.learned_intents import Encoders, open_learned_intents
from knowledge.ask.nearest_readings import NearestReadings
from knowledge.ask.open_ask import AskFlow, open_ask
from knowledge.ask.question_log import QuestionLog
from knowledge.errors import IndexUnusable
from knowledge.reader.model import Reader
from knowledge.search.reranker import CrossEncoderReranker
from knowledge.search.wording import bridge_maker
from knowledge.store import Scope
from warpmate.settings import Settings
from warpmate.wiring.core import Core
from warpmate.wiring.indexing import IndexBuilder, Progress, index_builder

_EVERYONE = Scope()


@dataclass(frozen=True, slots=True)
class LibraryServices(IndexBuilder):
    """The flow that answers questions, and the ways to fill the index that it answers from."""

    ask: AskFlow
    questions: QuestionLog
    composer: Composer | None = None
    """None where no language model is set up."""

    async def ensure_index(self, progress: Progress | None = None) -> None:
        """Make a first index of the shipped content, where there is none that fits the settings."""
        try:
            self.ask.sources.shared()
        except IndexUnusable:
            await self.build(progress=progress)

    async def compose(
        self, question: str, answer: Answer, earlier: str | None = None, scope: Scope = _EVERYONE
    ) -> AsyncIterator[Answer]:
        """Yield the answer after each sentence of the language model; nothing where there is no model."""
        if self.composer is not None:
            async for grown in self.composer.compose(question, answer, earlier, scope):
                yield grown

    async def gaps(self, scope: Scope, since: datetime, until: datetime | None = None) -> Sequence[Gap]:
        """Return what was asked since then and not answered well. Grouping embeds, so it runs beside the loop."""
        found = await self.questions.unanswered(scope, since, until)
        return await asyncio.to_thread(gaps, found, self.ask.searcher)

    async def news(self) -> Sequence[News]:
        """Return the saved questions, of every guild, that the library can answer by now."""
        return await answered_by_now(self.questions, self.ask.asker, Scope.all())


@asynccontextmanager
async def open_library(core: Core) -> AsyncIterator[LibraryServices]:
    settings = core.settings
    embedder = (await index_builder(core)).embedder
    async with AsyncExitStack() as stack:
        readings = NearestReadings(core.recommender.shelf)
        reader = await asyncio.to_thread(Reader, settings.data_dir / "models")
        reranker = await asyncio.to_thread(_reranker, settings)
        encoders = Encoders(reader, embedder, core.content.glossary)
        before_search = await asyncio.to_thread(_before_search, core, encoders)
        ask = open_ask(settings.data_dir, core.content.glossary, embedder, reader, readings, reranker, before_search)
        stack.callback(ask.sources.close)
        core.recommender.reads_by_meaning(ask.searcher.near)
        composer = _composer(core, ask)
        if composer is not None:
            stack.push_async_callback(composer.close)
        yield LibraryServices(core, embedder, ask, QuestionLog(core.store, core.traces), composer)


def _before_search(core: Core, encoders: Encoders) -> BeforeSearch:
    return BeforeSearch(core.content, core.recommender, open_learned_intents(encoders))


def _reranker(settings: Settings) -> CrossEncoderReranker | None:
    return CrossEncoderReranker(settings.cross_encoder) if settings.cross_encoder else None


def _composer(core: Core, ask: AskFlow) -> Composer | None:
    """Open the language model of the settings, if they name one."""
    of = core.settings
    model = settings_of(of.llm_base_url, of.llm_model, of.llm_api_key.get_secret_value(), of.llm_timeout_s)
    if model is None:
        return None
    checker = Checker(bridge_maker(core.content.glossary)(()))
    return Composer(model, ask.searcher, checker, DailyBudget(core.store, of.llm_daily_answers))
