"""What is chosen, in which order and why, over a small shelf made for these tests."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.content import Topic, Topics, Words
from knowledge.content.names import level_named, topic_named
from knowledge.errors import NotFound
from knowledge.recommend import Item, Request, Shelf
from knowledge.recommend.history import History, estimated_level, history_of
from knowledge.recommend.order import in_reading_order, inversions
from knowledge.recommend.path import path_to
from knowledge.recommend.service import recommendation


def topic(topic_id: str, zh: str, *needs: str, aliases: tuple[str, ...] = ()) -> Topic:
    title = Words(en=topic_id.replace("-", " ").capitalize(), zh=zh)
    return Topic(
        id=topic_id, area="cuda", level="beginner", title=title, needs=needs, keywords=(topic_id,), aliases=aliases
    )


TOPICS = Topics(
    (
        topic("basics", "入门", aliases=("cuda",)),
        topic("threads", "线程", "basics"),
        topic("memory", "内存", "basics"),
        topic("shared-memory", "共享内存", "threads", "memory"),
        topic("tiling", "分块", "shared-memory"),
        topic("rdma", "远程直接内存访问"),
    )
)


def item(item_id: str, topics: str, level: str = "beginner", **more: object) -> Item:
    facts: dict[str, object] = {  # what most tests do not care about
        "title_en": item_id, "title_zh": f"{item_id}（中）", "langs": ("en",), "url": f"https://{item_id}.example.org/",
        "kind": "article", "minutes": 10,
    }  # fmt: skip
    return Item(id=item_id, stated_level=level, topics=tuple(topics.split()), **(facts | more))  # type: ignore[arg-type]


def shelf(*items: Item) -> Shelf:
    return Shelf(TOPICS, items)


def ids(found: object) -> list[str]:
    return [reading.resource_id for reading in found.items]  # type: ignore[attr-defined]


def ask(on: Shelf, level: str, about: str, history: History | None = None, **more: object) -> list[str]:
    request = Request(level, about, **more)  # type: ignore[arg-type]
    return ids(recommendation(on, request, history or History()))


def test_an_item_that_rests_on_another_comes_after_it() -> None:
    on = shelf(item("b", "shared-memory"), item("a", "shared-memory", needs=("b",)), item("c", "shared-memory"))
    found = ask(on, "beginner", "shared-memory")
    assert found.index("b") < found.index("a")


def test_what_was_read_skipped_or_too_easy_is_not_recommended_again() -> None:
    on = shelf(*(item(name, "basics") for name in ("read", "skipped", "easy", "new")))
    history = history_of([("read", "read"), ("skipped", "skipped"), ("easy", "too_easy")])
    assert ask(on, "beginner", "basics", history) == ["new"]


def test_taking_back_a_reading_makes_it_recommended_again() -> None:
    on = shelf(item("a", "basics"))
    assert ask(on, "beginner", "basics", history_of([("a", "read"), ("a", "unread")])) == ["a"]


def test_a_dead_link_is_never_shown_and_an_unreachable_one_is_marked() -> None:
    on = shelf(item("dead", "basics", link_state="dead"), item("weak", "basics", link_state="unreachable"))
    found = recommendation(on, Request("beginner", "basics"), History())
    assert ids(found) == ["weak"]
    assert "did not answer" in found.items[0].why


def test_too_hard_moves_to_what_it_rests_on_and_says_so() -> None:
    on = shelf(item("hard", "tiling"), item("base", "shared-memory"), item("other", "tiling"))
    history = history_of([("hard", "too_hard")])
    found = recommendation(on, Request("beginner", "tiling"), history)
    assert ids(found) == ["base", "other"]
    assert "leads up to “hard”" in found.items[0].why


def test_a_level_above_fills_a_short_list_with_the_reason_and_no_longer_one() -> None:
    above = item("above", "basics", "advanced")
    short = recommendation(shelf(item("below", "basics"), above), Request("intermediate", "basics"), History())
    assert [reading.why.split("; ")[-1] for reading in short.items] == [
        "one level below the list",
        "one level above the list",
    ]
    assert short.other_levels == ("beginner", "advanced")
    enough = shelf(*(item(f"i{n}", "basics", "intermediate") for n in range(3)), above)
    assert ask(enough, "intermediate", "basics") == ["i0", "i1", "i2"]


def test_fewer_than_three_are_said_in_both_languages() -> None:
    found = recommendation(shelf(item("only", "basics")), Request("beginner", "basics"), History())
    assert "only 1" in found.remarks[0].text("en")
    assert "1 项" in found.remarks[0].text("zh")


def test_nothing_at_this_level_gives_the_nearest_and_says_so() -> None:
    on = shelf(item("far", "basics", "advanced"))
    found = recommendation(on, Request("beginner", "basics"), History())
    assert ids(found) == ["far"]
    assert found.items[0].why.endswith("two levels above the list")
    assert found.remarks[0].text("en") == "Nothing on Basics fits at the level beginner; the nearest is advanced."


def test_without_a_level_it_is_the_one_reached_or_beginner_and_either_is_said() -> None:
    on = shelf(item("b", "basics"), item("b2", "basics"), item("i", "basics", "intermediate"))
    new = recommendation(on, Request(None, "basics"), History())
    known = recommendation(on, Request(None, "basics"), history_of([("b", "read"), ("b2", "read")]))
    assert (new.level, known.level) == ("beginner", "intermediate")
    assert "Nothing is known of your level in Basics" in new.remarks[0].text("en")
    assert "you have reached in Basics" in known.remarks[0].text("en")


def test_what_a_topic_rests_on_fills_a_short_list() -> None:
    on = shelf(item("t", "tiling"), item("s", "shared-memory"), item("far", "basics"), item("x", "rdma"))
    assert ask(on, "beginner", "tiling") == ["s", "t"]


def test_readings_in_one_language_alone_are_shown_in_it() -> None:
    on = shelf(item("both", "basics", langs=("en", "zh"), url=None, title_zh="两种"), item("en", "basics"))
    found = recommendation(on, Request("beginner", "basics", lang="en", only_lang="zh"), History())
    assert [(reading.title, reading.lang) for reading in found.items] == [("两种", "zh")]


def test_a_harder_item_never_stands_before_an_easier_one_that_it_does_not_lead_to() -> None:
    on = shelf(item("hard", "basics", "intermediate"), item("easy", "threads"))
    found = in_reading_order(on, on.items)
    assert [each.id for each in found] == ["easy", "hard"]


def test_the_members_language_comes_first_when_there_is_a_choice() -> None:
    on = shelf(item("en", "basics"), item("zh", "basics", langs=("zh",)))
    assert ask(on, "beginner", "basics", lang="zh", most=1) == ["zh"]
    assert ask(on, "beginner", "basics", lang="en", most=1) == ["en"]


def test_at_most_two_of_one_site() -> None:
    on = shelf(*(item(f"p{n}", "basics", url=f"https://one.example.org/{n}") for n in range(5)), item("q", "basics"))
    found = ask(on, "beginner", "basics")
    assert "q" in found
    assert len(found) == 3


def test_the_minutes_at_hand_hold_for_all_of_it() -> None:
    on = shelf(item("a", "basics", minutes=20), item("b", "basics", minutes=20), item("c", "basics", minutes=None))
    assert len(ask(on, "beginner", "basics", minutes=25)) == 1


def test_stretch_tasks_come_only_when_asked_for_and_then_last() -> None:
    on = shelf(item("a-task", "basics", stretch=True, kind="task"), item("text", "basics"))
    assert ask(on, "beginner", "basics") == ["text"]
    assert ask(on, "beginner", "basics", stretch=True) == ["text", "a-task"]


def test_reasons_name_what_needs_it_and_what_the_member_brings() -> None:
    on = shelf(item("m", "memory"), item("s", "shared-memory memory"), item("done", "basics", title_zh="已读"))
    history = history_of([("done", "read")])
    found = recommendation(on, Request("beginner", "memory"), history)
    assert [reading.resource_id for reading in found.items] == ["m", "s"]
    assert "you have read “done”" in found.items[0].why
    new = {each.resource_id: each.why for each in recommendation(on, Request("beginner", "memory"), History()).items}
    assert new == {"done": "what Memory rests on", "m": "needed for Shared memory", "s": "introduces Memory"}
    assert "你已读过《已读》" in recommendation(on, Request("beginner", "memory", lang="zh"), history).items[0].why


@given(st.permutations([0, 1, 2, 3, 4, 5]), st.data())
def test_no_order_of_any_items_has_an_inversion(order: list[int], data: st.DataObject) -> None:
    """Prerequisites drawn at random, also contradicting the topics, never leave an item before what it rests on."""
    names = [f"i{n}" for n in range(6)]
    items = [
        item(
            name,
            data.draw(st.sampled_from([topic.id for topic in TOPICS])),
            data.draw(st.sampled_from(["beginner", "intermediate", "advanced"])),
            needs=tuple(names[:n][k] for k in data.draw(st.sets(st.integers(0, n - 1), max_size=2))) if n else (),
        )
        for n, name in enumerate(names)
    ]
    on = shelf(*items)
    assert inversions(on, in_reading_order(on, [items[n] for n in order])) == ()


def test_a_path_covers_what_leads_there_in_order_and_the_goal_last() -> None:
    on = shelf(
        item("t", "tiling", "intermediate"), item("s", "shared-memory"), item("m", "memory"), item("h", "threads"),
        item("b", "basics"), item("x", "rdma"), item("z", "tiling", "advanced", stretch=True, kind="task"),
    )  # fmt: skip
    way = path_to(on, "tiling", History(), "en")
    assert [step.resource_id for step in way.steps][:1] == ["b"]
    assert [step.resource_id for step in way.steps][-3:] == ["s", "t", "z"]
    assert [stop.topic for stop in way.stops][-1] == "tiling"
    assert "rdma" not in {stop.topic for stop in way.stops}


def test_a_topic_that_the_member_knows_is_ticked_off_the_path() -> None:
    on = shelf(item("b", "basics"), item("h", "threads"))
    way = path_to(on, "threads", history_of([("b", "read")]), "en")
    assert [(stop.topic, stop.done) for stop in way.stops] == [("basics", True), ("threads", False)]


@pytest.mark.parametrize(
    ("events", "level"),
    [
        ([], None),
        ([("b1", "read")], "beginner"),
        ([("b1", "read"), ("b2", "read")], "intermediate"),
        ([("b1", "solved")], "intermediate"),
        ([("b1", "solved"), ("i1", "too_hard")], "beginner"),
        ([("i1", "too_easy"), ("b1", "read")], "advanced"),
    ],
)
def test_the_level_is_estimated_from_what_was_done(events: list[tuple[str, str]], level: str | None) -> None:
    on = shelf(item("b1", "basics"), item("b2", "basics"), item("i1", "basics", "intermediate"))
    assert estimated_level(on, history_of(events), "basics") == (level, False)


def test_a_level_that_the_member_set_wins_over_the_estimate() -> None:
    on = shelf(item("b1", "basics"))
    history = replace(history_of([("b1", "read")]), set_levels={"basics": "advanced"})
    assert estimated_level(on, history, "basics") == ("advanced", True)


@pytest.mark.parametrize("name", ["shared memory", "Shared-Memory", "共享内存", "shared memry", "SHARED_MEMORY"])
def test_a_topic_is_understood_by_any_usual_spelling(name: str) -> None:
    assert topic_named(TOPICS, name).id == "shared-memory"


def test_an_unknown_topic_gets_the_nearest_in_the_members_language() -> None:
    with pytest.raises(NotFound) as caught:
        topic_named(TOPICS, "sharded brains")
    assert "Shared memory" in caught.value.text("en")
    assert "共享内存" in caught.value.text("zh")


@pytest.mark.parametrize(
    ("name", "level"),
    [("Beginner", "beginner"), ("入门", "beginner"), ("进阶", "advanced"), ("intermediat", "intermediate")],
)
def test_a_level_is_understood_in_both_languages(name: str, level: str) -> None:
    assert level_named(name) == level


def test_a_level_that_is_none_is_told() -> None:
    with pytest.raises(NotFound, match="beginner, intermediate, advanced"):
        level_named("wizard")
