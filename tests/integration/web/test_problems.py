"""The list of problems and the workshop of one, as a page without script has them."""

from __future__ import annotations

import re

import pytest

from knowledge.store import Scope
from knowledge.submit import HandIn
from knowledge.submit.acceptance import Acceptance, acceptance
from tests.integration.web.stage import RIGHT, WRONG, Browser, Stage


async def listed(browser: Browser, query: str) -> set[str]:
    return set(re.findall(r'<h2><a href="/problems/(\w+)"', await browser.text(f"/problems?{query}")))


async def test_problems_are_filtered_by_topic_level_and_how_far_one_is(browser: Browser, stage: Stage) -> None:
    cards = {card.slug: card for card in stage.services.content.problems}
    await browser.hand_in(RIGHT)
    await browser.hand_in(WRONG, "sigmoid")
    assert await listed(browser, "mark=solved") == {"vector_add"}
    assert await listed(browser, "mark=tried&level=&topic=") == {"sigmoid"}
    assert await listed(browser, "mark=new") == cards.keys() - {"vector_add", "sigmoid"}
    wanted = {slug for slug, card in cards.items() if card.level == "beginner" and "reduction" in card.topics}
    assert wanted
    assert await listed(browser, "topic=reduction&level=beginner") == wanted
    await browser.text("/problems?mark=easy", 422)


@pytest.mark.parametrize(("lang", "said"), [("en", "50% accepted (1 of 2)"), ("zh", "通过率 50%（2 次中 1 次）")])
async def test_a_problem_shows_how_many_of_ones_hand_ins_were_accepted(
    browser: Browser, lang: str, said: str
) -> None:
    assert "accepted (" not in await browser.text("/problems?lang=en")
    for source in (WRONG, RIGHT):
        await browser.hand_in(source)
    assert said in await browser.text(f"/problems?lang={lang}")


async def test_a_guilds_rate_needs_three_members_and_counts_no_other_place(stage: Stage) -> None:
    guild, elsewhere = Scope("7"), Scope("8")

    async def hand_in(scope: Scope, member: str, source: str) -> None:
        one = await stage.services.submissions.hand_in(scope, HandIn(member, source, "vector_add"))
        async for _step in stage.services.submissions.watch(scope, one):
            pass

    for member, source in (("discord:1", RIGHT), ("discord:2", WRONG)):
        await hand_in(guild, member, source)
        await hand_in(elsewhere, member, WRONG)
    assert await acceptance(stage.store, guild, "discord:1") == {}
    await hand_in(guild, "discord:3", RIGHT)
    assert await acceptance(stage.store, guild, "discord:1") == {"vector_add": Acceptance(2, 3)}
    assert await acceptance(stage.store, Scope(), "discord:1") == {}


async def test_the_editor_is_a_plain_text_field_with_the_findings_above_it(browser: Browser) -> None:
    page = await browser.hand_in(WRONG)
    html = await browser.text(f"/problems/vector_add?again={page.rpartition('/')[2]}&lang=en")
    form = html.split('class="editor-form"')[1].split("</form>")[0]
    assert "memory error" in form
    assert "line 3: " in form.split('class="finding error"')[1]
    assert "c[i] = a[i] + b[i];" in form.split("<textarea")[1]
    assert "//! launch" not in form
    assert "data-starter" in html


async def test_a_draft_has_a_name_of_its_own_for_each_problem_and_language(browser: Browser) -> None:
    names = [
        re.findall(r'data-draft="(warpmate-draft-[0-9a-f]{20})"', await browser.text(path))
        for path in ("/problems/vector_add", "/problems/sigmoid", "/problems/vector_add?in=triton", "/submit")
    ]
    assert len({name for (name,) in names}) == 4


async def test_ones_attempts_lead_to_what_changed_between_two_of_them(browser: Browser) -> None:
    first, second = await browser.hand_in(WRONG), await browser.hand_in(RIGHT)
    html = await browser.text("/problems/vector_add?lang=en")
    compared = f"{second}?against={first.rpartition('/')[2]}"
    assert f'href="{compared}#compare"' in html
    told = (await browser.text(f"{compared}&lang=en")).split('id="compare"')[1]
    assert "memory error" in told.split('class="code diff"')[0]
    assert "accepted" in told.split('class="code diff"')[0]
