"""Threads of a forum that a guild keeps, in its library: once approved, message by message, gone with consent."""

from __future__ import annotations

import dataclasses

import pytest
from sqlalchemy import select

from indexer.build import BuildReport, BuildSetup, build, publish_changes
from indexer.forum_pages import forum_pages, page_of
from knowledge.catalogue import Catalogue
from knowledge.content import load_content
from knowledge.kept_threads import KeptThreads, Picked
from knowledge.library.generation import opened
from knowledge.privacy import export, forget
from knowledge.store import Scope
from knowledge.store.library import Snapshot
from tests.folders import CONTENT

GUILD, OTHER = Scope.guild("7"), Scope.guild("8")
ASKER, EXPERT, GUEST = "discord:1", "discord:2", "discord:3"
QUESTION = "Why does my kernel hang at the barrier? I used three warps and a branch before it."
ANSWER = (
    "Half of the warp never reaches the barrier, because it stands in a branch:\n```cuda\nif (x) __syncthreads();"
)
GUEST_SAID = "Hoist the barrier out of the branch, and every thread of the block reaches it."


async def kept_thread(library: BuildSetup) -> KeptThreads:
    """Everybody agreed."""
    threads = KeptThreads(library.store)
    for number, author, text in (("100", ASKER, QUESTION), ("101", EXPERT, ANSWER), ("102", GUEST, GUEST_SAID)):
        found = await threads.pick(GUILD, "100", "Kernel hangs", Picked(number, author, text))
    await threads.ask(GUILD, found.id)
    for author in (ASKER, EXPERT, GUEST):
        await threads.agree(GUILD, found.id, author)
    return threads


async def round_of(library: BuildSetup, scope: Scope = GUILD) -> BuildReport:
    setup = dataclasses.replace(library, guild_id=scope.guild_id)
    return await build(setup, forum=await forum_pages(library.store, scope))


def shown(library: BuildSetup) -> str:
    """All text of the index in use of the guild."""
    with opened(library.data_dir, guild_id=GUILD.guild_id) as generation:
        return "\n".join(passage.text for passage in generation.passages(range(len(generation))))


async def stored(library: BuildSetup) -> str:
    async with library.store.reading(Scope.all()) as session:
        return "\n".join(await session.scalars(select(Snapshot.text)))


async def approved(library: BuildSetup) -> str:
    catalogue = Catalogue(library.store, load_content(CONTENT))
    (draft,) = [one for one in await catalogue.listed(GUILD, state="pending") if one.origin == "forum"]
    await catalogue.decide(GUILD, draft.id, approved=True)
    return draft.id


async def test_a_thread_is_found_in_its_guild_once_a_moderator_has_approved_it(library: BuildSetup) -> None:
    await kept_thread(library)
    await round_of(library)
    assert "barrier" in await stored(library)
    assert shown(library) == ""
    await approved(library)
    await round_of(library)
    assert "Half of the warp never reaches the barrier" in shown(library)
    assert not any(who in shown(library) for who in ("discord", "Kernel hangs by"))
    assert await forum_pages(library.store, OTHER) == []
    assert not (await round_of(library)).published


@pytest.mark.parametrize("way", ["withdraw", "forget"])
async def test_what_an_author_takes_back_is_in_no_row_and_no_index_after_the_next_round(
    library: BuildSetup, way: str
) -> None:
    threads = await kept_thread(library)
    await round_of(library)
    await approved(library)
    await round_of(library)
    assert {row["text"] for row in (await export(library.store, GUEST))["kept_messages"]} == {GUEST_SAID}

    async def takes_back(author: str) -> None:
        await (threads.withdraw(GUILD, author) if way == "withdraw" else forget(library.store, author))

    await takes_back(GUEST)
    await round_of(library)
    assert "Hoist" not in await stored(library) + shown(library)
    assert "Half of the warp" in shown(library)
    await takes_back(ASKER)
    await round_of(library)
    await publish_changes(dataclasses.replace(library, guild_id=GUILD.guild_id), decided=True)
    assert (await stored(library), shown(library)) == ("", "")


async def test_a_message_cannot_reach_into_the_next_one(library: BuildSetup) -> None:
    """A fence that is left open ends with its message."""
    threads = await kept_thread(library)
    (thread,) = await threads.kept(GUILD)
    page = page_of(thread)
    assert page.index("```cuda") < page.rindex("```\n") < page.index("Hoist the barrier")
    assert page.count("```") == 2
