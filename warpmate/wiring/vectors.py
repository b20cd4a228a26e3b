"""The vectors that come along with content/: are they those of its texts, and how they are made again."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from indexer.build import BuildSetup, build
from indexer.link_summary_index import index_links
from indexer.shipped_vectors import FILE, Collecting, read_vectors, write_vectors
from knowledge.catalogue import items_of
from knowledge.library.embed import open_embedder
from knowledge.search.wording import wording_of
from warpmate.edition import version
from warpmate.settings import Settings
from warpmate.wiring.core import model_name, open_core


@dataclass(frozen=True, slots=True)
class VectorsReport:
    """How the file stood before."""

    texts: int
    """How many texts of content/ a first build embeds."""
    missing: int
    """Texts without a vector in the file."""
    surplus: int
    """Vectors of texts that are gone."""
    release: str
    """The version of warpmate that the file was made for; empty where there was no usable file."""

    @property
    def stale(self) -> bool:
        return bool(self.missing or self.surplus or self.release != release())


def release() -> str:
    """Return the version of warpmate that runs."""
    return version()


async def renew_vectors(settings: Settings, *, write: bool) -> VectorsReport:
    """Make a first index of content/ in a folder that is then dropped, and keep the vectors of all its texts."""
    file = settings.content_dir / FILE
    embedder = open_embedder(model_name(settings), cache=settings.data_dir / "models")
    shipped = read_vectors(file, embedder)
    collecting = Collecting(embedder, shipped)
    with tempfile.TemporaryDirectory(prefix="warpmate-vectors-") as scratch:
        apart = settings.model_copy(update={"data_dir": Path(scratch), "database_url": ""})
        async with open_core(apart) as core:
            wording = wording_of(core.content.glossary, embedder)
            library = BuildSetup(core.store, apart.data_dir, collecting, wording, asked=core.content.asked)
            await build(library, content=core.content)
            index_links(library, items_of(core.content), core.content.topics)
    known = len(shipped) if shipped else 0
    report = VectorsReport(
        texts=len(collecting.vectors),
        missing=collecting.missing,
        surplus=known - (len(collecting.vectors) - collecting.missing),
        release=shipped.release if shipped else "",
    )
    if write and report.stale:
        write_vectors(file, embedder, release(), collecting.vectors)
    return report
