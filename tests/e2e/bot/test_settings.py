"""What moderators decide about a server, and that each decision does what it says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from bot.render.verdict import SPINNER
from knowledge.ask.gaps import Gap
from knowledge.ask.question_log import StoredQuestion
from knowledge.members import preferences_of
from knowledge.store import Scope
from knowledge.store.tables import Resource
from tests.discord import Channel, Guild, LocalDiscord, Person, Shown, Upload
from tests.discord.check_messages import text_of
from tests.e2e.bot.stage import KERNEL, ONE_LIFE, Stage

pytestmark = ONE_LIFE

CODE = Upload("a.cu", KERNEL.encode())


@pytest.fixture
def guild(place: LocalDiscord) -> Guild:
    """With #general and #bots, where ann is a moderator."""
    guild = place.world.add_guild()
    place.world.add_channel(guild, "bots")
    return guild


@pytest.fixture
def mod(place: LocalDiscord, person: Person, guild: Guild) -> Person:
    guild.moderators.add(person.user.id)
    return person


def bots(guild: Guild) -> Channel:
    return guild.channels[1]


async def said(person: Person, command: str, at: Channel, **options: object) -> Shown:
    return await (await person.run(command, at, **options)).reply()


async def test_replies_are_public_only_where_moderators_say(stage: Stage, mod: Person, guild: Guild) -> None:
    await said(mod, "settings channels", guild.general, add=bots(guild))
    thread = stage.discord.world.add_channel(guild, "warps", thread_of=bots(guild))
    open_board = {"problem": "vector_add"}
    for command, options in (
        ("ask", {"question": "x y z"}),
        ("calc conv", {"kernel": 3}),
        ("leaderboard", open_board),
        ("recommend", {"level": "beginner", "topic": "cuda", "share": True}),
        ("path", {"topic": "tiling", "share": True}),
        ("submit", {"problem": "vector_add", "file": CODE, "public": True}),
    ):
        assert (await said(mod, command, guild.general, **options)).private, command
        assert not (await said(mod, command, bots(guild), **options)).private, command
    assert not (await said(mod, "ask", thread, question="x y z")).private


PUBLICLY = (
    ("ask", {"question": "x y z", "private": False}),
    ("recommend", {"level": "beginner", "topic": "cuda", "share": True}),
    ("path", {"topic": "tiling", "share": True}),
    ("submit", {"problem": "vector_add", "file": CODE, "public": True}),
)


@pytest.mark.parametrize(("command", "options"), PUBLICLY, ids=[command for command, _ in PUBLICLY])
async def test_who_wanted_it_public_where_it_cannot_be_is_told_where_it_can(
    mod: Person, guild: Guild, command: str, options: dict[str, object]
) -> None:
    await said(mod, "settings channels", guild.general, add=bots(guild))
    line = only_they_see_it(mod)
    reply = await (await said(mod, command, guild.general, **options)).until(is_settled)
    assert reply.private
    assert line in reply.text
    assert f"<#{bots(guild).id}>" in reply.text
    silent = {name: value for name, value in options.items() if name not in {"private", "share", "public"}}
    for at, wished in ((guild.general, silent), (bots(guild), options)):
        assert line not in (await (await said(mod, command, at, **wished)).until(is_settled)).text


async def test_who_fills_a_form_for_a_public_verdict_is_told_too(mod: Person, guild: Guild) -> None:
    """Also if the channel was closed while the form was open."""
    form = await mod.run("submit", guild.general, problem="vector_add", public=True)
    code = next(label for label, field in (await form.form()).fields.items() if field["custom_id"] == "code")
    await said(mod, "settings channels", guild.general, add=bots(guild))
    again = await mod.run("submit", guild.general, problem="vector_add", public=True)
    for one in (form, again):
        reply = await (await (await mod.submit(one, await one.form(), {code: KERNEL})).reply()).until(is_settled)
        assert reply.private
        assert only_they_see_it(mod) in reply.text


async def test_a_servers_default_is_no_wish_of_the_members(mod: Person, guild: Guild) -> None:
    await said(mod, "settings channels", guild.general, add=bots(guild))
    await said(mod, "settings defaults", guild.general, verdicts="public")
    form = await mod.run("submit", guild.general, problem="vector_add")
    code = next(label for label, field in (await form.form()).fields.items() if field["custom_id"] == "code")
    for exchange in (
        await mod.submit(form, await form.form(), {code: KERNEL}),
        await mod.run("submit", guild.general, problem="vector_add", file=CODE),
    ):
        reply = await (await exchange.reply()).until(is_settled)
        assert reply.private
        assert only_they_see_it(mod) not in reply.text


