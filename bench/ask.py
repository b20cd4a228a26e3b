"""How fast answers come over the library of a mirror: p50, p95, answers a second, cold start to the first answer.

    python bench/ask.py [MIRROR [DATA_DIR]]     MIRROR is $WARPMATE_CORPUS unless it is given

Writes results/ask_speed.json with machine and date. Without a mirror there is nothing to measure, and it says so.
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
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from knowledge.ask.asker import Asker
from knowledge.ask.labels import FOLLOW_UP, read_labels
from warpmate.house import open_house
from warpmate.library import open_reading_room
from warpmate.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
LABELS = ROOT / "tests" / "eval" / "corpus.jsonl"
COLD = """
import asyncio, sys
from pathlib import Path
from warpmate.house import open_house
from warpmate.library import open_reading_room
from warpmate.settings import Settings

async def main():
    async with open_house(Settings(data_dir=Path(sys.argv[1]))) as house, open_reading_room(house) as room:
        await room.ask.asker.ask("What is a CUDA stream?")

asyncio.run(main())
"""


def main() -> None:
    named = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("WARPMATE_CORPUS")
    if not named:
        print("no mirror: name one, or set WARPMATE_CORPUS")
        return
    with tempfile.TemporaryDirectory() as scratch:
        data_dir = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(scratch)
        row = asyncio.run(measured(Path(named), data_dir))
    print(json.dumps(row, indent=1))
    machine = {"cpu": _cpu(), "cores": os.cpu_count(), "python": platform.python_version()}
    stamped = {"date": datetime.now(UTC).date().isoformat(), "machine": machine, **row}
    (ROOT / "bench" / "results" / "ask_speed.json").write_text(json.dumps(stamped, indent=1) + "\n", encoding="utf-8")


async def measured(mirror: Path, data_dir: Path) -> dict[str, Any]:
    async with open_house(Settings(data_dir=data_dir)) as house, open_reading_room(house) as room:
        await room.build(mirror=mirror)
        times = _times(room.ask.asker)
    cold = sorted(_cold_start(data_dir) for _ in range(3))
    return {
        "questions": len(times),
        "p50_ms": round(float(np.percentile(times, 50)), 1),
        "p95_ms": round(float(np.percentile(times, 95)), 1),
        "answers_per_s": round(1000 * len(times) / sum(times), 1),
        "cold_start_to_first_answer_s": round(cold[1], 2),
    }


def _times(asker: Asker) -> list[float]:
    """Milliseconds of each labelled question, after one to warm up."""
    labels = [label for label in read_labels(LABELS) if label.cell != FOLLOW_UP]
    asker.extract(labels[0].question)
    times = []
    for label in labels:
        start = time.perf_counter()
        asker.extract(label.question)
        times.append(1000 * (time.perf_counter() - start))
    return times


def _cold_start(data_dir: Path) -> float:
    """A fresh process: imports, model, index, one answer."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", COLD, str(data_dir)], check=True, cwd=ROOT)
    return time.perf_counter() - start


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="ascii", errors="replace").splitlines() if info.is_file() else []
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())


if __name__ == "__main__":
    main()
