"""What text becomes on a page: Markdown without HTML, code line by line, quotes where they stand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.ask.answer import Excerpt
from knowledge.ask.quote_context import windows
from knowledge.content.notes import Source
from knowledge.text.sentences import Span
from web import highlight
from web.diff import compared
from web.markdown import html, note_html
from web.render import ticked

HOSTILE = (
    '<script>alert(1)</script><img src=x onerror=alert(1)> [x](javascript:alert(1)) <a href="javascript:x">y</a>'
)


def test_html_in_markdown_is_shown_and_not_passed_on() -> None:
    made = html(HOSTILE)
    assert "<script" not in made
    assert "<img" not in made
    assert 'href="javascript' not in made


def test_a_fence_with_a_hostile_language_stays_text() -> None:
    assert "<script" not in html('```"><script>\n<script>1</script>\n```')


def test_a_mark_leads_to_its_source_and_code_keeps_its_brackets() -> None:
    made = note_html("True[^isa]. `a[^isa]`", [Source(id="isa", what="the manual")])
    assert '<a href="#source-1">1</a>' in made
    assert "<code>a[^isa]</code>" in made


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=300))
def test_a_source_has_as_many_lines_on_the_page(source: str) -> None:
    shown = source.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    assert len(highlight.lines(source)) == len(shown.split("\n"))
    assert "<script" not in "".join(highlight.lines(source + "<script>"))


@given(st.lists(st.sampled_from(["a", "b", "c"])), st.lists(st.sampled_from(["a", "b", "c"])))
def test_a_comparison_holds_both_sources(before: list[str], after: list[str]) -> None:
    lines = compared("\n".join(before), "\n".join(after))
    assert [line.text for line in lines if line.change != "added"] == "\n".join(before).splitlines()
    assert [line.text for line in lines if line.change != "removed"] == "\n".join(after).splitlines()
    assert sum(line.change == "same" for line in lines) == longest_in_common(before, after)


def longest_in_common(before: list[str], after: list[str]) -> int:
    row = [0] * (len(after) + 1)
    for line in before:
        above = row
        row = [0]
        for n, other in enumerate(after):
            row.append(above[n] + 1 if line == other else max(above[n + 1], row[n]))
    return row[-1]


def test_a_comparison_made_to_be_slow_is_given_up_in_time() -> None:
    """An exact one of these takes minutes; that this ends within the test's time is what is held."""
    lines = compared("}\n{\n" * 1500, "{\n{\n}\n" * 1000)
    assert sum(line.change != "added" for line in lines) == sum(line.change != "removed" for line in lines) == 3000


@pytest.mark.parametrize("shown", [highlight.block, highlight.uncoloured])
def test_what_turns_the_direction_of_text_is_shown(shown: Callable[[str], str]) -> None:
    html = shown("int a; // \u202e\u2066 <b>\n")
    assert "\u202e" not in html
    assert 'title="U+202E"' in html
    assert 'title="U+2066"' in html
    assert "<b>" not in html


@given(st.text(min_size=1, max_size=900), st.data())
def test_marks_stand_in_their_window_character_for_character(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    excerpt = Excerpt(text, 0, (Span(start, end),), 1)
    (window,) = windows(text, [excerpt])
    assert "".join(piece.text for piece in window.pieces) in text
    assert [piece.text for piece in window.pieces if piece.quoted] == [text[start:end]]


def test_a_mark_that_does_not_stand_in_the_page_is_not_shown() -> None:
    assert windows("some text", [Excerpt("words", 0, (Span(0, 5),), 1)]) == []


def test_what_stands_between_backticks_is_code_and_everything_is_escaped() -> None:
    assert ticked("`a<b>c`: a < b") == "<code>a&lt;b&gt;c</code>: a &lt; b"
    assert ticked("one ` alone") == "one ` alone"
