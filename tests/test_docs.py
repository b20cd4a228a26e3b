"""Every setting, command and table is documented, links lead somewhere, and the README's commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from knowledge.store.tables import Base
from tests.documentation import REFERENCE, written
from warpmate.settings import variables

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_reference_is_what_the_code_says() -> None:
    assert REFERENCE.read_text(encoding="utf-8") == written(), "run: python -m tests.documentation"


def test_every_setting_and_table_stands_in_the_reference() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    assert [name for name in variables() if f"`{name}`" not in text] == []
    assert [name for name in Base.metadata.tables if f"| `{name}` |" not in text] == []


def test_every_table_says_what_it_holds() -> None:
    silent = [mapper.class_.__name__ for mapper in Base.registry.mappers if not mapper.class_.__doc__]
    assert silent == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_relative_links_lead_somewhere(page: Path) -> None:
    prose = re.sub(
        r"^```.*?^```|^ {4}.*?$|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    targets = re.findall(r"\]\((?!<?https?://|#|mailto:)([^)#\s]+)", prose)
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_make_target_that_a_page_names_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"`make ([a-z0-9-]+)`|^make ([a-z0-9-]+)", page.read_text(encoding="utf-8"), re.MULTILINE))
    assert {name for pair in named for name in pair if name} - targets == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_by_its_path_exists(page: Path) -> None:
    rooms = "warpmate|bot|web|assistant|knowledge|indexer|worker|content|tests|bench"
    path = rf"`((?:{rooms})/[\w/.-]+\.(?:py|toml|yaml|lua|cu|json|jsonl))`"
    named = re.findall(path, page.read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []
