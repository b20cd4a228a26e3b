"""`/resource`: a suggested page waits for a moderator; lists are paged and offered while typing."""

from __future__ import annotations

import pytest

from knowledge.store import Scope
from tests.discord import LocalDiscord, Person
from tests.e2e.bot.stage import Stage


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
