"""A walk in a browser, both languages: a wrong kernel, hints, accepted, the explanation, the next problem."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.web.test_site import VISITORS
from tests.e2e.web.visit import Scheme, visiting
from tests.integration.web.stage import RIGHT, WRONG, Stage

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.mark.parametrize(("size", "lang", "scheme"), VISITORS)
async def test_from_a_wrong_kernel_to_the_next_problem(
    stage: Stage, chromium: Browser, size: str, lang: str, scheme: Scheme
) -> None:
    async with visiting(chromium, stage.address, size, lang, scheme) as visit:
        page = visit.page
        await visit.open("/problems/vector_add/editorial")
        await expect(page.locator("form[action='/problems/vector_add/give-up']")).to_be_visible()
        await visit.check("give-up")

        await visit.open("/problems/vector_add")
        await visit.write(WRONG)
        await page.click(".editor-form .primary")
        await expect(page.locator(".outcome.bad")).to_be_visible()
        await page.click("a[href='/problems/vector_add#hints']")
        for n in (1, 2):
            await page.click("#hints form button")
            await expect(page.locator("#hints .opened")).to_have_count(n)
        await visit.check("hints")

        await visit.write(RIGHT)
        await page.click(".editor-form .primary")
        await expect(page.locator(".outcome.good")).to_be_visible()
        await expect(page.locator(".after-accepted li")).to_have_count(1)
        await visit.check("after-accepted")

        await page.click(".after-accepted a[href='/problems/vector_add/editorial']")
        await expect(page.locator(".step")).to_have_count(5)
        await page.locator("details summary").first.click()
        await expect(page.locator("details pre").first).to_be_visible()
        await visit.check("editorial")

        await page.go_back()
        following = page.locator(".after-accepted a.primary")
        address = await following.get_attribute("href")
        await following.click()
        await expect(page.locator(f".editor-form input[value='{(address or '').rpartition('/')[2]}']")).to_have_count(
            1
        )
        await visit.open("/progress")
        await expect(page.locator("a[href='/problems/vector_add'] + .tick")).to_be_visible()
