"""Trouble at Discord passes: what it did not take is tried again, what it refused is not."""

from __future__ import annotations

from types import SimpleNamespace

import aiohttp
import discord
import pytest

from bot.retry import with_retries
from bot.uploads import fetched


def answer(status: int) -> discord.HTTPException:
    return discord.HTTPException(SimpleNamespace(status=status, reason="", headers={}), "said")  # type: ignore[arg-type]


class Discord:
    """Fails with each of these in turn, then gives."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)

    async def give(self) -> bytes:
        if self.failures:
            raise self.failures.pop(0)
        return b"given"


@pytest.mark.parametrize("failure", [answer(500), answer(503), answer(429), aiohttp.ClientError(), OSError()])
async def test_what_passes_is_tried_again(failure: Exception) -> None:
    assert await with_retries(Discord(failure, failure).give, (0, 0), "a word") == b"given"


async def test_a_refusal_is_an_answer() -> None:
    refusing = Discord(answer(403), answer(403))
    with pytest.raises(discord.HTTPException):
        await with_retries(refusing.give, (0, 0), "a word")
    assert len(refusing.failures) == 1


async def test_the_last_trouble_is_raised_when_every_wait_was_in_vain() -> None:
    broken = Discord(*[answer(500)] * 5)
    with pytest.raises(discord.HTTPException):
        await with_retries(broken.give, (0, 0), "a word")
    assert len(broken.failures) == 2


async def test_a_fault_of_ours_is_not_tried_again() -> None:
    broken = Discord(ValueError("ours"), ValueError("ours"))
    with pytest.raises(ValueError, match="ours"):
        await with_retries(broken.give, (0, 0), "a word")
    assert len(broken.failures) == 1


async def test_an_upload_is_fetched_again_where_the_store_is_busy() -> None:
    assert await fetched(Discord(answer(429)).give) == b"given"
