"""Imports flow one way: warpmate > bot, web, indexer, worker; bot, web, indexer > knowledge > worker's contract."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import LONGEST_FIRST

ROOT = Path(__file__).parents[1]
ROOMS = ("warpmate", "bot", "web", "assistant", "knowledge", "indexer", "worker")
MAY_IMPORT = {
    "warpmate": {"warpmate", "bot", "web", "assistant", "knowledge", "indexer", "worker"},
    "bot": {"bot", "knowledge"},
    "web": {"web", "knowledge"},
    "assistant": {"assistant", "knowledge"},
    "indexer": {"indexer", "knowledge"},
    "knowledge": {
        "knowledge",
        "worker.errors",
        "worker.findings_file",
        "worker.hardware",
        "worker.language",
        "worker.messages",
        "worker.problem_file",
        "worker.protocol",
        "worker.queue",
    },
    "worker": {"worker"},
}
"""What a room may import of ours. `bot/__main__.py` alone may start the command line."""

FOREIGN = {
    "knowledge": {"discord", "aiohttp", "jinja2", "typer", "cuda", "trafilatura"},
    "indexer": {"discord", "jinja2", "typer", "cuda"},
    "bot": {"aiohttp.web", "jinja2", "typer", "cuda", "sqlalchemy"},
    "web": {"discord", "typer", "cuda", "mcp"},
    "assistant": {"discord", "aiohttp.web", "typer", "cuda", "sqlalchemy"},
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


STARTS_A_WORKER = ("warpmate/wiring/submit.py", "warpmate/wiring/compiler.py", "warpmate/commands/worker.py",
                   "warpmate/commands/problems.py", "warpmate/commands/content.py")  # fmt: skip
SHARED_WITH_THE_SERVER = {name for name in MAY_IMPORT["knowledge"] if name.startswith("worker.")}


def test_only_what_starts_a_worker_imports_more_of_it_than_what_is_shared_with_the_server() -> None:
    found = {
        str(path.relative_to(ROOT)): [
            name
            for name in imports(path.read_text(), ".".join(path.relative_to(ROOT).parent.parts))
            if name.startswith("worker.") and not within(name, SHARED_WITH_THE_SERVER)
        ]
        for room in ROOMS
        if room != "worker"
        for path in (ROOT / room).rglob("*.py")
    }
    assert sorted(path for path, names in found.items() if names) == sorted(STARTS_A_WORKER)


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


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def arrows(sources: dict[str, str], packages: set[str]) -> dict[str, set[str]]:
    """Module to the modules of ours that it imports, wherever in it and for whatever, types alone included."""

    def known(name: str) -> str:
        while name and name not in sources:
            name = name.rpartition(".")[0]
        return name

    return {
        module: {known(name) for name in imports(source, module if module in packages else module.rpartition(".")[0])}
        - {module, ""}
        for module, source in sources.items()
    }


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Modules that lead back to themselves, each circle once."""
    reach: dict[str, set[str]] = {}
    for start, first in graph.items():
        seen, ahead = set[str](), list(first)
        while ahead:
            module = ahead.pop()
            if module not in seen:
                seen.add(module)
                ahead += graph[module]
        reach[start] = seen
    rings = {tuple(sorted(b for b in reach[a] if a in reach[b])) for a in graph if a in reach[a]}
    return [list(ring) for ring in sorted(rings)]


def test_no_modules_of_ours_import_one_another_in_a_circle() -> None:
    paths = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    packages = {module_of(path) for path in paths if path.name == "__init__.py"}
    assert circles(arrows({module_of(path): path.read_text() for path in paths}, packages)) == []


def test_a_circle_is_noticed_though_one_side_imports_a_type_alone() -> None:
    sources = {
        "room": "",
        "room.machine": "from room.barrier import Barriers",
        "room.barrier": "if TYPE_CHECKING:\n    from room.machine import Machine",
        "room.other": "def f():\n    import room.machine",
    }
    assert circles(arrows(sources, {"room"})) == [["room.barrier", "room.machine"]]


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


LONGEST_MODULE = 400
LONGEST_FUNCTION = 50


def long_functions(source: str) -> Iterator[tuple[str, int]]:
    """Functions of more lines than fit on a screen, with their lines."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > LONGEST_FUNCTION:
                yield node.name, lines


@pytest.mark.parametrize("room", ROOMS)
def test_no_module_is_longer_than_one_topic_and_no_function_longer_than_a_screen(room: str) -> None:
    """A migration lists every table that it touches, however many lines that takes."""
    found = {}
    for path in (ROOT / room).rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        if (lines := source.count("\n")) > LONGEST_MODULE:
            found[str(path.relative_to(ROOT))] = lines
        if "migrations" not in path.parts:
            found |= {f"{path.relative_to(ROOT)}: {name}": lines for name, lines in long_functions(source)}
    assert found == {}


def test_a_long_function_is_noticed() -> None:
    body = "    x = 1\n"
    assert list(long_functions("async def short():\n" + body * (LONGEST_FUNCTION - 1))) == []
    assert list(long_functions("class A:\n  def long(self):\n" + body * LONGEST_FUNCTION)) == [
        ("long", LONGEST_FUNCTION + 1)
    ]


def test_what_is_to_run_first_is_there() -> None:
    assert [name for name in LONGEST_FIRST if not (ROOT / "tests" / name).is_file()] == []
