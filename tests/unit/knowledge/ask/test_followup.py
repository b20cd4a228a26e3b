"""Which questions lean on the one before."""

from __future__ import annotations

import pytest

from knowledge.ask.followup import leans_on_another, with_subject
from knowledge.search.bridge import Bridge, common_pairs
from knowledge.search.question import read_question

BRIDGE = Bridge(common_pairs())


@pytest.mark.parametrize(
    "text",
    [
        "How fast is it?",
        "And on Hopper?",
        "Why?",
        "它最多有多少？",
        "那怎么避免？",
        "里面保存了什么？",
        "at what clock rate?",
    ],
)
def test_pointing_back_or_naming_hardly_anything_leans(text: str) -> None:
    assert leans_on_another(read_question(text, BRIDGE))


@pytest.mark.parametrize(
    "text",
    [
        "How does cudaMemcpyAsync overlap with kernels in CUDA streams?",
        "BERT 和 GPT 在预训练任务上有什么区别？",
    ],
)
def test_a_question_with_a_subject_of_its_own_stands_alone(text: str) -> None:
    assert not leans_on_another(read_question(text, BRIDGE))


def test_the_earlier_subject_stands_first_and_is_not_endless() -> None:
    question = read_question("How fast is it?", BRIDGE)
    assert with_subject("What is a stream?", question) == "What is a stream? How fast is it?"
    assert len(with_subject("x" * 5000, question)) < 300
