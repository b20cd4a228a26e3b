"""A plan on Discord: begun, ticked off, skipped, moved, reviewed, stopped; in both languages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from knowledge.store import Scope
from knowledge.store.tables import ReadingEvent, ReviewRow
from knowledge.submit import HandIn
from knowledge.submit.problem_progress import problem_progress
from tests.discord import LocalDiscord, Person, Shown
from tests.e2e.bot.stage import KERNEL, ONE_LIFE, Stage
from tests.plans import item_with_terms
from worker.protocol import Finding, Kind

pytestmark = ONE_LIFE
LABELS = {
    "en-US": {"skip": "Skip this week", "resume": "Go on this week", "stop": "Stop the plan",
              "open": "Show the answer", "right": "I knew it", "wrong": "I did not"},
    "zh-CN": {"skip": "跳过本周", "resume": "本周照常继续", "stop": "停止计划", "open": "显示答案",
              "right": "我答对了", "wrong": "没答上来"},
}  # fmt: skip


def member_of(person: Person) -> str:
    return f"discord:{person.user.id}"


def label(person: Person, name: str) -> str:
    return LABELS[person.user.locale][name]


async def begun(stage: Stage, person: Person, goal: str = "path:tiling", hours: int = 2) -> Shown:
    place = stage.place("guild", person)
    return await (await person.run("plan start", place, goal=goal, hours=hours, level="beginner")).reply()


async def planned(stage: Stage, person: Person) -> list[str]:
    plan = await stage.services.plans.look(Scope(), member_of(person))
    assert plan is not None
    return [part.reading.resource_id for week in plan.weeks for part in week.parts]


async def yesterday(stage: Stage, person: Person) -> None:
    """Whatever the member did so far was a day ago, and questions about it are due."""
    day = datetime.now(UTC) - timedelta(days=1)
    async with stage.store.session(Scope.all()) as session:
        own = ReadingEvent.member_id == member_of(person)
        await session.execute(update(ReadingEvent).where(own).values(at=day))
        await session.execute(
            update(ReviewRow).where(ReviewRow.member_id == member_of(person)).values(due=day.date())
        )


async def test_what_is_ticked_off_leaves_the_plan_at_once(stage: Stage, person: Person) -> None:
    async with stage.bot():
        shown = await begun(stage, person)
        assert shown.private
        before = await planned(stage, person)
        title = shown.selects[1]["options"][0]["label"]
        await (await person.choose(shown, shown.selects[1]["options"][0]["value"], nth=1)).acknowledged()
        assert await planned(stage, person) == before[1:]
        assert title not in shown.text


async def test_a_note_of_the_plan_opens_beside_it(stage: Stage, person: Person) -> None:
    async with stage.bot():
        shown = await begun(stage, person)
        first = shown.selects[0]["options"][0]
        opened = await (await person.choose(shown, first["value"])).reply()
        assert first["label"] in opened.text


async def test_an_accepted_kernel_leaves_the_plan_and_is_marked_everywhere(stage: Stage, person: Person) -> None:
    async with stage.bot():
        shown = await begun(stage, person, "problem:vector_add")
        channel = shown.channel
        assert "problem:vector_add" in await planned(stage, person)
        await stage.services.submissions.hand_in(Scope(), _kernel(person))
        await stage.until(lambda: _marked(stage, person), "solved")
        assert "problem:vector_add" not in await planned(stage, person)
        zh = person.user.locale == "zh-CN"
        listed = await (await person.run("problems", channel)).reply()
        assert f"✅ **{'向量相加' if zh else 'Vector addition'}**" in listed.text
        progress = await (await person.run("progress", channel)).reply()
        assert ("解出的题目：1 / " if zh else "Problems solved: 1 of ") in progress.text


async def test_a_skipped_week_moves_everything_on_and_can_be_taken_back(stage: Stage, person: Person) -> None:
    async with stage.bot():
        shown = await begun(stage, person)
        before = await planned(stage, person)
        week = (datetime.now(UTC) + timedelta(days=7)).date().isoformat()
        await (await person.press(shown, label(person, "skip"))).acknowledged()
        assert week in shown.text
        assert await planned(stage, person) == before
        await (await person.press(shown, label(person, "resume"))).acknowledged()
        assert label(person, "skip") in shown.buttons
        again = await (await person.run("plan skip", shown.channel)).reply()
        assert week in again.text


async def test_hours_change_and_later_weeks_are_turned_to(stage: Stage, person: Person) -> None:
    async with stage.bot():
        shown = await begun(stage, person, hours=1)
        before = shown.text
        await (await person.press(shown, next(one for one in shown.buttons if one.endswith("›")))).acknowledged()
        assert ("第 2 周" if person.user.locale == "zh-CN" else "Week 2") in shown.text != before
        changed = await (await person.run("plan hours", shown.channel, hours=20)).reply()
        assert "20" in changed.text
        assert not [one for one in changed.buttons if one.endswith("›")]


async def test_review_questions_are_opened_graded_and_asked_again(stage: Stage, person: Person) -> None:
    async with stage.bot():
        shown = await begun(stage, person)
        read = await item_with_terms(stage.store, member_of(person))
        await (await person.choose(shown, f"0|{read}", nth=1)).acknowledged()
        await yesterday(stage, person)
        due = await stage.services.plans.reviews.due(
            member_of(person), "zh" if person.user.locale == "zh-CN" else "en"
        )
        asked = await (await person.run("plan review", shown.channel)).reply()
        assert asked.private
        assert due[0].answer not in asked.text
        for n, question in enumerate(due):
            await (await person.press(asked, label(person, "open"))).acknowledged()
            assert question.answer in asked.text
            await (await person.press(asked, label(person, "wrong" if n else "right"))).acknowledged()
        assert ("今天没有要复习" if person.user.locale == "zh-CN" else "No review question") in asked.text
        assert await stage.services.plans.reviews.due(member_of(person)) == ()


async def test_a_mistake_comes_back_as_a_question_with_the_members_own_line(stage: Stage, person: Person) -> None:
    async with stage.bot():
        finding = Finding("missing-bounds-check", "error", {"en": "Put it inside an if.", "zh": "放进 if 里。"}, 3)
        stage.executor.parts = {"verdict": Kind.MEMORY_ERROR, "findings": (finding,)}
        handed_in = await stage.services.submissions.hand_in(Scope(), _kernel(person))
        await stage.until(lambda: _kind(stage, handed_in), Kind.MEMORY_ERROR)
        await yesterday(stage, person)
        asked = await (await person.run("plan review", stage.place("dm", person))).reply()
        assert "c[i] = a[i] + b[i];" in asked.text
        assert finding.message["zh"] not in asked.text
        await (await person.press(asked, label(person, "open"))).acknowledged()
        assert finding.message["zh" if person.user.locale == "zh-CN" else "en"] in asked.text
        assert ("打开" if person.user.locale == "zh-CN" else "Open") in asked.buttons


async def test_a_plan_is_stopped_after_a_second_word(stage: Stage, person: Person) -> None:
    async with stage.bot():
        shown = await begun(stage, person)
        sure = await (await person.press(shown, label(person, "stop"))).reply()
        assert await planned(stage, person)
        await (await person.press(sure, label(person, "stop"))).reply()
        assert await stage.services.plans.look(Scope(), member_of(person)) is None
        stale = await (await person.press(shown, label(person, "skip"))).reply()
        assert ("还没有计划" if person.user.locale == "zh-CN" else "no plan yet") in stale.text


async def test_a_plan_is_turned_by_its_owner_alone(stage: Stage, place: LocalDiscord, ann: Person) -> None:
    async with stage.bot():
        shown = await begun(stage, ann)
        custom_id = shown.buttons["Skip this week"]["custom_id"]
        assert custom_id.split("|")[2] == str(ann.user.id)


@pytest.mark.parametrize(
    ("typed", "offered"), [("til", "path:tiling"), ("规约", "path:reduction"), ("vector", "problem:vector_add")]
)
async def test_goals_are_offered_while_typing(stage: Stage, person: Person, typed: str, offered: str) -> None:
    async with stage.bot():
        typing = await person.complete("plan start", stage.place("guild", person), "goal", goal=typed)
        assert offered in [value for _, value in await typing.choices()]


async def test_an_unknown_goal_gets_the_nearest_topics(stage: Stage, person: Person) -> None:
    async with stage.bot():
        assert "qwertz" in (await begun(stage, person, "qwertz")).text


def _kernel(person: Person) -> HandIn:
    return HandIn(member_of(person), KERNEL, "vector_add")


async def _kind(stage: Stage, submission: str) -> Kind | None:
    verdict = await stage.services.submissions.verdict(Scope.all(), submission)
    return verdict.verdict if verdict else None


async def _marked(stage: Stage, person: Person) -> str:
    return (await problem_progress(stage.store, member_of(person), ("vector_add",)))["vector_add"]
