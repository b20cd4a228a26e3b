"""Lists come from anywhere: whatever is in them, reading ends with frozen data and no address that is none."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.lists import import_text
from knowledge.addresses import canonical
from knowledge.content import Topics, load_topics
from tests.folders import CONTENT

PIECES = st.sampled_from(
    [
        "- ", "  * ", "1. ", "# ", "## ", "● ", "○ ", "■ ", "\n", "\n\n", "\t", "**", "`", "```py\n", "```\n", "> ",
        "[text](https://example.org/a)", "[](https://example.org/b)", "![i](x.png)", "https://example.org/c?x=1#f",
        "[s](https://www.zhihu.com/search?q=a)", "有余力", "论文：Some Long Paper Title Here", "比如, a, b",
        "：", "，", "）",
        "`title <https://example.org/d>`_", "\n====\n", "\n----\n", ".. include:: /etc/passwd\n",
        "<DL><DT><A HREF='https://e.org'>",
        "</DL>", "<H3>", "<DD>", "javascript:alert(1)", "[x](javascript:alert(1))", "http://[::1", "\x00", "\u202e",
        "|t|",
    ]
)  # fmt: skip


@pytest.fixture(scope="module")
def topics() -> Topics:
    return load_topics(CONTENT)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=40).map("".join),
    name=st.sampled_from(["l.md", "l.rst", "l.txt"]),
)
def test_any_text_is_read_to_the_end(text: str, name: str, topics: Topics) -> None:
    imported = import_text(text, name, topics)
    lines = len(text.splitlines()) + 1
    for resource in imported.resources:
        assert canonical(resource.url).url == resource.url
        assert resource.url.startswith(("http://", "https://"))
        assert all(1 <= label.line <= lines for label in resource.labels)
    keys = [canonical(resource.url).key for resource in imported.resources]
    assert len(keys) == len(set(keys))
    assert "root:x:" not in str(imported.as_json())


@pytest.mark.parametrize(
    "text",
    [
        "> " * 3000 + "x",
        "- " * 3000 + "x",
        "[" * 20_000,
        "<DL>" * 5000 + "<A HREF='https://example.org/'>x",
        "*" * 30_000,
        "https://example.org/" + "(" * 5000,
        "`a" * 10_000 + " <https://example.org/>`_",
    ],
)
def test_deep_or_unclosed_markup_does_not_exhaust_the_reader(text: str, topics: Topics) -> None:
    assert len(import_text(text, "list.txt", topics).resources) <= 1


@pytest.mark.parametrize(
    "text", ["![](x.png)\n\n[a](http://[::1) b\n", "[a](http://[::1)\n\nmore\n", "see http://[::1 there\n"]
)
def test_a_malformed_address_is_reported_and_stops_nothing(text: str, topics: Topics) -> None:
    imported = import_text(text + "\n- [Good](https://example.org/)\n", "list.md", topics)
    assert [resource.url for resource in imported.resources] == ["https://example.org/"]
    assert [entry.reason for entry in imported.skipped] == ["malformed address"]
