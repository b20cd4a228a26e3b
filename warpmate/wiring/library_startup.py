"""The start of the library: bot and site are there while a fresh machine prepares its first index."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Literal

import structlog

from knowledge.ask.answer import Answer
from knowledge.errors import IndexUnusable, NotReady
from knowledge.library.generation import current_folder, index_folder, read_manifest
from knowledge.services import LibraryState, Preparing
from knowledge.store import Scope
from warpmate.first_index import READY, first_index
from warpmate.settings import Settings
from warpmate.wiring.core import Core, model_name

if TYPE_CHECKING:
    from knowledge.ask.gaps import Gap, News
    from knowledge.search.searcher import Hit
    from warpmate.wiring.library import LibraryServices

log = structlog.get_logger(__name__)
SHARED = Scope()
LOOK_EVERY_S = 2.0
STAGES: dict[str, Literal["start", "read", "embed", "publish"]] = {
    "read": "read", "embed": "embed", "publish": "publish",
}  # fmt: skip


@dataclass(slots=True)
class LibraryStartup:
    """The library as bot and site are given it: until it is open, whoever needs it is told how far it is."""

    core: Core
    ready: asyncio.Future[LibraryServices] = field(default_factory=asyncio.Future)
    at: Preparing = field(default_factory=Preparing)

    def preparing(self) -> Preparing | None:
        return None if self.ready.done() else self.at

    async def ask(
        self,
        question: str,
        lang: str | None = None,
        follow_up_of: str | None = None,
        scope: Scope = SHARED,
        member: str | None = None,
    ) -> Answer:
        return await self.opened().ask.asker.ask(question, lang, follow_up_of, scope, member)

    async def compose(
        self, question: str, answer: Answer, earlier: str | None = None, scope: Scope = SHARED
    ) -> AsyncIterator[Answer]:
        async for grown in self.opened().compose(question, answer, earlier, scope):
            yield grown

    def search(
        self, text: str, k: int = 10, *, guild_id: str | None = None, lang: Literal["en", "zh"] | None = None
    ) -> Sequence[Hit]:
        return self.opened().ask.searcher.search(text, k, guild_id=guild_id, lang=lang)

    async def gaps(self, scope: Scope, since: datetime, until: datetime | None = None) -> Sequence[Gap]:
        return await self.opened().gaps(scope, since, until)

    async def news(self) -> Sequence[News]:
        return await (await asyncio.shield(self.ready)).news()

    def state(self) -> LibraryState:
        folder = current_folder(index_folder(self.core.settings.data_dir))
        if folder is None:
            return LibraryState()
        manifest = read_manifest(folder)
        return LibraryState(manifest.generation, manifest.created_at, manifest.counts)

    def opened(self) -> LibraryServices:
        """Return the open library, or raise NotReady, which tells members to come back in a few seconds."""
        if not self.ready.done():
            raise NotReady("error.library.not_ready")
        return self.ready.result()


@asynccontextmanager
async def start_library(core: Core, *, makes_index: bool = True) -> AsyncIterator[LibraryStartup]:
    """Beside the block, make the first index where there is none, or wait for it; then open the library.

    The process that makes it has begun when the block does: whatever else is opened meanwhile costs no time.
    """
    found = LibraryStartup(core)
    async with AsyncExitStack() as stack:
        steps = None
        if makes_index and not _has_index(core.settings):
            steps = await stack.enter_async_context(first_index())
        task = asyncio.create_task(_open(core, found, steps))
        try:
            yield found
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _open(core: Core, found: LibraryStartup, steps: AsyncIterator[tuple[str, int, int]] | None) -> None:
    """Open the library once there is an index; the process that makes the first one then checks its snippets."""
    try:
        async with AsyncExitStack() as stack:
            if steps is not None:
                await _open_beside(core, found, steps, stack)
            while steps is None and not _has_index(core.settings):  # noqa: ASYNC110  another process makes it
                await asyncio.sleep(LOOK_EVERY_S)
            if not found.ready.done():
                found.ready.set_result(await _opened(core, stack))
            await asyncio.Event().wait()
    except Exception as error:
        if found.ready.done():
            log.exception("the library's keeper failed")
        else:
            found.ready.set_exception(error)


async def _open_beside(
    core: Core, found: LibraryStartup, steps: AsyncIterator[tuple[str, int, int]], stack: AsyncExitStack
) -> None:
    """Open what needs no index while another process makes one; its first step says that the embedder is made."""
    library = None
    async for stage, done, total in steps:
        found.at = Preparing(STAGES.get(stage, "start"), done, total)
        library = library or await _opened(core, stack)
        if stage == READY:
            found.ready.set_result(library)


async def _opened(core: Core, stack: AsyncExitStack) -> LibraryServices:
    open_library = await asyncio.to_thread(_imported)  # pages are served meanwhile
    return await stack.enter_async_context(open_library(core))


def _imported() -> Callable[[Core], AbstractAsyncContextManager[LibraryServices]]:
    from warpmate.wiring.library import open_library

    return open_library


def _has_index(settings: Settings) -> bool:
    """Tell whether the index was made with the model of the settings, as far as that shows without opening it."""
    folder = current_folder(index_folder(settings.data_dir))
    try:
        return folder is not None and read_manifest(folder).embedder.model == model_name(settings)
    except IndexUnusable:
        return False
