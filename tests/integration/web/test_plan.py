"""The plan's forms and the JSON API over real parts: each change, each refusal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update

from knowledge.store import Scope
from knowledge.store.tables import ReadingEvent
from tests.integration.web.stage import MEMBER, RIGHT, WRONG, Browser, Stage
from tests.plans import item_with_terms


async def posted(browser: Browser, path: str, status: int = 200, **body: Any) -> dict[str, Any]:
    async with browser.session.post(path, json=body) as response:
        told: dict[str, Any] = await response.json()
        assert response.status == status, told
        return told


async def got(browser: Browser, path: str, status: int = 200) -> dict[str, Any]:
    async with browser.session.get(path) as response:
        told: dict[str, Any] = await response.json()
        assert response.status == status, told
        return told


def items(plan: dict[str, Any]) -> list[str]:
    return [part["reading"]["resource_id"] for week in plan["weeks"] for part in week["parts"]]


async def a_day_passes(stage: Stage) -> None:
    day = datetime.now(UTC) - timedelta(days=1)
    async with stage.store.session(Scope.all()) as session:
        await session.execute(update(ReadingEvent).where(ReadingEvent.member_id == MEMBER).values(at=day))


async def test_a_plan_is_made_read_off_changed_and_stopped_by_forms(browser: Browser, stage: Stage) -> None:
    assert "problem:matmul" in await browser.text("/plan?goal=problem:matmul")
    assert await browser.send("/plan", goal="problem:matmul", hours="2", level="beginner") == (303, "/plan")
    page = await browser.text("/plan?lang=zh")
    assert "学习计划：解出“" in page
    assert (await browser.send("/readings/note:tiling/events", event="read", back="/plan"))[0] == 303
    plan = await stage.services.plans.look(Scope(), MEMBER)
    assert plan is not None
    assert [one.resource_id for one in plan.done] == ["note:tiling"]
    week = plan.weeks[0].starts_on
    for _ in range(2):
        assert (await browser.send("/plan/skip", week=week.isoformat()))[0] == 303
    after = await stage.services.plans.look(Scope(), MEMBER)
    assert after is not None
    assert after.pauses_until == week + timedelta(days=7)
    assert (await browser.send("/plan/resume"))[0] == 303
    assert (await browser.send("/plan/hours", hours="40"))[0] == 303
    assert (await browser.text("/plan?lang=en")).count('<li class="stop">') == 1
    assert (await browser.send("/plan/stop"))[0] == 303
    assert await stage.services.plans.look(Scope(), MEMBER) is None


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/plan", {"goal": "tiling", "hours": "0", "level": "beginner"}),
        ("/plan", {"goal": "tiling", "hours": "many", "level": "beginner"}),
        ("/plan", {"goal": "tiling", "hours": "3", "level": "wizard"}),
        ("/plan", {"goal": "qwertz", "hours": "3", "level": "beginner"}),
        ("/plan/skip", {"week": "next"}),
        ("/plan/skip", {"week": "2026-11-23"}),
        ("/plan/part", {"item": "note:tiling", "reached": "10"}),
        ("/plan/hours", {"hours": "3"}),
        ("/plan/stop", {}),
        ("/plan/review", {"question": "term:warp", "right": "yes"}),
    ],
)
async def test_what_cannot_be_done_is_refused_in_one_sentence(
    browser: Browser, path: str, fields: dict[str, str]
) -> None:
    status, _ = await browser.send(path, **fields)
    assert 400 <= status < 500


async def test_the_api_has_the_whole_of_it(browser: Browser, stage: Stage) -> None:
    assert "no plan" in (await got(browser, "/api/v1/plan", 404))["detail"]
    made = await posted(browser, "/api/v1/plan", goal="tiling", hours=2)
    assert (made["goal"], made["level"], made["hours"]) == ("path:tiling", "beginner", 2)
    assert all(week["minutes"] <= 120 for week in made["weeks"])
    assert (await got(browser, "/api/v1/plan?lang=zh"))["weeks"][0]["parts"][0]["reading"]["lang"] == "zh"
    changed = await posted(browser, "/api/v1/plan/changes", change="hours", hours=20)
    assert sorted(items(changed)) == sorted(items(made))
    assert (await posted(browser, "/api/v1/plan/changes", change="skip"))["pauses_until"]
    assert (await posted(browser, "/api/v1/plan/changes", change="resume"))["pauses_until"] is None
    assert "hours" in (await posted(browser, "/api/v1/plan/changes", 422, change="hours"))["detail"]
    await posted(browser, "/api/v1/plan/changes", 404, change="part", item="note:none", reached=5)

    read = await item_with_terms(stage.store, MEMBER)
    await browser.send(f"/readings/{read}/events", event="read", back="/plan")
    assert sorted(items(await got(browser, "/api/v1/plan"))) == sorted(set(items(changed)) - {read})
    assert (await got(browser, "/api/v1/plan/questions"))["questions"] == []
    await a_day_passes(stage)
    first, *others = (await got(browser, "/api/v1/plan/questions?lang=zh"))["questions"]
    assert first["ask"] == "这是哪个术语？"
    assert len(others) == 2
    assert (await posted(browser, "/api/v1/plan/answers", question=first["question"], right=True))["due"]
    assert (await got(browser, "/api/v1/plan/questions"))["questions"][0]["question"] == others[0]["question"]
    await posted(browser, "/api/v1/plan/answers", 404, question=first["question"], right=True)
    assert await posted(browser, "/api/v1/plan/changes", change="stop") == {"stopped": True}
    await got(browser, "/api/v1/plan", 404)


async def test_problems_are_marked_as_solved_tried_and_new(browser: Browser) -> None:
    await browser.hand_in(WRONG)
    assert "○ tried" in await browser.text("/problems?lang=en")
    assert "还没有记录" in await browser.text("/progress?lang=zh")
    await browser.hand_in(RIGHT)
    assert "✓ 已解出" in await browser.text("/problems?lang=zh")
    progress = await browser.text("/progress?lang=en")
    assert "Problems solved: 1 of " in progress
    marks = {one["slug"]: one["mark"] for one in (await got(browser, "/api/v1/problems"))["problems"]}
    assert (marks["vector_add"], marks["matmul"]) == ("solved", "new")
