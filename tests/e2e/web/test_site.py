"""Every page and flow in a real browser: both languages, phone and desktop, light and dark, by keyboard, with axe."""

from __future__ import annotations

import dataclasses

import pytest
from playwright.async_api import Browser, expect

from knowledge.ask.answer import Composed
from tests.e2e.web.visit import Scheme, visiting
from tests.integration.web.stage import QUOTE, RIGHT, WRONG, Stage, stored_kernel

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow, pytest.mark.timeout(300)]
PAGES = {
    "home": "/",
    "ask": "/ask",
    "recommend": "/recommend?level=beginner&topic=cuda-basics",
    "readings": "/readings?topic=shared-memory",
    "reading": "/readings/gpu-mode-discord",
    "reading-contents": "/readings/shared-page",
    "note": "/notes/bank-conflicts",
    "path": "/path/bank-conflicts",
    "problems": "/problems",
    "problem": "/problems/vector_add",
    "submit": "/submit",
    "boards": "/boards",
    "calc": "/calc",
    "calc-conv": "/calc/conv",
    "terms": "/terms?q=memory",
    "term": "/terms/coalesced-access",
    "cards": "/cards?card=h100&card=a100&card=rtx+4090&card=mi300x&sort=bandwidth_gb_per_s",
    "calc-receptive": "/calc/receptive-field",
    "progress": "/progress",
    "gaps": "/gaps",
    "status": "/status",
    "admin": "/admin",
    "api": "/api",
}
VISITORS = [
    ("desktop", "en", "light"), ("desktop", "zh", "dark"), ("phone", "en", "dark"), ("phone", "zh", "light"),
]  # fmt: skip


@pytest.mark.parametrize(("size", "lang", "scheme"), VISITORS)
async def test_every_page_is_sound(stage: Stage, chromium: Browser, size: str, lang: str, scheme: Scheme) -> None:
    await stored_kernel(stage.store, "shared-page", "vector_add", RIGHT, "compiled")
    async with visiting(chromium, stage.address, size, lang, scheme) as visit:
        for label, path in PAGES.items():
            await visit.open(path)
            await expect(visit.page.locator("html")).to_have_attribute("lang", "zh-Hans" if lang == "zh" else "en")
            await visit.check(label)


async def test_what_a_language_model_writes_appears_sentence_by_sentence(stage: Stage, chromium: Browser) -> None:
    question = "How do I avoid bank conflicts?"
    sure = stage.asker.answers[question]
    sentences = (Composed("Pad <b>it.", 1), Composed("Then read.", 1))
    stage.asker.grown[question] = [dataclasses.replace(sure, composed=sentences[:n]) for n in (1, 2)]
    stage.asker.may_write.clear()
    async with visiting(chromium, stage.address, "phone", "en", "light") as visit:
        await visit.open("/ask")
        await visit.page.fill("#question", question)
        await visit.page.click("form.stack button")
        await expect(visit.page.locator("blockquote")).to_contain_text(QUOTE)
        await expect(visit.page.locator("[data-composing]")).to_contain_text("A language model is writing")
        await visit.check("composing")
        stage.asker.may_write.set()
        await expect(visit.page.locator("p.composed")).to_contain_text("Pad <b>it. [1] Then read. [1]")
        await expect(visit.page.locator("[data-composing]")).to_have_count(0)


@pytest.mark.parametrize(("size", "lang", "scheme"), VISITORS)
async def test_the_three_services(stage: Stage, chromium: Browser, size: str, lang: str, scheme: Scheme) -> None:
    async with visiting(chromium, stage.address, size, lang, scheme) as visit:
        page = visit.page
        await visit.open("/")
        await page.fill("#question", "How do I avoid bank conflicts?")
        await page.click("#flow-ask ~ form button")
        await expect(page.locator("blockquote")).to_contain_text(QUOTE)
        await expect(page.locator("blockquote mark")).to_have_text(QUOTE)
        await visit.check("answer")
        await page.fill("#question", "What is the airspeed of a swallow?")
        await page.click(".follow button")
        await expect(page.locator(".refusal")).to_be_visible()
        await visit.check("refusal")

        await visit.open("/recommend?level=beginner&topic=cuda-basics")
        first = page.locator(".reading").first
        title = await first.locator(".reading-title").inner_text()
        await first.locator("button[value=read]").click()
        await expect(page.locator(".reading-title", has_text=title)).to_have_count(0)

        await visit.open("/problems/vector_add")
        await visit.write(WRONG)
        await page.click(".editor-form .primary")
        await expect(page.locator("#line-3 + .finding")).to_be_visible()
        await visit.check("submission-wrong")
        await page.click(".after .primary")
        assert await visit.written() == WRONG
        await visit.check("workshop-again")
        await visit.write(RIGHT)
        await page.click(".editor-form .primary")
        await expect(page.locator(".outcome.good")).to_be_visible()
        await visit.check("submission-right")
        await page.click("button:near(#against) >> nth=0")
        await expect(page.locator(".diff .added")).to_have_count(1)
        await visit.check("submission-compared")
        await visit.open("/submissions")
        await visit.check("submissions")
        await visit.open("/boards/vector_add")
        await visit.check("board")


