"""`/language` and `/privacy`: a member's own language, and all that is stored about them handed out or deleted."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from sqlalchemy import select

from knowledge.store import Scope
from knowledge.store.tables import Base
from tests.discord import LocalDiscord, Person, Upload
from tests.e2e.bot.stage import KERNEL, Stage

CODE = Upload("a.cu", KERNEL.encode())


async def test_a_member_goes_back_to_their_clients_language(stage: Stage, person: Person) -> None:
    async with stage.bot():
        channel = stage.place("dm", person)
        other = "zh" if person.user.locale == "en-US" else "en"
        await (await person.run("language", channel, choice=other)).reply()
        said = await (await person.run("language", channel, choice="auto")).reply()
        assert ("Discord client" in said.text) == (person.user.locale == "en-US")


async def test_everything_stored_about_a_member_is_exported_and_deleted(
    stage: Stage, place: LocalDiscord, person: Person
) -> None:
    zh = person.user.locale == "zh-CN"
    async with stage.bot():
        channel = stage.place("guild", person)
        await leave_traces(stage, person, channel)
        about = await (await person.run("privacy", channel)).reply()
        export = await (await person.press(about, "导出" if zh else "Export")).reply()
        (body,) = export.files.values()
        assert {"members", "questions", "reading_events", "submissions"} <= json.loads(body).keys()
        sure = await (await person.press(about, "全部删除" if zh else "Delete everything")).reply()
        await (await person.press(sure, "确定删除" if zh else "Yes, delete it")).reply()
        assert await rows_naming(stage, str(person.user.id)) == []


async def leave_traces(stage: Stage, person: Person, channel: Any) -> None:
    await (await person.run("ask", channel, question="x y z")).reply()
    listed = await (await person.run("recommend", channel, level="beginner", topic="cuda")).reply()
    label = next(label for label in listed.buttons if label in {"Save", "收藏"})
    await (await person.press(listed, label)).reply()
    await (await person.run("level", channel, topic="cuda", level="advanced")).reply()
    reply = await (await person.run("submit", channel, problem="vector_add", file=CODE)).reply()
    await reply.until(lambda text: "canned" in text)
    await (await person.run("resource add", channel, url="https://example.org/x")).reply()


async def rows_naming(stage: Stage, user_id: str) -> list[tuple[str, Any]]:
    """Every row of every table that holds the member's number anywhere."""
    async with stage.store.reading(Scope.all()) as session:
        return [
            (table.name, row)
            for table in Base.metadata.sorted_tables
            for row in (await session.execute(select(table))).all()
            if user_id in str(tuple(row))
        ]


async def test_privacy_buttons_are_their_owners(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    async with stage.bot():
        channel = stage.place("guild", ann)
        await (await ann.run("ask", channel, question="x y z")).reply()
        about = await (await ann.run("privacy", channel)).reply()
        stolen = dataclasses.replace(about, message={**about.message, "flags": about.message["flags"] & ~64})
        channel.messages[int(stolen.message["id"])] = stolen.message
        refusal = await (await place.person("bob").press(stolen, "Delete everything")).reply()
        assert "run the command yourself" in refusal.text
