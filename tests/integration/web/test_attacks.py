"""The site against hostile text, hostile pages, hostile clients and other people's ids."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from urllib.parse import urlsplit

import pytest
from aiohttp import ClientSession

from knowledge.ask.answer import Excerpt
from knowledge.content import Content
from knowledge.submit import HandIn
from knowledge.text.sentences import Span
from tests.integration.web.forms import Form, forms_of
from tests.integration.web.stage import (
    EVERYWHERE,
    PAGE,
    RIGHT,
    WRONG,
    Browser,
    Stage,
    answered,
    staged,
    stored_page,
)
from tests.integration.web.test_pages import PAGES
from tests.stores import migrated_store

EVIL = """"'><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}<svg/onload=alert(1)>"""
TAGS = re.compile(r"<(?:script(?![^>]* src=\"/static/)|img(?=[^>]*onerror)|svg)", re.IGNORECASE)


def harmless(page: str) -> bool:
    return TAGS.search(page) is None and "49<svg" not in page


@pytest.mark.parametrize(
    "path",
    [
        "/ask?q={}",
        "/readings?q={}",
        "/readings?topic={}",
        "/readings?level={}",
        "/recommend?topic={}&level=beginner",
        "/recommend?topic=cuda-basics&minutes={}",
        "/calc/gemm?m={}",
        "/calc/gemm?card={}",
        "/calc/receptive-field?network={}",
        "/path/{}",
        "/notes/{}",
        "/problems/{}",
        "/readings/{}",
        "/boards/vector_add?card={}",
        "/ask/{}",
        "/submissions/{}",
        "/?lang={}",
        "/{}",
    ],
)
async def test_markup_in_an_address_stays_text(browser: Browser, path: str) -> None:
    async with browser.session.get(
        path.format("%22%27%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E%7B%7B7*7%7D%7D")
    ) as response:
        page = await response.text()
        assert response.status < 500
        assert harmless(page)
        assert "{{" not in page or "49" not in page.split("{{")[0][-4:]


async def test_markup_in_a_question_stays_text(browser: Browser, stage: Stage) -> None:
    _, page = await browser.send("/ask", question=EVIL)
    shown = await browser.text(page)
    assert harmless(shown)
    assert "&lt;script&gt;" in shown
    await browser.send(f"{page}/opinion", opinion="wrong")
    assert harmless(await browser.text("/admin"))


async def test_markup_in_a_crawled_page_stays_text(browser: Browser, stage: Stage) -> None:
    snapshot = await stored_page(stage.store, PAGE + EVIL, "evil-page", EVIL)
    answer = answered(snapshot, title=EVIL, section=EVIL, url="javascript:alert(1)")
    hostile = Excerpt(EVIL, len(PAGE), (Span(0, len(EVIL)),), 1)
    stage.asker.answers["evil"] = dataclasses.replace(answer, excerpts=(*answer.excerpts, hostile))
    _, page = await browser.send("/ask", question="evil")
    shown = await browser.text(page)
    assert harmless(shown)
    assert "<mark>&#34;" in shown
    assert "javascript:" not in shown
    for address in ("/readings/evil-page", "/readings?q=script"):
        assert harmless(await browser.text(address))


async def test_markup_in_code_and_its_output_stays_text(browser: Browser) -> None:
    page = await browser.hand_in(f"// {EVIL}\n{WRONG}\n/* {EVIL} */")
    assert harmless(await browser.text(page))
    again = await browser.text(f"/problems/vector_add?again={page.rsplit('/', 1)[1]}")
    assert harmless(again)
    assert harmless(await browser.text(f"{page}?against={page.rsplit('/', 1)[1]}"))


async def test_code_that_closes_the_editor_stays_in_it(browser: Browser) -> None:
    page = await browser.hand_in("</textarea><script>alert(1)</script>\n" + WRONG)
    assert harmless(await browser.text(f"/problems/vector_add?again={page.rsplit('/', 1)[1]}"))


async def every_form(browser: Browser) -> list[Form]:
    """One of each kind, of all pages together."""
    _, answer = await browser.send("/ask", question="no answer to this")
    submission = await browser.hand_in(WRONG)
    forms = [form for path in (*PAGES, answer, submission) for form in forms_of(await browser.text(path))]
    return list({(form.method, form.action.split("?")[0], *sorted(form.fields)): form for form in forms}.values())


