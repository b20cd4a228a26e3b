"""The recommend flow over both databases and the real content: memory, progress, guilds, findings."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from knowledge.content.findings import load_finding_topics
from knowledge.errors import BadInput, NotFound
from knowledge.recommend import Recommender
from knowledge.store import Scope, Store
from knowledge.store.tables import Resource
from tests.shipped_content import shipped_content, shipped_recommender

CONTENT = Path(__file__).parents[4] / "content"
ADA = "local:ada"


@pytest.fixture
def recommender(store: Store) -> Recommender:
    return shipped_recommender(store)


async def recommended(recommender: Recommender, member: str | None = None, scope: Scope | None = None) -> list[str]:
    request = recommender.parse("beginner", "cuda")
    found = await recommender.recommend(scope or Scope(), request, member)
    return [item.resource_id for item in found.items]


async def test_what_a_member_read_makes_room_for_what_comes_next(recommender: Recommender) -> None:
    before = await recommended(recommender, ADA)
    await recommender.remember(Scope(), ADA, before[0], "read")
    after = await recommended(recommender, ADA)
    assert before[0] not in after
    assert len(after) == len(before)
    assert await recommended(recommender, "local:bob") == before


async def test_feedback_at_once_from_one_member_loses_nothing(recommender: Recommender) -> None:
    shelf = await recommender.shelf(Scope())
    items = [item.id for item in shelf.items][:40]
    await asyncio.gather(*(recommender.remember(Scope(), ADA, item, "read") for item in items))
    assert (await recommender.history(ADA)).done == frozenset(items)


async def test_an_unknown_event_or_item_is_refused(recommender: Recommender) -> None:
    with pytest.raises(BadInput, match="too_hard"):
        await recommender.remember(Scope(), ADA, "note:coalescing", "adored")
    with pytest.raises(NotFound):
        await recommender.remember(Scope(), ADA, "note:no-such-note", "read")


async def test_saved_items_come_back_in_order_and_can_be_let_go(recommender: Recommender) -> None:
    for item in ("note:coalescing", "problem:vector_add", "note:scans"):
        await recommender.remember(Scope(), ADA, item, "saved")
    await recommender.remember(Scope(), ADA, "problem:vector_add", "unsaved")
    saved = await recommender.saved(Scope(), ADA, "zh")
    assert [reading.resource_id for reading in saved] == ["note:coalescing", "note:scans"]
    assert saved[0].lang == "zh"


async def test_progress_shows_estimates_and_what_the_member_set(recommender: Recommender) -> None:
    await recommender.remember(Scope(), ADA, "problem:vector_add", "solved")
    await recommender.set_level(ADA, "量化", "advanced")
    standings = {standing.topic: standing for standing in await recommender.progress(Scope(), ADA)}
    assert standings["quantization"].set_by_member
    assert standings["quantization"].level == "advanced"
    assert standings["thread-hierarchy"].level == "intermediate"
    assert standings["thread-hierarchy"].done == 1
    await recommender.set_level(ADA, "quantization", None)
    assert "quantization" not in {standing.topic for standing in await recommender.progress(Scope(), ADA)}


async def test_a_guilds_own_resource_is_recommended_there_and_nowhere_else(
    recommender: Recommender, store: Store
) -> None:
    scope = Scope.guild("7")
    async with store.session(scope) as session:
        session.add(
            Resource(
                id="ours", url="https://ours.example.org/", title="Our talk", lang="en", kind="article",
                level="beginner", topics=["rdma"], minutes=5, origin="member", guild_id="7",
            )
        )  # fmt: skip
    request = recommender.parse("beginner", "rdma")
    assert "ours" in [item.resource_id for item in (await recommender.recommend(scope, request)).items]
    for elsewhere in (Scope(), Scope.guild("8")):
        assert "ours" not in [item.resource_id for item in (await recommender.recommend(elsewhere, request)).items]


async def test_a_dead_link_learnt_by_the_crawler_vanishes_at_once(recommender: Recommender, store: Store) -> None:
    assert "starter-guide-gpu" in {item.id for item in (await recommender.shelf(Scope())).items if not item.own}
    async with store.session(Scope.all()) as session:
        session.add(
            Resource(
                id="starter-guide-gpu", url="https://x.example.org/", title="t", lang="en", kind="article",
                origin="content", link_state="dead",
            )
        )  # fmt: skip
    request = recommender.parse("beginner", "cuda", most=50)
    assert "starter-guide-gpu" not in [i.resource_id for i in (await recommender.recommend(Scope(), request)).items]


async def test_every_finding_of_the_judge_leads_to_readings(recommender: Recommender) -> None:
    content = shipped_content()
    for finding, topics in load_finding_topics(CONTENT, content.topics).items():
        for lang in ("en", "zh"):
            readings = recommender.for_finding(finding, lang)
            assert bool(readings) == bool(topics), finding
            assert all(reading["why"] and reading["resource_id"] for reading in readings)


async def test_a_bank_conflict_leads_to_its_note_and_to_a_problem_that_practises_it(recommender: Recommender) -> None:
    found = [reading["resource_id"] for reading in recommender.for_finding("bank-conflict", "en")]
    assert any(name.startswith("note:bank-conflicts") for name in found)
    assert any(name.startswith("problem:") for name in found)


async def test_a_path_has_no_inversion_for_any_topic(recommender: Recommender) -> None:
    from knowledge.recommend.order import inversions

    shelf = await recommender.shelf(Scope())
    for topic in shelf.topics:
        way = await recommender.path(Scope(), topic.id, "zh")
        items = [shelf.by_id[step.resource_id] for step in way.steps]
        assert inversions(shelf, items) == (), topic.id
