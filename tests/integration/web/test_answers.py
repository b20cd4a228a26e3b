"""What the site shows of a question and its answer, and who may see it."""

from __future__ import annotations

import dataclasses
from html import escape

import pytest

from knowledge.ask.answer import Answer, Composed, Excerpt, NextSteps
from knowledge.ask.definition_answer import of_term
from knowledge.errors import IndexUnusable
from knowledge.figures import answer_figures
from knowledge.readings import Reading
from knowledge.text.sentences import Span
from knowledge.words import Message
from tests.integration.web.stage import EVERYWHERE, MEMBER, PAGE, QUOTE, Browser, Stage


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
