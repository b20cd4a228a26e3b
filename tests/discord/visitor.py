"""Somebody at the page of the local Discord, over HTTP: types, fills forms, and looks until something is there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import aiohttp

from tests.discord.check_messages import text_of


@dataclass(frozen=True, slots=True)
class Visitor:
    session: aiohttp.ClientSession
    http: str
    locale: str = "en-US"

    async def act(self, deed: str, **body: Any) -> int:
        """`command`, `press`, `choose`, `form` or `say`; the status of the page's answer."""
        sent = {"locale": self.locale, **body}
        async with self.session.post(f"{self.http}/trial/{deed}", json=sent) as answer:
            return answer.status

    async def state(self) -> dict[str, Any]:
        async with self.session.get(f"{self.http}/trial/state?locale={self.locale}") as answer:
            found: dict[str, Any] = await answer.json()
            return found

    async def form(self, within_s: float = 8) -> dict[str, Any]:
        return await self._seen(lambda state: state["form"], within_s)

    async def commands(self, within_s: float) -> list[Any]:
        """Once the bot has told Discord what it can do, and is there to do it."""
        return await self._seen(lambda state: state["commands"], within_s)

    async def message(self, *words: str, within_s: float = 8) -> dict[str, Any]:
        """The newest message, once it holds all the words."""

        def newest(state: dict[str, Any]) -> Any:
            last = state["messages"][-1] if state["messages"] else {}
            return last if last and all(word in text_of(last) for word in words) else None

        return await self._seen(newest, within_s)

    async def _seen(self, look: Any, within_s: float) -> Any:
        """The page is looked at again and again, as its own script does."""
        until_s = asyncio.get_running_loop().time() + within_s
        while not (found := look(state := await self.state())):
            last = [text_of(message) for message in state["messages"][-2:]]
            assert asyncio.get_running_loop().time() < until_s, f"waited {within_s:g} s in vain; last: {last}"
            await asyncio.sleep(0.05)
        return found
