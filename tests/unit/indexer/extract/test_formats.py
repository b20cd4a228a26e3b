"""Every other kind of source."""

from __future__ import annotations

import io
import json

import pytest

from indexer.extract import KINDS, Page, extract
from indexer.extract.decode import decode
from knowledge.errors import BadInput, SafeError


def code_of(found: Page) -> list[str]:
    return [found.text[block.start : block.end] for block in found.blocks if block.kind == "code"]


def test_markdown_leaves_words_and_formulas_and_drops_marks() -> None:
    found = extract(b"# T\n\n**Bold** [link](https://e.org) `code_1` and $a_1 * b_2$ \\\\(c_3\\\\).\n", "markdown")
    assert found.text == "# T\n\nBold link code_1 and $a_1 * b_2$ \\(c_3\\)."


def test_front_matter_gives_the_title_and_is_not_text() -> None:
    found = extract(b"---\ntitle: Roofline\nlayout: post\n---\n\nBody of the page.\n", "markdown")
    assert (found.title, found.text) == ("Roofline", "# Roofline\n\nBody of the page.")


def test_template_tags_go_from_prose_but_not_from_code() -> None:
    source = "{% include figure.liquid path='a.png' caption=\"A warp.\" %}\n\n{: .note }\n\n```c\n{% keep %}\n```\n"
    found = extract(source.encode(), "markdown")
    assert "A warp." in found.text
    assert ".note" not in found.text
    assert code_of(found) == ["{% keep %}"]


def test_tables_and_html_inside_markdown_are_read() -> None:
    found = extract(b"| a | b |\n|---|---|\n| 1 | 2 |\n\n<center>Figure one</center>\n", "markdown")
    assert found.text == "| a | b |\n| 1 | 2 |\n\nFigure one"


def test_rst_roles_become_words_and_directives_of_sphinx_go() -> None:
    source = """
Unit
====

.. toctree::
   :maxdepth: 2

   other

The :term:`UOP <Micro-Op>` waits in :numref:`figure`. [1]_

.. code-block:: cpp

    int main() {
        return 0;
    }

.. note:: Mind the gap.
"""
    found = extract(source.encode(), "rst")
    assert "The UOP waits in figure." in found.text
    assert "toctree" not in found.text
    assert "Mind the gap." in found.text
    assert code_of(found) == ["int main() {\n    return 0;\n}"]


def test_rst_never_reads_a_file_of_this_machine() -> None:
    found = extract(b"T\n=\n\n.. include:: /etc/passwd\n\n.. raw:: html\n   :file: /etc/passwd\n\nText.\n", "rst")
    assert "root:" not in found.text
    assert "Text." in found.text


def test_a_notebook_gives_text_code_and_printed_output() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Launch\n", "A kernel is launched."]},
        {
            "cell_type": "code",
            "source": "%%cu\nk<<<1, 1>>>();",
            "outputs": [{"output_type": "stream", "text": ["ok\n"]}],
        },
    ]
    found = extract(json.dumps({"cells": cells, "metadata": {}}).encode(), "notebook")
    assert "A kernel is launched." in found.text
    assert code_of(found) == ["%%cu\nk<<<1, 1>>>();", "ok"]
    assert [block.language for block in found.blocks if block.kind == "code"] == ["cuda", "output"]


