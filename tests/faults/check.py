"""What has to hold when a run is over, read from warpmate's own tables, its broker and what members were told."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import redis.asyncio as redis
from sqlalchemy import func, select

from knowledge.store import Scope, Store
from knowledge.store.tables import OutboxRow, Submission, VerdictRow
from knowledge.submit.leaderboards import Boards
from knowledge.submit.predicted_boards import DEFAULT_CARD, PredictedBoards
from tests.faults.ledger import HandIn, Ledger
from worker.protocol import PROTOCOL

EVERYTHING = Scope.all()
OURS = "infrastructure_error"


@dataclass(frozen=True)
class Outcome:
    """Counts; all of `wrong` have to be zero."""

    rows: int
    verdicts: int
    given_up_as_ours: int
    on_boards: int
    told: int
    wrong: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)


async def settled(store: Store, patience_s: float) -> float:
    """Wait until every row has its verdict and nothing is owed on Discord; return how long that took."""
    began = time.monotonic()
    while time.monotonic() - began < patience_s:
        async with store.reading(EVERYTHING) as session:
            left = await session.scalar(select(func.count()).select_from(Submission).where(Submission.unfinished()))
            left = (left or 0) + (await session.scalar(select(func.count()).select_from(OutboxRow)) or 0)
        if not left:
            break
        await asyncio.sleep(0.2)
    return time.monotonic() - began


async def outcome(store: Store, broker_url: str, ledger: Ledger) -> Outcome:
    async with store.reading(EVERYTHING) as session:
        rows = {row.id: row for row in await session.scalars(select(Submission))}
        verdicts = {row.submission_id: row for row in await session.scalars(select(VerdictRow))}
        owed = await session.scalar(select(func.count()).select_from(OutboxRow)) or 0
    wrong: dict[str, list[str]] = {
        "handed in, and no row": sorted(ledger.numbers - rows.keys()),
        "a row without a verdict": sorted(rows.keys() - verdicts.keys()),
        "a row that is not done": [row.id for row in rows.values() if row.state != "done"],
        "a verdict without a row": sorted(verdicts.keys() - rows.keys()),
        "blamed on a member": _blamed(ledger.hand_ins, verdicts),
        "told another verdict than the row's": _told_otherwise(ledger.hand_ins, verdicts),
        "a member not told": [one.submission or one.member for one in ledger.hand_ins if not one.told],
        "left waiting": ledger.left_waiting,
        "asks without an answer": ["an ask"] * (ledger.asked - ledger.answered - _asks_left(ledger)),
        "still owed on Discord": ["a row of the outbox"] * owed,
        "left in the broker": await _left_in_broker(broker_url),
    }
    standing, twice, missing = await _boards(store, {one.guild for one in ledger.hand_ins}, rows, verdicts)
    wrong |= {"twice on a board": twice, "missing on a board": missing}
    return Outcome(
        rows=len(rows),
        verdicts=len(verdicts),
        given_up_as_ours=sum(row.kind == OURS for row in verdicts.values()),
        on_boards=standing,
        told=sum(bool(one.told) for one in ledger.hand_ins),
        wrong={what: len(found) for what, found in wrong.items()},
        examples={what: found[:5] for what, found in wrong.items() if found},
    )


def _asks_left(ledger: Ledger) -> int:
    return sum(line.startswith("ask") for line in ledger.left_waiting)


def _blamed(hand_ins: Sequence[HandIn], verdicts: dict[str, VerdictRow]) -> list[str]:
    """Whoever has another verdict than the source deserves, trouble of ours apart, which blames nobody."""
    known = {one.submission: one.expected for one in hand_ins if one.submission}
    return [
        f"{id_}: {verdicts[id_].kind} and not {expected}"
        for id_, expected in known.items()
        if id_ in verdicts and verdicts[id_].kind not in {expected, OURS}
    ]


def _told_otherwise(hand_ins: Sequence[HandIn], verdicts: dict[str, VerdictRow]) -> list[str]:
    words = {OURS: "trouble on our side"}
    return [
        f"{one.submission}: told {one.told[:60]!r}, in the table {row.kind}"
        for one in hand_ins
        if one.told and (row := verdicts.get(one.submission)) and row.kind != one.told
        and words.get(row.kind, "-") not in one.told
    ]  # fmt: skip


async def _boards(
    store: Store, guilds: set[str], rows: dict[str, Submission], verdicts: dict[str, VerdictRow]
) -> tuple[int, list[str], list[str]]:
    """How many places are taken on all boards, who has two of one board, and who has none and should."""
    standing, twice, missing = 0, list[str](), list[str]()
    timed, predicted = Boards(store), PredictedBoards(store)
    for guild in guilds:
        scope = Scope.guild(guild)
        for card in await timed.cards(scope, "vector_add"):
            on_it = Counter(one.member_id for one in await timed.board(scope, "vector_add", card, limit=10_000))
            accepted = {
                rows[id_].member_id
                for id_, row in verdicts.items()
                if row.kind == "accepted" and row.card == card and rows[id_].guild_id == guild
            }
            standing += sum(on_it.values())
            twice += [member for member, times in on_it.items() if times > 1]
            missing += sorted(accepted - on_it.keys())
        of_emulated = await predicted.board(scope, "vector_add", DEFAULT_CARD, limit=10_000)
        on_it = Counter(one.member_id for one in of_emulated)
        standing += sum(on_it.values())
        twice += [member for member, times in on_it.items() if times > 1]
    return standing, twice, missing


async def _left_in_broker(url: str) -> list[str]:
    """Jobs that nobody forgot, though every row is done; the servers sweep for a while after the last verdict."""
    client = redis.Redis.from_url(url, decode_responses=True)
    base = f"{{warpmate}}:{PROTOCOL}"
    left: list[str] = []
    try:
        for _ in range(150):
            places: Any = await client.hgetall(f"{base}:places")  # type: ignore[misc]  # redis-py says both kinds at once
            waiting = [(await client.xpending(f"{base}:{stream}", group))["pending"]
                       for stream, group in (("leases", "workers"), ("verdicts", "servers"))]  # fmt: skip
            left = [*places, *(["a pending entry"] * sum(waiting))]
            if not left:
                break
            await asyncio.sleep(0.1)
    finally:
        await client.aclose()
    return left