async def test_of_many_open_channels_a_line_names_some(place: LocalDiscord, mod: Person, guild: Guild) -> None:
    for channel in [place.world.add_channel(guild, f"open-{n}") for n in range(6)]:
        await said(mod, "settings channels", guild.general, add=channel)
    reply = await said(mod, "ask", guild.general, question="x y z", private=False)
    assert reply.text.count("<#") == 3


def only_they_see_it(person: Person) -> str:
    return "只有你能看到" if person.user.locale == "zh-CN" else "Only you see this"


def is_settled(text: str) -> bool:
    """More than the progress of a submission."""
    return not text.startswith(tuple(SPINNER))


async def test_a_mention_elsewhere_is_shown_the_way(stage: Stage, mod: Person, guild: Guild) -> None:
    await said(mod, "settings channels", guild.general, add=bots(guild))
    question = "线程束？" if mod.user.locale == "zh-CN" else "warp?"
    pointed = await mod.answer_to(await mod.say(question, guild.general))
    assert f"<#{bots(guild).id}>" in pointed.text
    assert stage.asker.calls == []
    await mod.answer_to(await mod.say(question, bots(guild)))
    assert [call[0] for call in stage.asker.calls] == [question]


async def test_a_channel_is_taken_off_the_list_and_the_last_one_opens_all(mod: Person, guild: Guild) -> None:
    await said(mod, "settings channels", guild.general, add=bots(guild))
    both = await said(mod, "settings channels", guild.general, add=guild.general)
    assert f"<#{bots(guild).id}> <#{guild.general.id}>" in both.text
    await said(mod, "settings channels", guild.general, remove=guild.general)
    assert (await said(mod, "ask", guild.general, question="x y z")).private
    everywhere = await said(mod, "settings channels", guild.general, remove=bots(guild))
    assert "every channel" in everywhere.text or "所有频道" in everywhere.text
    assert not (await said(mod, "ask", guild.general, question="x y z")).private


async def test_a_verdict_is_not_made_public_where_replies_are_private(mod: Person, guild: Guild) -> None:
    verdict = await said(mod, "submit", guild.general, problem="vector_add", file=CODE)
    await verdict.until(lambda text: "accepted" in text or "通过" in text)
    await said(mod, "settings channels", guild.general, add=bots(guild))
    label = next(label for label in verdict.buttons if label in {"Make public", "公开"})
    refusal = await (await mod.press(verdict, label)).reply()
    assert refusal.private
    assert f"<#{bots(guild).id}>" in refusal.text


async def test_a_deleted_channel_is_no_longer_the_only_open_one(
    stage: Stage, place: LocalDiscord, mod: Person, guild: Guild
) -> None:
    gone = bots(guild)
    await said(mod, "settings channels", guild.general, add=gone)
    await said(mod, "settings digest", guild.general, channel=gone)
    place.delete_channel(gone)
    await place.gateway.dispatch("CHANNEL_DELETE", gone.as_json(), guild.id)

    async def kept() -> object:
        return (await preferences_of(stage.store, "", str(guild.id))).settings

    await stage.until(kept, {})
    assert not (await said(mod, "ask", guild.general, question="x y z")).private


@pytest.mark.parametrize("command", ["ask", "calc"])
async def test_answers_are_private_by_default_where_moderators_say(mod: Person, guild: Guild, command: str) -> None:
    asks = ("ask", {"question": "x y z"}) if command == "ask" else ("calc conv", {"kernel": 3})
    assert not (await said(mod, asks[0], guild.general, **asks[1])).private
    await said(mod, "settings defaults", guild.general, answers="private")
    assert (await said(mod, asks[0], guild.general, **asks[1])).private
    await said(mod, "settings defaults", guild.general, answers="public")
    assert not (await said(mod, asks[0], guild.general, **asks[1])).private


async def test_a_members_own_wish_goes_before_the_default(mod: Person, guild: Guild) -> None:
    await said(mod, "settings defaults", guild.general, answers="private", verdicts="public")
    assert not (await said(mod, "ask", guild.general, question="x y z", private=False)).private
    assert (await said(mod, "submit", guild.general, problem="vector_add", file=CODE, public=False)).private


