"""Wishes that name a reading, leave something out, or say what is still to be learnt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from knowledge.recommend import Recommendation, Recommender, Shelf
from knowledge.recommend.history import History
from knowledge.recommend.service import recommendation
from knowledge.recommend.shelf import shelf_of
from tests.shipped_content import shipped_content

LIBRARY = shipped_content()
SHELF, RECOMMENDER = shelf_of(LIBRARY), Recommender(None, LIBRARY, {})  # type: ignore[arg-type]  reads no database


def listed(text: str, lang: str = "en", shelf: Shelf = SHELF) -> Recommendation:
    return recommendation(shelf, RECOMMENDER.parse(None, text, lang), History())


def ids(text: str, lang: str = "en") -> list[str]:
    return [item.resource_id for item in listed(text, lang).items]


@pytest.mark.parametrize(
    ("text", "lang", "first"),
    [
        ("the Hwu and Kirk book", "en", "pmpp"),
        ("Lilian Weng's posts on inference", "en", "weng-inference"),
        ("the CUDA Handbook by Nicholas Wilt", "en", "cuda-handbook"),
        ("樊哲勇那本书", "zh", "fan-cuda-book"),
        ("《CUDA C 编程权威指南》有吗", "zh", "professional-cuda-c"),
        ("the original transformer paper", "en", "paper-attention"),
    ],
)
def test_what_was_named_by_title_or_author_stands_first(text: str, lang: str, first: str) -> None:
    assert ids(text, lang)[0] == first


def test_all_papers_of_an_author_are_found() -> None:
    found = ids("papers by Tri Dao")
    assert {"paper-flashattention", "paper-flashattention-2", "paper-flashattention-3"} <= set(found)


@pytest.mark.parametrize(
    ("text", "lang", "without"),
    [
        ("CUDA books except PMPP", "en", "pmpp"),
        ("除了 PMPP 还有什么 CUDA 书", "zh", "pmpp"),
        ("deep learning compilers, not TVM please", "en", "tvm-docs"),
        ("distributed training, nothing with DeepSpeed", "en", "deepspeed-docs"),
    ],
)
def test_what_is_not_wanted_is_left_out_by_name(text: str, lang: str, without: str) -> None:
    found = ids(text, lang)
    assert found
    assert without not in found


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("attention kernels. no papers", "en"),
        ("大模型推理的资料，论文就不用了", "zh"),
        ("quantization without the maths", "en"),
    ],
)
def test_no_paper_comes_to_who_wants_none(text: str, lang: str) -> None:
    assert "paper" not in {item.kind for item in listed(text, lang).items}


def test_not_nvidia_leaves_out_what_names_its_products() -> None:
    request = RECOMMENDER.parse(None, "matrix multiplication on GPUs but not NVIDIA", "en")
    assert {"cutlass-docs", "hopper-in-depth"} <= request.against
    assert "rdna3-matmul" not in request.against


@pytest.mark.parametrize(
    ("text", "lang"),
    [("I know C++ well but no CUDA. three readings max.", "en"), ("我会 C++，没学过 CUDA，给我三篇就行", "zh")],
)
def test_no_cuda_of_who_knows_cpp_is_what_they_want_to_learn(text: str, lang: str) -> None:
    request = RECOMMENDER.parse(None, text, lang)
    assert (request.topic, request.most) == ("cuda-basics", 3)
    assert "note:what-is-cuda" in ids(text, lang)


def test_who_finished_a_course_is_not_sent_back_to_the_start() -> None:
    found = listed("Finished Stanford CS149, what next for GPUs?")
    assert found.level == "intermediate"
    assert "cs149" not in {item.resource_id for item in found.items}


def test_a_name_of_nothing_here_is_said_to_be_missing() -> None:
    assert listed("the book by Zbigniew Quarkson on CUDA").remarks[0].id == "remark.missing"
    assert listed("anything about blockchain mining on GPUs").remarks[0].id == "remark.nothing_on"


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("crypto mining on a GPU, readings", "en"),
        ("books about leadership", "en"),
        ("有没有讲挖矿的资料", "zh"),
        ("炒股软件怎么写", "zh"),
    ],
)
def test_a_subject_of_another_field_gets_one_sentence_and_nothing_unrelated(text: str, lang: str) -> None:
    found = listed(text, lang)
    assert [remark.id for remark in found.remarks] == ["remark.nothing_on"]
    assert not found.items


def test_the_list_says_what_was_understood() -> None:
    found = listed("two papers about KV cache compression, no videos")
    assert (
        found.remarks[0].text("en")
        == "Understood: KV cache compression; of the kind paper, at most 2, without videos."
    )


def test_a_reading_that_a_moderator_removed_is_left_out_though_it_was_named() -> None:
    removed = replace(SHELF, items=tuple(item for item in SHELF.items if item.id not in {"pmpp", "rdna3-matmul"}))
    for text in ("the Hwu and Kirk book", "matrix multiplication on GPUs but not NVIDIA"):
        assert listed(text, shelf=removed).items


def test_what_comes_near_by_meaning_joins_the_list_and_other_topics_names_do_not() -> None:
    def near(_guild_id: str | None, text: str) -> Mapping[str, float]:
        return {"gpu-specs": 0.9} if "scheduling" in text else {}

    recommender = Recommender(None, LIBRARY, {})  # type: ignore[arg-type]  reads no database
    recommender.reads_by_meaning(near)
    request = recommender.parse(None, "job scheduling for accelerators", "en")
    assert "gpu-specs" in [item.resource_id for item in recommendation(SHELF, request, History()).items]
    assert recommender.parse(None, "tpu", "en").near == {}
