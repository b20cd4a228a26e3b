"""Politeness towards a host."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from indexer.fetch.politeness import Hosts, Politeness, retry_after

NOW = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120.0),
        ("0", 0.0),
        ("Thu, 01 Jan 2026 12:01:30 GMT", 90.0),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_a_number_or_a_date(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, NOW) == seconds


async def test_no_more_requests_at_once_than_politeness_allows() -> None:
    hosts = Hosts(Politeness(per_host=2, pause_s=0))
    async with hosts.turn("https://example.org/a"), hosts.turn("https://example.org/b"):
        third = hosts.turn("https://example.org/c")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(third.__aenter__(), 0.05)
        async with hosts.turn("https://other.example/a"):
            pass
