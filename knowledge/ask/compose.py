"""How the parts of search and ask fit together, for whoever opens them: commands, bot, site, tests, benchmarks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knowledge.ask.asker import Asker, Composing, NearReadings
from knowledge.content import Glossary
from knowledge.library.embed import Embedder
from knowledge.reader.model import Reader
from knowledge.search.bridge import Bridge, Pair, common_pairs
from knowledge.search.build import VERSION, Draft, readable, reads_chinese, writer
from knowledge.search.reread import Reader as Rereader
from knowledge.search.searcher import Searcher
from knowledge.search.source import Sources


@dataclass(frozen=True, slots=True)
class BuildHooks:
    """What the indexer is given so that search finds what it needs in a generation."""

    readable: Callable[[str], str]
    """Any text as the embedder can read it."""
    wording_version: str
    """Changes with the glossary: what was worded by an older one is worded anew."""
    extra_writers: tuple[Callable[[Draft], dict[str, Any]], ...]


def bridge_maker(glossary: Glossary) -> Callable[[tuple[Pair, ...]], Bridge]:
    """Makes the bridge of a generation: our terms, general words, and what its own pages state."""
    pairs = (*(Pair(term.en, term.zh) for term in glossary.terms), *common_pairs())
    return lambda stated: Bridge(pairs, stated)


def build_hooks(glossary: Glossary, embedder: Embedder) -> BuildHooks:
    chinese_read = reads_chinese(embedder)
    make = bridge_maker(glossary)
    bridge = make(())
    version = f"{VERSION}-{bridge.digest}-{chinese_read}"
    return BuildHooks(
        readable=readable(bridge, chinese_read=chinese_read),
        wording_version=version,
        extra_writers=(writer(bridge, chinese_read=chinese_read, version=version),),
    )


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
    composing: Composing | None = None,
    rereader: Rereader | None = None,
) -> AskFlow:
    """Opens no index yet: that happens with the first question, and again after every build."""
    sources = Sources(data_dir, embedder.spec, bridge_maker(glossary))
    searcher = Searcher(sources, embedder, reader=rereader)
    return AskFlow(embedder, sources, searcher, Asker(searcher, reader, readings, composing))
