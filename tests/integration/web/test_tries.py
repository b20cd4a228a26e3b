"""Try, beside Submit: the form, the page of what was seen, and that it counts for nothing."""

from __future__ import annotations

import re

import pytest

from tests.integration.web.stage import RIGHT, WRONG, Browser, Stage

TAGS = re.compile(r"<(?:script(?![^>]* src=\"/static/)|img(?=[^>]*onerror))", re.IGNORECASE)


async def tried(browser: Browser, **fields: str) -> str:
    """The address of a try's page, once it is over."""
    status, page = await browser.send("/try", **{"source": WRONG, "problem": "vector_add", **fields})
    assert status == 303, page
    async with browser.session.get(f"{page}/events") as stream:
        assert "event: verdict" in await stream.text()
    return page


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_the_page_of_a_try_shows_all_that_was_seen(browser: Browser, lang: str) -> None:
    page = await tried(browser, sizes="n=3", typed="a=1,2,3 b=0,0.5,0", element="c[1]", seed="4")
    html = await browser.text(f"{page}?lang={lang}")
    outputs = html.split("<tbody>")[1].split("</tbody>")[0]
    assert '<tr class="wrong"><th scope="row" class="mono">c[1]</th>' in outputs
    assert re.findall(r'right">([^<]*)</td>', outputs)[2:4] == ["NaN", "2.5"]
    assert "b is 0.5" in html
    assert {"en": "by thread (1, 0, 0)", "zh": "线程（1, 0, 0）"}[lang] in html
    assert {"en": "parts a warp 2 times", "zh": "分支发散 2 次"}[lang] in html.split('id="line-3"')[1].split(
        'id="line-4"'
    )[0]
    picture = html.split("<svg")[1].split("</svg>")[0]
    assert picture.count("<rect") == 32
    assert picture.count('class="conflict"') == 1
    assert "×32" in picture
    assert "add.f32 %f3, %f1, %f2;" in html
    assert "FADD R9, R4, R3" in html
    assert '<td class="right">18</td><td class="right">8 B</td>' in html
    assert "style=" not in html
    assert html.count("<h1") == 1


async def test_a_try_is_no_attempt_solves_nothing_and_stands_in_no_list(browser: Browser) -> None:
    page = await tried(browser, source=RIGHT, sizes="n=3")
    assert page not in await browser.text("/submissions")
    assert page not in await browser.text("/problems/vector_add")
    assert "0.930" not in await browser.text("/boards/vector_add")
    assert "/submissions/" not in await browser.text("/progress")


async def test_without_sizes_a_try_runs_on_the_ones_that_the_form_names(browser: Browser) -> None:
    form = (await browser.text("/problems/vector_add")).split('class="trying"')[1]
    offered = form.split('placeholder="')[1].split('"')[0]
    assert offered == "n=1000"
    assert f'class="lead mono">{offered} · uniform</p>' in await browser.text(await tried(browser))


async def test_one_goes_on_from_a_try_with_its_code_and_what_it_ran_on(browser: Browser) -> None:
    page = await tried(
        browser, source="// mine\n" + WRONG, sizes="n=33", typed="a=1", values="ones", element="c[5]", line="3"
    )
    again = await browser.text(f"/problems/vector_add?again={page.rsplit('/', 1)[1]}")
    assert "// mine" in again.split("<textarea")[1]
    form = again.split('class="trying"')[1]
    assert form.startswith(" open")
    for kept in ('value="n=33"', ">a=1</textarea>", '<option value="ones" selected>', 'value="c[5]"', 'value="3"'):
        assert kept in form
    assert page in again


async def test_a_case_that_went_wrong_is_offered_and_tried_again(browser: Browser) -> None:
    assert 'name="case"' not in await browser.text("/problems/vector_add")
    await browser.hand_in(WRONG)
    assert '<option value="1">n=33, uniform' in await browser.text("/problems/vector_add")
    assert "n=33 · uniform" in await browser.text(await tried(browser, case="1"))
    assert "n=33 · zeros" in await browser.text(await tried(browser, case="1", values="zeros"))
    assert "n=4 · uniform" in await browser.text(await tried(browser, case="1", sizes="n=4"))


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"sizes": "n=0"}, 422, "n = 0 cannot be tried"),
        ({"sizes": "n=65537"}, 422, "65537"),
        ({"sizes": "33"}, 422, "n=33 or rows=4"),
        ({"case": "3"}, 422, "no wrong case number 3"),
        ({"typed": "a=1e999"}, 422, "finite"),
        ({"element": "c"}, 422, "out[5]"),
        ({"seed": "-1"}, 422, "seed"),
        ({"line": "x"}, 422, "line"),
        ({"problem": "nothing"}, 404, ""),
        ({"source": ""}, 422, ""),
    ],
)
async def test_what_is_typed_wrong_is_told_and_nothing_is_run(
    browser: Browser, fields: dict[str, str], status: int, said: str
) -> None:
    form = {"token": await browser.token(), "source": WRONG, "problem": "vector_add", "sizes": "n=3", **fields}
    async with browser.session.post("/try?lang=en", data=form, allow_redirects=False) as response:
        html = await response.text()
        assert (response.status, said in html) == (status, True), html[-900:]


async def test_a_form_without_its_token_is_refused(browser: Browser) -> None:
    async with browser.session.post("/try", data={"source": WRONG, "problem": "vector_add"}) as response:
        assert response.status == 403


async def test_hostile_names_and_source_stay_text_on_the_page_of_a_try(browser: Browser) -> None:
    page = await tried(
        browser, source="</textarea><script>alert(1)</script><img src=x onerror=alert(1)>\n" + WRONG, sizes="n=3"
    )
    for address in (page, f"/problems/vector_add?again={page.rsplit('/', 1)[1]}"):
        assert not TAGS.search(await browser.text(address))


async def test_where_triton_is_written_nothing_is_offered_to_try(browser: Browser) -> None:
    assert "data-try" in await browser.text("/problems/transpose")
    assert "data-try" not in await browser.text("/problems/transpose?in=triton")
    assert "data-try" not in await browser.text("/submit")


async def test_a_try_that_was_not_run_says_why(browser: Browser, stage: Stage) -> None:
    stage.executor.may_end.clear()
    _, page = await browser.send("/try", source=WRONG, problem="vector_add", sizes="n=3")
    waiting = await browser.text(page)
    assert "data-live=" in waiting
    await browser.send(f"{page}/cancel")
    ended = await browser.text(page)
    assert "cancelled" in ended
    assert "<svg" not in ended.split("</header>")[-1]