def test_a_feed_gives_its_entries() -> None:
    feed = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>New card</title>
    <link>https://example.org/1</link><description>&lt;p&gt;Faster memory.&lt;/p&gt;</description></item>
    </channel></rss>"""
    found = extract(feed, "feed")
    assert found.title == "News"
    assert "## New card\n\nFaster memory." in found.text
    assert found.facts["entries"] == ["https://example.org/1"]


def test_an_arxiv_answer_gives_title_authors_and_abstract() -> None:
    atom = b"""<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Fast
    Attention</title><summary>We compute it in tiles.</summary><author><name>A. B.</name></author></entry></feed>"""
    found = extract(atom, "arxiv")
    assert found.title == "Fast Attention"
    assert "We compute it in tiles." in found.text
    assert found.facts["authors"] == ["A. B."]


def test_an_xml_entity_in_an_arxiv_answer_reads_no_file() -> None:
    bomb = b"""<!DOCTYPE f [<!ENTITY x SYSTEM "file:///etc/passwd">]>
    <feed xmlns="http://www.w3.org/2005/Atom"><entry><title>T</title><summary>&x; end</summary></entry></feed>"""
    try:
        text = extract(bomb, "arxiv").text
    except SafeError:
        return
    assert "root:" not in text


def test_a_video_page_gives_what_its_author_wrote() -> None:
    source = '<title>CUDA 101 - YouTube</title><script>{"shortDescription":"Part one.\\n\\nPart two."}</script>'
    found = extract(source.encode(), "video")
    assert found.text == "# CUDA 101\n\nPart one.\n\nPart two."


def test_a_kernel_file_is_cut_between_its_functions() -> None:
    source = b"#include <cstdio>\n\n__global__ void a() {\n}\n\n__global__ void b() {\n}\n"
    assert code_of(extract(source, "code")) == [
        "#include <cstdio>\n\n__global__ void a() {\n}",
        "__global__ void b() {\n}",
    ]


def pdf(text: str) -> bytes:
    import matplotlib as mpl

    mpl.use("pdf")
    from matplotlib import pyplot

    figure = pyplot.figure()
    figure.text(0.1, 0.5, text)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="pdf")
    pyplot.close(figure)
    return buffer.getvalue()


@pytest.mark.slow
def test_a_pdf_is_read_page_by_page() -> None:
    found = extract(pdf("Shared memory has 32 banks."), "pdf")
    assert found.text == "## p. 1\n\nShared memory has 32 banks."
    assert found.blocks[-1].anchor == "page=1"


def test_a_hostile_pdf_is_a_failure_with_a_reason() -> None:
    with pytest.raises(SafeError, match="PDF"):
        extract(b"%PDF-1.7\n" + b"\xff" * 1000, "pdf")


NOISE = (b"", b"\xff\xfe\x00", b"{}", b"<<<>>>", b"\x00" * 100)
PICKY = ("arxiv", "feed", "notebook", "video")
"""Kinds that are one format and nothing else; every other kind is any text at all."""


@pytest.mark.parametrize("kind", PICKY)
@pytest.mark.parametrize("source", NOISE)
def test_noise_is_refused_with_a_reason_by_what_reads_one_format(kind: str, source: bytes) -> None:
    with pytest.raises(SafeError, match=rf"cannot be read as {kind}|it is not a {kind}|the page names no {kind}"):
        extract(source, kind)


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"pdf", *PICKY}))
@pytest.mark.parametrize(("source", "text"), list(zip(NOISE, ("", "\ufffd", "{}", "<<<>>>", ""), strict=True)))
def test_noise_is_text_like_any_other_where_every_text_is_read(kind: str, source: bytes, text: str) -> None:
    """Nothing is left out and nothing is made up; what holds no character has no block."""
    found = extract(source, kind)
    assert [found.text[block.start : block.end] for block in found.blocks] == ([text] if text else [])


def test_an_unknown_kind_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadInput, match="known kinds: arxiv"):
        extract(b"", "spreadsheet")


@pytest.mark.parametrize(
    ("source", "stated", "text"),
    [
        ("共享内存".encode(), "", "共享内存"),
        ("共享内存".encode("gb18030"), "gb2312", "共享内存"),
        ("共享内存".encode(), "iso-8859-1-no-such", "共享内存"),
        ("共享内存".encode("utf-16"), "", "共享内存"),
        ("“quoted”".encode("cp1252"), "iso-8859-1", "“quoted”"),
        (b"\xef\xbb\xbfBOM", "latin-1", "BOM"),
    ],
)
def test_the_character_set_is_found(source: bytes, stated: str, text: str) -> None:
    assert decode(source, stated) == text
