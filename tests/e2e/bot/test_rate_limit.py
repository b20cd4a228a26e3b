"""Limits, permissions, privacy, languages, errors: what keeps a bot welcome."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

import pytest
from sqlalchemy import select

from bot.rate_limit import Allowance, RateLimit
from knowledge.errors import BadInput
from knowledge.store import Scope
from knowledge.store.tables import Base
from tests.discord import Channel, LocalDiscord, Person, Shown, Upload
from tests.e2e.bot.stage import KERNEL, Stage, answered
from worker.protocol import Kind

CODE = Upload("a.cu", KERNEL.encode())
CHECK = "Check this kernel"


def strict(**more: int) -> RateLimit:
    return RateLimit({"ask": Allowance(2, more.get("guild", 100), 60), "submit": Allowance(1, 100, 60),
                 "write": Allowance(5, 50, 60)})  # fmt: skip


async def test_who_asks_too_fast_is_told_when_to_try_again(stage: Stage, person: Person) -> None:
    async with stage.bot(rate_limit=strict()):
        channel = stage.place("guild", person)
        for _ in range(2):
            await (await person.run("ask", channel, question="x y z")).reply()
        reply = await (await person.run("ask", channel, question="x y z")).reply()
        assert reply.private
        assert re.search(r"Try again in \d+ s|\d+ 秒后再试", reply.text)


async def test_a_server_has_a_limit_of_its_own(stage: Stage, place: LocalDiscord) -> None:
    async with stage.bot(rate_limit=strict(guild=2)):
        guild = place.world.add_guild()
        replies = [await (await place.person(n).run("ask", guild.general, question="x")).reply() for n in "abc"]
        assert "This server is faster" in replies[-1].text


async def test_trouble_on_our_side_does_not_count(stage: Stage, ann: Person) -> None:
    stage.executor.parts = {"verdict": Kind.INFRASTRUCTURE_ERROR, "score": None}
    async with stage.bot(rate_limit=strict()):
        channel = stage.place("guild", ann)
        for _ in range(3):
            reply = await (await ann.run("submit", channel, file=CODE)).reply()
            await reply.until(lambda text: "Nothing is counted against you" in text)


@pytest.mark.parametrize("way", ["command", "mention", "form"])
async def test_a_question_that_failed_on_our_side_does_not_count(stage: Stage, ann: Person, way: str) -> None:
    async with stage.bot(rate_limit=strict()):
        channel = stage.place("guild", ann)
        stage.asker.answers["warp?"] = answered("32 threads.")
        before = await (await ann.run("ask", channel, question="warp?")).reply()
        stage.asker.failure = RuntimeError("ours")
        for _ in range(3):
            assert "our side" in (await asked(ann, channel, way, before)).text
        stage.asker.failure = None
        assert "rather not guess" in (await asked(ann, channel, way, before)).text


async def asked(person: Person, channel: Channel, way: str, before: Shown) -> Shown:
    """One more question: by command, by mention, or by the form that follows an answer up."""
    if way == "mention":
        return await person.answer_to(await person.say("x y z", channel))
    if way == "command":
        return await (await person.run("ask", channel, question="x y z")).reply()
    form = await person.press(before, "Follow up")
    return await (await person.submit(form, await form.form(), {"Your question": "x y z"})).reply()


async def test_a_question_that_discord_gave_up_on_does_not_count(
    stage: Stage, place: LocalDiscord, ann: Person
) -> None:
    """Its acknowledgement came after three seconds: the client has said so itself, and nothing more can be said."""
    gone = place.fault("POST /interactions/", 404, code=10062, times=2)

    async def tries() -> int:
        return gone.met

    async with stage.bot(rate_limit=strict()):
        channel = stage.place("guild", ann)
        given_up = await ann.run("ask", channel, question="x y z")
        await stage.until(tries, 2)
        for _ in range(2):
            assert "rather not guess" in (await (await ann.run("ask", channel, question="x y z")).reply()).text
        assert given_up.interaction.original is None


@pytest.mark.parametrize("way", ["command", "message"])
async def test_a_submission_that_failed_on_our_side_does_not_count(stage: Stage, ann: Person, way: str) -> None:
    async with stage.bot(rate_limit=strict()):
        channel = stage.place("guild", ann)
        said = await ann.say(f"```cuda\n{KERNEL}\n```", channel, mention=False)
        async with stage.store.engine.begin() as connection:
            await connection.exec_driver_sql("ALTER TABLE submissions RENAME TO gone")
        for _ in range(3):
            hand_in = ann.run("submit", channel, file=CODE) if way == "command" else ann.check(CHECK, said)
            assert "our side" in (await (await hand_in).reply()).text


async def test_an_error_of_ours_is_a_number_that_the_log_knows(
    stage: Stage, person: Person, caplog: pytest.LogCaptureFixture
) -> None:
    stage.asker.failure = RuntimeError("secret detail")
    async with stage.bot(rate_limit=strict()):
        channel = stage.place("guild", person)
        for _ in range(3):  # and none of them counts
            reply = await (await person.run("ask", channel, question="x y z")).reply()
        found = re.search(r"\b[0-9a-f]{8}\b", reply.text)
        assert found
        assert "secret" not in reply.text
        assert found.group() in caplog.text


@pytest.mark.parametrize("command", ["show", "language", "channels", "defaults", "digest"])
async def test_settings_are_for_moderators_whatever_the_client_shows(
    stage: Stage, place: LocalDiscord, ann: Person, command: str
) -> None:
    """Permissions of commands can be overridden in a server: the bot checks again."""
    guild = place.world.add_guild()
    options: dict[str, Any] = {"choice": "zh"} if command == "language" else {}
    async with stage.bot():
        for registered in place.world.commands[None]:
            registered["default_member_permissions"] = None
        reply = await (await ann.run(f"settings {command}", guild.general, **options)).reply()
        assert "may manage the server" in reply.text


async def test_a_moderator_sets_the_language_of_a_server(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    guild = place.world.add_guild()
    guild.moderators.add(ann.user.id)
    async with stage.bot():
        await (await ann.run("settings language", guild.general, choice="zh")).reply()
        shown = await (await ann.run("settings show", guild.general)).reply()
        assert "本服务器的设置" in shown.text
        bob = place.person("bob")
        assert "我能做什么" in (await (await bob.run("help", guild.general)).reply()).text
        await (await bob.run("language", guild.general, choice="en")).reply()
        assert "What I can do" in (await (await bob.run("help", guild.general)).reply()).text
        assert "What I can do" in (await (await ann.run("help", place.world.add_guild().general)).reply()).text


async def test_a_member_goes_back_to_their_clients_language(stage: Stage, person: Person) -> None:
    async with stage.bot():
        channel = stage.place("dm", person)
        other = "zh" if person.user.locale == "en-US" else "en"
        await (await person.run("language", channel, choice=other)).reply()
        said = await (await person.run("language", channel, choice="auto")).reply()
        assert ("Discord client" in said.text) == (person.user.locale == "en-US")


async def test_the_digest_is_turned_on_and_off(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    guild = place.world.add_guild()
    guild.moderators.add(ann.user.id)
    async with stage.bot():
        await place.gateway.announce(guild)
        on = await (await ann.run("settings digest", guild.general, channel=guild.general)).reply()
        assert f"<#{guild.general.id}>" in on.text
        assert f"<#{guild.general.id}>" in (await (await ann.run("settings show", guild.general)).reply()).text
        off = await (await ann.run("settings digest", guild.general)).reply()
        assert "is off" in off.text


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


async def test_a_suggested_page_waits_for_a_moderator(stage: Stage, place: LocalDiscord, person: Person) -> None:
    guild = place.world.add_guild()
    moderator = place.person("mod", person.user.locale)
    guild.moderators.add(moderator.user.id)
    async with stage.bot():
        await (await person.run("resource add", guild.general, url="https://example.org/tma-guide")).reply()
        seen = await (
            await moderator.run("resource info", guild.general, name="https://example.org/tma-guide")
        ).reply()
        label = next(label for label in seen.buttons if label in {"Approve", "通过"})
        await (await moderator.press(seen, label)).reply()
        listed = await stage.services.catalogue.listed(Scope.guild(str(guild.id)), None, "en")
        assert "https://example.org/tma-guide" in [one.url for one in listed]
        elsewhere = await stage.services.catalogue.listed(Scope.guild("1"), None, "en")
        assert "https://example.org/tma-guide" not in [one.url for one in elsewhere]


async def test_moderators_see_what_waits_in_their_server_and_nobody_else_does(
    stage: Stage, place: LocalDiscord, person: Person
) -> None:
    guild = place.world.add_guild()
    moderator = place.person("mod", person.user.locale)
    guild.moderators.add(moderator.user.id)
    async with stage.bot():
        for name in ("one", "two"):
            await (await person.run("resource add", guild.general, url=f"https://example.org/{name}-page")).reply()
        assert "example.org" not in (await (await person.run("resource review", guild.general)).reply()).text
        seen = await (await moderator.run("resource review", guild.general)).reply()
        assert "(2)" in seen.text or "（2）" in seen.text
        await (await moderator.press(seen, next(b for b in seen.buttons if b in {"Approve", "通过"}))).reply()
        left = await (await moderator.run("resource review", guild.general)).reply()
        assert "(1)" in left.text or "（1）" in left.text


async def test_a_suggestion_that_a_moderator_rejects_is_gone(
    stage: Stage, place: LocalDiscord, person: Person
) -> None:
    guild = place.world.add_guild()
    moderator = place.person("mod", person.user.locale)
    guild.moderators.add(moderator.user.id)
    url = "https://example.org/advertisement"
    async with stage.bot():
        await (await person.run("resource add", guild.general, url=url)).reply()
        seen = await (await moderator.run("resource info", guild.general, name=url)).reply()
        label = next(label for label in seen.buttons if label in {"Reject", "不收入"})
        await (await moderator.press(seen, label)).reply()
        for state in ("approved", "pending"):
            kept = await stage.services.catalogue.listed(Scope.guild(str(guild.id)), state=state)
            assert url not in [one.url for one in kept]


@pytest.mark.parametrize(
    "url", ["ftp://example.org/x", "https://", "javascript:alert(1)", "https://user:pw@example.org"]
)
async def test_what_is_no_address_is_refused(stage: Stage, person: Person, url: str) -> None:
    async with stage.bot():
        reply = await (await person.run("resource add", stage.place("guild", person), url=url)).reply()
        assert "https://" in reply.text
        assert reply.private


async def test_the_same_page_twice_is_told(stage: Stage, ann: Person) -> None:
    async with stage.bot():
        channel = stage.place("guild", ann)
        for _ in range(2):
            reply = await (await ann.run("resource add", channel, url="https://example.org/twice")).reply()
        assert "already" in reply.text


async def test_resources_are_paged_and_offered(stage: Stage, person: Person) -> None:
    async with stage.bot():
        channel = stage.place("guild", person)
        listed = await (await person.run("resource list", channel)).reply()
        before = listed.text
        await (await person.press(listed, next(b for b in listed.buttons if b.endswith("›")))).acknowledged()
        assert listed.text != before
        assert await (await person.complete("resource info", channel, "name", name="cuda")).choices()
        assert await (await person.complete("resource list", channel, "topic", topic="mem")).choices()


@pytest.mark.parametrize("option", ["problem", "name"])
async def test_problems_are_offered_while_typing(stage: Stage, person: Person, option: str) -> None:
    command = {"problem": "submit", "name": "problems"}[option]
    async with stage.bot():
        typing = await person.complete(command, stage.place("guild", person), option, **{option: "reduce"})
        assert "reduce_sum" in [value for _, value in await typing.choices()]


SIZES = {
    "calc gemm": {"m": 512, "n": 512, "k": 512, "format": "fp16"},
    "calc conv": {
        "kernel": 3,
        "in": 8,
        "out": 16,
        "height": 28,
        "width": 28,
        "batch": 2,
        "stride": 2,
        "format": "int8",
    },
    "calc occupancy": {"threads": 256, "registers": 64, "shared": 49152},
}


@pytest.mark.parametrize("command", SIZES)
async def test_a_calculation_takes_every_option(stage: Stage, person: Person, command: str) -> None:
    async with stage.bot():
        reply = await (await person.run(command, stage.place("guild", person), card="a100", **SIZES[command])).reply()
        assert not reply.private
        assert "A100" in reply.text


async def test_cards_are_offered_while_typing(stage: Stage, person: Person) -> None:
    async with stage.bot():
        channel = stage.place("guild", person)
        for command, needed in SIZES.items():
            typing = await person.complete(command, channel, "card", **needed, card="h2")
            assert [name for name, _ in await typing.choices()]


async def test_a_calculation_that_cannot_be_is_told(stage: Stage, person: Person) -> None:
    async with stage.bot():
        reply = await (await person.run("calc conv", stage.place("guild", person), kernel=3, card="riva tnt")).reply()
        assert reply.private
        assert "riva tnt" in reply.text


async def test_help_lists_every_command(stage: Stage, place: LocalDiscord, person: Person) -> None:
    async with stage.bot():
        text = (await (await person.run("help", stage.place("guild", person))).reply()).text
        names = [c["name"] for c in place.world.commands[None] if c.get("type", 1) == 1]
        assert [name for name in names if f"/{name}" not in text] == []


async def test_an_answer_of_ours_never_pings(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    stage.asker.answers["q"] = answered("@everyone <@123> <@&5>", title="@here")
    stage.asker.failure = None
    async with stage.bot():
        channel = stage.place("guild", ann)
        await (await ann.run("ask", channel, question="q")).reply()
        await ann.answer_to(await ann.say("q", channel))
        stage.asker.failure = BadInput("@everyone is wrong")
        await (await ann.run("ask", channel, question="q")).reply()
        assert place.pings == []
