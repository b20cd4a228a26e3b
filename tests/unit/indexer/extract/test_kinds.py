"""A kind of page is one module and one line: what the table says is what the crawler goes by."""

from __future__ import annotations

from importlib import import_module

import pytest

from indexer.extract import KINDS
from indexer.fetch.kinds import kind_by_name, kind_of

SIGNS = [
    *((f"https://a.example/x{suffix}", "", kind) for kind, signs in KINDS.items() for suffix in signs.suffixes),
    *(("https://a.example/x", type_, kind) for kind, signs in KINDS.items() for type_ in signs.types),
    *((f"https://www.{host}/x", "text/html", kind) for kind, signs in KINDS.items() for host in signs.hosts),
]


@pytest.mark.parametrize(("url", "content_type", "kind"), SIGNS)
def test_every_sign_leads_to_its_kind(url: str, content_type: str, kind: str) -> None:
    assert kind_of(url, content_type, b"") == kind


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_module_that_reads_it(kind: str) -> None:
    assert callable(import_module(f"indexer.extract.{kind}").extract)


def test_a_host_that_only_ends_alike_is_another_host() -> None:
    assert kind_by_name("https://notyoutube.com/watch") == ""
    assert kind_by_name("https://m.youtube.com/watch") == "video"