async def test_markup_in_any_field_of_any_form_stays_text(browser: Browser) -> None:
    forms = await every_form(browser)
    sent = 0
    for form in forms:
        for name in sorted(form.free - {"token"}):
            fields = form.fields | {name: EVIL}
            how = {"params": fields} if form.method == "get" else {"data": fields | {"token": await browser.token()}}
            async with browser.session.request(form.method, form.action, **how) as response:
                assert response.status < 500, (form, name)
                assert harmless(await response.text()), (form, name)
                sent += response.status != 429
    assert sent > 20
    for path in PAGES:
        assert harmless(await browser.text(path)), path


async def test_every_form_that_changes_something_is_worth_nothing_without_its_token(browser: Browser) -> None:
    forms = [form for form in await every_form(browser) if form.method == "post"]
    assert len(forms) > 10
    for form in forms:
        async with browser.session.post(form.action, data=form.fields | {"token": "0" * 64}) as response:
            assert response.status in {403, 429}, form


async def test_every_response_forbids_what_is_not_ours(browser: Browser) -> None:
    for path in ("/", "/nothing-here", "/static/site.css", "/api/v1/problems", "/calc/gemm?m=x"):
        async with browser.session.get(path) as response:
            policy = response.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            assert response.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("token", ["", "0" * 64, "é"])
async def test_a_form_without_our_token_changes_nothing(browser: Browser, stage: Stage, token: str) -> None:
    await browser.token()
    async with browser.session.post("/ask", data={"question": "why?", "token": token}) as response:
        assert response.status == 403
    assert stage.asker.asked == []


async def test_a_token_of_another_session_is_worthless(browser: Browser, stage: Stage) -> None:
    async with stage.browser() as other:
        token = await other.token()
    await browser.token()
    async with browser.session.post("/ask", data={"question": "why?", "token": token}) as response:
        assert response.status == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
async def test_a_page_of_another_origin_is_turned_away(
    browser: Browser, stage: Stage, headers: dict[str, str]
) -> None:
    form = {"question": "why?", "token": await browser.token()}
    async with browser.session.post("/ask", data=form, headers=headers) as response:
        assert response.status == 403
    async with browser.session.post("/api/v1/ask", json={"question": "why?"}, headers=headers) as response:
        assert response.status == 403
    assert stage.asker.asked == []


async def test_json_cannot_be_sent_as_plain_text(browser: Browser, stage: Stage) -> None:
    body = b'{"question": "why?"}'
    async with browser.session.post("/api/v1/ask", data=body, headers={"Content-Type": "text/plain"}) as response:
        assert response.status == 403
    assert stage.asker.asked == []


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "", "localhost@evil"]
)
async def test_a_name_that_was_pointed_at_us_is_turned_away(stage: Stage, host: str) -> None:
    async with ClientSession(stage.address) as session, session.get("/", headers={"Host": host}) as response:
        assert response.status in {400, 421}


async def test_a_planted_session_is_replaced(stage: Stage) -> None:
    planted = {"Cookie": "warpmate_session=chosen-by-somebody.0000"}
    async with ClientSession(stage.address) as session, session.get("/ask", headers=planted) as response:
        given = response.cookies["warpmate_session"]
        assert not given.value.startswith("chosen")
        assert given["httponly"]
        assert given["samesite"] == "Strict"


async def test_other_peoples_submissions_do_not_exist(browser: Browser, stage: Stage) -> None:
    theirs = await stage.services.submissions.hand_in(EVERYWHERE, HandIn("discord:7", RIGHT, "vector_add"))
    missing = await browser.text("/submissions/01ARZ3NDEKTSV4RRFFQ69G5FAV", status=404)
    paths = ("", "/events", "/source.cu", "/roofline.svg")
    for path in paths:
        shown = await browser.text(f"/submissions/{theirs}{path}", status=404)
        assert "vector_add" not in shown
    assert (
        shown.replace(theirs, "") == missing.replace("01ARZ3NDEKTSV4RRFFQ69G5FAV", "")
        or "no such submission" in shown
    )
    for action in ("share", "cancel", "withdraw"):
        status, _ = await browser.send(f"/submissions/{theirs}/{action}", public="yes")
        assert status == 404
    await browser.text(f"/problems/vector_add?again={theirs}", status=404)
    own = await browser.hand_in(RIGHT)
    await browser.text(f"{own}?against={theirs}", status=404)
    await browser.text(f"/api/v1/submissions/{theirs}", status=404)


async def test_a_shared_submission_is_seen_by_others_until_it_is_taken_back(browser: Browser, stage: Stage) -> None:
    theirs = await stage.services.submissions.hand_in(EVERYWHERE, HandIn("discord:7", RIGHT, "vector_add"))
    await stage.services.shares.share(EVERYWHERE, "discord:7", theirs, public=True)
    async with browser.session.get(f"/submissions/{theirs}/events") as stream:
        await stream.text()
    shown = await browser.text(f"/submissions/{theirs}")
    assert "Share this page" not in shown
    await stage.services.shares.share(EVERYWHERE, "discord:7", theirs, public=False)
    await browser.text(f"/submissions/{theirs}", status=404)


