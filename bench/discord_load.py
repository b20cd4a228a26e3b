"""How fast is every interaction acknowledged when 500 members in 50 servers are busy at once, and is any lost?

    python bench/discord_load.py [--seconds 100] [--asks 2000] [--submissions 300]

The real bot over the local Discord: real gateway with four shards, real REST, real database and queue; answers and
verdicts are canned. Bot, Discord and judge share this process, so the figures are an upper bound for the bot. Others
on the machine count too: its load average (one minute, all processes) and this process's niceness stand beside them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bot.client import WarpmateBot  # noqa: E402  found beside this folder
from knowledge.content import load_content  # noqa: E402
from tests.discord import Channel, Exchange, LocalDiscord, Person, Upload, local_discord  # noqa: E402
from tests.e2e.bot.stage import KERNEL, Stage, answered, longest_hold_s, staged  # noqa: E402
from tests.stores import migrated_store  # noqa: E402

GUILDS, MEMBERS, SHARDS = 50, 500, 4
QUESTION = "what is a bank conflict?"


async def measure(seconds: float, asks: int, submissions: int) -> dict[str, Any]:
    content = load_content(ROOT / "content")
    with tempfile.TemporaryDirectory() as folder:
        async with (
            local_discord(shards=SHARDS) as discord,
            migrated_store("sqlite", Path(folder)) as store,
            staged(discord, store, content, Path(folder)) as stage,
        ):
            stage.asker.answers[QUESTION] = answered("Two lanes of a warp address one bank in different rows.")
            people = populate(discord)
            async with stage.bot(progress_every_s=1.5):
                pause, hold = asyncio.create_task(longest_pause_s()), asyncio.create_task(longest_hold_s())
                started = time.monotonic()
                exchanges = await storm(stage, people, seconds, asks, submissions)
                replies = await asyncio.gather(*(finished(one) for one in exchanges))
                wall_s = time.monotonic() - started
                pause.cancel()
                hold.cancel()
                held = {"longest_pause_of_the_loop_s": round(await pause, 3),
                        "of_which_the_bot_computed_at_most_s": round(await hold, 3)}  # fmt: skip
                return figures(exchanges, replies, wall_s, discord) | held


def populate(discord: LocalDiscord) -> list[tuple[Person, Channel]]:
    """Ten members a server, half of them Chinese; server ids that spread over the shards."""
    guilds = [discord.world.add_guild(f"group {n}", id_=(10_000 + n) << 22) for n in range(GUILDS)]
    return [
        (discord.person(f"member {n}", "zh-CN" if n % 2 else "en-US"), guilds[n % GUILDS].general)
        for n in range(MEMBERS)
    ]


async def storm(
    stage: Stage, people: list[tuple[Person, Channel]], seconds: float, asks: int, submissions: int
) -> list[Exchange]:
    """Commands at random moments; each member in turn, so that nobody meets a limit."""
    rng = random.Random(2026)
    moments = sorted((rng.uniform(0, seconds), n) for n in range(asks + submissions))
    kinds = ["ask"] * asks + ["submit"] * submissions
    rng.shuffle(kinds)
    started = time.monotonic()
    exchanges = []
    for moment, n in moments:
        await asyncio.sleep(max(0.0, started + moment - time.monotonic()))
        person, channel = people[n % len(people)]
        if kinds[n] == "ask":
            exchanges.append(await person.run("ask", channel, question=QUESTION))
        else:
            code = Upload("a.cu", KERNEL.encode())
            exchanges.append(await person.run("submit", channel, problem="vector_add", file=code))
    return exchanges


async def finished(exchange: Exchange) -> bool:
    """Whether the member got an answer or a verdict in the end."""
    words = ("one bank", "accepted", "通过")
    try:
        await (await exchange.reply(60)).until(lambda text: any(word in text for word in words), 60)
    except AssertionError:
        return False
    return True


def figures(exchanges: list[Exchange], replies: list[bool], wall_s: float, discord: LocalDiscord) -> dict[str, Any]:
    known = [one.interaction for one in exchanges]
    late = [i.acknowledged_s - i.created_s for i in known if i.acknowledged_s is not None]
    late.sort()
    return {
        "interactions": len(known),
        "acknowledged": len(late),
        "lost": replies.count(False),
        "acknowledged_s": {
            "median": round(statistics.median(late), 4),
            "p95": round(late[int(len(late) * 0.95)], 4),
            "max": round(late[-1], 4),
        },
        "wall_s": round(wall_s, 1),
        "rate_limited": discord.traffic.limited,
        "shards": len(discord.gateway.sessions),
    }


async def longest_pause_s() -> float:
    worst = 0.0
    try:
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.01)
            worst = max(worst, time.monotonic() - before - 0.01)
    except asyncio.CancelledError:
        return worst


async def _at_once(self: WarpmateBot, shard_id: int | None, *, initial: bool = False) -> None:
    """The library's pause between the identifies of two shards is not what is measured."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=100.0)
    parser.add_argument("--asks", type=int, default=2000)
    parser.add_argument("--submissions", type=int, default=300)
    arguments = parser.parse_args()
    WarpmateBot.before_identify_hook = _at_once  # type: ignore[method-assign, assignment]  # see its docstring
    busy = round(os.getloadavg()[0], 1)
    found = asyncio.run(measure(arguments.seconds, arguments.asks, arguments.submissions))
    about = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "load_before_and_after": [busy, round(os.getloadavg()[0], 1)],
        "niceness": os.nice(0),
        "python": platform.python_version(),
    }
    print(json.dumps(about | found, indent=2))
    if arguments.asks == 2000:
        (ROOT / "bench" / "results" / "discord_load.json").write_text(json.dumps(about | found, indent=2) + "\n")


if __name__ == "__main__":
    main()
