"""Every page of the site over real parts, as a client without JavaScript meets it."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from sqlalchemy import event

from knowledge.services import Preparing
from tests.integration.web.stage import RIGHT, Browser, Stage, stored_kernel, stored_page

MONITORING = Path(__file__).parents[3] / "docs" / "monitoring"
EDITOR_BYTES = 130_000
MOST_STATEMENTS = 16
PAGES = (
    "/",
    "/ask",
    "/recommend",
    "/recommend?level=beginner&topic=cuda-basics",
    "/readings",
    "/readings?topic=shared-memory&level=intermediate&kind=note&in=zh",
    "/readings/gpu-mode-discord",
    "/notes/bank-conflicts",
    "/path/bank-conflicts",
    "/problems",
    "/problems/vector_add/editorial",
    "/problems/vector_add",
    "/submit",
    "/submissions",
    "/boards",
    "/boards/vector_add",
    "/calc",
    "/calc/conv",
    "/calc/gemm",
    "/calc/receptive-field",
    "/calc/occupancy",
    "/terms",
    "/terms?q=warp&area=cuda&letter=W",
    "/terms/coalesced-access",
    "/cards",
    "/cards?card=h100&card=NVIDIA+A100+80GB+SXM&card=mi300x&sort=bandwidth_gb_per_s",
    "/progress",
    "/plan",
    "/plan?goal=path:tiling",
    "/plan/review",
    "/gaps",
    "/group",
    "/status",
    "/admin",
    "/api",
)


@pytest.mark.parametrize("path", PAGES)
async def test_every_page_opens_in_both_languages(browser: Browser, path: str) -> None:
    mark = "&" if "?" in path else "?"
    english, chinese = await browser.text(f"{path}{mark}lang=en"), await browser.text(f"{path}{mark}lang=zh")
    assert '<html lang="en">' in english
    assert '<html lang="zh-Hans">' in chinese
    for page in (english, chinese):
        assert page.count("<h1") == 1
        assert "style=" not in page
        assert "onclick" not in page


async def test_a_page_asks_the_database_a_few_times_however_much_it_shows(browser: Browser, stage: Stage) -> None:
    """Each question costs more than what most pages take to write; there are dozens of problems and of topics."""
    await browser.hand_in(RIGHT)
    sent: list[str] = []
    event.listen(
        stage.store.engine.sync_engine,
        "before_cursor_execute",
        lambda _connection, _cursor, statement, *_: sent.append(statement),
    )
    often = {}
    for path in PAGES:
        sent.clear()
        await browser.text(path)
        often[path] = len(sent)
    assert {path: asked for path, asked in often.items() if asked > MOST_STATEMENTS} == {}


async def test_a_term_list_stands_in_alphabetical_order_and_a_search_by_nearness(browser: Browser) -> None:
    listed = re.findall(r'<a href="/terms/[^"?]+">([^<]+)</a>', await browser.text("/terms?lang=en"))
    assert len(listed) > 20
    assert listed == sorted(listed, key=str.casefold)
    found = re.findall(r'<a href="/terms/([^"?]+)">', await browser.text("/terms?q=warp&lang=en"))
    assert found[0].startswith("warp")


async def test_while_the_library_is_prepared_pages_say_so_and_a_question_is_not_lost(
    browser: Browser, stage: Stage
) -> None:
    stage.asker.progress.append(Preparing("embed", 120, 982))
    assert "indexing passages, 120 of 982" in await browser.text("/problems")
    assert "120 / 982" in await browser.text("/preparing?lang=zh")
    async with browser.session.post(
        "/ask?lang=en", data={"token": await browser.token(), "question": "Why?"}
    ) as asked:
        assert asked.status == 503
        assert ">Why?</textarea>" in await asked.text()
    stage.asker.progress.clear()
    assert await browser.text("/preparing") == '{"text": ""}'
    assert (await browser.send("/ask", question="Why?"))[0] == 303


async def test_every_note_and_problem_opens_in_both_languages(browser: Browser, stage: Stage) -> None:
    content = stage.services.content
    paths = {f"/notes/{note.slug}" for note in content.notes} | {f"/problems/{c.slug}" for c in content.problems}
    for path in sorted(paths):
        for lang in ("en", "zh"):
            assert "[^" not in (await browser.text(f"{path}?lang={lang}")).split("<textarea")[0], path


async def test_every_reading_has_a_page(browser: Browser, stage: Stage) -> None:
    for resource in stage.services.content.resources:
        await browser.text(f"/readings/{resource.id}")


async def test_what_was_read_is_not_recommended_again(browser: Browser) -> None:
    wanted = "/recommend?level=beginner&topic=cuda-basics"
    before = await browser.text(wanted)
    first = before.split('action="/readings/')[1].split("/events")[0]
    status, back = await browser.send(f"/readings/{first}/events", event="read", back=wanted)
    assert (status, back) == (303, wanted)
    assert f'action="/readings/{first}/events' not in await browser.text(wanted)


async def test_a_readings_page_tells_its_sections_its_kernels_and_what_builds_on_it(
    browser: Browser, stage: Stage
) -> None:
    await stored_kernel(stage.store, "shared-page", "races.cu", "__global__ void <k>() {}", "compile_error")
    html = await browser.text("/readings/shared-page")
    assert '<a href="https://example.org/shared-page#kernels" rel="noreferrer">Kernels &lt;here&gt;</a>' in html
    assert "races.cu" in html
    assert "✗ does not compile" in html
    assert "<k>" not in html
    leads_to = html.split("Topics that build on it")[1]
    assert 'href="/path/bank-conflicts"' in leads_to


async def test_filters_narrow_the_library(browser: Browser) -> None:
    html = await browser.text("/readings?kind=problem&level=beginner")
    assert "/problems/vector_add" in html
    assert "/notes/" not in html.split('<ul class="rows">')[1]


async def test_a_path_has_a_picture_that_is_told_in_words(browser: Browser) -> None:
    html = await browser.text("/path/bank-conflicts")
    assert 'alt="The way to Bank conflicts' in html
    async with browser.session.get("/path/bank-conflicts/picture.svg") as picture:
        assert picture.content_type == "image/svg+xml"
        assert b"Shared memory" in await picture.read()


async def test_cards_stand_side_by_side_with_sources_and_the_list_is_sorted(browser: Browser) -> None:
    html = await browser.text("/cards?card=h100&card=rtx+4090&card=&sort=bandwidth_gb_per_s")
    compared = html.split('id="compared"')[1].split("</section>")[0]
    assert "3350 GB/s" in compared
    assert "1008 GB/s" in compared
    assert 'href="https://resources.nvidia.com/en-us-tensor-core/gtc22-whitepaper-hopper"' in compared
    listed = html.split('id="all-cards"')[1]
    assert listed.index("NVIDIA B300") < listed.index("AMD Instinct MI250X<")
    assert "显存带宽" in await browser.text("/cards?card=h100&lang=zh")
    assert "NVIDIA H200" in await browser.text("/cards?card=h900", status=422)
    await browser.text("/cards?sort=price", status=422)
    await browser.text("/cards?card=h100&card=h200&card=a100&card=t4&card=l4", status=422)


async def test_a_term_has_a_page_in_both_languages_that_every_synonym_leads_to(browser: Browser) -> None:
    for typed in ("访存合并", "合并访问", "memory coalescing"):
        assert 'href="/terms/coalesced-access"' in await browser.text(f"/terms?q={typed}")
    html = await browser.text("/terms/coalesced-access?lang=zh")
    assert "内存合并" in html
    assert "Coalesced access is" in html
    assert 'href="https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/"' in html
    assert 'href="/notes/coalescing"' in html
    listed = await browser.text("/terms?area=hardware&letter=Y")
    assert 'href="/terms/yield"' in listed
    assert 'href="/terms/warp"' not in listed
    await browser.text("/terms/nothing", status=404)
    await browser.text("/terms?area=cooking", status=422)


async def test_a_calculator_shows_its_working_and_refuses_nonsense(browser: Browser) -> None:
    assert "FLOP/B" in await browser.text("/calc/gemm?m=64&n=64&k=64&form=fp16&card=h200")
    assert "whole number" in await browser.text("/calc/gemm?m=many", status=422)
    await browser.text("/calc/gemm?card=abacus", status=422)
    await browser.text("/calc/abacus", status=404)


async def test_a_suggested_page_is_approved_in_the_administration(browser: Browser, stage: Stage) -> None:
    await browser.send("/admin/suggest", url="https://example.com/warps")
    html = await browser.text("/admin")
    name = html.split('action="/admin/resources/')[1].split("/decide")[0]
    await browser.send(f"/admin/resources/{name}/decide", decision="approve")
    assert "No suggestion waits" in await browser.text("/admin")


async def test_a_level_and_topics_set_by_hand_are_shown(browser: Browser, stage: Stage) -> None:
    await stored_page(stage.store, resource="page-two", title="Page two")
    await browser.send("/admin/resources/page-two/override", level="advanced", topics="Roofline, tensor cores")
    by_hand = (await browser.text("/admin")).split("Levels and topics set by hand")[1]
    assert "Page two" in by_hand
    assert "Tensor cores" in by_hand
    html = await browser.text("/readings/page-two")
    assert '<li class="level advanced">' in html
    assert '<a href="/readings?topic=tensor-cores">' in html


async def test_a_removed_reading_is_gone_until_it_is_brought_back(browser: Browser) -> None:
    await browser.send("/admin/resources/gpu-mode-discord/decide", decision="reject")
    await browser.text("/readings/gpu-mode-discord", status=404)
    await browser.send("/admin/resources/gpu-mode-discord/decide", decision="approve")
    await browser.text("/readings/gpu-mode-discord")


@pytest.mark.parametrize(
    ("path", "way_on"),
    [
        ("/progress", "/recommend"),
        ("/submissions", "/problems"),
        ("/boards/vector_add", "/problems/vector_add"),
        ("/nothing-here", "/"),
    ],
)
async def test_a_page_with_nothing_to_show_leads_on(browser: Browser, path: str, way_on: str) -> None:
    html = await browser.text(path, status=404 if path == "/nothing-here" else 200)
    main = html.split("<main")[1].split("</main>")[0]
    assert re.search(rf'<a class="button[^"]*" href="{way_on}"', main)


async def test_the_api_is_described_in_both_languages_at_its_own_address(browser: Browser, stage: Stage) -> None:
    assert "The best passages." in (english := await browser.text("/api?lang=en"))
    assert "最相关的段落。" in await browser.text("/api?lang=zh")
    assert f"curl -s {stage.address}/api/v1/ask" in english


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_with_its_files_is_light_and_its_files_are_kept(browser: Browser, path: str) -> None:
    """Uncompressed; the editor counts by itself, as it is sent."""
    html = await browser.text(path)
    files = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', html))
    assert len(files) >= 3
    weight_bytes = len(html.encode())
    for file in files:
        async with browser.session.get(unescape(file)) as response:
            assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
            body = await response.read()
            assert response.headers["Content-Encoding"] == "gzip"
            if "editor.js" in file:
                assert int(response.headers["Content-Length"]) < EDITOR_BYTES
            else:
                weight_bytes += len(body)
    assert weight_bytes < 64 * 1024


async def test_the_metrics_count_verdicts_requests_and_refusals(browser: Browser) -> None:
    await browser.hand_in(RIGHT)
    await browser.send("/ask", question="no answer to this")
    metrics = await browser.text("/metrics")
    assert 'warpmate_verdicts{kind="accepted"} 1.0' in metrics
    assert "warpmate_refusal_ratio 1.0" in metrics
    assert 'route="/ask"' in metrics
    assert "warpmate_loop_lag_seconds_count" in metrics


async def test_what_alerts_and_dashboard_ask_for_is_measured(browser: Browser) -> None:
    await browser.hand_in(RIGHT)
    await browser.send("/ask", question="no answer to this")
    metrics = await browser.text("/metrics")
    for file in ("alerts.yml", "dashboard.json"):
        asked = set(re.findall(r"\bwarpmate_[a-z_]+\b", (MONITORING / file).read_text(encoding="utf-8")))
        missing = {name for name in asked if not re.search(rf"^{name}[ {{]", metrics, re.MULTILINE)}
        assert len(asked) > 5
        assert missing == set()


async def test_a_form_that_leads_to_another_page_is_timed_like_any_request(browser: Browser) -> None:
    status, _ = await browser.send("/ask", question="no answer to this")
    timed = f'warpmate_request_seconds_count{{method="POST",route="/ask",status="{status}"}} 1.0'
    assert timed in await browser.text("/metrics")


async def test_the_site_is_alive_and_ready(browser: Browser) -> None:
    assert '"ok"' in await browser.text("/healthz")
    assert '"ok"' in await browser.text("/readyz")
