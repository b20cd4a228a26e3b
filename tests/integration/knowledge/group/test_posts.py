"""Claims of posts, and what members agreed to, in both databases."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

from knowledge.errors import BadInput
from knowledge.group import Group, GroupPlan
from knowledge.group.named import Named
from knowledge.group.posts import CLAIM_HOLDS, KEPT, Posts
from knowledge.privacy import export, forget
from knowledge.store import Scope, Store
from knowledge.store.tables import GroupPlanRow
from tests.shipped_content import shipped_content, shipped_recommender

NOW = datetime(2027, 3, 1, 9, 0, tzinfo=UTC)
A, B = Scope("1"), Scope("2")


async def test_of_many_at_once_one_gets_a_post_and_of_many_later_one_takes_it_over(store: Store) -> None:
    posts = Posts(store)
    for at, is_first in ((NOW, True), (NOW + CLAIM_HOLDS, False)):
        claims = await asyncio.gather(*(posts.claim("k", "1", at, "matmul") for _ in range(8)))
        assert [claim.is_first for claim in claims if claim] == [is_first]
        assert [claim.problem for claim in claims if claim] == ["matmul"]
    await posts.done("k", "77")
    assert await posts.claim("k", "1", NOW + timedelta(days=1)) is None
    found = await posts.find("k")
    assert found is not None
    assert (found.is_done, found.message, found.problem, found.claimed_at) == (True, "77", "matmul", NOW)


async def test_what_was_given_back_is_claimed_at_once_and_what_is_old_is_swept(store: Store) -> None:
    posts = Posts(store)
    assert await posts.claim("k", "1", NOW) is not None
    await posts.give_back("k", NOW)
    again = await posts.claim("k", "1", NOW)
    assert again is not None
    assert not again.is_first
    await posts.sweep(NOW + KEPT)
    assert await posts.find("k") is not None
    await posts.sweep(NOW + KEPT + timedelta(days=1))
    assert await posts.find("k") is None


async def test_a_plan_whose_goal_is_no_longer_known_keeps_nobody_elses_posts_back(store: Store) -> None:
    content = shipped_content()
    group = Group(store, content, shipped_recommender(store), lambda: NOW)
    for scope, goal in ((A, "path:qqqq-zzzz-no-longer"), (B, "path:tiling")):
        async with store.session(scope) as session:
            week = {"items": [], "problem": None, "minutes": 60}
            session.add(
                GroupPlanRow(
                    guild_id=scope.guild_id, goal=goal, level="beginner", channel="7", weeks=[week], starts_at=NOW
                )
            )
    assert [plan.guild_id for plan, _due in await group.due(NOW) if plan] == ["2"]
    assert await group.plan(A) is None
    assert await group.problem_to_open("1", NOW) is not None


async def test_members_agree_in_each_guild_apart_and_take_it_back(store: Store) -> None:
    named = Named(store)
    for scope in (A, A, B):
        await named.set(scope, "discord:1", named=True)
    await named.set(A, "discord:2", named=True)
    assert set(await named.all(A)) == {"discord:1", "discord:2"}
    await named.set(A, "discord:1", named=False)
    assert (await named.all(A), await named.all(B)) == (("discord:2",), ("discord:1",))
    assert len((await export(store, "discord:1"))["named_members"]) == 1
    await forget(store, "discord:1")
    assert await named.all(B) == ()


async def test_of_two_plans_that_begin_at_once_one_is_there_and_the_other_hears_so(
    store: Store,
) -> None:
    content = shipped_content()
    group = Group(store, content, shipped_recommender(store))
    begun = [group.start(Scope.guild("7"), goal, 2, 0, "1") for goal in ("topic:tiling", "topic:reduction") * 4]
    ended = await asyncio.gather(*begun, return_exceptions=True)
    refused = [one for one in ended if not isinstance(one, GroupPlan)]
    assert all(isinstance(one, BadInput) and "at this very moment" in str(one) for one in refused)
    plan = await group.plan(Scope.guild("7"))
    assert plan in ended
