from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.integration.worker.queue.jobs import any_queue
from worker.queue import JobQueue


@pytest.fixture(params=["memory", pytest.param("streams", marks=pytest.mark.needs("redis")), "gateway"])
async def queue(request: pytest.FixtureRequest) -> AsyncIterator[JobQueue]:
    """Of each kind; at the gateway a worker has the name that it was enrolled by, whatever it calls itself."""
    async with any_queue(request.param) as queue:
        yield queue


@pytest.fixture(params=["memory", pytest.param("streams", marks=pytest.mark.needs("redis"))])
async def queue_with_names(request: pytest.FixtureRequest) -> AsyncIterator[JobQueue]:
    async with any_queue(request.param) as queue:
        yield queue
