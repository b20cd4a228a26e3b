"""How long do pages take while 200 signed-in members of two guilds send 50 requests a second, and does memory grow?

    python bench/site_members.py [SECONDS]

Site, bot and a local Discord run in a process of their own over a new SQLite file and the content that came along;
only the answers and the judge are prepared. This process asks: pages, questions, submissions and the API, each member
with a session and a token of their own. A reply is wrong that has another status than the one expected, is of another
member or names another guild. Prints and writes bench/results/site_members.json, with the machine's load beside it.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aiohttp import ClientSession

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.site import cpu_s_of, rss_mb  # noqa: E402  the path above finds it

MEMBERS, RATE_PER_S, SECONDS, WARM_UP_S = 200, 50, 100, 20
HOST = "home.example"
QUESTION = "How do I avoid bank conflicts?"
PAGES = (
    "/", "/readings", "/readings?topic=shared-memory", "/notes/bank-conflicts", "/path/bank-conflicts", "/problems",
    "/problems/vector_add", "/recommend?level=beginner&topic=cuda-basics", "/progress", "/plan", "/submissions",
    "/boards", "/boards/vector_add", "/account", "/status", "/terms", "/ask", "/submit",
)  # fmt: skip
ANSWERED = ("me", "problems?limit=20", "progress", "submissions?limit=20", "recommend?topic=gemm", "define?term=warp")


@dataclass(frozen=True)
class Member:
    key: str
    guild: str
    other_guild: str
    session: str
    token: str


def main() -> None:
    if sys.argv[1:2] == ["--serve"]:
        asyncio.run(serve(Path(sys.argv[2])))
        return
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--serve", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as site:
            assert site.stdout is not None
            said = json.loads(site.stdout.readline())
            members = [Member(**one) for one in said["members"]]
            try:
                result = asyncio.run(measure(said["address"], members, site.pid, seconds))
            finally:
                site.terminate()
    result |= {
        "at": datetime.now(UTC).date().isoformat(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }
    print(json.dumps(result, indent=2))
    file = ROOT / "bench" / "results" / "site_members.json"
    file.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


async def serve(folder: Path) -> None:
    """The house with everybody signed in; prints the address and what each member has in the hand."""
    from knowledge.content import load_content
    from tests.discord import local_discord
    from tests.e2e.home.stage import at_home, key_of, with_bot
    from tests.stores import migrated_store

    async with (
        local_discord() as discord,
        migrated_store("sqlite", folder) as store,
        at_home(discord, store, load_content(ROOT / "content")) as home,
        with_bot(home, folder),
    ):
        members = []
        for n in range(MEMBERS):
            own, other = (home.people.a, home.people.b) if n % 2 else (home.people.b, home.people.a)
            key = key_of(home.person(f"member{n}", own))
            session = await home.services.sessions.begin(key, str(own.id))
            token = await home.services.tokens.make(key, str(own.id), "bench", ("ask", "recommend", "submit", "read"))
            members.append(asdict(Member(key, own.name, other.name, session, token)))
        print(json.dumps({"address": home.stage.address, "members": members}), flush=True)
        await asyncio.Event().wait()


@dataclass
class Crowd:
    """Everybody's requests, and what became of them."""

    session: ClientSession
    address: str
    forms: dict[str, str]
    """The token of each member's forms."""
    times_ms: defaultdict[str, list[float]]
    page_times_ms: defaultdict[str, list[float]]
    wrong: Counter[str]

    async def one(self, kind: str, member: Member) -> None:
        began = time.perf_counter()
        try:
            await self.asks()[kind](member)
        except Exception as error:  # noqa: BLE001  whatever it is, it is a wrong reply
            self.wrong[f"{kind}: {type(error).__name__} {error}"[:200]] += 1
        self.times_ms[kind].append((time.perf_counter() - began) * 1000)

    def asks(self) -> dict[str, Callable[[Member], Awaitable[None]]]:
        return {"page": self.page, "ask": self.ask, "submit": self.submit, "api": self.api, "api_ask": self.api_ask}

    async def page(self, member: Member) -> None:
        path = random.choice(PAGES)
        began = time.perf_counter()
        text = await self.said("GET", path, member, 200)
        self.page_times_ms[path].append((time.perf_counter() - began) * 1000)
        assert f">{member.guild}</a>" in text, f"{path} is not of their guild"
        assert member.other_guild not in text, f"{path} names another guild"

    async def ask(self, member: Member) -> None:
        form = {"token": self.forms[member.key], "question": QUESTION}
        await self.said("POST", "/ask", member, 303, data=form)

    async def submit(self, member: Member) -> None:
        form = {"token": self.forms[member.key], "problem": "vector_add", "source": KERNEL}
        await self.said("POST", "/submit", member, 303, data=form)

    async def api(self, member: Member) -> None:
        path = random.choice(ANSWERED)
        text = await self.said("GET", f"/api/v1/{path}", member, 200, program=True)
        if path == "me":
            assert json.loads(text)["member"] == member.key, "somebody else"

    async def api_ask(self, member: Member) -> None:
        text = await self.said("POST", "/api/v1/ask", member, 200, program=True, json={"question": QUESTION})
        assert json.loads(text)["status"] == "answered"

    async def said(
        self, method: str, path: str, member: Member, status: int, *, program: bool = False, **more: Any
    ) -> str:
        session = {"Cookie": f"__Host-warpmate_session={member.session}"}
        headers = {"Host": HOST} | ({"Authorization": f"Bearer {member.token}"} if program else session)
        async with self.session.request(
            method, f"{self.address}{path}", headers=headers, allow_redirects=False, **more
        ) as response:
            text = await response.text()
            assert response.status == status, f"{path} {response.status}"
            return text


