"""What a question asks about."""

from __future__ import annotations

import pytest

from knowledge.search.bridge import Bridge, Pair
from knowledge.search.question import read_question
from knowledge.text.tokens import tokens

BRIDGE = Bridge([Pair(("warp",), ("线程束",)), Pair(("thread",), ("线程",))])


def test_notions_carry_their_words_in_both_languages() -> None:
    question = read_question("一个线程束有多少线程？", BRIDGE)
    by_text = {notion.text: notion for notion in question.notions}
    assert by_text["线程束"].ways["en"] == (("warp",),)
    assert by_text["线程束"].ways["zh"] == (("线程", "程束"),)
    assert question.lang == "zh"
    assert question.wants_quantity


def test_names_and_identifiers_are_told_from_ordinary_words() -> None:
    question = read_question("Does COBOL run on sm_90 with speed?", BRIDGE)
    assert {notion.text: notion.named for notion in question.notions} == {
        "COBOL": True,
        "run": False,
        "sm_90": True,
        "speed": False,
    }


def test_the_first_word_is_no_name_for_its_capital() -> None:
    (notion, _) = read_question("Coalesced access?", BRIDGE).notions
    assert not notion.named


def test_a_chinese_page_cannot_lack_an_english_word_without_translation() -> None:
    popular, warp = read_question("popular warp", BRIDGE).notions
    assert not popular.sayable("zh")
    assert popular.sayable("en")
    assert warp.sayable("zh")


@pytest.mark.parametrize(
    "text", ["show me code for a reduction", "归约怎么写代码？", "example kernel for vector add"]
)
def test_a_wish_for_code_is_heard(text: str) -> None:
    assert read_question(text, BRIDGE).wants_code


@pytest.mark.parametrize("text", ["What is a warp?", "线程束是什么？", "what does occupancy mean"])
def test_a_question_for_a_meaning_is_heard(text: str) -> None:
    assert read_question(text, BRIDGE).wants_meaning


def test_an_everyday_word_is_plain_and_a_term_or_a_name_is_not() -> None:
    bridge = Bridge([Pair(("popular",), ("流行",)), Pair(("warp",), ("线程束",))])
    assert [notion.plain for notion in read_question("popular warp Popular", bridge).notions] == [True, False]
    assert [notion.plain for notion in read_question("流行的线程束", bridge).notions] == [True, False]
    assert [notion.named for notion in read_question("a home-made warp", bridge).notions] == [False, False]


def test_a_name_with_a_function_word_in_it_asks_for_what_a_page_can_hold() -> None:
    (notion,) = read_question("过拟合", Bridge([Pair(("overfitting",), ("过拟合",))])).notions
    held = set(tokens("怎样避免过拟合？"))
    assert all(set(way) <= held for way in notion.ways["zh"])


@pytest.mark.parametrize("word", ["invented", "compared", "tries", "linearly", "removing", "faster"])
def test_a_form_of_an_everyday_word_is_plain_too(word: str) -> None:
    (_, notion) = read_question(f"warp {word}", BRIDGE).notions
    assert notion.plain


@pytest.mark.parametrize("word", ["launched", "scaling", "university", "blocked"])
def test_a_form_of_another_word_is_not(word: str) -> None:
    (_, notion) = read_question(f"warp {word}", BRIDGE).notions
    assert not notion.plain


def test_what_a_question_names_is_a_name_a_term_a_word_or_a_stranger() -> None:
    bridge = Bridge([Pair(("warp",), ("线程束",)), Pair(("color",), ("颜色",), general=True)])
    assert [notion.kind for notion in read_question("warp color bitcoin COBOL", bridge).notions] == [
        "term",
        "word",
        "stranger",
        "name",
    ]
    assert [notion.kind for notion in read_question("线程束 颜色 粽子", bridge).notions] == [
        "term",
        "word",
        "stranger",
    ]


def test_an_abbreviation_counts_by_either_way_of_saying_it() -> None:
    bridge = Bridge([Pair(("pull request", "PR"), ("拉取请求",))])
    (notion,) = read_question("PR", bridge).notions
    assert notion.ways["en"] == (("pr",), ("pull", "request"))
