"""How long do the reading pages take at 50 requests a second, and what do 200 open event streams cost?

    python bench/site.py

The site runs in a process of its own over a new SQLite file and the content that came along; this process asks. Each
page is asked for once beforehand. The streams are opened twice: all on one submission, then each on its own.
Prints and writes bench/results/site.json, with the machine's load beside it: what else runs is in every time.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiohttp import ClientSession

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

RATE_PER_S, SECONDS, ROUNDS, STREAMS, MEMBERS = 50, 16, 3, 200, 10
PAGES = (
    "/", "/readings", "/readings?topic=shared-memory", "/readings/gpu-mode-discord", "/notes/bank-conflicts",
    "/notes/bank-conflicts?lang=zh", "/path/bank-conflicts", "/problems", "/problems/vector_add",
    "/recommend?level=beginner&topic=cuda-basics", "/calc/receptive-field",
)  # fmt: skip


def main() -> None:
    if sys.argv[1:2] == ["--serve"]:
        asyncio.run(serve(Path(sys.argv[2])))
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--serve", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as site:
            assert site.stdout is not None
            address, *waiting = site.stdout.readline().split()
            try:
                result = asyncio.run(measure(address, waiting, site.pid))
            finally:
                site.terminate()
    result |= {
        "at": datetime.now(UTC).date().isoformat(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }
    print(json.dumps(result, indent=2))
    (ROOT / "bench" / "results" / "site.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


async def serve(folder: Path) -> None:
    """The site, with submissions that its judge holds back; prints the address and the submissions' pages."""
    from knowledge.content import load_content
    from knowledge.submit import HandIn
    from tests.integration.web.stage import EVERYWHERE, RIGHT, staged
    from tests.stores import migrated_store

    async with (
        migrated_store("sqlite", folder) as store,
        staged(store, load_content(ROOT / "content")) as stage,
    ):
        stage.executor.may_end.clear()
        ids = [
            await stage.services.submissions.hand_in(
                EVERYWHERE, HandIn(f"local:{n % MEMBERS}", RIGHT, "vector_add", public=True)
            )
            for n in range(STREAMS)
        ]
        print(stage.address, *(f"/submissions/{id_}" for id_ in ids), flush=True)
        await asyncio.Event().wait()


async def measure(address: str, waiting: list[str], pid: int) -> dict[str, object]:
    """Rounds of each kind in turn: what else runs on the machine slows all alike, and medians drop its peaks."""
    from aiohttp import ClientSession, ClientTimeout, TCPConnector

    kinds: dict[str, list[str]] = {
        "alone": [],
        "beside_streams_on_one_submission": waiting[:1] * STREAMS,
        "beside_streams_on_as_many": waiting,
    }
    rounds: dict[str, list[Round]] = {kind: [] for kind in kinds}
    async with ClientSession(address, connector=TCPConnector(limit=0), timeout=ClientTimeout(total=120)) as session:
        for page in PAGES:
            await timed(session, page)
        for _ in range(ROUNDS):
            for kind, pages in kinds.items():
                rounds[kind].append(await one_round(session, pages, pid))
    rss_mb = {kind: max(one.rss_mb for one in found) for kind, found in rounds.items()}
    return {
        "requests_a_round": RATE_PER_S * SECONDS,
        "rounds": ROUNDS,
        **{kind: summary(found) for kind, found in rounds.items()},
        "rss_mb": round(rounds["alone"][0].rss_mb, 1),
        "streams": STREAMS,
        "streams_cost_mb": round(max(rss_mb.values()) - rounds["alone"][0].rss_mb, 1),
        "load_average": round(os.getloadavg()[0], 1),
        "niceness": os.nice(0),
    }


@dataclass(frozen=True)
class Round:
    p50_ms: float
    p95_ms: float
    processor_share: float
    """Of one core: what the site used, whatever else ran on the machine."""
    rss_mb: float


def summary(rounds: list[Round]) -> dict[str, float]:
    """Medians, and the best round beside them: the one that the rest of the machine disturbed least."""
    return {
        "p50_ms": round(median(one.p50_ms for one in rounds), 1),
        "p95_ms": round(median(one.p95_ms for one in rounds), 1),
        "p95_ms_best_round": round(min(one.p95_ms for one in rounds), 1),
        "processor_share": round(median(one.processor_share for one in rounds), 2),
    }


async def one_round(session: ClientSession, watched: list[str], pid: int) -> Round:
    """The reading pages while a stream is open on each of these, longer than watchers wait for a second look."""
    async with AsyncExitStack() as stack:
        for page in watched:
            stream = await stack.enter_async_context(session.get(f"{page}/events"))
            await stream.content.readuntil(b"\n\n")
        cpu_s = cpu_s_of(pid)
        times = sorted(await at_rate(session))
        share = (cpu_s_of(pid) - cpu_s) / SECONDS
        return Round(times[len(times) // 2], times[int(len(times) * 0.95)], share, rss_mb(pid))


async def at_rate(session: ClientSession) -> list[float]:
    """Sent on the clock, whether or not earlier ones are back: a slow answer makes the next ones wait, and counts."""
    start = time.perf_counter()
    tasks = []
    for n in range(RATE_PER_S * SECONDS):
        await asyncio.sleep(max(0.0, start + n / RATE_PER_S - time.perf_counter()))
        tasks.append(asyncio.create_task(timed(session, PAGES[n % len(PAGES)])))
    return list(await asyncio.gather(*tasks))


async def timed(session: ClientSession, page: str) -> float:
    start = time.perf_counter()
    async with session.get(page) as response:
        await response.read()
        assert response.status == 200, page
    return (time.perf_counter() - start) * 1000


def cpu_s_of(pid: int) -> float:
    after_name = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def rss_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


if __name__ == "__main__":
    main()
