"""A member's plan on a server, with the methods that it has on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from knowledge.plans import Plan, Question
from knowledge.store import Scope
from warpmate.remote.server import Refusal, Server


@dataclass(frozen=True, slots=True)
class RemoteReviews:
    server: Server

    async def due(self, _member: str, lang: str) -> Sequence[Question]:
        found: tuple[Question, ...] = await self.server.whole(
            tuple[Question, ...], "GET", "plan/questions", lang=lang
        )
        return found

    async def answer(self, _member: str, question: str, right: bool) -> date | None:
        said = await self.server.json("POST", "plan/answers", {"question": question, "right": right})
        return date.fromisoformat(said["due"]) if said["due"] else None


@dataclass(frozen=True, slots=True)
class RemotePlans:
    server: Server

    @property
    def reviews(self) -> RemoteReviews:
        return RemoteReviews(self.server)

    async def look(self, _scope: Scope, _member: str, lang: str) -> Plan | None:
        try:
            return await self.server.whole(Plan, "GET", "plan", lang=lang)
        except Refusal as refusal:
            if refusal.status == 404:
                return None
            raise

    async def start(self, _scope: Scope, _member: str, goal: str, hours: int, level: str | None, lang: str) -> Plan:
        body = {"goal": goal, "hours": hours, "level": level, "lang": lang}
        return await self.server.whole(Plan, "POST", "plan", body)

    async def set_hours(self, _scope: Scope, _member: str, hours: int, lang: str) -> Plan:
        return await self._change("hours", lang, hours=hours)

    async def skip(self, _scope: Scope, _member: str, lang: str) -> Plan:
        return await self._change("skip", lang)

    async def resume(self, _scope: Scope, _member: str, lang: str) -> Plan:
        return await self._change("resume", lang)

    async def sit(self, _scope: Scope, _member: str, item: str, reached: int, lang: str) -> Plan:
        return await self._change("part", lang, item=item, reached=reached)

    async def stop(self, _member: str) -> None:
        await self.server.json("POST", "plan/changes", {"change": "stop"})

    async def _change(self, change: str, lang: str, **more: Any) -> Plan:
        return await self.server.whole(Plan, "POST", "plan/changes", {"change": change, "lang": lang, **more})
