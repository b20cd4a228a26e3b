from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from knowledge.store import Store
from tests.integration.knowledge.submit.house import House, build
from tests.stores import migrated_store
from worker.queue.memory import MemoryQueue


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgres"))])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with migrated_store(request.param, tmp_path) as store:
        yield store


@pytest.fixture
def house(store: Store) -> House:
    return build(store, MemoryQueue())
