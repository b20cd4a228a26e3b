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
