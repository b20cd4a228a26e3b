"""Where an excerpt may not begin, and where it may not end."""

from __future__ import annotations

import pytest

from knowledge.ask.excerpts import announces, dangles


@pytest.mark.parametrize(
    "text",
    [
        "This is called divergence.",
        "The loop above is a grid-stride loop.",
        "In the example above the neighbours are served by the cache.",
        "With the bound above, 4 blocks fit.",
        "However, the barrier stays.",
        "- one item of a list",
        "2. the second step",
        "| a row | of a table |",
        "and the rest of a sentence.",
        "这会造成分歧。",
        "上面的循环是网格步长循环。",
        "因此需要屏障。",
        "，后半句。",
    ],
)
def test_what_leans_on_the_text_before_it_begins_no_excerpt(text: str) -> None:
    assert dangles(text)


@pytest.mark.parametrize(
    "text",
    [
        "A warp has 32 threads.",
        "__syncthreads() waits for all threads.",
        "cudaMalloc allocates memory.",
        "nvcc 编译设备代码。",
        "compute-sanitizer reports races.",
        "A result above the physical peak is an error.",
        "Sizes above 48 KB need an attribute.",
        "其他线程可以继续。",
        "线程束有 32 个线程。",
    ],
)
def test_what_stands_for_itself_begins_one(text: str) -> None:
    assert not dangles(text)


@pytest.mark.parametrize(
    "text",
    ["The kinds are:", "步骤如下：", "It works as follows", "**Note:**", "The steps are shown below", "规则如下"],
)
def test_a_lead_in_ends_no_excerpt(text: str) -> None:
    assert announces(text)


@pytest.mark.parametrize("text", ["It is done.", "The ratio is 3:1.", "完成。", "The rules below hold. So it ends."])
def test_what_is_complete_ends_one(text: str) -> None:
    assert not announces(text)
