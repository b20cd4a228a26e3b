"""The first minutes of somebody new: `warpmate run` with nothing but the models, in a browser, nothing set up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen

import pytest
from playwright.async_api import Browser, expect
from schemathesis import GenerationMode

from tests import prepared
from tests.e2e.web.visit import Visit, visiting
from tests.integration.warpmate.test_faults import serving
from tests.integration.web.fuzz import statuses_of_requests

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow, pytest.mark.timeout(600)]
PROBLEMS = Path(__file__).parents[3] / "content" / "problems"


def solution(problem: str, name: str) -> str:
    """One that came along; a wrong one without the lines above it that give the mistake away."""
    source = (PROBLEMS / problem / "solutions" / f"{name}.cu").read_text(encoding="utf-8")
    return source.partition("\n\n")[2] if name.startswith("wrong") else source


WRONG, RIGHT = solution("reduce_sum", "wrong/missing_sync"), solution("reduce_sum", "right/two_pass")
WALKS = [
    ("desktop", "en", "sigmoid", "missing_minus", "simple", "Every wrong element of y is 1 - r"),
    ("desktop", "zh", "saxpy_strided", "stride_forgotten", "simple", "stride 不小于 2 时出错"),
    ("phone", "en", "vector_add", "first_block_only", "simple", "elements of c were never written, from 256 on"),
    ("phone", "zh", "matrix_add", "missing_columns", "two_dimensional", "个元素从未写入"),
]
INDEX_WITHIN_MS = 300_000
QUESTIONS = {"en": "How do I avoid bank conflicts?", "zh": "怎样避免存储体冲突？"}
READY = {"en": "questions can be answered now", "zh": "现在可以提问了"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Popen[str], str]]:
    folder = tmp_path_factory.mktemp("data")
    prepared.give_models(tmp_path_factory, folder)
    with serving(folder) as process_and_address:
        yield process_and_address


@pytest.fixture(scope="module")
def address(house: tuple[Popen[str], str]) -> str:
    return house[1]


@pytest.fixture(scope="module")
def ready(house: tuple[Popen[str], str]) -> str:
    """The address, once questions can be answered there."""
    process, address = house
    assert any("library is ready" in line for line in process.stdout or ())
    return address


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_a_newcomer_asks_reads_and_mends_a_kernel(address: str, chromium: Browser, lang: str) -> None:
    async with visiting(chromium, address, "desktop", lang) as visit:
        page = visit.page
        await visit.open("/")
        if await page.locator("[data-preparing]").count():
            await visit.check("newcomer-preparing")
            await expect(page.locator("[data-preparing]")).to_contain_text(READY[lang], timeout=INDEX_WITHIN_MS)

        await page.fill("#question", QUESTIONS[lang])
        await page.click("#flow-ask ~ form button")
        await expect(page.locator("blockquote").first).to_be_visible()
        await expect(page.locator("mark").first).to_be_attached()
        await visit.picture("newcomer-ask")

        await page.click(".brand")
        await page.fill("#topic", "shared memory")
        await page.click("#flow-recommend ~ form button")
        await expect(page.locator(".reading").first).to_be_visible()
        await visit.picture("newcomer-recommend")
        await page.locator(".reading-title a").first.click()
        await expect(page).to_have_url(re.compile("/(notes|problems|readings)/"))

        await page.click("nav a[href='/problems']")
        await page.click("a[href='/problems/reduce_sum']")
        await hand_in(visit, WRONG)
        await expect(page.locator(".line.hit + .finding").first).to_be_visible()
        await page.locator(".line.hit").first.scroll_into_view_if_needed()
        await visit.picture("newcomer-wrong")
        await visit.check("newcomer-submission")

        await page.click(".after .primary")
        await hand_in(visit, RIGHT)
        await expect(page.locator(".outcome.good")).to_be_visible()
        await visit.check("newcomer-right")

        await visit.open("/progress")
        await expect(page.locator("li a[href='/problems/reduce_sum']")).to_be_visible()
        await page.click("a[href='/plan']")
        await page.select_option("#goal", "path:reduction")
        await page.click("form[action='/plan'] .primary")
        await expect(page.locator(".stop a[href='/notes/thread-hierarchy']")).to_be_visible()
        await expect(page.locator(".stop a[href='/problems/reduce_sum']")).to_have_count(0)
        await visit.check("newcomer-plan")
        await page.click("form[action='/plan/stop'] button")


@pytest.mark.parametrize(("size", "lang", "problem", "wrong", "right", "pattern"), WALKS)
async def test_from_a_wrong_kernel_over_its_pattern_and_a_hint_to_the_next_problem(
    address: str, chromium: Browser, size: str, lang: str, problem: str, wrong: str, right: str, pattern: str
) -> None:
    """Everybody here is the one member of this machine, so each walk has a problem of its own."""
    async with visiting(chromium, address, size, lang, "dark" if size == "phone" else "light") as visit:
        page = visit.page
        await visit.open("/problems?mark=new")
        await page.click(f"a[href='/problems/{problem}']")
        await hand_in(visit, mistaken := solution(problem, f"wrong/{wrong}"))
        await expect(page.locator(".outcome.bad")).to_be_visible()
        await expect(page.locator(".finding", has_text=pattern)).to_be_visible()
        await page.click(".after .primary")
        await expect(page.locator(".finding", has_text=pattern)).to_be_visible()
        await visit.check("walk-again")

        await page.click("#hints form button")
        await expect(page.locator("#hints .opened")).to_have_count(1)
        assert await visit.written() == mistaken
        await visit.write(solution(problem, f"right/{right}"))
        await page.keyboard.press("Control+Enter")
        await expect(page.locator(".outcome.good")).to_be_visible(timeout=60_000)
        following = await page.locator(".after-accepted a.primary").get_attribute("href")
        await page.click(f".after-accepted a[href='/problems/{problem}/editorial']")
        await expect(page.locator(".step").first).to_be_visible()
        await visit.check("walk-editorial")
        await page.go_back()
        await page.click(".after-accepted a.primary")
        await expect(page).to_have_url(f"{address}{following}")
        await expect(page.locator(".cm-content")).to_be_visible()
        await visit.open("/progress")
        await expect(page.locator(f"a[href='/problems/{problem}'] + .tick")).to_be_visible()


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
async def test_the_api_of_the_whole_house_never_breaks(ready: str, mode: GenerationMode) -> None:
    """Over the real index, queue and worker."""
    statuses = await statuses_of_requests(ready, mode)
    assert len(statuses) > 40
    assert [status for status in statuses if status >= 500] == []


async def hand_in(visit: Visit, source: str) -> None:
    await visit.write(source)
    await visit.page.click(".editor-form .primary")
    await expect(visit.page.locator(".outcome")).to_be_visible(timeout=60_000)
