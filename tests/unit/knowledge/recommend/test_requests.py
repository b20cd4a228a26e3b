"""Lists for requests in members' own words: what is named, what is behind them, what is not wanted."""

from __future__ import annotations

import pytest

from knowledge.content import load_content
from knowledge.recommend import Recommendation, Recommender
from knowledge.recommend.history import History
from knowledge.recommend.service import recommendation
from knowledge.recommend.shelf import shelf_of
from tests.folders import CONTENT

LIBRARY = load_content(CONTENT)
SHELF, RECOMMENDER = shelf_of(LIBRARY), Recommender(None, LIBRARY, {})  # type: ignore[arg-type]  reads no database


def listed(text: str, lang: str = "en") -> Recommendation:
    return recommendation(SHELF, RECOMMENDER.parse(None, text, lang), History())


def ids(text: str, lang: str = "en") -> list[str]:
    return [item.resource_id for item in listed(text, lang).items]


def said(text: str, lang: str = "en") -> set[str]:
    return {remark.id for remark in listed(text, lang).remarks}


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("cutlass?", "en", {"cute-quickstart", "cutlass-docs", "cutlass-blog-2017"}),
        ("do you have anything on FPGA high-level synthesis?", "en", {"paper-fpga-hls"}),
        ("有没有讲存算一体芯片（PIM）的资料", "zh", {"paper-pim-primer"}),
        ("昇腾资料", "zh", {"ascend-docs-zh"}),
        ("Good papers on LLM serving systems? I want the scheduling side", "en", {"paper-orca", "paper-sarathi"}),
    ],
)
def test_a_subject_that_is_named_gets_the_readings_on_it(text: str, lang: str, expected: set[str]) -> None:
    assert set(ids(text, lang)) & expected


def test_each_of_several_subjects_gets_a_reading() -> None:
    found = ids("kv cache, speculative decoding, prefix caching - one good source for each")
    assert len(found) == 3
    assert "note:speculative-decoding" in found


def test_what_a_member_has_behind_them_is_not_recommended() -> None:
    text = "I've already read PMPP cover to cover and wrote a decent sgemm. Next step for tensor cores on Hopper?"
    found = listed(text)
    assert "pmpp" not in ids(text)
    assert {item.level for item in found.items} == {"advanced"}
    assert "triton-tutorials" not in ids("What would you read after the Triton tutorials 01-03? they went fine")


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("I come from graphics (Vulkan, HLSL). What would get me into compute quickly?", "en", "vulkan-compute"),
        ("搞HPC的，用了十年MPI和Fortran，现在要上GPU，推荐些", "zh", "cuda-fortran"),
        ("absolute beginner here, only know Python. GPU stuff where from?", "en", "note:numba-and-cupy"),
    ],
)
def test_who_comes_from_elsewhere_is_led_in_from_there(text: str, lang: str, expected: str) -> None:
    assert expected in ids(text, lang)


def test_what_is_not_wanted_is_not_there() -> None:
    for text, lang in (("Nsight Compute, no videos please", "en"), ("不看视频，主题是ncu性能分析", "zh")):
        assert "video" not in {item.kind for item in listed(text, lang).items}
    assert {item.lang for item in listed("books on operating systems, nothing in chinese").items} == {"en"}
    assert {item.lang for item in listed("英文不太好，有没有中文讲bank冲突的文章", "zh").items} == {"zh"}


def test_a_question_which_is_first_gets_both_in_their_order() -> None:
    text = "PMPP第四版和NVIDIA官方编程指南，先看哪个？"
    found = ids(text, "zh")
    assert found.index("pmpp") < found.index("cuda-programming-guide")
    assert "remark.compared" in said(text, "zh")


def test_what_is_only_near_is_said_to_be_near() -> None:
    assert "remark.beside" in said(
        "any reading on Graphcore C600 and Poplar for quantum chemistry, papers too"
    ) | said("do you have anything on FPGA high-level synthesis?")


def test_weeks_point_to_a_plan() -> None:
    assert "remark.pace" in said("attention kernels in 4 weeks")
    assert "remark.pace" in said("两周内读懂 Triton 编译器", "zh")


def test_what_stands_aside_is_recommended_only_where_it_is_named() -> None:
    aside = {item.id for item in SHELF.items if item.aside}
    assert aside
    assert not aside & {item for topic in LIBRARY.topics for item in ids(topic.id)}
    assert set(ids("ray tracing with OptiX")) & aside


def test_how_many_were_asked_for_is_how_many_there_are() -> None:
    assert len(ids("推荐一两本系统讲CUDA的书", "zh")) <= 2
    assert len(ids("one article on why GPUs are memory bound")) == 1
