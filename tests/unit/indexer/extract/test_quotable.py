"""What stands in a quote is what a reader of the rendered page sees: no residue of markup, and nothing lost."""

from __future__ import annotations

import pytest

from indexer.extract import Page, extract
from knowledge.library.passages import context_of


def read(source: str, kind: str = "markdown") -> str:
    return extract(source.encode(), kind).text


def code_of(found: Page) -> list[str]:
    return [found.text[block.start : block.end] for block in found.blocks if block.kind == "code"]


@pytest.mark.parametrize(
    ("source", "kind", "text"),
    [
        ("About 10\\ :sup:`6` words.", "rst", "About 10^6 words."),
        ("About 10\\ :sup:`-6` seconds.", "rst", "About 10^-6 seconds."),
        ("Write :code:`vector<int>` here.", "rst", "Write vector<int> here."),
        ("Call :func:`~torch.matmul` twice.", "rst", "Call torch.matmul twice."),
        ("See :numref:`fig-banks` for it.", "rst", "See figure for it."),
        ("It is :math:`\\alpha + 1`.", "rst", "It is $\\alpha + 1$."),
        ("It is {math}`\\alpha + 1`.", "markdown", "It is $\\alpha + 1$."),
        ("<p>About 10<sup>6</sup> words.</p>", "html", "About 10^6 words."),
        ("<p>A claim.<sup><a href='#n'>1</a></sup> Another.</p>", "html", "A claim.1 Another."),
        ("<p>On the 4<sup>th</sup> day.</p>", "html", "On the 4th day."),
        ("About 10<sup>6</sup> words.", "markdown", "About 10^6 words."),
    ],
)
def test_an_exponent_stays_one_and_roles_become_their_words(source: str, kind: str, text: str) -> None:
    assert read(source, kind) == text


@pytest.mark.parametrize(
    ("source", "kind", "text"),
    [
        ("Use vector<int> and map<string, T>.", "markdown", "Use vector<int> and map<string, T>."),
        ("It holds if a < b and c > d.", "markdown", "It holds if a < b and c > d."),
        ("<p>Use vector<int> if a < b.</p>", "html", "Use vector<int> if a < b."),
        ("<p>Launch kernel<T><b>twice</b>.</p>", "html", "Launch kernel<T>twice."),
        ("<p>Do <x-note>mind <em>this</em></x-note>.</p>", "html", "Do mind this."),
        ("Inside <Tip>a component</Tip> it stands.", "markdown", "Inside a component it stands."),
    ],
)
def test_what_stands_in_angle_brackets_and_is_no_tag_is_kept(source: str, kind: str, text: str) -> None:
    assert read(source, kind) == text


def test_an_admonition_leaves_its_title_and_its_text_and_its_code() -> None:
    source = (
        '!!! note "Before you start"\n\n    A warp has 32 threads.\n\n    ```c\n    int x;\n    ```\n\nAfter it.\n'
    )
    found = extract(source.encode(), "markdown")
    assert found.text == "Before you start\n\nA warp has 32 threads.\n\n```c\nint x;\n```\n\nAfter it."
    assert code_of(found) == ["int x;"]


def test_tabs_leave_their_names_and_what_they_hold_also_one_inside_of_another() -> None:
    source = '=== "Linux"\n\n    Install it.\n\n    ??? tip\n        Use a cache.\n\n=== "Windows"\n\n    Use WSL.\n'
    assert read(source) == "Linux\n\nInstall it.\n\nUse a cache.\n\nWindows\n\nUse WSL."
    assert read("Title\n===\n\nText.\n") == "# Title\n\nText."


def test_blocks_between_colons_and_alerts_leave_their_words() -> None:
    assert read("::: warning Mind the gap\nThe text.\n:::\n") == "Mind the gap\n\nThe text."
    assert read(":::{note}\nThe text.\n:::\n") == "The text."
    assert read("> [!NOTE]\n> The text.\n") == "The text."
    assert read("```\n::: kept\n> [!NOTE]\n```\n") == "```\n::: kept\n> [!NOTE]\n```"


def test_labels_citations_and_tabs_of_books_go() -> None:
    source = "# Memory\n:label:`sec_memory`\n\nAs :numref:`fig_banks` shows :cite:`Author.2020`, banks help.\n"
    assert read(source) == "# Memory\n\nAs figure shows, banks help."
    assert read(":begin_tab:`pytorch`\nThe text.\n:end_tab:\n") == "The text."
    assert read("See {ref}`the guide <guide-label>`.") == "See the guide."


def test_directives_written_like_code_are_read_as_what_they_are() -> None:
    assert read("```{note}\nThe text.\n```\n") == "The text."
    assert read("```{literalinclude} ../a.cu\n:lines: 1-4\n```\n\nAfter.\n") == "After."
    found = extract(b"```{code-block} cpp\n:linenos:\n\nint x;\n```\n", "markdown")
    assert (code_of(found), found.blocks[0].language) == (["int x;"], "cpp")
    assert read('```c\n--8<-- "a.cu"\nint x;\n```\n') == "```c\nint x;\n```"


def test_tabs_of_sphinx_leave_their_names_and_what_they_hold() -> None:
    source = ".. tab-set::\n\n   .. tab-item:: Linux\n      :sync: linux\n\n      Install it.\n\nAfter it.\n"
    assert read(source, "rst") == "Linux\n\nInstall it.\n\nAfter it."
    included = "Before.\n\n.. literalinclude:: a.cu\n   :lines: 1-4\n\nAfter.\n"
    assert read(included, "rst") == "Before.\n\nAfter."


def test_the_mark_of_a_headings_address_goes() -> None:
    assert read("<h2>Banks<a href='#banks'>¶</a></h2><p>Text.</p>", "html") == "## Banks\n\nText."
    assert read("## Banks ¶\n\nText.\n") == "## Banks\n\nText."


def test_a_licence_at_the_start_of_a_page_goes_and_one_that_is_talked_about_stays() -> None:
    notice = "Copyright 2024 The Authors. All rights reserved.\n\nLicensed under the X License.\n\n"
    assert read(f"{notice}# Warps\n\nA warp has 32 threads.\n") == "# Warps\n\nA warp has 32 threads."
    later = "# Warps\n\nA warp has 32 threads.\n\nLicensed under the X License.\n"
    assert read(later).endswith("Licensed under the X License.")
    source = (
        "/* Copyright (c) 2024 The Authors.\n * SPDX-License-Identifier: X */\n#include <cstdio>\nint main() {}\n"
    )
    assert read(source, "code").split("\n")[1:-1] == ["#include <cstdio>", "int main() {}"]


def test_a_heading_that_repeats_the_title_is_said_once() -> None:
    assert context_of("Warps", ("Warps", "Divergence")) == "Warps > Divergence"
