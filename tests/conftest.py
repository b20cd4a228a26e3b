"""What every test shares: the marker `needs(...)`, which skips with the name of what is missing, or fails in CI."""

from __future__ import annotations

import gc
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from knowledge.store import Store
from tests.gpu_results import stale
from tests.needs import NEEDS, missing
from tests.stores import copied_store, template_of

settings.register_profile("suite", deadline=None)
settings.load_profile("suite")
"""No property is about time: a busy machine fails none."""

LONGEST_FIRST = (
    "eval/test_ask_gate.py",
    "integration/warpmate/test_operations_recipes.py",
    "e2e/bot/test_faults.py",
    "e2e/web/test_site.py",
    "integration/warpmate/test_index_commands.py",
    "integration/warpmate/test_doctor.py",
    "e2e/web/test_newcomer.py",
    "integration/warpmate/test_faults.py",
    "e2e/web/test_plan.py",
    "integration/warpmate/test_links.py",
    "integration/worker/judge/test_solutions.py",
    "integration/worker/compile/test_compiler.py",
    "integration/worker/compile/test_hostile_sources.py",
    "integration/warpmate/test_library.py",
    "integration/knowledge/submit/test_crashes.py",
    "integration/indexer/test_hub_models.py",
    "integration/warpmate/test_shipped_vectors.py",
    "integration/worker/judge/test_styles.py",
    "integration/worker/queue/test_deaths.py",
    "integration/worker/judge/test_kernel_corpus.py",
    "integration/warpmate/test_commands.py",
    "integration/warpmate/test_core.py",
    "integration/warpmate/test_indexer_health.py",
)
"""Files that take half a minute or more of a whole run: one that began last would keep one core busy alone."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    rank = {name: place for place, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: rank.get(item.path.relative_to(TESTS).as_posix(), len(rank)))
    for item in items:
        for mark in item.iter_markers("needs"):
            for what in mark.args:
                if what not in NEEDS:
                    raise pytest.UsageError(f"{item.nodeid} needs {what!r}, which tests/needs.py does not know")
                if (reason := missing(what)) and not (forbidden() and what not in ABSENT_IN_CI):
                    item.add_marker(pytest.mark.skip(reason=reason))


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end, so no collection of garbage need look at it again."""
    gc.collect()
    gc.freeze()


TESTS = Path(__file__).parent

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


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with template_of("sqlite", tmp_path_factory.mktemp("template")) as url:
        yield url


@pytest.fixture(scope="session")
def postgres_template(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with template_of("postgres", tmp_path_factory.mktemp("template")) as url:
        yield url


@pytest.fixture
def template(database: str, request: pytest.FixtureRequest) -> str:
    """The address of an empty, migrated database of this kind, to be copied and not written to."""
    return str(request.getfixturevalue(f"{database}_template"))


@pytest.fixture
async def store(template: str, tmp_path: Path) -> AsyncIterator[Store]:
    """Migrated, empty, and of this test alone."""
    async with copied_store(template, tmp_path) as opened:
        yield opened
