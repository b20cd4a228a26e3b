"""Passages: spans of the page, whole code, a budget kept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexer.cut_passages import cut_passages
from indexer.extract.page import PageWriter

PROSE = st.text(alphabet="abc 。.！? 中文字符\n", min_size=1, max_size=400)


def count_words(texts: object) -> list[int]:
    return [len(str(text).split()) + sum(character > "\u3400" for character in str(text)) for text in texts]  # type: ignore[attr-defined]  # a list of texts


@given(st.lists(st.tuples(st.sampled_from(["prose", "item", "code", "heading", "table"]), PROSE), max_size=12))
def test_passages_are_spans_in_order_that_leave_no_words_out(parts: list[tuple[str, str]]) -> None:
    writer = PageWriter("Title")
    for kind, text in parts:
        match kind:
            case "heading":
                writer.heading(2, text)
            case "table":
                writer.table([[text, "x"], ["y", text]])
            case "code":
                writer.code(text)
            case "item":
                writer.item(text)
            case _:
                writer.prose(text)
    page = writer.page()
    cut = cut_passages(page, count_words, budget=30)
    ends = [0, *(chunk.end for chunk in cut)]
    assert all(before <= chunk.start < chunk.end for before, chunk in zip(ends, cut, strict=False))
    wanted = "".join(page.text[b.start : b.end] for b in page.blocks if b.kind != "heading")
    if wanted:
        assert "".join("".join(page.text[c.start : c.end] for c in cut).split()) == "".join(wanted.split())


def test_a_code_block_is_never_cut_and_never_joined_with_prose() -> None:
    writer = PageWriter()
    writer.prose("Before.")
    writer.code("\n".join(f"line {number}" for number in range(200)), "c")
    writer.prose("After.")
    page = writer.page()
    cut = cut_passages(page, count_words, budget=20)
    assert [chunk.kind for chunk in cut] == ["prose", "code", "prose"]
    assert page.text[cut[1].start : cut[1].end].count("\n") == 199


def test_a_passage_never_spans_two_sections() -> None:
    writer = PageWriter()
    writer.heading(1, "One")
    writer.prose("Short.")
    writer.heading(1, "Two")
    writer.prose("Short too.")
    assert [chunk.headings for chunk in cut_passages(writer.page(), count_words)] == [("One",), ("Two",)]


def test_long_chinese_prose_is_cut_at_its_full_stops() -> None:
    writer = PageWriter()
    writer.prose("线程束由三十二个线程组成。" * 20)
    page = writer.page()
    cut = cut_passages(page, count_words, budget=60)
    assert len(cut) > 3
    assert all(page.text[chunk.start : chunk.end].endswith("。") for chunk in cut)
    assert {chunk.lang for chunk in cut} == {"zh"}


def test_a_page_of_headings_alone_is_still_found() -> None:
    writer = PageWriter()
    writer.heading(1, "Chapter eight")
    assert len(cut_passages(writer.page(), count_words)) == 1
