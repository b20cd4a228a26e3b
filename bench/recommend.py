"""How long one recommendation takes with 10,000 members and 5,000 resources in the database.

Prints p50 and p95 in milliseconds; the store is an SQLite file made for the run.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import tempfile
import time
from pathlib import Path

from knowledge.content import load_content
from knowledge.content.findings import load_finding_topics
from knowledge.recommend import Recommender
from knowledge.store import Scope, Store, open_store
from knowledge.store.migrate import upgrade
from knowledge.store.tables import Member, ReadingEvent, Resource

CONTENT = Path(__file__).parents[1] / "content"
MEMBERS, RESOURCES, EVENTS_EACH, REQUESTS = 10_000, 5_000, 20, 400
LEVELS = ("beginner", "intermediate", "advanced")


async def fill(store: Store, topics: list[str], rng: random.Random) -> None:
    resources = [
        Resource(
            id=f"r{n}", url=f"https://site{n % 700}.example.org/{n}", title=f"Resource {n}",
            lang=rng.choice(["en", "zh"]),
            kind="article", level=rng.choice(LEVELS), topics=rng.sample(topics, 2), minutes=rng.randint(5, 90),
            origin="member",
        )
        for n in range(RESOURCES)
    ]  # fmt: skip
    async with store.session(Scope.all()) as session:
        session.add_all(resources)
        session.add_all(Member(id=f"m{n}") for n in range(MEMBERS))
    for start in range(0, MEMBERS, 1000):
        async with store.session(Scope.all()) as session:
            session.add_all(
                ReadingEvent(
                    member_id=f"m{n}",
                    item=f"r{rng.randrange(RESOURCES)}",
                    event=rng.choice(["read", "saved", "too_hard"]),
                )
                for n in range(start, start + 1000)
                for _ in range(EVENTS_EACH)
            )


async def main() -> None:
    rng = random.Random(7)
    content = load_content(CONTENT)
    topics = [topic.id for topic in content.topics]
    with tempfile.TemporaryDirectory() as folder:
        async with open_store(f"sqlite+aiosqlite:///{folder}/bench.db") as store:
            await upgrade(store)
            await fill(store, topics, rng)
            recommender = Recommender(store, content, load_finding_topics(CONTENT, content.topics))
            took_ms = []
            for _ in range(REQUESTS):
                request = recommender.parse(rng.choice(LEVELS), rng.choice(topics), rng.choice(["en", "zh"]))
                started = time.perf_counter()
                await recommender.recommend(Scope(), request, f"m{rng.randrange(MEMBERS)}")
                took_ms.append((time.perf_counter() - started) * 1e3)
    warm = sorted(took_ms[1:])
    print(
        json.dumps(
            {
                "first_ms": round(took_ms[0], 1),
                "p50_ms": round(statistics.median(warm), 1),
                "p95_ms": round(warm[int(len(warm) * 0.95)], 1),
                "members": MEMBERS,
                "resources": RESOURCES,
            }
        )
    )


if __name__ == "__main__":
    asyncio.run(main())
