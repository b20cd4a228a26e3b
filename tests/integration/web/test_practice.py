"""Hints, giving up, the explanation and what comes after *accepted*, as a visitor meets them."""

from __future__ import annotations

import pytest

from tests.integration.web.stage import RIGHT, WRONG, Browser


async def test_hints_open_one_by_one(browser: Browser) -> None:
    assert "Open hint 1 of 3" in await browser.text("/problems/softmax?lang=en")
    status, _ = await browser.send("/problems/softmax/hints", number="2")
    assert status == 403
    assert (await browser.send("/problems/softmax/hints", number="1")) == (303, "/problems/softmax#hints")
    page = await browser.text("/problems/softmax?lang=zh")
    assert "提示 1 / 3" in page
    assert "打开提示 2 / 3" in page


@pytest.mark.parametrize("number", ["", "0", "4", "x", "1\n", "9" * 400])
async def test_a_number_that_no_page_offers_is_refused(browser: Browser, number: str) -> None:
    status, _ = await browser.send("/problems/softmax/hints", number=number)
    assert status == 422


async def test_a_form_without_its_token_opens_nothing(browser: Browser) -> None:
    for path in ("/problems/softmax/hints", "/problems/softmax/give-up"):
        async with browser.session.post(path, data={"number": "1"}) as response:
            assert response.status == 403
    assert "Open hint 1 of 3" in await browser.text("/problems/softmax?lang=en")


async def test_whoever_has_not_solved_it_is_asked_before_the_explanation_opens(browser: Browser) -> None:
    asked = await browser.text("/problems/softmax/editorial?lang=en")
    assert "Give up “Softmax along the rows”?" in asked
    assert "__global__" not in asked
    assert (await browser.send("/problems/softmax/give-up")) == (303, "/problems/softmax/editorial")
    told = await browser.text("/problems/softmax/editorial?lang=zh")
    assert "row_in_registers.cu" in told
    assert "达到上限的" in told
    assert "NVIDIA H200" in told


async def test_after_accepted_there_is_what_is_left_a_next_problem_and_the_explanation(browser: Browser) -> None:
    failed = await browser.text(f"{await browser.hand_in(WRONG)}?lang=en")
    assert '/problems/vector_add#hints"' in failed
    assert "/editorial" not in failed
    page = await browser.hand_in(RIGHT)
    told = await browser.text(f"{page}?lang=en")
    assert "n=134217728: 412.0 µs, where the NVIDIA H200 could do it in 383.2 µs: 7% of the time is left." in told
    assert "Solved: 1 of " in told
    assert "It builds on “Vector addition”" in told
    assert "还有 7% 的时间可以省" in await browser.text(f"{page}?lang=zh")
    assert "Weeks in a row with a newly solved problem: 1." in told
    assert "你连续 1 周都有新题解出" in await browser.text("/progress?lang=zh")
    assert "grid_stride.cu" in await browser.text("/problems/vector_add/editorial")


async def test_an_unknown_problem_has_no_explanation(browser: Browser) -> None:
    await browser.text("/problems/none/editorial", 404)
    status, _ = await browser.send("/problems/none/give-up")
    assert status == 404
