"""How the parts of search and ask fit together, for whoever opens them: commands, bot, site, tests, benchmarks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from knowledge.ask.asker import Asker, NearReadings
from knowledge.ask.before_search import BeforeSearch
from knowledge.content import Glossary
from knowledge.library.embed import Embedder
from knowledge.reader.model import Reader
from knowledge.search.reranker import Reranker
from knowledge.search.searcher import Searcher
from knowledge.search.source import Sources
from knowledge.search.wording import bridge_maker


@dataclass(frozen=True, slots=True)
class AskFlow:
    embedder: Embedder
    sources: Sources
    searcher: Searcher
    asker: Asker


def open_ask(
    data_dir: Path,
    glossary: Glossary,
    embedder: Embedder,
    reader: Reader,
    readings: NearReadings | None = None,
    reranker: Reranker | None = None,
    before_search: BeforeSearch | None = None,
) -> AskFlow:
    """Opens no index yet: that happens with the first question, and again after every build."""
    sources = Sources(data_dir, embedder.spec, bridge_maker(glossary))
    searcher = Searcher(sources, embedder, reranker=reranker)
    return AskFlow(embedder, sources, searcher, Asker(searcher, reader, readings, before_search))
