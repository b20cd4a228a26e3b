"""Search tokens in Chinese, English and code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.text.tokens import tokens


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("cudaMemcpyAsync", {"cudamemcpyasync", "cuda", "async"}),
        ("__shfl_down_sync", {"shfl_down_sync", "shfl", "sync"}),
        ("sm_90", {"sm_90", "sm", "90"}),
        ("std::move", {"std::move", "std", "move"}),
        ("fence.i", {"fence.i"}),
        ("C++11", {"c++", "c++11"}),
        ("llm.c", {"llm.c", "llm"}),
        ("qemu-riscv64", {"qemu-riscv64", "qemu", "riscv64"}),
    ],
)
def test_an_identifier_counts_whole_and_in_its_parts(text: str, wanted: set[str]) -> None:
    assert wanted <= set(tokens(text))


def test_forms_of_an_english_word_meet() -> None:
    assert tokens("launching kernels") == tokens("launch kernel")


def test_a_chinese_term_meets_itself_whatever_stands_around_it() -> None:
    term = {"存储", "储体", "体冲", "冲突"}
    assert term <= set(tokens("怎样避免存储体冲突？"))
    assert term <= set(tokens("所谓存储体冲突是指"))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("在GPU上运行", ["gpu", "运行"]),
        ("用Adam优化器", ["adam", "优化"]),
        ("识别任务中的LeNet-5模型", ["lenet-5", "lenet", "模型"]),
        ("__shfl_down_sync函数", ["shfl_down_sync", "函数"]),
        ("48KB的共享内存", ["48", "kb", "共享"]),
    ],
)
def test_a_name_ends_where_chinese_goes_on_without_a_space(text: str, wanted: list[str]) -> None:
    assert set(wanted) <= set(tokens(text))


def test_full_width_and_traditional_writing_meet_the_simplified() -> None:
    assert tokens("共享記憶體 ＣＵＤＡ") == tokens("共享记忆体 CUDA")


def test_question_words_of_both_languages_leave_no_token() -> None:
    assert tokens("what is the") == []
    assert tokens("为什么是这样的") == []


def test_bigrams_do_not_run_across_function_words() -> None:
    assert "存的" not in tokens("内存的大小")
    assert {"内存", "大小"} <= set(tokens("内存的大小"))


@given(st.text(max_size=200))
def test_any_text_gives_tokens_without_white_space(text: str) -> None:
    for token in tokens(text):
        assert token
        assert not any(character.isspace() for character in token)


@pytest.mark.parametrize(
    ("one", "other"),
    [("48KB", "48 KB"), ("900GB/s", "900 GB/s"), ("16bits", "16 bit"), ("1.98GHz", "1.98 GHz"), ("5us", "5 us")],
)
def test_a_quantity_meets_itself_with_and_without_a_space_before_its_unit(one: str, other: str) -> None:
    assert set(tokens(one)) <= set(tokens(other))
    assert tokens(one)[0] == other.split(maxsplit=1)[0]


@pytest.mark.parametrize("text", ["3×3", "3 × 3", "$3\\times 3$", "3 x 3", "3x3"])
def test_a_product_of_sizes_is_one_token_however_it_is_written(text: str) -> None:
    assert tokens(text) == ["3x3"]


@pytest.mark.parametrize("text", ["int8", "0x10", "V100", "sm_90", "x2"])
def test_a_name_that_ends_or_starts_in_digits_is_no_quantity(text: str) -> None:
    assert text.lower() in tokens(text)
