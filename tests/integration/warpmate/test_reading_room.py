"""Ask as the settings compose it: with a language model where they name one, with readings after every refusal."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr

from knowledge.store import Scope
from tests.integration.knowledge.ask.pages import write_mirror
from tests.integration.knowledge.ask.test_reword_server import model_server, saying
from warpmate.house import open_house
from warpmate.library import ReadingRoom, open_reading_room
from warpmate.settings import Settings

QUESTION = "How do I avoid bank conflicts?"


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reading-room")


@asynccontextmanager
async def reading_room(data_dir: Path, base_url: str = "") -> AsyncIterator[ReadingRoom]:
    model = "small" if base_url else ""
    settings = Settings(data_dir=data_dir, llm_base_url=base_url, llm_model=model, llm_api_key=SecretStr("sesame"))
    async with open_house(settings) as house, open_reading_room(house) as room:
        mirror = data_dir / "mirror"
        if not mirror.exists():
            mirror.mkdir()
            await room.build(mirror=write_mirror(mirror))
        yield room


async def test_the_language_model_of_the_settings_rewords_an_answer(data_dir: Path) -> None:
    wording = "To avoid bank conflicts, pad each row of a tile by one element."
    handler = saying(*((wording, number) for number in range(1, 5)))
    async with model_server(handler) as (base_url, heard), reading_room(data_dir, base_url) as room:
        answer = await room.ask.asker.ask(QUESTION)
    assert answer.mode == "reworded"
    assert {quote.text for quote in answer.answer} == {wording}
    assert all("Pad each row" in quote.quote for quote in answer.answer)
    assert json.loads(heard.bodies[0]["messages"][1]["content"])["question"] == QUESTION


async def test_without_a_language_model_the_quotes_answer(data_dir: Path) -> None:
    async with reading_room(data_dir) as room:
        answer = await room.ask.asker.ask(QUESTION)
    assert (answer.status, answer.mode) == ("answered", "quotes")


@pytest.mark.parametrize(
    "question",
    ["How do I bake sourdough bread?", "今天上海天气怎么样？", "zzzzz", "Who owns the patent on the COBOL webcam?"],
)
async def test_every_refusal_offers_readings_in_any_place(data_dir: Path, question: str) -> None:
    async with reading_room(data_dir) as room:
        for scope in (Scope(), Scope.guild("4711")):
            answer = await room.ask.asker.ask(question, scope=scope)
            assert answer.status == "refused"
            assert 1 <= len(answer.readings) <= 3
            assert len({reading.resource_id for reading in answer.readings}) == len(answer.readings)
