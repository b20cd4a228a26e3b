"""Who is named on a group's page: who agreed, in that guild, and is still in it."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta

import pytest

from knowledge.store import Scope
from knowledge.submit import HandIn
from tests.e2e.home.stage import Home, People, key_of
from tests.integration.web.stage import RIGHT

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_only_who_agreed_and_is_still_there_is_named(home: Home, people: People) -> None:
    scope = Scope(str(people.a.id))
    yesterday = datetime.now(UTC) - timedelta(days=1)
    group = dataclasses.replace(home.services.group, clock=lambda: yesterday)
    plan = await group.start(scope, "problem:vector_add", 1, yesterday.weekday(), "1")
    nell, quentin, lena = (home.person(name, people.a) for name in ("nell", "quentin", "lena"))
    for person in (nell, quentin, lena):
        handed_in = HandIn(key_of(person), RIGHT, plan.week(1).problem or "")
        submission = await home.services.submissions.hand_in(scope, handed_in)
        async for _step in home.services.submissions.watch(scope, submission):
            pass
    browsers = [await home.sign_in(person) for person in (nell, quentin, lena)]
    for browser in browsers:
        await browser.send("/account/place", place=str(people.a.id))
    assert "nell" not in (await browsers[1].get("/group")).text
    for browser in (browsers[0], browsers[2]):
        assert (await browser.send("/group/named", named="yes")).status == 303
    page = (await browsers[1].get("/group")).text
    assert "<strong>nell</strong>" in page
    assert "<strong>lena</strong>" in page
    assert "1 more solved it and are not named" in page
    assert "quentin" not in page
    people.a.members.remove(lena.user.id)
    home.clock.advance(minutes=5)
    page = (await browsers[1].get("/group")).text
    assert "lena" not in page
    assert "2 more solved it and are not named" in page
    await browsers[0].send("/group/named", named="no")
    assert "nell" not in (await browsers[1].get("/group")).text