KERNEL = """__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
"""
MIX = ("page",) * 70 + ("api",) * 15 + ("ask",) * 6 + ("api_ask",) * 4 + ("submit",) * 5


async def measure(address: str, members: list[Member], pid: int, seconds: int) -> dict[str, object]:
    from aiohttp import ClientSession, ClientTimeout, DummyCookieJar, TCPConnector

    async with ClientSession(
        connector=TCPConnector(limit=0), timeout=ClientTimeout(total=60), cookie_jar=DummyCookieJar()
    ) as session:
        crowd = Crowd(session, address, {}, defaultdict(list), defaultdict(list), Counter())
        for member in members:
            text = await crowd.said("GET", "/account", member, 200)
            crowd.forms[member.key] = text.split('name="token" value="')[1].split('"')[0]
        await at_rate(crowd, members, WARM_UP_S, pid)
        crowd.times_ms.clear()
        crowd.page_times_ms.clear()
        cpu_s = cpu_s_of(pid)
        memory_mb = await at_rate(crowd, members, seconds, pid)
        cpu_s = cpu_s_of(pid) - cpu_s
    third = max(1, len(memory_mb) // 3)
    return {
        "members": len(members),
        "requests": sum(map(len, crowd.times_ms.values())),
        "requests_a_second": RATE_PER_S,
        "pages_p50_ms": percentile(crowd.times_ms["page"], 0.5),
        "pages_p95_ms": percentile(crowd.times_ms["page"], 0.95),
        "pages_p99_ms": percentile(crowd.times_ms["page"], 0.99),
        "p95_ms": {kind: percentile(times, 0.95) for kind, times in sorted(crowd.times_ms.items())},
        "p95_ms_by_page": {
            page: percentile(times, 0.95)
            for page, times in sorted(crowd.page_times_ms.items(), key=lambda one: -percentile(one[1], 0.95))
        },
        "wrong": dict(crowd.wrong),
        "processor_ms_a_request": round(1000 * cpu_s / sum(map(len, crowd.times_ms.values())), 1),
        "rss_mb_first_third": round(median(memory_mb[:third]), 1),
        "rss_mb_last_third": round(median(memory_mb[-third:]), 1),
        "load_average": round(os.getloadavg()[0], 1),
        "niceness": os.nice(0),
    }


async def at_rate(crowd: Crowd, members: list[Member], seconds: int, pid: int) -> list[float]:
    """Sent on the clock, whether or not earlier ones are back; return the memory of each second in MB."""
    start, tasks, memory_mb = time.perf_counter(), [], []
    kinds = random.Random(20261122)
    for n in range(RATE_PER_S * seconds):
        await asyncio.sleep(max(0.0, start + n / RATE_PER_S - time.perf_counter()))
        tasks.append(asyncio.create_task(crowd.one(kinds.choice(MIX), members[n % len(members)])))
        if n % RATE_PER_S == 0:
            memory_mb.append(rss_mb(pid))
    await asyncio.gather(*tasks)
    return memory_mb


def percentile(times_ms: list[float], share: float) -> float:
    ordered = sorted(times_ms)
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * share))], 1) if ordered else 0.0


if __name__ == "__main__":
    main()
