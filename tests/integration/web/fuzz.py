"""Requests made from the site's own description, both as it allows them and as it forbids them."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy
from schemathesis import GenerationMode


async def statuses_of_requests(address: str, mode: GenerationMode) -> list[int]:
    """Of some requests to every operation of the API."""
    schema = await asyncio.to_thread(schemathesis.openapi.from_url, f"{address}/api/openapi.json")
    statuses: list[int] = []
    for operation in (result.ok() for result in schema.get_all_operations()):
        try:
            cases = operation.as_strategy(generation_mode=mode)
        except Unsatisfiable:
            continue
        await asyncio.to_thread(_send_examples, cases, statuses)
    return statuses


def _send_examples(cases: SearchStrategy[schemathesis.Case], statuses: list[int]) -> None:
    @settings(max_examples=20, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=cases)
    def send(case: schemathesis.Case) -> None:
        statuses.append(case.call(timeout=60).status_code)

    with suppress(Unsatisfiable):
        send()
