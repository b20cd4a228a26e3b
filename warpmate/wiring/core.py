"""The composition root: everything is opened here, in order, and handed down; nothing opens itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from knowledge.content import Content, load_content
from knowledge.content.findings import load_finding_topics
from knowledge.plans import Plans
from knowledge.practice import Practice
from knowledge.recommend import Recommender
from knowledge.store import Limits, Store, open_store
from knowledge.store.migrate import upgrade
from knowledge.traces import Traces, open_traces
from knowledge.upkeep import Keep
from warpmate import datadir
from warpmate.settings import Settings


@dataclass(frozen=True, slots=True)
class Core:
    """Settings, database, content, recommender, plans and practice, on which every command and server builds."""

    settings: Settings
    store: Store
    content: Content
    recommender: Recommender
    plans: Plans
    practice: Practice
    traces: Traces


def database(settings: Settings) -> AbstractAsyncContextManager[Store]:
    """Return the database of the settings, to be opened, not migrated."""
    return open_store(settings.store_url, Limits(settings.database_connections, settings.database_timeout_s))


def kept(settings: Settings) -> Keep:
    return Keep(settings.keep_questions_days, settings.keep_submissions_days, settings.keep_fetches_days)


@asynccontextmanager
async def open_core(settings: Settings) -> AsyncIterator[Core]:
    datadir.prepare(settings.data_dir)
    if settings.index_dir is not None:
        datadir.share_index(settings.data_dir, settings.index_dir)
    with open_traces(settings.traces) as traces:
        async with database(settings) as store:
            await upgrade(store)
            content = load_content(settings.content_dir)
            finding_topics = load_finding_topics(settings.content_dir, content.topics)
            recommender = Recommender(store, content, finding_topics)
            plans, practice = Plans(store, content, recommender), Practice(store, content, recommender)
            yield Core(settings, store, content, recommender, plans, practice, traces)


def model_name(settings: Settings) -> str:
    """Return the name of the embedder."""
    from knowledge.library.embed import PACKAGED

    return PACKAGED if settings.embedding_model == "packaged" else settings.embedding_model
