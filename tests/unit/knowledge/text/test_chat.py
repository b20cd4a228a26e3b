"""Chat spelling is read as a page would write it, and nothing that means something is lost."""

from __future__ import annotations

import pytest

from knowledge.search.bridge import Bridge, Pair
from knowledge.search.question import read_question
from knowledge.text.chat import spelled_out

BRIDGE = Bridge([Pair(("warp",), ("线程束",)), Pair(("divergence",), ("分化",))])


@pytest.mark.parametrize(
    ("chat", "page"),
    [
        ("idk whats a warp thx", "what is a warp"),
        ("anyone know how a barrier works w/o atomics lol", "how a barrier works without atomics"),
        ("quick q: diff between warp and lane pls", "difference between warp and lane"),
        ("why doesnt it run thru the cache", "why does not it run through the cache"),
        ("cost of attn in mem with a big bs", "cost of attention in memory with a big batch size"),
        ("lr太小会咋样", "learning rate太小会怎么样"),
        ("大佬们，线程束为啥会分化 谢谢", "线程束为什么会分化"),
        ("新手问一下，共享内存有啥用呢", "共享内存有什么用"),
        ("请教下makecontext 的参数咋拆 求解", "makecontext 的参数怎么拆"),
    ],
)
def test_chat_is_spelled_out(chat: str, page: str) -> None:
    assert spelled_out(chat) == page


@pytest.mark.parametrize(
    "text",
    [
        "What is a warp?",
        "git diff shows nothing",
        "U is upper triangular, R is a register",
        "dev/cuda/README of llm.c",
        "does def im2col(x) need w/h?",
        "下界是什么？",
        "问题规模怎么算？",
        "怎样求解线性方程组？",
        "torch.optim.lr_scheduler and exec(2)",
        "what does alloc(n) return?",
        "thx",
        "谢谢",
    ],
)
def test_what_means_something_is_left_alone(text: str) -> None:
    assert spelled_out(text) == text


@pytest.mark.parametrize(
    ("chat", "plain"),
    [("hey whats warp divergence pls", "what is warp divergence"), ("求问线程束分化是啥", "线程束分化是什么")],
)
def test_a_question_in_chat_asks_about_the_same(chat: str, plain: str) -> None:
    asked, meant = read_question(chat, BRIDGE), read_question(plain, BRIDGE)
    assert [notion.text for notion in asked.notions] == [notion.text for notion in meant.notions]
    assert asked.wants_meaning
