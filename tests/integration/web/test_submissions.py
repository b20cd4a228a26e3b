"""What the site shows of a submission, from the form to the board."""

from __future__ import annotations

import asyncio

import pytest

from tests.integration.web.stage import RIGHT, WRONG, Browser, Stage
from tests.unit.knowledge.prediction.test_prediction import WHOLE


async def test_a_wrong_kernel_shows_its_finding_at_its_line_with_what_to_read(browser: Browser) -> None:
    html = await browser.text(await browser.hand_in(WRONG))
    at_line = html.split('id="line-3"')[1].split('id="line-4"')[0]
    assert "The last block has more threads" in at_line
    assert 'class="learn"' in at_line
    assert "/problems/" in at_line or "/notes/" in at_line
    assert "NaN" in html
    assert "hello from the device" in html


async def test_a_right_kernel_shows_its_timing_and_roofline(browser: Browser) -> None:
    page = await browser.hand_in(RIGHT)
    html = await browser.text(page)
    assert "93%" in html
    assert 'alt="Roofline of NVIDIA H200' in html
    async with browser.session.get(f"{page}/roofline.svg") as picture:
        assert (await picture.read()).startswith(b"<?xml")


async def test_two_submissions_are_compared_line_by_line(browser: Browser) -> None:
    first, second = await browser.hand_in(WRONG), await browser.hand_in(RIGHT)
    html = await browser.text(f"{second}?against={first.rsplit('/', 1)[1]}")
    assert '<pre class="removed">' in html
    assert "if (i &lt; n) c[i]" in html.split('class="code diff"')[1]


async def test_progress_comes_by_itself_and_ends_with_the_verdict(browser: Browser, stage: Stage) -> None:
    stage.executor.may_end.clear()
    _, page = await browser.send("/submit", source=RIGHT, problem="vector_add")
    assert "data-live=" in await browser.text(page)
    async with browser.session.get(f"{page}/events") as stream:
        assert (await stream.content.readuntil(b"\n\n")).startswith(b"event: progress")
        stage.executor.may_end.set()
        rest = await stream.text()
    assert rest.rstrip().splitlines()[-2] == "event: verdict"


async def test_a_submission_can_be_cancelled_while_it_waits(browser: Browser, stage: Stage) -> None:
    stage.executor.may_end.clear()
    _, page = await browser.send("/submit", source=RIGHT, problem="vector_add")
    await browser.send(f"{page}/cancel")
    assert "cancelled" in await browser.text(page)


async def test_a_timed_kernel_stands_on_the_board_until_it_is_withdrawn(browser: Browser) -> None:
    page = await browser.hand_in(RIGHT)
    board = await browser.text("/boards/vector_add")
    assert "0.930" in board
    assert "history.svg" in board
    async with browser.session.get("/boards/vector_add/history.svg") as picture:
        assert picture.status == 200
    await browser.send(f"{page}/withdraw")
    assert "Nobody has a timed entry yet" in await browser.text("/boards/vector_add")


async def test_predicted_times_have_a_board_for_every_card_and_language(browser: Browser, stage: Stage) -> None:
    stage.executor.counted = (WHOLE,)
    await browser.hand_in(RIGHT)
    board = await browser.text("/boards/vector_add?on=NVIDIA+A100+80GB+SXM&language=cuda")
    assert "Predicted for one NVIDIA A100 80GB SXM" in board
    assert " ms</td><td>CUDA</td>" in board
    assert "No kernel of this problem has a prediction yet." in await browser.text(
        "/boards/vector_add?language=triton"
    )
    async with browser.session.get("/api/v1/boards/vector_add?predicted=true&card=l40s") as response:
        said = await response.json()
    (place,) = said["standings"]
    assert (said["card"], place["rank"], place["you"], place["language"]) == ("NVIDIA L40S", 1, True, "cuda")
    async with browser.session.get("/api/v1/boards/vector_add") as response:
        assert (await response.json())["standings"][0]["score"] == 0.93
    async with browser.session.get("/api/v1/boards/vector_add?predicted=true&card=abacus") as response:
        assert response.status == 404


@pytest.mark.parametrize(("lang", "title"), [("en", "Vector addition"), ("zh", "向量相加")])
async def test_a_submission_is_called_by_the_title_of_its_problem(browser: Browser, lang: str, title: str) -> None:
    page = await browser.hand_in(RIGHT)
    for path in (page, "/submissions"):
        assert f'<a href="/problems/vector_add">{title}</a>' in await browser.text(f"{path}?lang={lang}"), path


@pytest.mark.parametrize(("lang", "says"), [("en", "cancelled before it was judged"), ("zh", "在评测之前已被取消")])
async def test_what_was_not_judged_says_why_and_claims_no_backend(
    browser: Browser, stage: Stage, lang: str, says: str
) -> None:
    stage.executor.may_end.clear()
    _, page = await browser.send("/submit", source=RIGHT, problem="vector_add")
    await browser.send(f"{page}/cancel")
    html = await browser.text(f"{page}?lang={lang}")
    assert says in html
    assert "Ran on" not in html
    assert "运行于" not in html


async def test_values_are_listed_only_where_some_differ(browser: Browser) -> None:
    assert '<td class="mono">c[32]</td>' in await browser.text(await browser.hand_in(WRONG))
    html = await browser.text(await browser.hand_in(f"// a race\n{WRONG}"))
    assert "n = 33" in html
    assert "Mismatches" not in html


async def test_closing_a_page_ends_its_stream(browser: Browser, stage: Stage) -> None:
    stage.executor.may_end.clear()
    _, page = await browser.send("/submit", source=RIGHT, problem="vector_add")
    stream = await browser.session.get(f"{page}/events")
    await stream.content.readuntil(b"\n\n")
    assert "warpmate_event_streams 1.0" in await browser.text("/metrics")
    stream.close()
    stage.executor.may_end.set()
    async with asyncio.timeout(20), browser.session.get(f"{page}/events") as other:
        await other.text()
    assert "warpmate_event_streams 0.0" in await browser.text("/metrics")
