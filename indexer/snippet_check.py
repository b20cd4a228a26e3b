"""Kernels printed in pages, compiled: what the library can tell a reader before the code is copied."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, or_, select

from knowledge.store import Scope, Store
from knowledge.store.library import Passage, Snapshot, Snippet

SECONDS = 30.0
"""The time in which compilations are begun; the snippets left then wait for the next build."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Compiled:
    """A compiler's verdict on a snippet."""

    verdict: str
    ok: bool
    body: dict[str, Any]
    """The whole verdict as JSON, for the row."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler of snippets: `compile` takes a snippet's digest and its code."""

    compile: Callable[[str, str], Awaitable[Compiled]]
    name: str
    """The name of the compiler: snippets with a verdict of another one are compiled again."""


@dataclass(frozen=True, slots=True)
class SnippetReport:
    compiled: int = 0
    broken: int = 0
    left: int = 0
    """How many snippets are still to be checked."""
    not_checked: str = ""
    """Why this host compiles none; empty where it does."""


async def check_snippets(
    store: Store, compiler: Compiler, at_most: int, progress: Progress | None = None
) -> SnippetReport:
    """Compile what has no verdict of this compiler yet; each verdict is stored as soon as it is there."""
    waiting, left = await unchecked(store, compiler.name, at_most)
    stop_at, ok, done = time.monotonic() + SECONDS, 0, 0
    for digest, code in waiting:
        if time.monotonic() > stop_at:
            break
        found = await compiler.compile(digest, code)
        await _store_verdict(store, digest, found, compiler.name)
        ok, done = ok + found.ok, done + 1
        if progress:
            progress("snippets", done, len(waiting))
    return SnippetReport(ok, done - ok, left + len(waiting) - done)


async def unchecked(store: Store, compiler: str, at_most: int) -> tuple[list[tuple[str, str]], int]:
    """Return digest and code of the next snippets, and how many are left behind them."""
    stale = or_(Snippet.verdict.is_(None), Snippet.checked_with != compiler)
    printed = (
        select(Snippet.content_hash, func.min(Passage.id).label("passage"))
        .join(Passage, Passage.content_hash == Snippet.content_hash)
        .where(stale)
        .group_by(Snippet.content_hash)
        .subquery()
    )
    wanted = (
        select(printed.c.content_hash, Passage.start, Passage.end, Snapshot.text)
        .join(Passage, Passage.id == printed.c.passage)
        .join(Snapshot, Snapshot.id == Passage.snapshot_id)
        .order_by(printed.c.content_hash)
        .limit(at_most)
    )
    async with store.reading(Scope.all()) as session:
        rows = (await session.execute(wanted)).all()
        total = await session.scalar(select(func.count()).select_from(printed)) or 0
    return [(digest, text[start:end]) for digest, start, end, text in rows], total - len(rows)


async def _store_verdict(store: Store, digest: str, found: Compiled, compiler: str) -> None:
    async with store.session(Scope.all()) as session:
        row = await session.get(Snippet, digest)
        if row is not None:
            row.verdict, row.checked_with, row.verdict_body = found.verdict, compiler, found.body
