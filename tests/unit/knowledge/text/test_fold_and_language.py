"""One spelling, and which language it is in."""

from __future__ import annotations

import pytest

from knowledge.text.fold import fold, visible
from knowledge.text.language import language_of, language_of_asker


def test_control_direction_and_joining_characters_vanish() -> None:
    assert visible("a\u202eb\u200d\x00c\u2066") == "abc"


def test_line_breaks_survive() -> None:
    assert visible("a\nb\tc") == "a\nb\tc"
    assert visible("共享内存　分为\r\n三十二个存储体\x0b。") == "共享内存　分为\r\n三十二个存储体。"


def test_compatibility_forms_become_plain() -> None:
    assert fold("ＣＵＤＡ　１２８") == "CUDA 128"


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("什么是 CUDA stream？", "zh"),
        ("how do I say 共享内存 in English please", "en"),
        ("__global__ 是什么意思", "zh"),
        ("nvcc fatal error", "en"),
        ("🙂", "en"),
    ],
)
def test_the_script_tells_the_language(text: str, lang: str) -> None:
    assert language_of(text) == lang


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("RuntimeError: CUDA error: an illegal memory access was encountered 怎么办", "zh"),
        ("undefined symbol: cublasLtCreate when I import torch, 求助", "zh"),
        ("what does 共享内存 mean in the CUDA programming guide", "en"),
        ("how do I avoid bank conflicts", "en"),
    ],
)
def test_who_asks_in_chinese_about_an_english_message_is_answered_in_chinese(text: str, lang: str) -> None:
    assert language_of_asker(text) == lang
