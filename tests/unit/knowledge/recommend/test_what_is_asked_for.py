"""Which language, which order, official or short: what a wish says besides its subject, and what comes first."""

from __future__ import annotations

import pytest

from knowledge.recommend import Recommendation, Recommender
from knowledge.recommend.history import History
from knowledge.recommend.languages import language_in
from knowledge.recommend.service import recommendation
from knowledge.recommend.shelf import shelf_of
from tests.shipped_content import shipped_content

LIBRARY = shipped_content()
SHELF, RECOMMENDER = shelf_of(LIBRARY), Recommender(None, LIBRARY, {})  # type: ignore[arg-type]  reads no database


def listed(text: str, lang: str = "en") -> Recommendation:
    """With every reading as near as any other, so that wishes take the way that the whole library has."""
    near = {item.id: 0.35 for item in SHELF.items}
    recommender = Recommender(None, LIBRARY, {})  # type: ignore[arg-type]  reads no database
    recommender.reads_by_meaning(lambda _guild_id, _text: near)
    return recommendation(SHELF, recommender.parse(None, text, lang), History())


def ids(text: str, lang: str = "en") -> list[str]:
    return [item.resource_id for item in listed(text, lang).items]


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("GPU 视频课，英文听不懂", "zh"),
        ("英文不太行，推荐点资料", "zh"),
        ("看不懂英文文档", "zh"),
        ("my teammate's English is poor", "zh"),
        ("he reads Chinese much better than English", "zh"),
        ("英文也可以", None),
        ("可以英文", None),
        ("中英都行", None),
        ("English or Chinese, both fine", None),
        ("英文不好找，所以问问", None),
    ],
)
def test_who_reads_no_english_gets_chinese_and_who_reads_both_is_not_limited(text: str, only: str | None) -> None:
    assert language_in(text)[0] == only


def test_a_language_that_is_welcome_too_limits_nothing() -> None:
    assert RECOMMENDER.parse(None, "分布式训练，可以英文", "zh").only_lang is None
    assert RECOMMENDER.parse(None, "想看英文的 Triton 资料", "zh").only_lang == "en"


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("matmul optimization that isn't a paper", "en"),
        ("tensor cores, not a paper please", "en"),
        ("TensorRT int8 部署，论文别来", "zh"),
        ("投机解码，论文就算了", "zh"),
    ],
)
def test_a_kind_that_is_denied_is_not_asked_for(text: str, lang: str) -> None:
    request = RECOMMENDER.parse(None, text, lang)
    assert (request.kinds, request.without) == (frozenset(), {"paper"})


def test_an_article_that_is_not_wanted_does_not_deny_its_subject() -> None:
    assert "harris-reduction" in ids("slides rather than articles about reduction in cuda")


def test_papers_stand_by_the_year_that_they_came_out() -> None:
    first = ["paper-flashattention", "paper-flashattention-2", "paper-flashattention-3"]
    assert [one for one in ids("flash attention papers, oldest first") if one in first] == first
    newest = [one for one in ids("flash attention papers, newest first") if one in first]
    assert newest == first[::-1]


def test_what_is_to_come_later_stands_later() -> None:
    kinds = [item.kind for item in listed("explain quantization gently, then the papers").items]
    assert kinds[0] != "paper"
    assert kinds[-1] == "paper"


@pytest.mark.parametrize(
    ("text", "lang", "first"),
    [
        ("official docs of nccl", "en", "nccl-docs"),
        ("pytorch 自定义算子，要官方的", "zh", "pytorch-custom-ops"),
        ("昇腾 Ascend C 资料", "zh", "ascend-docs-zh"),
        ("the Mark Harris reduction slides", "en", "harris-reduction"),
        ("is the roofline paper in the library?", "en", "paper-roofline"),
    ],
)
def test_what_was_named_stands_first(text: str, lang: str, first: str) -> None:
    assert ids(text, lang)[0] == first


def test_a_work_that_was_named_stands_alone() -> None:
    assert ids("'CUDA by Example' - still worth it?") == ["cuda-by-example"]


def test_nothing_that_takes_days_is_for_one_evening() -> None:
    for text, lang in (("triton, tonight", "en"), ("下周面试 AI infra，求突击资料", "zh")):
        assert all((item.minutes or 0) < 300 for item in listed(text, lang).items)


def test_a_job_is_no_background() -> None:
    request = RECOMMENDER.parse(None, "interview for a kernel engineer job, gimme a plan", "en")
    assert request.known == request.missing == ()
    assert "note:gpu-interview-questions" in request.named


def test_one_name_of_a_term_leads_where_all_its_names_lead() -> None:
    assert ids("投机采样 论文", "zh")[0] == ids("speculative decoding papers", "zh")[0]
