"""What a wish in a member's own words is read as, over the real content."""

from __future__ import annotations

import pytest

from knowledge.errors import NotFound
from knowledge.recommend.lexicon import lexicon_of
from knowledge.recommend.shelf import Shelf, shelf_of
from knowledge.recommend.wish import UnknownTopic, Wish, wish_of
from tests.shipped_content import shipped_content

LIBRARY = shipped_content()
SHELF, LEXICON = shelf_of(LIBRARY), lexicon_of(LIBRARY)


def read(text: str) -> Wish:
    return wish_of(text, SHELF, LEXICON)


@pytest.mark.parametrize(
    ("text", "topic", "level"),
    [
        ("cuda", "cuda-basics", None),
        ("beginner cuda", "cuda-basics", "beginner"),
        ("cuda for beginners", "cuda-basics", "beginner"),
        ("I want to learn TPU", "tpu", None),
        ("我想学 CUDA，零基础", "cuda-basics", "beginner"),
        ("start with c++ for gpu", "cpp", "beginner"),
        ("large language model inference", "inference", None),
        ("大模型推理", "inference", None),
        ("compilers for deep learning", "graph-compilers", None),
        ("debugging CUDA kernels", "profiling", None),
        ("GEMM 优化", "gemm", None),
        ("how do I make my kernel faster?", "kernel-optimization", None),
        ("resources to learn about RDMA", "rdma", None),
        ("I know nothing about hardware", "gpu-architecture", "beginner"),
        ("a deep dive into tensor cores", "tensor-cores", "advanced"),
        ("共享記憶體 進階", "shared-memory", "advanced"),
        ("ｃｕｄａ", "cuda-basics", None),
        ("vllm", "inference", None),
        ("any triton", "triton", None),
    ],
)
def test_topic_and_level_are_found_in_any_order_and_language(text: str, topic: str, level: str | None) -> None:
    assert (read(text).topic, read(text).level) == (topic, level)


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("beginer quantizaton", "quantization"), ("memory coalesing", "coalescing"), ("tenser cores", "tensor-cores"),
        ("mixed presicion training", "mixed-precision"), ("flash atention", "attention"),
    ],
)  # fmt: skip
def test_typos_are_forgiven(text: str, topic: str) -> None:
    assert read(text).topic == topic


@pytest.mark.parametrize("text", ["I already know CUDA, now I want to learn Triton", "会写 CUDA，想学 Triton"])
def test_what_a_member_knows_is_not_what_they_ask_for(text: str) -> None:
    assert (read(text).topic, read(text).also, read(text).level) == ("triton", (), "intermediate")


def test_kind_time_and_language_are_part_of_a_wish() -> None:
    assert read("a video on CUDA").kinds == {"video"}
    assert read("有没有量化的论文").kinds == {"paper"}
    assert read("30 minutes for roofline").minutes == 30
    assert read("半小时了解 roofline").minutes == 30
    assert read("2 小时学 Triton").minutes == 120
    assert read("roofline, 5 hours a week").minutes is None
    assert read("每周 5 小时学 Triton").minutes is None
    assert read("CUDA in Chinese").only_lang == "zh"
    assert read("英文的 Triton 资料").only_lang == "en"


def test_several_topics_stand_beside_the_main_one_unless_it_rests_on_them() -> None:
    assert read("transformer quantization").also == ("transformers",)
    assert read("shared memory bank conflicts").also == ()
    assert len(read("AI infra").also) > 3


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("LoRA fine-tuning", "lora-and-qlora"), ("ZeRO, FSDP", "fsdp-and-zero"), ("opencl", "opencl-and-sycl"),
        ("PyTorch 显存不够怎么办", "pytorch-out-of-memory"), ("where do I start?", "where-to-start"),
        ("how do GPUs talk", "gpu-communication-nvlink-infiniband"),
    ],
)  # fmt: skip
def test_a_reading_is_named_by_its_title_or_its_term(text: str, note: str) -> None:
    assert f"note:{note}" in {item for subject in read(text).subjects for item in subject.items}


@pytest.mark.parametrize(
    "text", ["cooking pasta", "qwertzuiop", "3D rendering", "今天天气怎么样", "'; drop table x; --"]
)
def test_nothing_known_names_what_is_near_or_where_to_begin(text: str) -> None:
    with pytest.raises(UnknownTopic) as caught:
        read(text)
    assert caught.value.offered
    assert caught.value.offered[0].title.en in caught.value.text("en")
    assert "beginner shared memory" in caught.value.text("en")


def test_a_near_name_is_offered() -> None:
    with pytest.raises(UnknownTopic) as caught:
        read("qwgpus and cudagraf")
    assert "cuda-graphs" in {topic.id for topic in caught.value.offered}


@pytest.mark.parametrize("text", ["", "  ", "--"])
def test_an_empty_wish_asks_for_a_topic(text: str) -> None:
    with pytest.raises(NotFound):
        read(text)


def test_a_long_hostile_text_is_read_in_the_end() -> None:
    assert read("cuda " * 2000).topic == "cuda-basics"
    with pytest.raises(UnknownTopic):
        read("ａ" * 5000)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("OneFlow", ("OneFlow",)), ("MindSpore", ()), ("用旷视天元训练", ("旷视天元",)), ("Quux for CUDA", ()),
        ("CUDA with Quuxlang", ("Quuxlang",)), ("coming from OpenGL, learn CUDA", ()), ("wanting to learn cuda", ()),
    ],
)  # fmt: skip
def test_a_named_subject_without_a_topic_is_kept_as_missing(text: str, missing: tuple[str, ...]) -> None:
    assert read(text).missing == missing


@pytest.mark.parametrize("text", ["MoE", "混合专家模型怎么训练", "moe 模型 推理", "moe inference"])
def test_mixture_of_experts_is_found_by_its_common_names(text: str) -> None:
    assert "note:mixture-of-experts" in read(text).first


@pytest.mark.parametrize("text", ["I know PyTorch, now CUDA", "写过 PyTorch，想学 CUDA", "PyTorch developer, CUDA"])
def test_a_background_beside_the_way_to_a_topic_is_neither_goal_nor_level(text: str) -> None:
    assert (read(text).topic, read(text).also, read(text).level) == ("cuda-basics", (), None)


def test_what_a_list_cannot_hold_is_kept_as_it_was_typed() -> None:
    assert (read("triton, an hour a week").pace, read("triton, an hour a week").minutes) == ("an hour a week", None)
    assert read("每周三小时学 Triton").pace == "每周三小时"
    assert (read("no videos, CUDA").without, read("no videos, CUDA").kinds) == ({"video"}, frozenset())
    assert (read("最适合新手的书").assumed, read("which book for beginners").kinds) == (True, {"book"})


def test_a_word_for_readings_that_a_moderator_removed_is_still_heard() -> None:
    """What typed.toml and content/ name need not be on the shelf of a server."""
    removed = {id_ for id_ in SHELF.by_id if not id_.startswith(("note:", "problem:"))}
    bare = Shelf(SHELF.topics, tuple(item for item in SHELF.items if item.id not in removed))
    for text in ("GPU 历史", "cuda 面试", "hip for cuda programmers", "cuda with exercises"):
        wish = wish_of(text, bare, LEXICON)
        named = {id_ for subject in wish.subjects for id_ in subject.items}
        assert (named | wish.bridges | wish.suited | wish.behind) <= bare.by_id.keys()
