"""How long do the reading pages take at 50 requests a second, and what do 200 open event streams cost?

    python bench/site.py

The site runs in a process of its own over a new SQLite file and the content that came along; this process asks. Each
page is asked for once beforehand. Prints and writes bench/results/site.json.
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
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

RATE_PER_S, SECONDS, STREAMS = 50, 20, 200
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
            address, waiting = site.stdout.readline().split()
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
    """The site, with one submission that its judge holds back; prints the address and that submission's page."""
    from knowledge.content import content_folder, load_content
    from knowledge.submit import HandIn
    from tests.integration.web.stage import EVERYWHERE, MEMBER, RIGHT, staged
    from tests.stores import migrated_store

    async with (
        migrated_store("sqlite", folder) as store,
        staged(store, load_content(content_folder())) as stage,
    ):
        stage.executor.may_end.clear()
        waiting = await stage.flows.submissions.hand_in(EVERYWHERE, HandIn(MEMBER, RIGHT, "vector_add"))
        print(stage.address, f"/submissions/{waiting}", flush=True)
        await asyncio.Event().wait()


async def measure(address: str, waiting: str, pid: int) -> dict[str, object]:
    from aiohttp import ClientSession, ClientTimeout, TCPConnector

    async with ClientSession(address, connector=TCPConnector(limit=0), timeout=ClientTimeout(total=60)) as session:
        for page in PAGES:
            await timed(session, page)
        times = sorted(await at_rate(session))
        before = rss_mb(pid)
        async with AsyncExitStack() as stack:
            for _ in range(STREAMS):
                stream = await stack.enter_async_context(session.get(f"{waiting}/events"))
                await stream.content.readuntil(b"\n\n")
            await asyncio.sleep(5)
            cost = rss_mb(pid) - before
            during = sorted(await at_rate(session, seconds=5))
    return {
        "requests": len(times),
        "p50_ms": round(times[len(times) // 2], 1),
        "p95_ms": round(times[int(len(times) * 0.95)], 1),
        "max_ms": round(times[-1], 1),
        "p95_ms_beside_200_streams": round(during[int(len(during) * 0.95)], 1),
        "rss_mb": round(before, 1),
        "streams": STREAMS,
        "streams_cost_mb": round(cost, 1),
        "load_average": round(os.getloadavg()[0], 1),
    }


async def at_rate(session: object, seconds: int = SECONDS) -> list[float]:
    """Sent on the clock, whether or not earlier ones are back: a slow answer makes the next ones wait, and counts."""
    start = time.perf_counter()
    tasks = []
    for n in range(RATE_PER_S * seconds):
        await asyncio.sleep(max(0.0, start + n / RATE_PER_S - time.perf_counter()))
        tasks.append(asyncio.create_task(timed(session, PAGES[n % len(PAGES)])))
    return list(await asyncio.gather(*tasks))


async def timed(session: object, page: str) -> float:
    start = time.perf_counter()
    async with session.get(page) as response:  # type: ignore[attr-defined]  # a ClientSession
        await response.read()
        assert response.status == 200, page
    return (time.perf_counter() - start) * 1000


def rss_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


if __name__ == "__main__":
    main()
