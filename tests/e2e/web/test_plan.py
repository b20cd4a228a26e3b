"""A plan in a browser, both languages, phone and desktop: from the form to a question that was answered."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import pytest
from playwright.async_api import Browser, expect
from sqlalchemy import update

from knowledge.store import Scope
from knowledge.store.tables import ReadingEvent, ReviewRow
from tests.e2e.web.test_site import VISITORS
from tests.e2e.web.visit import Scheme, visiting
from tests.integration.web.stage import MEMBER, RIGHT, WRONG, Stage
from tests.plans import item_with_terms
from web.render import reading_page

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow, pytest.mark.timeout(300)]


async def a_day_passes(stage: Stage) -> None:
    day = datetime.now(UTC) - timedelta(days=1)
    async with stage.store.session(Scope.all()) as session:
        await session.execute(update(ReadingEvent).where(ReadingEvent.member_id == MEMBER).values(at=day))
        await session.execute(update(ReviewRow).where(ReviewRow.member_id == MEMBER).values(due=day.date()))


@pytest.mark.parametrize(("size", "lang", "scheme"), VISITORS)
async def test_a_plan_from_its_form_to_its_review_questions(
    stage: Stage, chromium: Browser, size: str, lang: str, scheme: Scheme
) -> None:
    async with visiting(chromium, stage.address, size, lang, scheme) as visit:
        page = visit.page
        await visit.open("/path/shared-memory")
        await page.click("a[href='/plan?goal=path:shared-memory']")
        await expect(page.locator("#goal")).to_have_value("path:shared-memory")
        await visit.check("plan-form")
        await page.fill("#hours", "1")
        await page.click("form[action='/plan'] .primary")
        await expect(page.locator(".stop").nth(1)).to_be_visible()
        await visit.check("plan")

        read = await item_with_terms(stage.store, MEMBER)
        await page.click(f"form[action='/readings/{quote(read, safe='')}/events'] button[value=read]")
        await expect(page.locator(f".stop a[href='{reading_page(read)}']")).to_have_count(0)

        await visit.open("/problems/vector_add")
        for source, tone in ((WRONG, "bad"), (RIGHT, "good")):
            await visit.write(source)
            await page.click(".editor-form .primary")
            await expect(page.locator(f".outcome.{tone}")).to_be_visible()
            await visit.open("/problems/vector_add")
        await visit.open("/problems")
        await expect(
            page.locator(".card", has=page.locator("a[href='/problems/vector_add']")).locator(".tick")
        ).to_be_visible()
        await visit.check("problems-marked")
        await visit.open("/progress")
        await expect(page.locator("li a[href='/problems/vector_add']")).to_be_visible()
        await visit.check("progress-solved")

        await visit.open("/plan")
        await expect(page.locator(".stop a[href='/problems/vector_add']")).to_have_count(0)
        await page.click("form[action='/plan/skip'] button")
        await expect(page.locator("form[action='/plan/resume']")).to_be_visible()
        await visit.check("plan-skipped")
        await page.click("form[action='/plan/resume'] button")
        await page.fill("#hours-now", "30")
        await page.click("form[action='/plan/hours'] button")
        await expect(page.locator(".stop")).to_have_count(1)

        await a_day_passes(stage)
        await visit.open("/plan")
        await page.click("a.primary[href='/plan/review']")
        kinds = set()
        while await page.locator(".solution").count():
            kinds.add("code" if await page.locator("pre.code").count() else "term")
            await visit.check(f"review-{len(kinds)}")
            await expect(page.locator("button[value=yes]")).to_be_hidden()
            await page.click(".solution summary")
            await visit.check(f"review-{len(kinds)}-open")
            await page.click("button[value=yes]")
            await expect(page.locator("[role=status]")).to_be_visible()
        assert kinds == {"code", "term"}
        await visit.check("review-none")

        await visit.open("/plan")
        await page.click("form[action='/plan/stop'] button")
        await expect(page.locator("form[action='/plan'] .primary")).to_be_visible()
