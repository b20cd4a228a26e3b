"""The text around a quote: its Markdown is read, its marks stand where the quote does, hostile text stays text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.ask.answer import Excerpt
from knowledge.ask.quote_context import Window, windows
from knowledge.text.sentences import Span
from web.quote_context import html

KERNEL = "```cuda\n__global__ void k(float* a, float* b) {\n    a[0] = *b * 2;\n\n    b[0] = 1;\n}\n```\n"
OURS = {"p", "br", "ul", "li", "pre", "code", "strong", "em", "mark", "span", "div", "table", "tbody", "tr", "td"}
ATTRIBUTES = {"class", "tabindex"}
MARKUP = [
    "`",
    "``",
    "```",
    "~~~",
    "*",
    "**",
    "# ",
    "- ",
    "> ",
    "| ",
    " |",
    "[",
    "](",
    ")",
    "https://x.y/",
    "[^a]",
    "\n",
]
HOSTILE = [
    "<script>alert(1)</script>",
    '<img src=x onerror="a()">',
    "javascript:alert(1)",
    "&lt;",
    "</mark>",
    '"',
    "'",
]
WORDS = ["bank", "银行", "冲突。", " ", "a * b", "__syncthreads()", "x[i][j]"]


def marked_whole(text: str, start: int) -> Excerpt:
    return Excerpt(text, start, (Span(0, len(text)),), 1)


def around(text: str, quoted: str) -> Window:
    (window,) = windows(text, [marked_whole(quoted, text.index(quoted))])
    return window


def shown(text: str, quoted: str) -> str:
    return str(html(around(text, quoted)))


class Read(HTMLParser):
    """What a browser makes of it: the tags, the words, and the words that are marked."""

    def __init__(self, made: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.words = self.marked = ""
        self.feed(made)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data
        if "mark" in self.open:
            self.marked += data


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("before **quoted** after", "<p>before <strong><mark>quoted</mark></strong> after</p>"),
        ("# Title\nquoted", '<p class="heading">Title</p><p><mark>quoted</mark></p>'),
        ("- one\n- quoted", "<ul><li>one</li><li><mark>quoted</mark></li></ul>"),
        ("see [the *guide*](https://x.y/z_(a)) quoted", "<p>see the <em>guide</em> <mark>quoted</mark></p>"),
        ("![a picture](a/b.png) quoted", "<p>a picture <mark>quoted</mark></p>"),
        ("use `a[^i] * b` quoted[^isa].", "<p>use <code>a[^i] * b</code> <mark>quoted</mark>.</p>"),
        ("**重点**：quoted", "<p><strong>重点</strong>：<mark>quoted</mark></p>"),
        ("> said\n\n---\n\nquoted", "<p>said</p><p><mark>quoted</mark></p>"),
        ("quoted\nand on", "<p><mark>quoted</mark><br>and on</p>"),
    ],
)
def test_markdown_is_read(text: str, made: str) -> None:
    assert shown(text, "quoted") == made


@pytest.mark.parametrize(
    "text",
    ["float* a, float* b", "y = a*b + c*d", "2**n and 3**n", "__global__ and __shared__", "as[ty](x)", "(*p)*(*q)"],
)
def test_what_only_looks_like_markup_is_left_alone(text: str) -> None:
    assert shown(f"{text} quoted", "quoted") == f"<p>{text} <mark>quoted</mark></p>"


def test_a_table_keeps_its_empty_cells_and_its_marks() -> None:
    made = shown("| a | b |\n|---|---|\n|  | quoted |\n", "quoted")
    assert "<tr><td>a</td><td>b</td></tr>" in made
    assert "<tr><td></td><td><mark>quoted</mark></td></tr>" in made


def test_code_keeps_its_asterisks_and_lines() -> None:
    read = Read(shown(f"{KERNEL}\nquoted", "quoted"))
    assert "k(float* a, float* b) {\n    a[0] = *b * 2;\n\n    b[0] = 1;\n}" in read.words
    assert "```" not in read.words


def test_a_quote_in_code_is_marked_there() -> None:
    made = shown(KERNEL, "a[0] = *b * 2;")
    assert re.search(r"<pre [^>]*><code>[^`]*<mark>a\[0\] = \*b \* 2;</mark>[^`]*</code></pre>", made)


def test_a_window_that_begins_in_code_shows_code_from_the_start_of_a_line() -> None:
    text = f"intro\n\n```cuda\n{'int unused = 0;' * 3}\n" + "    int a = 1;\n" * 40 + "```\n\nThis is quoted here.\n"
    window = around(text, "This is quoted here.")
    made = str(html(window))
    assert window.cut_before
    assert window.pieces[0].text.startswith("    int a = 1;\n")
    assert made.startswith('<pre class="code"')
    assert made.endswith("<p><mark>This is quoted here.</mark></p>")


def test_a_window_that_ends_in_code_ends_with_a_line() -> None:
    window = around("quoted\n\n```\n" + "    int a = 1;\n" * 40 + "```\n", "quoted")
    assert window.cut_after
    assert window.pieces[-1].text.endswith("    int a = 1;")


def test_what_is_whole_is_not_called_cut() -> None:
    window = around("A page of quoted words.", "quoted")
    assert (window.cut_before, window.cut_after) == (False, False)


@given(st.lists(st.sampled_from([*MARKUP, *HOSTILE, *WORDS]), max_size=40).map("".join), st.data())
def test_hostile_text_stays_text(text: str, data: st.DataObject) -> None:
    text += "end"
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    (window,) = windows(text, [marked_whole(text[start:end], start)])
    read = Read(str(html(window)))
    assert read.tags <= OURS
    assert read.attributes <= ATTRIBUTES
    assert read.open == []
    assert is_within(read.marked, text[start:end])
    assert is_within(read.words, text)


@pytest.mark.parametrize(
    "opening", ["**", "*", "`", "[", "[a](", "[a](/", "[^", "| ", "> ", "# ", "- ", "![", "~~~\n"]
)
def test_text_made_to_confuse_is_read_in_one_go(opening: str) -> None:
    """Quadratic reading of this much would outlast the test's time limit."""
    text = opening * 20_000
    (window,) = windows(text, [marked_whole(text, 0)])
    assert html(window) is not None


def is_within(part: str, whole: str) -> bool:
    """The same characters in the same order, with some left out: nothing is added and nothing changes places."""
    rest = iter(whole)
    return all(character in rest for character in part if not character.isspace())
