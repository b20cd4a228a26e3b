"""What a member and their server have chosen is read once for a command, however many parts of the bot ask for it."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event

from tests.discord import Person
from tests.e2e.bot.stage import ONE_LIFE, Stage, answered

pytestmark = ONE_LIFE


@pytest.fixture
def reads(stage: Stage) -> list[str]:
    """Every statement that reads the language of a member."""
    found: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("SELECT members.language"):
            found.append(statement)

    event.listen(stage.store.engine.sync_engine, "before_cursor_execute", note)
    return found


async def test_a_command_reads_once_what_its_member_has_chosen(stage: Stage, ann: Person, reads: list[str]) -> None:
    stage.asker.answers["warp?"] = answered("32 threads.")
    channel = stage.place("guild", ann)
    async with stage.bot():
        for command, options in (("ask", {"question": "warp?"}), ("saved", {}), ("help", {})):
            reads.clear()
            await (await ann.run(command, channel, **options)).reply()
            assert len(reads) == 1, command


async def test_a_language_that_was_just_chosen_is_the_one_of_the_reply(stage: Stage, ann: Person) -> None:
    channel = stage.place("guild", ann)
    async with stage.bot():
        await (await ann.run("help", channel)).reply()
        assert "中文" in (await (await ann.run("language", channel, choice="zh")).reply()).text