async def test_progress_is_shown_live(stage: Stage, chromium: Browser) -> None:
    async with visiting(chromium, stage.address, "desktop", "en") as visit:
        stage.executor.may_end.clear()
        await visit.open("/problems/vector_add")
        await visit.page.click(".editor-form .primary")
        await expect(visit.page.locator("[data-stage].now")).to_have_count(1)
        await visit.check("waiting")
        stage.executor.may_end.set()
        await expect(visit.page.locator(".outcome")).to_be_visible()


async def test_a_page_whose_stream_was_refused_looks_again_by_itself(stage: Stage, chromium: Browser) -> None:
    """As when too many pages watch at once."""
    async with visiting(chromium, stage.address, "desktop", "en") as visit:
        stage.executor.may_end.clear()
        await visit.page.route("**/events", lambda route: route.fulfill(status=429))
        await visit.open("/problems/vector_add")
        await visit.write(RIGHT)
        async with visit.page.expect_response("**/events"):
            await visit.page.click(".editor-form .primary")
        stage.executor.may_end.set()
        await expect(visit.page.locator(".outcome.good")).to_be_visible(timeout=30_000)


async def test_a_question_is_asked_by_keyboard_alone(stage: Stage, chromium: Browser) -> None:
    async with visiting(chromium, stage.address, "desktop", "en") as visit:
        page = visit.page
        await visit.open("/ask")
        await page.keyboard.press("Tab")
        await expect(page.locator(".skip")).to_be_focused()
        await page.keyboard.press("Enter")
        await page.keyboard.press("Tab")
        await expect(page.locator("#question")).to_be_focused()
        await page.keyboard.type("How do I avoid bank conflicts?")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await expect(page.locator("blockquote")).to_be_visible()


@pytest.mark.parametrize("path", ["/readings", "/recommend", "/calc/conv"])
async def test_controls_of_a_form_are_equally_high(stage: Stage, chromium: Browser, path: str) -> None:
    async with visiting(chromium, stage.address, "desktop", "en") as visit:
        await visit.open(path)
        heights = await visit.page.eval_on_selector_all(
            ".filters :is(input:not([type=checkbox], [type=radio]), select, button)",
            "controls => [...new Set(controls.map(control => control.getBoundingClientRect().height))]",
        )
        assert len(heights) == 1


async def test_the_buttons_of_the_three_flows_stand_level(stage: Stage, chromium: Browser) -> None:
    async with visiting(chromium, stage.address, "desktop", "en") as visit:
        await visit.open("/")
        bottoms = await visit.page.eval_on_selector_all(
            ".flows :is(button, .button)",
            "buttons => [...new Set(buttons.map(button => Math.round(button.getBoundingClientRect().bottom)))]",
        )
        assert len(bottoms) == 1


async def test_a_phone_scrolls_a_drawing_and_does_not_shrink_it(stage: Stage, chromium: Browser) -> None:
    async with visiting(chromium, stage.address, "phone", "zh") as visit:
        await visit.open("/calc/conv")
        drawing = visit.page.locator(".picture img")
        shown = await drawing.bounding_box()
        assert shown is not None
        assert shown["width"] == int(await drawing.get_attribute("width") or 0)


async def test_a_kernel_is_judged_without_javascript(stage: Stage, chromium: Browser) -> None:
    """The waiting page looks again by itself."""
    async with await chromium.new_context(java_script_enabled=False) as context:
        page = await context.new_page()
        stage.executor.may_end.clear()
        await page.goto(f"{stage.address}/problems/vector_add")
        await page.fill("#source", RIGHT)
        await page.click(".editor-form .primary")
        await expect(page.locator(".stage")).to_be_visible()
        stage.executor.may_end.set()
        await expect(page.locator(".outcome.good")).to_be_visible(timeout=30_000)


async def test_the_site_reads_and_asks_without_javascript(stage: Stage, chromium: Browser) -> None:
    async with await chromium.new_context(java_script_enabled=False) as context:
        page = await context.new_page()
        await page.goto(f"{stage.address}/ask")
        await page.fill("#question", "How do I avoid bank conflicts?")
        await page.click("button.primary")
        await expect(page.locator("blockquote")).to_contain_text(QUOTE)
