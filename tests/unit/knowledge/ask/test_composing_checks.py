"""What a model's words must keep to."""

from __future__ import annotations

import pytest

from knowledge.ask.composing import keeps_to, parsed

QUOTE = "A warp has 32 threads, and __shfl_down_sync moves values between its lanes on sm_90 since CUDA 9.0."


@pytest.mark.parametrize(
    "text",
    [
        "Each warp holds 32 threads.",
        "Use __shfl_down_sync to move values between lanes.",
        "It exists since CUDA 9.0.",
    ],
)
def test_facts_of_the_quote_pass(text: str) -> None:
    assert keeps_to(text, QUOTE, "en")


@pytest.mark.parametrize(
    "text",
    [
        "Each warp holds 64 threads.",
        "Use __shfl_xor_sync to move values.",
        "It runs on the TPU as well.",
        "See https://evil.example for more.",
        "[click](x) for 32 threads",
        "@everyone a warp has 32 threads",
        "一个线程束有 32 个线程。",
    ],
)
def test_new_numbers_names_links_and_languages_do_not(text: str) -> None:
    assert not keeps_to(text, QUOTE, "en")


def test_a_reply_may_stand_in_a_fence() -> None:
    (sentence,) = parsed('```json\n{"sentences": [{"text": "A warp.", "excerpt": 1}]}\n```')
    assert (sentence.text, sentence.excerpt) == ("A warp.", 1)


def test_a_model_may_say_that_the_excerpts_do_not_answer() -> None:
    assert parsed('{"sentences": []}') == []


@pytest.mark.parametrize("reply", ["", "no", "{}", '{"sentences": [{"text": "x"}]}', '{"sentences": "x"}'])
def test_any_other_reply_is_refused(reply: str) -> None:
    with pytest.raises(ValueError, match="agreed form"):
        parsed(reply)
