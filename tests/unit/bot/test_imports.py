"""The bot's modules stand in one order: none imports, be it for types alone, one that imports it."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.test_layers import ROOT, imports

Graph = dict[str, set[str]]


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def graph(sources: dict[str, str]) -> Graph:
    """What each module imports of the others; a name within a module counts as the module."""
    return {
        name: {found for each in imports(text, name) if (found := home(each, sources))}
        for name, text in sources.items()
    }


def home(name: str, modules: dict[str, str]) -> str:
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name


def test_no_module_of_the_bot_is_part_of_a_circle() -> None:
    modules = {module_of(path): path.read_text(encoding="utf-8") for path in (ROOT / "bot").rglob("*.py")}
    TopologicalSorter(graph(modules)).prepare()


def test_a_circle_for_types_alone_is_found() -> None:
    hidden = "if TYPE_CHECKING:\n    from bot.client import WarpmateBot"
    circle = graph({"bot.client": "from bot.news import NewsRound", "bot.news": hidden})
    with pytest.raises(CycleError):
        TopologicalSorter(circle).prepare()
