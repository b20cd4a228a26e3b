"""The paths of docs/flows.md, run for real and watched: the code takes the drawn hops in the drawn order."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from bot.rate_limit import RateLimit
from indexer.lists import import_lists
from indexer.read_from_web import refresh
from knowledge.ask.question_log import QuestionLog
from knowledge.content import Content
from knowledge.store import Scope, Store
from knowledge.traces import NoTraces
from tests import prepared
from tests.discord import LocalDiscord, Upload
from tests.e2e.bot.stage import QUICK, ScriptedLibrary, Stage, services_for
from tests.flow_trace import Trace, drawn, mistakes, traced
from tests.folders import CONTENT
from tests.integration.knowledge.ask.pages import write_mirror
from tests.stores import copied_store
from warpmate.commands.index import _draft
from warpmate.settings import Settings
from warpmate.wiring.core import open_core
from warpmate.wiring.library import LibraryServices, open_library
from warpmate.wiring.library_startup import LibraryStartup
from worker.config import WorkerConfig
from worker.emulator.child import answer
from worker.judge import Tools, open_tools
from worker.judge.executor import JudgeExecutor
from worker.queue.memory import MemoryQueue
from worker.service import Settings as WorkerSettings
from worker.service import Worker

RIGHT = next((CONTENT / "problems" / "vector_add" / "solutions" / "right").glob("*.cu"))
IN_A_CHILD = "worker.emulator.run:emulate"
DEALT = "worker.judge.emulator_children:_ask"
PAGE = "https://pages.example.org/banks.md"


@contextmanager
def watched(*keep: str) -> Iterator[Trace]:
    """The calls of this block, in threads that begin within it too."""
    with ThreadPoolExecutor(4) as threads, traced(*keep) as trace:
        asyncio.get_running_loop().set_default_executor(threads)
        yield trace


@asynccontextmanager
async def library_of(folder: Path, factory: pytest.TempPathFactory) -> AsyncIterator[LibraryServices]:
    """What a core opens over a few pages of the test's own."""
    prepared.give_models(factory, folder)
    async with open_core(Settings(data_dir=folder)) as core, open_library(core) as library:
        await library.build(mirror=write_mirror(folder / "mirror"))
        yield library


@pytest.mark.slow
async def test_a_question_takes_the_drawn_hops_to_its_reply(
    own_stage: Stage, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    async with library_of(tmp_path / "data", tmp_path_factory) as library:
        startup = LibraryStartup(library.core)
        startup.ready.set_result(library)
        own_stage.services = dataclasses.replace(own_stage.services, library=startup)
        async with own_stage.bot():
            ann = own_stage.discord.person("ann")
            channel = own_stage.place("guild", ann)
            with watched() as trace:
                reply = await (await ann.run("ask", channel, question="How do I avoid bank conflicts?")).reply()
    assert "Pad each row" in reply.text
    assert mistakes(drawn("From a question to its reply"), trace.calls) == []


@pytest.mark.slow
async def test_a_submission_takes_the_drawn_hops_to_its_verdict(
    own_place: LocalDiscord, content: Content, sqlite_template: str, tmp_path: Path
) -> None:
    config = WorkerConfig(content_dir=CONTENT, data_dir=tmp_path / "worker")
    with open_tools(config) as tools:
        async with (
            copied_store(sqlite_template, tmp_path) as store,
            judged(own_place, store, content, tools, tmp_path) as stage,
            stage.bot(),
        ):
            ann = own_place.person("ann")
            file = Upload("vector_add.cu", RIGHT.read_bytes())
            with watched(DEALT) as trace:
                run = await ann.run("submit", stage.place("guild", ann), problem="vector_add", file=file)
                await (await run.reply()).until(lambda text: "accepted" in text)
    with traced() as in_child:
        answer(trace.arguments[DEALT]["request"])
    hops = drawn("From a submission to its verdict")
    assert IN_A_CHILD in in_child.calls
    assert mistakes([hop for hop in hops if hop != IN_A_CHILD], trace.calls) == []
    before = hops[hops.index(IN_A_CHILD) - 1]
    assert trace.calls[before] < trace.calls[DEALT] < trace.calls[hops[hops.index(IN_A_CHILD) + 1]]


@pytest.mark.slow
async def test_an_entry_of_a_list_takes_the_drawn_hops_to_its_vector(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    links, mirror, data = tmp_path / "links.md", tmp_path / "mirror", tmp_path / "data"
    links.write_text(f"# Readings\n\n- [Bank conflicts]({PAGE})\n", encoding="utf-8")
    mirror.mkdir()
    (mirror / "banks.md").write_text("# Banks\n\nShared memory has 32 banks, and a conflict takes turns.\n", "utf-8")
    (mirror / "manifest.jsonl").write_text(json.dumps({"url": PAGE, "path": "banks.md", "kind": "markdown"}), "utf-8")
    async with library_of(data, tmp_path_factory) as library:
        with watched() as trace:
            drafts = await _draft(library.core.settings, import_lists([links], library.core.content.topics), None)
            (waiting,) = drafts.waiting
            await library.contributions.decide(Scope(), waiting.id, approved=True)
            report = await refresh(library.indexing(), mirror=mirror)
    assert report.build is not None
    assert report.build.published
    assert mistakes(drawn("From an entry of a link list to a vector"), trace.calls) == []


@pytest.mark.parametrize(
    ("hops", "said"),
    [
        (["a:one", "a:three"], ["a:three was not called"]),
        (["a:two", "a:one"], ["a:one was called before a:two"]),
        (["a:one"] * 13, ["13 hops are drawn, and more than 12 nobody keeps in mind"]),
        ([], ["no hop is drawn"]),
        (["a:one", "a:two"], []),
    ],
)
def test_a_wrong_drawing_is_noticed(hops: list[str], said: list[str]) -> None:
    assert mistakes(hops, {"a:one": 0, "a:two": 1}) == said


@asynccontextmanager
async def judged(
    place: LocalDiscord, store: Store, content: Content, tools: Tools, folder: Path
) -> AsyncIterator[Stage]:
    """A stage whose worker has the real judge."""
    queue, library, stop = MemoryQueue(), ScriptedLibrary(QuestionLog(store, NoTraces())), asyncio.Event()
    services, collector = services_for(store, queue, content, library)
    worker = asyncio.create_task(Worker(queue, JudgeExecutor(tools), WorkerSettings("judge")).run(stop))
    collecting = asyncio.create_task(collector.run())
    options = dataclasses.replace(QUICK, sync_file=folder / "commands.json", rate_limit=RateLimit())
    try:
        yield Stage(place, store, services, library, None, folder, options)  # type: ignore[arg-type]
    finally:
        stop.set()
        collecting.cancel()
        await asyncio.gather(worker, collecting, return_exceptions=True)
        await queue.close()
