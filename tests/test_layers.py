"""Imports flow one way: warpmate > bot, web, indexer, worker; bot, web, indexer > knowledge > worker's contract."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("warpmate", "bot", "web", "knowledge", "indexer", "worker")
MAY_IMPORT = {
    "warpmate": {"warpmate", "bot", "web", "knowledge", "indexer", "worker"},
    "bot": {"bot", "knowledge"},
    "web": {"web", "knowledge"},
    "indexer": {"indexer", "knowledge"},
    "knowledge": {"knowledge", "worker.protocol", "worker.queue", "worker.hardware"},
    "worker": {"worker"},
}
"""What a room may import of ours. `bot/__main__.py` alone may start the command line."""

FOREIGN = {
    "knowledge": {"discord", "aiohttp", "jinja2", "typer", "cuda", "trafilatura"},
    "indexer": {"discord", "jinja2", "typer", "cuda"},
    "bot": {"aiohttp.web", "jinja2", "typer", "cuda", "sqlalchemy"},
    "web": {"discord", "typer", "cuda"},
    "worker": {"discord", "aiohttp", "sqlalchemy", "pydantic", "structlog", "typer", "yaml", "faiss"},
}
"""What a room has no business with."""


def imports(source: str, package: str) -> Iterator[str]:
    """Absolute names of everything imported anywhere in the source, also inside functions."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, base]).rstrip(".")
            yield from (f"{base}.{alias.name}" for alias in node.names)


def within(name: str, allowed: set[str]) -> bool:
    return any(name == prefix or name.startswith(prefix + ".") for prefix in allowed)


def trespasses(room: str, source: str, package: str) -> list[str]:
    """Imports of the source that the room may not have."""
    ours = [name for name in imports(source, package) if name.split(".")[0] in ROOMS]
    foreign = [name for name in imports(source, package) if within(name, FOREIGN.get(room, set()))]
    return [name for name in ours if not within(name, MAY_IMPORT[room])] + foreign


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_lies_below_it(room: str) -> None:
    files = [path for path in (ROOT / room).rglob("*.py") if path != ROOT / "bot" / "__main__.py"]
    assert files
    found = {
        str(path.relative_to(ROOT)): trespasses(room, path.read_text(), ".".join(path.relative_to(ROOT).parent.parts))
        for path in files
    }
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("room", "line"),
    [
        ("knowledge", "import discord"),
        ("knowledge", "from worker.compile import nvrtc"),
        ("knowledge", "def f():\n    from bot import cogs"),
        ("worker", "from knowledge.store import Store"),
        ("bot", "from web.app import build_site"),
        ("indexer", "import worker.protocol"),
        ("web", "import bot.views"),
    ],
)
def test_a_trespass_is_noticed(room: str, line: str) -> None:
    assert trespasses(room, line, f"{room}.pages")


def test_nothing_of_ours_runs_on_import() -> None:
    """Module level holds definitions, constants and imports: no calls that open, read or start something."""
    allowed = {"print"}  # none in fact: `print` is caught by the linter
    opened = {
        "open",
        "connect",
        "create_engine",
        "create_async_engine",
        "run",
        "environ",
        "getenv",
        "mkdir",
        "Client",
    }
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            if path.name == "__main__.py" or "migrations" in path.parts:
                continue
            for statement in ast.parse(path.read_text()).body:
                if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.If):
                    continue
                calls = {
                    call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
                    for call in ast.walk(statement)
                    if isinstance(call, ast.Call)
                }
                assert not calls & (opened - allowed), f"{path.relative_to(ROOT)}:{statement.lineno}"
