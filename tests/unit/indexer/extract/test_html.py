"""HTML pages: what the author wrote stays, what surrounds it goes."""

from __future__ import annotations

import pytest

from indexer.extract import Page, extract
from knowledge.errors import SafeError


def page(body: str, head: str = "") -> Page:
    return extract(f"<html><head>{head}</head><body>{body}</body></html>".encode(), "html")


def code_of(found: Page) -> list[str]:
    return [found.text[block.start : block.end] for block in found.blocks if block.kind == "code"]


SURROUNDED = """
<nav>Home About</nav>
<div class="sidebar"><p>Latest posts and a list of everything else</p></div>
<main><h1>Warps</h1><p>A warp is a group of 32 threads.</p><p>Its threads run together.</p></main>
<footer>Copyright somebody</footer>
"""


def test_navigation_sidebars_and_footers_go() -> None:
    assert page(SURROUNDED).text == "# Warps\n\nA warp is a group of 32 threads.\n\nIts threads run together."


def test_a_title_outside_the_main_part_is_kept_in_front() -> None:
    found = page("<header><h1>Title</h1></header><article><p>" + "Words of the article. " * 20 + "</p></article>")
    assert found.text.startswith("# Title\n\nWords")


@pytest.mark.parametrize(
    "markup",
    [
        "<pre><code class='language-cuda'>{}</code></pre>",
        "<div class='highlight-cuda'><pre><span></span>{}</pre></div>",
        "<pre class='sourceCode cuda'>{}</pre>",
    ],
)
def test_code_keeps_line_breaks_indentation_and_launch_brackets(markup: str) -> None:
    code = "__global__ void k(float* x) {\n    x[0] = 1;\n\n\tx[1] = 2;\n}\nk<<<1, 32>>>(x);"
    found = page(markup.format(code.replace("<", "&lt;").replace(">", "&gt;")))
    assert code_of(found) == [code]
    assert next(block.language for block in found.blocks if block.kind == "code") == "cuda"


def test_line_numbers_beside_code_are_not_code() -> None:
    assert code_of(page("<pre><span class='linenos'>1</span>int a;\n<span class='linenos'>2</span>int b;</pre>")) == [
        "int a;\nint b;"
    ]
    cells = "<td class='gutter'><pre>1\n2</pre></td><td class='code'><pre>int a;\nint b;</pre></td>"
    table = f"<table><tr>{cells}</tr></table>"
    assert code_of(page(table)) == ["int a;\nint b;"]


def test_headings_carry_their_address_and_lead_to_their_blocks() -> None:
    found = page("<h1>Guide</h1><section id='banks'><h2>Banks</h2><p>There are 32 banks.</p></section>")
    (block,) = [block for block in found.blocks if block.kind == "prose"]
    assert (block.headings, block.anchor) == (("Guide", "Banks"), "banks")


def test_a_table_becomes_rows_and_a_layout_table_becomes_text() -> None:
    data = page("<table><tr><th>GPU</th><th>SMs</th></tr><tr><td>H100</td><td>132</td></tr></table>")
    assert data.text == "| GPU | SMs |\n| H100 | 132 |"
    layout = page("<table><tr><td><p>Only text in a frame.</p></td></tr></table>")
    assert layout.text == "Only text in a frame."


def test_formulas_keep_their_tex() -> None:
    katex = (
        "<span class='katex'><math><annotation encoding='application/x-tex'>a_1 + b</annotation></math>a1+b</span>"
    )
    assert page(f"<p>So {katex} holds, as <script type='math/tex'>x^2</script> does.</p>").text == (
        "So $a_1 + b$ holds, as $x^2$ does."
    )


def test_nested_lists_and_numbers_are_kept() -> None:
    found = page("<ol><li>First<ul><li>inner</li></ul></li><li>Second</li></ol>")
    assert found.text == "1. First\n  - inner\n2. Second"


def test_a_section_whose_heading_sounds_like_boilerplate_is_kept() -> None:
    found = page(
        "<main><h1>Git</h1><div id='share'><h2>Share</h2><p>How to share a branch with others.</p></div></main>"
    )
    assert "How to share a branch" in found.text


def test_scripts_styles_comments_and_hidden_parts_say_nothing() -> None:
    found = page("<p>Seen.</p><script>var a = 1</script><style>p{}</style><!-- no --><p hidden>Unseen.</p>")
    assert found.text == "Seen."


@pytest.mark.parametrize("source", [b"", b"<", b"\x00\xff\xfe", b"<html>", b"<!-- -->", b"<p>" * 5000 + b"deep"])
def test_a_page_that_is_none_breaks_nothing(source: bytes) -> None:
    try:
        found = extract(source, "html")
    except SafeError:
        return
    assert len(found.text) < 10


def test_a_page_states_its_canonical_address_and_author() -> None:
    head = '<link rel="canonical" href="https://example.org/a"><meta name="author" content="Ada">'
    assert page("<p>Text.</p>", head).facts == {"author": "Ada", "canonical": "https://example.org/a"}
