"""Small lists of our own in every format."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.lists import Imported, import_lists, import_text
from indexer.lists.formats import list_format
from knowledge.content import Topics, load_topics
from knowledge.errors import BadInput
from tests.folders import CONTENT


@pytest.fixture(scope="module")
def topics() -> Topics:
    return load_topics(CONTENT)


def read(text: str, topics: Topics, name: str = "list.txt") -> Imported:
    return import_text(text, name, topics)


MARKDOWN = """\
# GPU reading

## Beginner

- [First steps](https://example.org/first) – a gentle start
- Guide: [English](https://example.org/en), [中文](https://example.org/zh)

## Advanced

* **Deep dive**
    * **Link**: `https://example.org/deep`
    * **Description**: for those who want more
"""

RST = """\
Reading
=======

Profiling
---------

+ `All about profilers <https://example.org/profilers>`_
+ `The same page again <http://www.example.org/profilers/>`_
"""

BOOKMARKS = """\
<!DOCTYPE NETSCAPE-Bookmark-file-1>
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
    <DT><H3>CUDA 入门</H3>
    <DL><p>
        <DT><A HREF="https://example.org/cuda?utm_source=x" ADD_DATE="1">CUDA &amp; you</A>
        <DD>Worth reading twice
        <DT><A HREF="javascript:alert(1)">A bookmarklet</A>
    </DL><p>
    <DT><A HREF="https://example.org/other">Other</A>
</DL><p>
"""


def test_markdown_keeps_title_section_description_and_line(topics: Topics) -> None:
    first, english, chinese, deep = read(MARKDOWN, topics).resources
    assert (first.title, first.level, first.labels[0].line) == ("First steps", "beginner", 5)
    assert first.labels[0].section == ("GPU reading", "Beginner")
    assert first.labels[0].description == "a gentle start"
    assert (english.title, english.lang) == ("Guide (English)", "en")
    assert (chinese.title, chinese.lang) == ("Guide (中文)", "zh")
    assert (deep.title, deep.level) == ("Deep dive", "advanced")
    assert deep.labels[0].description == "for those who want more"


def test_rst_sections_are_headings_and_two_spellings_are_one_page(topics: Topics) -> None:
    (page,) = read(RST, topics).resources
    assert page.url == "https://example.org/profilers"
    assert [label.line for label in page.labels] == [7, 8]
    assert page.labels[0].section == ("Reading", "Profiling")
    assert page.topics[0] == "profiling"


def test_a_bookmark_file_gives_folders_as_sections(topics: Topics) -> None:
    imported = read(BOOKMARKS, topics, "bookmarks.html")
    cuda, other = imported.resources
    assert (cuda.url, cuda.title, cuda.level) == ("https://example.org/cuda", "CUDA & you", "beginner")
    assert cuda.labels[0].section == ("Bookmarks", "CUDA 入门")
    assert cuda.labels[0].description == "Worth reading twice"
    assert cuda.labels[0].line == 7
    assert (other.level, other.labels[0].section) == (None, ("Bookmarks",))
    assert [(entry.line, entry.reason) for entry in imported.skipped] == [(9, "no web address")]


def test_bare_text_takes_the_remark_behind_the_address_as_title(topics: Topics) -> None:
    text = "https://example.org/a  https://example.org/b  H100\n\nhttps://example.org/Some_long_story \n"
    a, b, story = read(text, topics).resources
    assert (a.title, b.title, a.labels[0].line) == ("H100", "H100", 1)
    assert story.title == "Some long story"


def test_the_format_is_told_by_content_when_the_name_says_nothing() -> None:
    found = [list_format(text, ".txt") for text in (MARKDOWN, RST, BOOKMARKS, "https://example.org x")]
    assert found == ["markdown", "rst", "bookmarks", "bare"]


def test_a_markdown_file_without_any_markup_is_still_markdown() -> None:
    assert list_format("https://example.org/a", ".md") == "markdown"


def test_rst_cannot_read_files_or_pass_raw_html(topics: Topics) -> None:
    text = RST + "\n.. include:: /etc/passwd\n\n.. raw:: html\n\n   <a href='https://evil.example/x'>x</a>\n"
    imported = read(text, topics)
    assert len(imported.resources) == 1
    assert "root:" not in str(imported.as_json())


def test_a_list_that_is_not_text_is_refused_in_one_line(tmp_path: Path, topics: Topics) -> None:
    binary = tmp_path / "list.md"
    binary.write_bytes(b"\xff\xfe\x00bad")
    with pytest.raises(BadInput, match=r"list\.md is not UTF-8"):
        import_lists([binary], topics)


def test_a_missing_list_is_refused_by_name(tmp_path: Path, topics: Topics) -> None:
    with pytest.raises(BadInput, match="nowhere"):
        import_lists([tmp_path / "nowhere.md"], topics)


def test_an_empty_list_holds_nothing(topics: Topics) -> None:
    imported = read("", topics)
    assert not any(imported.as_json().values())


def test_duplicates_across_lists_keep_all_their_labels(tmp_path: Path, topics: Topics) -> None:
    one, two = tmp_path / "one.md", tmp_path / "two.rst"
    one.write_text("- [A page](https://example.org/p#part)\n", encoding="utf-8")
    two.write_text("`Another name <https://example.org/p>`_\n", encoding="utf-8")
    (page,) = import_lists([two, one], topics).resources
    assert [(label.list, label.text) for label in page.labels] == [("two.rst", "Another name"), ("one.md", "A page")]
    assert (page.url, page.fragment) == ("https://example.org/p", "part")
