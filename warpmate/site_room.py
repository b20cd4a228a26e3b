"""The site, put together: every flow that it is given, served while a fresh machine makes its first index."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import structlog

from knowledge.library.generation import current_folder, index_folder, read_manifest
from knowledge.submit import Shares
from warpmate.library import ReadingRoom
from warpmate.options import default_member
from warpmate.workroom import Workroom
from web.app import build_site, serving
from web.flows import Flows, LibraryState, Terms

log = structlog.get_logger(__name__)


@asynccontextmanager
async def open_site(reading: ReadingRoom, work: Workroom) -> AsyncIterator[str]:
    """The address beside the block."""
    settings = reading.house.settings
    async with first_index(reading) as building:
        site = build_site(flows_of(reading, work, building), Terms(settings.http_host, default_member()))
        async with serving(site, settings.http_host, settings.http_port) as address:
            yield address


def flows_of(reading: ReadingRoom, work: Workroom, building: Building) -> Flows:
    house = reading.house
    return Flows(
        store=house.store,
        content=house.content,
        content_dir=house.settings.content_dir,
        asker=reading.ask.asker,
        searcher=reading.ask.searcher,
        questions=reading.questions,
        gaps=reading.gaps,
        library_state=lambda: library_state(reading, building),
        recommender=house.recommender,
        submissions=work.submissions,
        shares=Shares(house.store),
        boards=work.boards,
        library=reading.contributions,
        waiting=work.queue.waiting,
    )


@dataclass(slots=True)
class Building:
    """What the first build of a fresh machine is busy with; the site says so meanwhile."""

    stage: str = ""

    def tell(self, stage: str, done: int, total: int) -> None:
        self.stage = f"{stage} {done}/{total}"


@asynccontextmanager
async def first_index(reading: ReadingRoom) -> AsyncIterator[Building]:
    """Beside the block: publish what came along, unless an index that fits is there."""
    building = Building()
    task = asyncio.create_task(_publish(reading, building))
    try:
        yield building
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _publish(reading: ReadingRoom, building: Building) -> None:
    try:
        await reading.ensure_index(building.tell)
    except Exception:
        log.exception("first_index_failed")
    finally:
        building.stage = ""


def library_state(reading: ReadingRoom, building: Building) -> LibraryState:
    folder = current_folder(index_folder(reading.house.settings.data_dir))
    if folder is None:
        return LibraryState(building=building.stage)
    manifest = read_manifest(folder)
    return LibraryState(manifest.generation, manifest.created_at, manifest.counts, building.stage)
