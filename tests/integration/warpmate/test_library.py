"""Ask as the settings compose it: with a language model where they name one, with readings after every refusal."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr

from indexer.build import build
from knowledge.ask.answer import composed
from knowledge.library.generation import index_folder
from knowledge.store import Scope
from tests import prepared
from tests.integration.knowledge.ask.model_server import model_server, saying
from tests.integration.knowledge.ask.pages import write_mirror
from warpmate.settings import Settings
from warpmate.wiring.core import open_core
from warpmate.wiring.library import LibraryServices, open_library

QUESTION = "How do I avoid bank conflicts?"
GUILD, OTHER_GUILD, NOBODYS = Scope.guild("4711"), Scope.guild("4712"), Scope()
OF_THE_GUILD = {
    "cluster.md": "# Our cluster\n\nThe Marmot node has 8 GPUs. Reserve the Marmot node with `book marmot`.\n",
    "meetings.md": "# Meetings\n\nThe study group meets on Thursday at 19:00 in room B12.\n",
    "rules.md": "# 规则\n\n每位成员每周最多预订 12 小时的 GPU 时间。\n",
}


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    prepared.give_work(tmp_path_factory, folder)
    return folder


@asynccontextmanager
async def reading_room(data_dir: Path, base_url: str = "") -> AsyncIterator[LibraryServices]:
    model = "small" if base_url else ""
    settings = Settings(data_dir=data_dir, llm_base_url=base_url, llm_model=model, llm_api_key=SecretStr("sesame"))
    async with open_core(settings) as core, open_library(core) as library:
        mirror = data_dir / "mirror"
        if not mirror.exists():
            mirror.mkdir()
            await library.build(mirror=write_mirror(mirror))
        yield library


async def test_the_language_model_of_the_settings_composes_an_answer(data_dir: Path) -> None:
    wording = "To avoid bank conflicts, pad each row of a tile by one element."
    async with (
        model_server(saying((wording, "Pad each row"))) as (base_url, heard),
        reading_room(data_dir, base_url) as library,
    ):
        excerpts = await library.ask.asker.ask(QUESTION)
        answer = await composed(library, QUESTION, excerpts, None, Scope())
    assert [sentence.text for sentence in answer.composed] == [wording]
    assert answer.excerpts == excerpts.excerpts
    assert json.loads(heard.bodies[0]["messages"][1]["content"])["question"] == QUESTION


async def test_without_a_language_model_the_excerpts_answer(data_dir: Path) -> None:
    async with reading_room(data_dir) as library:
        answer = await composed(library, QUESTION, await library.ask.asker.ask(QUESTION), None, Scope())
    assert any("Pad each row" in sentence for sentence in answer.marked)
    assert answer.composed == ()


async def test_a_refusal_within_the_field_offers_readings_in_any_place(data_dir: Path) -> None:
    async with reading_room(data_dir) as library:
        for scope in (Scope(), Scope.guild("4711")):
            answer = await library.ask.asker.ask("How much does an NVIDIA engineer earn?", scope=scope)
            assert answer.status == "refused"
            assert 1 <= len(answer.readings) <= 3
            assert len({reading.resource_id for reading in answer.readings}) == len(answer.readings)


@pytest.mark.parametrize("question", ["How do I bake sourdough bread?", "今天上海天气怎么样？", "zzzzz"])
async def test_a_refusal_of_another_subject_offers_no_readings(data_dir: Path, question: str) -> None:
    async with reading_room(data_dir) as library:
        for scope in (Scope(), Scope.guild("4711")):
            answer = await library.ask.asker.ask(question, scope=scope)
            assert (answer.status, answer.readings) == ("refused", ())


@pytest.fixture(scope="module")
def with_guild(tmp_path_factory: pytest.TempPathFactory, data_dir: Path) -> Path:
    """The same library, with three pages of one guild beside it."""
    mirror = tmp_path_factory.mktemp("guild")
    rows = [{"url": f"https://guild.example.org/{path}", "path": path, "kind": "markdown"} for path in OF_THE_GUILD]
    for path, text in OF_THE_GUILD.items():
        (mirror / path).write_text(text, encoding="utf-8")
    (mirror / "manifest.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")

    async def fill() -> None:
        async with reading_room(data_dir) as library:
            await build(library.indexing(guild_id="4711"), mirror=mirror)

    asyncio.run(fill())
    return data_dir


@pytest.mark.parametrize(
    ("question", "found"),
    [("How do I reserve the Marmot node?", "book marmot"), ("每位成员每周最多预订多少小时的 GPU 时间？", "12 小时")],
)
async def test_a_guilds_own_page_answers_its_members_and_nobody_else(
    with_guild: Path, question: str, found: str
) -> None:
    async with reading_room(with_guild) as library:
        answers = {
            scope: await library.ask.asker.ask(question, scope=scope) for scope in (GUILD, OTHER_GUILD, NOBODYS)
        }
    assert any(found in excerpt.text for excerpt in answers[GUILD].excerpts)
    for scope in (OTHER_GUILD, NOBODYS):
        cited = {citation.path for citation in answers[scope].citations}
        offered = {reading.url for reading in answers[scope].readings}
        assert not cited & OF_THE_GUILD.keys()
        assert not any("guild.example.org" in (url or "") for url in offered)


@pytest.mark.parametrize("question", ["When do we meet?", "where do we meet"])
async def test_what_a_group_wrote_about_itself_is_told_there_and_is_honestly_missing_elsewhere(
    with_guild: Path, question: str
) -> None:
    async with reading_room(with_guild) as library:
        here, elsewhere = [await library.ask.asker.ask(question, scope=scope) for scope in (GUILD, NOBODYS)]
    assert {citation.path for citation in here.citations} == {"meetings.md"}
    assert any("Thursday" in excerpt.text for excerpt in here.excerpts)
    assert (elsewhere.status, elsewhere.excerpts) == ("refused", ())
    assert elsewhere.said is not None
    assert here.intent == elsewhere.intent == "group"


@pytest.mark.parametrize("question", ["How long should I boil an egg?", "怎样做番茄炒蛋才好吃？", "Who was Nero?"])
async def test_three_pages_of_a_guild_make_nothing_answerable_that_is_not_in_them(
    with_guild: Path, question: str
) -> None:
    async with reading_room(with_guild) as library:
        assert (await library.ask.asker.ask(question, scope=GUILD)).status == "refused"


async def test_a_guild_still_finds_the_shared_library(with_guild: Path) -> None:
    async with reading_room(with_guild) as library:
        answer = await library.ask.asker.ask(QUESTION, scope=GUILD)
    assert "en/shared-memory.md" in {citation.path for citation in answer.citations}


async def test_a_build_makes_every_index_anew_that_is_gone(with_guild: Path) -> None:
    """docs/operations.md: `index/` may be deleted, also where guilds have a library of their own."""
    question = "How do I reserve the Marmot node?"
    await asyncio.to_thread(shutil.rmtree, with_guild / "index")
    async with reading_room(with_guild) as library:
        await library.build()
        answer = await library.ask.asker.ask(question, scope=GUILD)
        generations = index_folder(with_guild, "4711") / "generations"
        (made,) = generations.iterdir()
        await library.build()
        assert list(generations.iterdir()) == [made]
    assert any("book marmot" in excerpt.text for excerpt in answer.excerpts)
