from __future__ import annotations

import pytest

from knowledge.store import Store
from tests.integration.knowledge.submit.setup import House, build
from worker.queue.memory import MemoryQueue


@pytest.fixture
def house(store: Store) -> House:
    return build(store, MemoryQueue())
