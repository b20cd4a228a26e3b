"""What every test shares: the marker `needs(...)`, which skips with the name of what is missing, or fails in CI."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from knowledge.store import Store
from tests.gpu_results import stale
from tests.needs import NEEDS, missing
from tests.stores import migrated_store


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for mark in item.iter_markers("needs"):
            for what in mark.args:
                if what not in NEEDS:
                    raise pytest.UsageError(f"{item.nodeid} needs {what!r}, which tests/needs.py does not know")
                if (reason := missing(what)) and not (forbidden() and what not in ABSENT_IN_CI):
                    item.add_marker(pytest.mark.skip(reason=reason))


ABSENT_IN_CI = frozenset({"gpu", "corpus", "seeds"})
"""CI has no card; the corpus and the lists are other people's pages and not ours to ship."""


def forbidden() -> bool:
    return os.environ.get("TESTS_FORBID_SKIPS") == "1"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    absent = sorted({what for what in NEEDS if missing(what)})
    if absent:
        hints = "; ".join(f"{what}: {NEEDS[what].remedy}" for what in absent)
        terminalreporter.write_line(f"not on this machine, so skipped: {hints}")
    else:
        terminalreporter.write_line("nothing was skipped for want of a program or server")
    if old := stale():
        terminalreporter.write_line(old)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.needs("postgres"))])
def database(request: pytest.FixtureRequest) -> str:
    """Both databases in turn: what passes on one must pass on the other."""
    return str(request.param)


@pytest.fixture
async def store(database: str, tmp_path: Path) -> AsyncIterator[Store]:
    async with migrated_store(database, tmp_path) as opened:
        yield opened
