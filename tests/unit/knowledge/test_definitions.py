"""Which term a question is about: found by all its names in both languages, and only where nothing more is asked."""

from __future__ import annotations

import pytest

from knowledge.content import Definitions
from knowledge.definitions import definition_of, nearest, term_named, terms_compared, terms_with
from knowledge.errors import NotFound
from tests.shipped_content import shipped_content

SHAPES = (
    "{}", "what is {}?", "What is a {}", "what are {}", "what does {} mean?", "explain {}", "define {}",
    "what's the {} in CUDA?", "can you explain what {} is?", "what is meant by {}", "什么是{}", "什么是 {}？",
    "{} 是什么", "{}是什么意思？", "请问{}是什么呢", "{}的定义", "CUDA 里的{}是什么？",
    "什么叫{}", "解释一下{}", "{}指的是什么",
)  # fmt: skip


@pytest.fixture(scope="module")
def definitions() -> Definitions:
    return shipped_content().definitions


@pytest.mark.parametrize("shape", SHAPES)
def test_a_question_for_any_name_of_a_term_in_either_language_finds_its_definition(
    shape: str, definitions: Definitions
) -> None:
    names = [name for one in definitions for name in (*one.term.en, *one.term.zh)]
    wrong = [name for name in names if definition_of(shape.format(name), definitions) is not definitions.named(name)]
    assert wrong == []


@pytest.mark.parametrize(
    ("asked", "slug"),
    [
        ("What are warps?", "warp"),
        ("什麼是執行緒束？", "warp"),
        ("什么是线程束（warp）？", "warp"),
        ("请问什么是占用率呀", "occupancy"),
        ("what does SM stand for", "streaming-multiprocessor"),
        ('"what is the meaning of a warp"', "warp"),
        ("什么叫做访存合并？", "coalesced-access"),
        ("what is a sync", "synchronization"),
    ],
)
def test_usual_ways_to_ask_for_a_meaning_are_understood(asked: str, slug: str, definitions: Definitions) -> None:
    found = definition_of(asked, definitions)
    assert found is not None
    assert found.slug == slug


@pytest.mark.parametrize(
    "asked",
    [
        "what is the difference between a warp and a block", "what is a warp used for", "how does a warp work",
        "why is my kernel slow", "what is warp (block)", "what is the best GPU", "how to avoid bank conflicts",
        "warp 和 block 有什么区别", "为什么会有线程束分化", "什么是 warp 调度", "线程束有多少个线程", "", "？",
        "what is", "是什么", "什么" * 20000,
    ],
)  # fmt: skip
def test_a_question_that_says_more_than_a_term_has_no_definition(asked: str, definitions: Definitions) -> None:
    assert definition_of(asked, definitions) is None


def test_an_unknown_term_is_refused_with_the_nearest_ones_in_both_languages(definitions: Definitions) -> None:
    with pytest.raises(NotFound) as refused:
        term_named(definitions, "bank conflit")
    assert "bank conflict" in refused.value.text("en")
    assert "存储体冲突" in refused.value.text("zh")
    assert nearest(definitions, "xyzzy") == ()
    with pytest.raises(NotFound, match="xyzzy"):
        term_named(definitions, "xyzzy")


def test_a_member_is_offered_the_terms_that_begin_with_what_was_typed(definitions: Definitions) -> None:
    assert terms_with(definitions, "warp d")[0].slug == "warp-divergence"
    assert [one.slug for one in terms_with(definitions, "合并访")] == ["coalesced-access", "uncoalesced-access"]
    assert terms_with(definitions, "") == definitions.in_order


@pytest.mark.parametrize(
    ("question", "slugs"),
    [
        ("process vs thread", ("process", "thread")),
        ("What is the difference between PTX and SASS?", ("ptx", "sass")),
        ("SIMT 跟 SIMD 差别到底在哪", ("single-instruction-multiple-threads", "single-instruction-multiple-data")),
        ("MXFP4 和 NVFP4 有什么不同？", ("mxfp4", "nvfp4")),
    ],
)
def test_a_question_for_a_difference_names_two_terms(
    question: str, slugs: tuple[str, str], definitions: Definitions
) -> None:
    found = terms_compared(question, definitions)
    assert found is not None
    assert tuple(term.slug for term in found) == slugs


@pytest.mark.parametrize(
    "question", ["warp vs warps", "PTX vs the moon", "CUDA 和昇腾写算子的感觉差别大吗", "what is a warp"]
)
def test_where_one_of_both_is_no_term_nothing_is_compared(question: str, definitions: Definitions) -> None:
    assert terms_compared(question, definitions) is None
