"""Calculations out of a question: the right number, in both languages, and nothing where a number is missing."""

from __future__ import annotations

import pytest

from knowledge.figures import weights_worked, worked

WORKED = [
    ("training FLOPs for a 7B model on 1T tokens?", "4.2e22"),
    ("训练 7B 模型 1T tokens 大概要多少 FLOPs", "4.2e22"),
    ("KV cache per token: 32 layers, 8 KV heads, head dim 128, fp16?", "128 KiB"),
    ("KV cache for Llama-2-7B in fp16 (32 layers, 32 heads of 128): and for a 4096 token context?", "2 GiB"),
    ("32 层、8 个 KV 头、head_dim 128、FP16，每个 token 的 KV cache 多大？", "131072"),
    ("KV cache in fp8: 80 layers, 8 KV heads, head dim 128", "160 KiB"),
    ("3080 10G：320bit 位宽，19Gbps，理论显存带宽怎么算", "760 GB/s"),
    ("memory bandwidth of a 384 bit bus at 21 Gbps", "1008 GB/s"),
    ("A100: 每个 SM 放 2 个 block, grid 一共 250 个 block, 要跑几个 wave", "16%"),
    ("132 SMs, 2 blocks per SM, a grid of 528 blocks: how many waves?", "2 waves"),
]
WEIGHTS = [
    ("will 13B params in fp16 fit in 24gb?", ("26 GB", "does not fit in 24 GB")),
    ("7B 模型 fp16 光权重要多少显存", ("14 GB",)),
    ("70B model, one 48 GB card. what precision would you use for serving", ("35 GB", "INT4")),
    ("does a 7B model in 16-bit fit on a 24 GB card", ("14 GB", "fits in 24 GB")),
    ("Does llama 405B fit on one 8xH100-80GB node in fp8? And in bf16?", ("810 GB", "In 640 GB", "(405 GB)")),
    ("can I run 8B in bf16 in 16 GB of VRAM", ("16 GB of 16 GB leave too little",)),
    ("7b model size int8 vs fp16", ("14 GB", "7 GB", "3.5 GB")),
]
LEFT_TO_THE_PAGES = [
    "What is a KV cache?",
    "How do I train a 7B model on 8 GPUs?",
    "GPTQ vs AWQ - which one should I use for a 4-bit 14B model?",
    "how should I serve a 70B model on two 80GB GPUs?",
    "70B 模型 4bit 量化，两张 24G 卡放得下吗",
    "What does a wave of blocks mean?",
    "Why does a 256-bit bus need alignment?",
    "how many tokens per second does a 70B model reach at 3 TB/s",
    "",
    "x" * 1000,
]


@pytest.mark.parametrize(("question", "said"), WORKED)
def test_a_calculation_is_worked_with_the_numbers_of_the_question(question: str, said: str) -> None:
    found = worked(question)
    assert found is not None
    assert said in found.text("en")
    assert found.text("zh") != found.text("en")


@pytest.mark.parametrize(("question", "said"), WEIGHTS)
def test_weights_of_a_model_and_whether_they_fit(question: str, said: tuple[str, ...]) -> None:
    found = weights_worked(question)
    assert found is not None
    for words in said:
        assert words in found.text("en")


@pytest.mark.parametrize("question", LEFT_TO_THE_PAGES)
def test_what_asks_for_something_else_is_left_to_the_pages(question: str) -> None:
    assert worked(question) is None
    assert weights_worked(question) is None


def test_the_last_wave_of_a_grid_that_fits_exactly_is_full() -> None:
    found = worked("108 SMs, 1 block per SM, a grid of 216 blocks: how many waves?")
    assert found is not None
    assert "2 waves" in found.text("en")
    assert "100%" in found.text("en")
