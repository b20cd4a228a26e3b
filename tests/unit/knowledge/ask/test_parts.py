"""Questions told apart into two parts by their words, and questions that are one however they are built."""

from __future__ import annotations

import pytest

from knowledge.ask.parts import parts_of, with_subject


@pytest.mark.parametrize(
    ("message", "first", "second"),
    [
        ("what is PTX and how do I read it", "what is PTX", "how do I read it"),
        ("Why does divergence cost time, and does __syncwarp help?", "Why does divergence cost time",
         "does __syncwarp help?"),
        ("what's local memory in cuda? is it on chip?", "what's local memory in cuda?", "is it on chip?"),
        ("how does ring all-reduce work? and how many bytes does each gpu send", "how does ring all-reduce work?",
         "how many bytes does each gpu send"),
        ("difference between fp16 and bf16 and which for training", "difference between fp16 and bf16",
         "which for training"),
        ("how much shared memory per block and how long does it live", "how much shared memory per block",
         "how long does it live"),
        ("how do u autotune a triton kernel, whats the key arg for", "how do u autotune a triton kernel",
         "whats the key arg for"),
        ("TMA 是什么，怎么用？", "TMA 是什么", "怎么用？"),
        ("SM 到底是什么?跟 CPU 的核一样吗", "SM 到底是什么?", "跟 CPU 的核一样吗"),
        ("什么是线程束以及为什么是 32 个线程", "什么是线程束", "为什么是 32 个线程"),
        ("pin_memory 为什么能加速,开太多有坏处吗", "pin_memory 为什么能加速", "开太多有坏处吗"),
        ("占用率低会有什么后果，怎么提高？", "占用率低会有什么后果", "怎么提高？"),
    ],
)  # fmt: skip
def test_two_questions_come_apart(message: str, first: str, second: str) -> None:
    found = parts_of(message)
    assert found is not None
    assert (found.preface, found.first, found.second) == ("", first, second)


@pytest.mark.parametrize(
    "message",
    [
        "What is a warp?",
        "difference between __syncthreads and __syncwarp",
        "What is the difference between how a stream waits and how an event waits?",
        "which of warp, block and grid is the largest?",
        "how do i overlap copy and compute",
        "Ring or tree all-reduce: which one is better and why?",
        "what exactly is a warp? my professor keeps saying it and never defines it",
        "cuobjdump or nvdisasm, how do they differ?",
        "My kernel launch returns nothing, so how do I check whether it failed?",
        "H100 has 144 SMs, right? so how many waves do I get",
        "what is wrong here: int i = threadIdx.x; and why is it slow",
        "RuntimeError: CUDA error: out of memory. what is it and how do I fix it?",
        "共享内存和寄存器的区别",
        "PTX、SASS、cubin、fatbin 分别是什么",
        "H100 有多少个 SM？4090 呢？",
        "刚入门,合并访存到底是啥意思",
        "想知道 kernel 用了多少寄存器和共享内存，怎么看",
        "cuda core 跟 tensor core 有啥不一样，为什么？",
        "A100 属于 Hopper 架构,所以能用 TMA 对吧?怎么写",
        "为啥 unified memory 跑起来慢好多,代码啥都没改",
    ],
)
def test_one_question_stays_whole(message: str) -> None:
    assert parts_of(message) is None


def test_what_is_told_before_the_questions_belongs_to_both() -> None:
    found = parts_of('ncu says "Stall Long Scoreboard". Why are the warps stalled and what can I do?')
    assert found is not None
    assert found.preface == 'ncu says "Stall Long Scoreboard".'
    assert (found.first, found.second) == ("Why are the warps stalled", "what can I do?")


def test_of_three_questions_the_last_two_stay_together() -> None:
    found = parts_of("shared memory 有几个 bank?每个多宽?每周期给多少字节")
    assert found is not None
    assert found.second == "每个多宽?每周期给多少字节"


@pytest.mark.parametrize(
    ("names", "question", "about"),
    [
        (["local memory"], "is it on chip?", "is local memory on chip?"),
        (["TMA"], "怎么用？", "TMA 怎么用？"),
        (["GQA"], "MoE 为什么需要它", "MoE 为什么需要GQA"),
        (["ring all-reduce", "GPU"], "how many bytes", "ring all-reduce GPU: how many bytes"),
        ([], "is it on chip?", "is it on chip?"),
    ],
)
def test_the_second_part_is_asked_about_the_subject_of_the_first(names: list[str], question: str, about: str) -> None:
    assert with_subject(names, question) == about
