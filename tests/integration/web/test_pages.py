"""Every page and flow of the site over real parts, as a client without JavaScript meets them."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from html import escape, unescape

import pytest

from knowledge.ask.answer import Answer, Composed, Excerpt, NextSteps
from knowledge.ask.definition_answer import of_term
from knowledge.errors import IndexUnusable
from knowledge.figures import answer_figures
from knowledge.readings import Reading
from knowledge.services import Preparing
from knowledge.text.sentences import Span
from knowledge.words import Message
from tests.integration.web.stage import (
    EVERYWHERE,
    MEMBER,
    PAGE,
    QUOTE,
    RIGHT,
    WRONG,
    Browser,
    Stage,
    stored_kernel,
    stored_page,
)

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


async def test_an_answer_shows_its_quote_where_it_stands(browser: Browser) -> None:
    status, page = await browser.send("/ask", question="How do I avoid bank conflicts?")
    assert status == 303
    html = await browser.text(page)
    assert f"<mark>{QUOTE}</mark>" in html
    assert PAGE.split(".")[0] in html
    assert 'href="https://example.org/shared#banks"' in html


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "This may be it; I am not certain."), ("zh", "这可能就是答案，但没有把握。")]
)
async def test_an_uncertain_answer_says_so(browser: Browser, stage: Stage, lang: str, said: str) -> None:
    sure = stage.asker.answers["How do I avoid bank conflicts?"]
    stage.asker.answers["unsure"] = dataclasses.replace(sure, status="perhaps")
    for question, uncertain in (("unsure", True), ("How do I avoid bank conflicts?", False)):
        _, page = await browser.send("/ask", question=question)
        assert (said in await browser.text(f"{page}?lang={lang}")) is uncertain


async def test_the_sentences_that_answer_are_marked_and_the_rest_is_not(browser: Browser, stage: Stage) -> None:
    sure = stage.asker.answers["How do I avoid bank conflicts?"]
    whole = Excerpt(PAGE, 0, (Span(PAGE.index(QUOTE), len(PAGE)),), 1)
    stage.asker.answers["whole"] = dataclasses.replace(sure, excerpts=(whole,), composed=(Composed("Pad <b>it.", 1),))
    _, page = await browser.send("/ask", question="whole")
    html = await browser.text(page)
    assert f"{PAGE.removesuffix(QUOTE)}<mark>{QUOTE}</mark>" in html
    assert "Pad &lt;b&gt;it." in html


async def test_a_definition_opens_its_term_and_names_its_source(browser: Browser, stage: Stage) -> None:
    term = stage.services.content.definitions.by_slug["warp"]
    defined, excerpt, citation = of_term(term, "en")
    stage.asker.answers["warp?"] = Answer(
        "answered", "en", "warp?", (excerpt,), (citation,), intent="definition", definition=defined
    )
    _, page = await browser.send("/ask", question="warp?")
    html = await browser.text(page)
    assert f"<mark>{escape(excerpt.text)}</mark>" in html
    assert 'href="/terms/warp"' in html
    assert f'href="{defined.source_url}"' in html
    assert escape(excerpt.text) in await browser.text("/terms/warp")


async def test_figures_are_said_with_their_sources(browser: Browser, stage: Stage) -> None:
    figures = answer_figures("how many SMs does an RTX 4090 have?")
    assert figures is not None
    stage.asker.answers["sms?"] = Answer("answered", "en", "sms?", intent="figures", figures=figures)
    _, page = await browser.send("/ask", question="sms?")
    for lang in ("en", "zh"):
        html = await browser.text(f"{page}?lang={lang}")
        assert escape(figures.text(lang)) in html
        assert f'href="{figures.sources[0].url}"' in html


async def test_small_talk_is_answered_without_asking_for_an_opinion(browser: Browser, stage: Stage) -> None:
    asks = NextSteps(questions=("What is a <warp>?",))
    stage.asker.answers["hi"] = Answer(
        "answered", "en", "hi", intent="greeting", said=Message("said.greeting"), next=asks
    )
    _, page = await browser.send("/ask", question="hi")
    html = await browser.text(page)
    assert "Hello!" in html
    assert "/opinion" not in html
    assert 'name="question" value="What is a &lt;warp&gt;?"' in html
    status, asked = await browser.send("/ask", question="What is a <warp>?")
    assert (status, asked.startswith("/ask/")) == (303, True)


async def test_what_to_read_and_to_solve_next_stands_below_an_answer(browser: Browser, stage: Stage) -> None:
    sure = stage.asker.answers["How do I avoid bank conflicts?"]
    note = Reading("note:coalescing", "Coalescing", None, "en", "beginner", 8, "note", (), "")
    problem = Reading("problem:saxpy", "SAXPY", None, "en", "beginner", 30, "problem", (), "")
    stage.asker.answers["next?"] = dataclasses.replace(sure, next=NextSteps((note,), problem, ()))
    _, page = await browser.send("/ask", question="next?")
    html = await browser.text(page)
    assert html.index(QUOTE) < html.index('href="/notes/coalescing"') < html.index('href="/problems/saxpy"')


async def test_what_a_language_model_adds_comes_by_itself_and_stays(browser: Browser, stage: Stage) -> None:
    question = "How do I avoid bank conflicts?"
    sure = stage.asker.answers[question]
    one = dataclasses.replace(sure, composed=(Composed("Pad <b>it.", 1),))
    two = dataclasses.replace(sure, composed=(*one.composed, Composed("Then read.", 1)))
    stage.asker.grown[question] = (one, two)
    stage.asker.may_write.clear()
    _, page = await browser.send("/ask", question=question)
    html = await browser.text(page)
    assert QUOTE in html
    assert f'data-composing="{page}/composing"' in html
    async with browser.session.get(f"{page}/composing") as stream:
        stage.asker.may_write.set()
        said = await stream.text()
    assert '{"text": "Then read.", "citation": 1}' in said
    assert said.rstrip().splitlines()[-2] == "event: whole"
    html = await browser.text(page)
    assert "Pad &lt;b&gt;it." in html
    assert "Then read." in html
    assert "data-composing" not in html


async def test_an_answer_that_no_model_adds_to_waits_for_nothing(browser: Browser, stage: Stage) -> None:
    _, page = await browser.send("/ask", question="How do I avoid bank conflicts?")
    async with browser.session.get(f"{page}/composing") as stream:
        assert (await stream.text()).startswith("event: whole")
    assert "data-composing" not in await browser.text(page)


async def test_only_an_answer_that_one_may_read_is_watched(browser: Browser) -> None:
    await browser.text("/ask/01M81E1GBSVRMW5MMHXEWSMQKK/composing", status=404)


async def test_a_follow_up_is_asked_with_the_question_before(browser: Browser, stage: Stage) -> None:
    _, page = await browser.send("/ask", question="How do I avoid bank conflicts?")
    await browser.send("/ask", question="and why?", follow_up_of=page.rsplit("/", 1)[1])
    assert stage.asker.asked[-1] == ("and why?", "How do I avoid bank conflicts?")


async def test_a_refused_question_offers_readings_and_can_be_saved(browser: Browser, stage: Stage) -> None:
    _, page = await browser.send("/ask", question="What is the airspeed of a swallow?")
    assert "/notes/coalescing" in await browser.text(page)
    status, after = await browser.send(f"{page}/save")
    assert (status, after) == (303, f"{page}?noted=saved")
    waiting = await stage.services.questions.waiting(EVERYWHERE)
    assert [question.text for question in waiting] == ["What is the airspeed of a swallow?"]


async def test_a_complaint_reaches_the_administration_and_leaves_it_when_looked_at(browser: Browser) -> None:
    _, page = await browser.send("/ask", question="How do I avoid bank conflicts?")
    await browser.send(f"{page}/opinion", opinion="incomplete")
    assert "How do I avoid bank conflicts?" in await browser.text("/admin")
    await browser.send(f"/admin/questions/{page.rsplit('/', 1)[1]}/reviewed")
    assert "How do I avoid bank conflicts?" not in await browser.text("/admin")


async def test_an_answer_is_read_by_its_asker_and_by_others_once_it_is_shared(browser: Browser, stage: Stage) -> None:
    questions, answer = stage.services.questions, stage.asker.answers["How do I avoid bank conflicts?"]
    theirs = await questions.keep(EVERYWHERE, "How do they avoid them?", answer, "local:ben", "site")
    await browser.text(f"/ask/{theirs}", status=404)
    assert (await browser.send(f"/ask/{theirs}/opinion", opinion="helpful"))[0] == 404
    assert (await browser.send(f"/ask/{theirs}/share", public="yes"))[0] == 404
    assert (await browser.send("/ask", question="and why?", follow_up_of=theirs))[0] == 404
    await questions.share(EVERYWHERE, theirs, "local:ben", public=True)
    html = await browser.text(f"/ask/{theirs}")
    assert f"<mark>{QUOTE}</mark>" in html
    assert f"/ask/{theirs}/share" not in html


async def test_the_asker_shares_an_answer_and_takes_it_back(browser: Browser, stage: Stage) -> None:
    _, page = await browser.send("/ask", question="How do I avoid bank conflicts?")
    for public in ("yes", "no"):
        await browser.send(f"{page}/share", public=public)
        given = await stage.services.questions.get(EVERYWHERE, page.rsplit("/", 1)[1], MEMBER)
        assert given.public == (public == "yes")


async def test_a_page_says_so_while_there_is_no_index(browser: Browser, stage: Stage) -> None:
    stage.asker.failure = IndexUnusable("there is no index in data/index; run warpmate index build")
    async with browser.session.post("/ask", data={"token": await browser.token(), "question": "why?"}) as response:
        assert response.status == 503
        assert "warpmate index build" in await response.text()


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
    """Uncompressed, as they are served."""
    html = await browser.text(path)
    files = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', html))
    assert len(files) >= 3
    weight_bytes = len(html.encode())
    for file in files:
        async with browser.session.get(unescape(file)) as response:
            assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
            weight_bytes += len(await response.read())
    assert weight_bytes < 64 * 1024


async def test_the_metrics_count_verdicts_requests_and_refusals(browser: Browser) -> None:
    await browser.hand_in(RIGHT)
    await browser.send("/ask", question="no answer to this")
    metrics = await browser.text("/metrics")
    assert 'warpmate_verdicts{kind="accepted"} 1.0' in metrics
    assert "warpmate_refusal_ratio 1.0" in metrics
    assert 'route="/ask"' in metrics
    assert "warpmate_loop_lag_seconds_count" in metrics


async def test_a_form_that_leads_to_another_page_is_timed_like_any_request(browser: Browser) -> None:
    status, _ = await browser.send("/ask", question="no answer to this")
    timed = f'warpmate_request_seconds_count{{method="POST",route="/ask",status="{status}"}} 1.0'
    assert timed in await browser.text("/metrics")


async def test_the_site_is_alive_and_ready(browser: Browser) -> None:
    assert '"ok"' in await browser.text("/healthz")
    assert '"ok"' in await browser.text("/readyz")


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
