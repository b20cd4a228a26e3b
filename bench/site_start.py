"""How soon is a fresh machine served, when is its first question answered, and how quick are its pages until then?

    python bench/site_start.py

`warpmate run` over an empty data directory. Prints and adds a line to bench/results/site_start.jsonl.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import Request, urlopen

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.record import record  # noqa: E402  after the path
from bench.site import PAGES, cpu_s_of  # noqa: E402

EVERY_S = 0.1


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        result = start(Path(folder))
    print(json.dumps(result, indent=2))
    record("site_start", result)


def start(folder: Path) -> dict[str, float]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WARPMATE_")}
    environment = kept | {"WARPMATE_DATA_DIR": str(folder), "WARPMATE_HTTP_PORT": "0"}
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "warpmate", "run"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            served_s, cpu_s = time.perf_counter() - began, cpu_s_of(process.pid)
            times_ms = sorted(pages_until_ready(address))
            ready_s = time.perf_counter() - began
            answer = ask(address, "What is a warp?")
            answered_s = time.perf_counter() - began
            assert answer["status"] == "answered", answer
        finally:
            process.terminate()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "address_after_s": round(served_s, 2),
        "processor_s_until_then": round(cpu_s, 2),
        "ready_after_s": round(ready_s, 1),
        "answered_after_s": round(answered_s, 1),
        "processor_s_in_all": round(used.ru_utime + used.ru_stime, 1),
        "pages_meanwhile": len(times_ms),
        "p50_ms": round(times_ms[len(times_ms) // 2], 1),
        "p95_ms": round(times_ms[int(len(times_ms) * 0.95)], 1),
    }


def pages_until_ready(address: str) -> list[float]:
    """Milliseconds of one reading page after the other, until questions can be answered."""
    times: list[float] = []
    while json.loads(read(f"{address}/preparing"))["text"]:
        began = time.perf_counter()
        read(address + PAGES[len(times) % len(PAGES)])
        times.append((time.perf_counter() - began) * 1000)
        time.sleep(EVERY_S)
    return times


def ask(address: str, question: str) -> dict[str, object]:
    """The answer as the site's API gives it."""
    body = json.dumps({"question": question}).encode()
    return dict(json.loads(read(Request(f"{address}/api/v1/ask", body, {"Content-Type": "application/json"}))))


def read(page: str | Request) -> bytes:
    with urlopen(page, timeout=60) as answer:
        return bytes(answer.read())


if __name__ == "__main__":
    main()
