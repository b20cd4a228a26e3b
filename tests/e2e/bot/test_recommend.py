"""Readings: options, buttons under each, notes that open, paths, pages that only their owner turns."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from knowledge.store import Scope
from tests.discord import Exchange, LocalDiscord, Person, Shown
from tests.e2e.bot.stage import ONE_LIFE, Stage

pytestmark = ONE_LIFE


async def recommended(stage: Stage, person: Person, **options: object) -> Shown:
    given = {"level": "beginner", "topic": "cuda"} | options
    exchange: Exchange = await person.run("recommend", stage.place("guild", person), **given)
    return await exchange.reply()


def first_title(listed: Shown) -> str:
    """Of the reading that the buttons under a list mean; which note that is, is up to content/."""
    found = re.search(r"\*\*1\.\*\* \*\*(.+?)\*\*", listed.text)
    assert found is not None, listed.text
    return found[1]


async def titles_of(stage: Stage, ids: Iterable[str]) -> list[str]:
    shelf = await stage.services.recommender.shelf(Scope())
    return [shelf.by_id[each].title("en") for each in ids]


@pytest.mark.parametrize(
    ("label", "event"), [("Read it", "read"), ("Too easy", "too_easy"), ("Too hard", "too_hard"), ("Save", "saved")]
)
async def test_what_a_member_says_of_a_reading_is_remembered(
    stage: Stage, ann: Person, label: str, event: str
) -> None:
    async with stage.bot():
        listed = await recommended(stage, ann)
        noted = await (await ann.press(listed, label)).reply()
        assert noted.private
        history = await stage.services.recommender.history(f"discord:{ann.user.id}")
        state = {"read": history.done, "too_easy": history.done, "too_hard": history.too_hard, "saved": history.saved}
        assert await titles_of(stage, state[event]) == [first_title(listed)]


async def test_what_was_read_is_not_recommended_again(stage: Stage, ann: Person) -> None:
    async with stage.bot():
        first = await recommended(stage, ann)
        await (await ann.press(first, "Read it")).reply()
        assert f"**{first_title(first)}**" not in (await recommended(stage, ann)).text


async def test_a_list_is_private_unless_shared(stage: Stage, ann: Person) -> None:
    async with stage.bot():
        assert (await recommended(stage, ann)).private
        assert not (await recommended(stage, ann, share=True)).private


async def test_a_button_counts_for_whoever_pressed_it(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    bob = place.person("bob")
    async with stage.bot():
        listed = await recommended(stage, ann, share=True)
        await (await bob.press(listed, "Save")).reply()
        assert (await stage.services.recommender.history(f"discord:{ann.user.id}")).saved == ()
        saved = (await stage.services.recommender.history(f"discord:{bob.user.id}")).saved
        assert await titles_of(stage, saved) == [first_title(listed)]


@pytest.mark.parametrize(
    ("options", "holds"),
    [
        ({"language": "en"}, "English"),
        ({"kind": "problem"}, "problem"),
        ({"minutes": 10}, "min"),
        ({"stretch": True}, "beginner"),
        ({"level": "advanced"}, "advanced"),
    ],
)
async def test_options_narrow_the_list(stage: Stage, ann: Person, options: dict[str, object], holds: str) -> None:
    async with stage.bot():
        assert holds in (await recommended(stage, ann, **options)).text


@pytest.mark.parametrize("command", ["recommend", "path", "level"])
async def test_topics_are_offered_while_typing(stage: Stage, person: Person, command: str) -> None:
    async with stage.bot():
        typing = await person.complete(command, stage.place("guild", person), "topic", topic="shared")
        assert "shared-memory" in [value for _, value in await typing.choices()]


async def test_an_unknown_topic_gets_the_nearest(stage: Stage, person: Person) -> None:
    async with stage.bot():
        reply = await recommended(stage, person, topic="qwertzuiop")
        assert reply.private
        assert "qwertzuiop" in reply.text


async def test_a_note_opens_in_the_members_language(stage: Stage, person: Person) -> None:
    async with stage.bot():
        listed = await recommended(stage, person)
        label = "Open" if "Open" in listed.buttons else "打开"
        note = await (await person.press(listed, label)).reply()
        assert note.private
        zh = any("\u4e00" <= char <= "\u9fff" for char in note.text)
        assert zh == (person.user.locale == "zh-CN")


async def test_a_path_has_a_picture_with_words(stage: Stage, person: Person) -> None:
    async with stage.bot():
        reply = await (await person.run("path", stage.place("guild", person), topic="tiling")).reply()
        assert reply.files["path.png"].startswith(b"\x89PNG")
        gallery = next(part for part in reply.message["components"][0]["components"] if part["type"] == 12)
        assert gallery["items"][0]["description"]


async def test_a_path_is_turned_by_its_owner_alone(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    bob = place.person("bob")
    async with stage.bot():
        exchange = await ann.run("path", stage.place("guild", ann), topic="tensor-cores", share=True)
        first = await exchange.reply()
        before = first.text
        label = next(label for label in first.buttons if label.endswith("›"))
        refusal = await (await bob.press(first, label)).reply()
        assert "run the command yourself" in refusal.text
        assert first.text == before
        await (await ann.press(first, label)).acknowledged()
        assert first.text != before


async def test_saved_readings_can_be_removed(stage: Stage, ann: Person) -> None:
    async with stage.bot():
        listed = await recommended(stage, ann)
        await (await ann.press(listed, "Save")).reply()
        saved = await (await ann.run("saved", stage.place("guild", ann))).reply()
        assert first_title(listed) in saved.text
        await (await ann.press(saved, "Remove")).reply()
        again = await (await ann.run("saved", stage.place("guild", ann))).reply()
        assert "not saved anything" in again.text


async def test_many_saved_readings_are_paged(stage: Stage, person: Person) -> None:
    member = f"discord:{person.user.id}"
    shelf = await stage.services.recommender.shelf(Scope())
    for item in list(shelf.by_id)[:12]:
        await stage.services.recommender.remember(Scope(), member, item, "saved")
    async with stage.bot():
        saved = await (await person.run("saved", stage.place("guild", person))).reply()
        assert "**1.**" in saved.text
        label = next(label for label in saved.buttons if label.endswith("›"))
        await (await person.press(saved, label)).acknowledged()
        assert "**6.**" in saved.text
        assert "**1.**" not in saved.text


async def test_progress_shows_levels(stage: Stage, person: Person) -> None:
    async with stage.bot():
        await stage.services.recommender.remember(Scope(), f"discord:{person.user.id}", "note:coalescing", "read")
        reply = await (await person.run("progress", stage.place("guild", person))).reply()
        assert "1/" in reply.text


async def test_much_progress_is_paged(stage: Stage, person: Person) -> None:
    async with stage.bot():
        for topic in list(stage.services.content.topics)[:14]:
            await stage.services.recommender.set_level(f"discord:{person.user.id}", topic.id, "beginner", "en")
        shown = await (await person.run("progress", stage.place("guild", person))).reply()
        before = shown.text
        label = next(label for label in shown.buttons if label.endswith("›"))
        await (await person.press(shown, label)).acknowledged()
        assert shown.text != before


async def test_a_level_can_be_set_and_given_back(stage: Stage, ann: Person) -> None:
    async with stage.bot():
        channel = stage.place("guild", ann)
        await (await ann.run("level", channel, topic="cuda", level="advanced")).reply()
        history = await stage.services.recommender.history(f"discord:{ann.user.id}")
        assert list(history.set_levels.values()) == ["advanced"]
        await (await ann.run("level", channel, topic="cuda")).reply()
        history = await stage.services.recommender.history(f"discord:{ann.user.id}")
        assert history.set_levels == {}


async def test_a_problem_of_the_list_opens(stage: Stage, person: Person) -> None:
    async with stage.bot():
        listed = await (await person.run("problems", stage.place("guild", person))).reply()
        problem = await (await person.choose(listed, "reduce_sum")).reply()
        assert b"reduce_sum" in problem.files["reduce_sum.cu"]


async def test_a_problem_leads_to_its_form_and_its_board(stage: Stage, person: Person) -> None:
    async with stage.bot():
        problem = await (await person.run("problems", stage.place("guild", person), name="reduce_sum")).reply()
        zh = person.user.locale == "zh-CN"
        form = await (await person.press(problem, "提交" if zh else "Submit")).form()
        assert form.modal["custom_id"].startswith("f|code|reduce_sum|")
        board = await (await person.press(problem, "排行榜" if zh else "Leaderboard")).reply()
        assert ("还没有人" if zh else "Nobody") in board.text


async def test_an_unknown_problem_is_named(stage: Stage, person: Person) -> None:
    async with stage.bot():
        reply = await (await person.run("problems", stage.place("guild", person), name="nonsense")).reply()
        assert "nonsense" in reply.text