@pytest.mark.parametrize(
    "path",
    [
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static/..%5capp.py",
        "/static//etc/passwd",
        "/problems/..%2f..%2fetc",
        "/notes/..%2fREADME",
        "/problems/%2e%2e",
        "/readings/%00",
        "/notes/%ff",
        "/submissions/%00",
        "/ask/%00",
        "/path/%00",
    ],
)
async def test_no_path_leads_out_of_its_folder(stage: Stage, path: str) -> None:
    parts = urlsplit(stage.address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n\r\n".encode())
    answer = (await reader.read()).decode(errors="replace")
    writer.close()
    assert re.match(r"HTTP/1.1 4\d\d ", answer), answer[:200]
    assert "build_site" not in answer
    assert "root:" not in answer


async def test_what_is_too_large_is_refused(browser: Browser) -> None:
    form = {"token": await browser.token(), "problem": "vector_add", "source": "x" * 300_000}
    async with browser.session.post("/submit", data=form) as response:
        assert response.status == 422
    async with browser.session.post("/submit", data=form | {"source": "x" * 900_000}) as response:
        assert response.status == 413
    async with browser.session.get("/ask?q=" + "x" * 20_000) as response:
        assert response.status == 400


async def test_slow_senders_hold_nobody_else_up(
    browser: Browser, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.guard.BODY_WITHIN_S", 0.5)
    parts = urlsplit(stage.address)
    head = f"POST /ask HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    slow = [await asyncio.open_connection(parts.hostname, parts.port) for _ in range(40)]
    for _, writer in slow:
        writer.write(f"{head}Content-Length: 100\r\n\r\nquestion=".encode())
    await browser.text("/readings")
    answers = await asyncio.gather(*(reader.readline() for reader, _ in slow))
    for _, writer in slow:
        writer.close()
    assert {answer.split()[1] for answer in answers} == {b"408"}


async def test_a_line_break_does_not_become_a_header(browser: Browser, stage: Stage) -> None:
    back = "/readings\r\nSet-Cookie: stolen=1"
    status, where = await browser.send("/readings/gpu-mode-discord/events", event="saved", back=back)
    assert (status, where) == (303, "/")
    async with browser.session.get("/?lang=zh%0d%0aSet-Cookie:%20stolen=1") as response:
        assert "stolen" not in response.cookies


@pytest.mark.parametrize("back", ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
async def test_nobody_is_sent_to_another_site(browser: Browser, back: str) -> None:
    _, where = await browser.send("/readings/gpu-mode-discord/events", event="saved", back=back)
    assert where == "/"


async def test_too_many_forms_are_told_to_wait(browser: Browser) -> None:
    token = await browser.token()

    async def send() -> tuple[int, str]:
        async with browser.session.post("/ask", data={"token": token, "question": "?"}) as response:
            return response.status, response.headers.get("Retry-After", "")

    answers = await asyncio.gather(*(send() for _ in range(150)))
    refused = [wait for status, wait in answers if status == 429]
    assert refused
    assert all(int(wait) >= 1 for wait in refused)


async def test_a_defect_shows_its_number_and_nothing_else(browser: Browser, stage: Stage) -> None:
    stage.asker.failure = RuntimeError("the secret is 4711")
    form = {"token": await browser.token(), "question": "why?"}
    async with browser.session.post("/ask", data=form) as response:
        page = await response.text()
    assert response.status == 500
    assert "4711" not in page
    assert "Traceback" not in page
    assert re.search(r"noted as [0-9a-f]{8}", page)


async def test_elsewhere_than_on_loopback_there_are_the_reading_pages_only(
    content: Content, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("open")
    async with (
        migrated_store("sqlite", folder) as store,
        staged(store, content, "0.0.0.0") as stage,
        stage.browser() as browser,
    ):
        home = await browser.text("/")
        assert "reading pages only" in home
        assert 'action="/ask"' not in home
        for path in ("/readings", "/notes/bank-conflicts", "/problems/vector_add", "/path/gemm", "/calc/gemm"):
            assert 'method="post"' not in await browser.text(path)
        for path in ("/ask", "/submissions", "/admin", "/api/v1/problems", "/metrics", "/status", "/submit"):
            await browser.text(path, status=404)
        async with browser.session.post("/submit", data={"source": RIGHT}) as response:
            assert response.status in {403, 404, 405}