async def test_verdicts_are_public_by_default_where_moderators_say(mod: Person, guild: Guild) -> None:
    assert (await said(mod, "submit", guild.general, problem="vector_add", file=CODE)).private
    await said(mod, "settings defaults", guild.general, verdicts="public")
    assert not (await said(mod, "submit", guild.general, problem="vector_add", file=CODE)).private
    form = await mod.run("submit", guild.general, problem="vector_add")
    code = next(label for label, field in (await form.form()).fields.items() if field["custom_id"] == "code")
    assert not (await (await mod.submit(form, await form.form(), {code: KERNEL})).reply()).private


async def test_another_server_goes_on_as_before(place: LocalDiscord, mod: Person, guild: Guild) -> None:
    await said(mod, "settings channels", guild.general, add=bots(guild))
    await said(mod, "settings defaults", guild.general, answers="private")
    assert not (await said(mod, "ask", place.world.add_guild().general, question="x y z")).private


async def test_everything_that_is_set_is_shown(mod: Person, guild: Guild) -> None:
    before = await said(mod, "settings show", guild.general)
    await said(mod, "settings channels", guild.general, add=bots(guild))
    await said(mod, "settings defaults", guild.general, answers="private", verdicts="public")
    await said(mod, "settings digest", guild.general, channel=bots(guild))
    after = await said(mod, "settings show", guild.general)
    pairs = list(zip(before.text.splitlines()[2:], after.text.splitlines()[2:], strict=True))
    assert len(pairs) == 4
    assert all(was != now for was, now in pairs)


async def test_a_digest_channel_must_be_open_to_the_bot(place: LocalDiscord, mod: Person, guild: Guild) -> None:
    bots(guild).bot_may_send = False
    refusal = await said(mod, "settings digest", guild.general, channel=bots(guild))
    assert "may not write" in refusal.text or "不能在" in refusal.text
    assert f"<#{bots(guild).id}>" not in (await said(mod, "settings show", guild.general)).text


async def test_the_digest_brings_the_weeks_gaps_and_what_is_new(
    stage: Stage, place: LocalDiscord, mod: Person, guild: Guild
) -> None:
    now = datetime.now(UTC)
    stage.asker.gaps_found.append(
        Gap((StoredQuestion("01", "how do I use TMA?", "en", "refused", None, "discord:1", now),))
    )
    await said(mod, "resource add", guild.general, url="https://example.org/tma-guide")
    await said(mod, "settings language", guild.general, choice="zh" if mod.user.locale == "zh-CN" else "en")
    await said(mod, "settings digest", guild.general, channel=bots(guild))
    round_ = stage.living[0].group_posts
    await round_.look(now)
    digest = await place.message_in(bots(guild), "how do I use TMA?")
    assert "https://example.org/tma-guide" in digest.text
    stage.asker.gaps_found.clear()
    await round_.look(now + timedelta(days=20))
    _, later = bots(guild).messages.values()
    assert "TMA" not in text_of(later)
    assert "tma-guide" not in text_of(later)
    assert await stage.services.catalogue.new_since(Scope("1"), now - timedelta(days=1)) == ()


async def test_the_digest_brings_a_page_in_the_week_in_which_it_was_taken(
    stage: Stage, place: LocalDiscord, mod: Person, guild: Guild
) -> None:
    """However long ago somebody suggested it."""
    zh = mod.user.locale == "zh-CN"
    member = place.person("bob", mod.user.locale)
    await said(member, "resource add", guild.general, url="https://example.org/tma-guide")
    async with stage.store.session(Scope.all()) as session:
        await session.execute(update(Resource).values(created_at=datetime.now(UTC) - timedelta(days=30)))
    await said(mod, "settings language", guild.general, choice="zh" if zh else "en")
    await said(mod, "settings digest", guild.general, channel=bots(guild))
    posts = stage.living[0].group_posts
    await posts.look(datetime.now(UTC) - timedelta(days=8))
    assert not [one for one in bots(guild).messages.values() if "tma-guide" in text_of(one)]
    waits = await said(mod, "resource info", guild.general, name="https://example.org/tma-guide")
    await (await mod.press(waits, "通过" if zh else "Approve")).reply()
    await posts.look(datetime.now(UTC))
    digest = await place.message_in(bots(guild), "https://example.org/tma-guide")
    assert ("资料库新收录" if zh else "New in the library") in digest.text
