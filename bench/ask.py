"""How fast answers come over the library of a mirror: p50, p95, answers a second, cold start to the first answer.

Each figure is the median of three rounds. `cpu` is what the process itself worked: on a machine that others load, the
clock on the wall measures them too.

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
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from knowledge.ask.asker import Asker
from knowledge.ask.labelled_questions import FOLLOW_UP, read_labels
from warpmate.settings import Settings
from warpmate.wiring.core import open_core
from warpmate.wiring.library import open_library

ROOT = Path(__file__).resolve().parents[1]
LABELS = ROOT / "tests" / "eval" / "corpus.jsonl"
_ROUNDS = 3
COLD = """
import asyncio, sys
from pathlib import Path
from warpmate.wiring.core import open_core
from warpmate.wiring.library import open_library
from warpmate.settings import Settings

async def main():
    async with open_core(Settings(data_dir=Path(sys.argv[1]))) as core, open_library(core) as library:
        await library.ask.asker.ask("What is a CUDA stream?")

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
    async with open_core(Settings(data_dir=data_dir)) as core, open_library(core) as library:
        await library.build(mirror=mirror)
        rounds = [_times(library.ask.asker) for _ in range(_ROUNDS)]
    cold = [_cold_start(data_dir) for _ in range(_ROUNDS)]
    wall, cpu = (np.array([[pair[of] for pair in one] for one in rounds]) for of in (0, 1))
    return {
        "questions": wall.shape[1],
        "p50_ms": _median(np.percentile(wall, 50, axis=1)),
        "p95_ms": _median(np.percentile(wall, 95, axis=1)),
        "answers_per_s": _median(1000 / wall.mean(axis=1)),
        "p50_cpu_ms": _median(np.percentile(cpu, 50, axis=1)),
        "p95_cpu_ms": _median(np.percentile(cpu, 95, axis=1)),
        "cold_start_to_first_answer_s": _median(cold),
        "load": round(os.getloadavg()[0], 1),
    }


def _median(of_rounds: Sequence[float]) -> float:
    return round(float(np.median(of_rounds)), 2)


def _times(asker: Asker) -> list[tuple[float, float]]:
    """Milliseconds of each labelled question, on the wall and of the processor, after one to warm up."""
    labels = [label for label in read_labels(LABELS) if label.cell != FOLLOW_UP]
    asker.extract(labels[0].question)
    times = []
    for label in labels:
        start, worked = time.perf_counter(), time.process_time()
        asker.extract(label.question)
        times.append((1000 * (time.perf_counter() - start), 1000 * (time.process_time() - worked)))
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
