"""Sentences as spans of the very text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from knowledge.text.sentences import sentences


def split(text: str) -> list[str]:
    return [span.of(text) for span in sentences(text)]


def test_abbreviations_and_decimals_end_no_sentence() -> None:
    text = "It runs at 1.5 GHz, e.g. on an A100 (see Fig. 3). It is fast."
    assert split(text) == ["It runs at 1.5 GHz, e.g. on an A100 (see Fig. 3).", "It is fast."]


def test_chinese_stops_end_sentences_without_a_space() -> None:
    assert split("这是第一句。这是第二句！真的吗？") == ["这是第一句。", "这是第二句！", "真的吗？"]


def test_a_full_stop_before_chinese_ends_a_sentence() -> None:
    assert split("共享内存位于片上 SRAM.它很快。") == ["共享内存位于片上 SRAM.", "它很快。"]


def test_code_fences_hold_no_sentences() -> None:
    text = "Before it.\n```cuda\n__global__ void k() { return; }\n```\nAfter it."
    assert split(text) == ["Before it.", "After it."]


def test_list_items_stand_apart_without_their_marks() -> None:
    assert split("- one thing\n- another thing\n2. a third") == ["one thing", "another thing", "a third"]


def test_a_wrapped_line_stays_one_sentence() -> None:
    text = "A warp executes one instruction for all of its threads at\nOnce, which is why divergence costs time."
    assert split(text) == [text]


@given(st.text(alphabet="ab A。.!？\n-1*`|#", max_size=120))
def test_spans_lie_in_order_inside_the_text_and_hold_something(text: str) -> None:
    before = 0
    for span in sentences(text):
        assert before <= span.start < span.end <= len(text)
        assert any(character.isalnum() for character in span.of(text))
        before = span.end
