"""What the judge does on a real card, from submissions to verdicts; records bench/results/gpu-judge.json and .md.

Run on a GPU machine from the repository root: `python bench/gpu_judge.py [--only PART ...] [--out FOLDER]`. Parts:
latency (submission to verdict, and one kernel in fresh jobs), failing_latency (the same for a failure), load (40
submissions of 5 members), profiler (against ncu), cheats, kills and worker_kills (SIGKILL in every stage), solutions
(every right and wrong one, three times), triton (those in Triton, the fastest beside the fastest in CUDA),
triton_alone (the judge's time of a kernel beside that of Triton's own benchmark; needs PyTorch), styles and
triton_styles (the right kernels of tests/styles and tests/triton_styles, small cases only), checker
(compute-sanitizer), broker_kills, programs. Each part has its own time, and one that breaks down stops no other.
Results of the same code and card that lie there already are kept.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import datetime
import json
import platform
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.judging.attacks import cheats  # noqa: E402 - found only with the path above
from bench.judging.beyond import checker, programs  # noqa: E402
from bench.judging.deaths import broker_kills, kills, worker_kills  # noqa: E402
from bench.judging.report import report  # noqa: E402
from bench.judging.solutions import all_solutions  # noqa: E402
from bench.judging.speed import busy, failing_latency, latency, load, profiler  # noqa: E402
from bench.judging.styles import all_styles  # noqa: E402
from bench.judging.subject import Bench  # noqa: E402
from bench.judging.triton import all_triton_styles, in_triton, triton_alone  # noqa: E402
from tests.gpu_results import fingerprint  # noqa: E402
from worker.config import WorkerConfig  # noqa: E402
from worker.judge import Tools, open_tools  # noqa: E402

WARM = 4
"""Children of each kind that wait."""

LAST_JOBS_S = 22.0
"""For what was begun before the time was up."""


@dataclass(frozen=True)
class Part:
    measure: Callable[[Bench], Awaitable[dict[str, Any]]]
    seconds: float
    """At most; a part that is still at it then has failed."""


PARTS = {
    "latency": Part(latency, 60),
    "failing_latency": Part(failing_latency, 30),
    "load": Part(load, 60),
    "profiler": Part(profiler, 90),
    "cheats": Part(cheats, 150),
    "kills": Part(kills, 60),
    "worker_kills": Part(worker_kills, 60),
    "solutions": Part(all_solutions, 560),
    "triton": Part(in_triton, 400),
    "triton_alone": Part(triton_alone, 120),
    "styles": Part(all_styles, 300),
    "triton_styles": Part(all_triton_styles, 300),
    "checker": Part(checker, 90),
    "broker_kills": Part(broker_kills, 120),
    "programs": Part(programs, 60),
    "busy": Part(busy, 90),
}
USUAL = [name for name in PARTS if name != "busy"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=USUAL, metavar="PART")
    parser.add_argument("--out", type=Path, default=ROOT / "bench" / "results")
    parser.add_argument("--data", type=Path, help="where the card's measured peaks are kept; else a folder for once")
    parser.add_argument("--seconds", type=float, default=1e9, help="for everything; `solutions` then ends early")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    stop_at = time.monotonic() + chosen.seconds
    with _data(chosen.data) as data:
        return asyncio.run(run(chosen.only, chosen.out, data, stop_at))


async def run(parts: list[str], out: Path, data: Path, stop_at: float) -> int:
    config = replace(WorkerConfig(), content_dir=ROOT / "content", data_dir=data, programs=True)
    with open_tools(config, warm=WARM) as tools:
        if tools.gpu is None:
            print("no card on this machine, so there is nothing to measure")
            return 0
        results = earlier(out, facts(tools))
        print(json.dumps({"card": results["card"], "peaks": results["peaks"]}), flush=True)
        bench = Bench(tools, asyncio.Lock(), stop_at)
        failed = False
        for name in parts:
            started = time.perf_counter()
            found = await attempt(PARTS[name], bench)
            found["took_s"] = round(time.perf_counter() - started, 1)
            failed |= "failed" in found
            results["parts"][name] = found
            print(f"== {name}: {json.dumps({k: v for k, v in found.items() if k != 'rows'})[:3000]}", flush=True)
            save(results, out)
    return int(failed)


async def attempt(part: Part, bench: Bench) -> dict[str, Any]:
    """What the part found, or why it could not."""
    left = bench.stop_at - time.monotonic()
    if left <= 0:
        return {"failed": "no time was left for it"}
    limit_s = min(part.seconds, left + LAST_JOBS_S)
    own = replace(bench, stop_at=time.monotonic() + limit_s - LAST_JOBS_S)
    try:
        async with asyncio.timeout(limit_s):
            return await part.measure(own)
    except TimeoutError:
        return {"failed": f"it needed more than {limit_s:.0f} s"}
    except Exception:  # noqa: BLE001  # the other parts go on
        return {"failed": traceback.format_exc()[-1500:]}


def facts(tools: Tools) -> dict[str, Any]:
    assert tools.gpu
    return {
        "date": datetime.date.today().isoformat(),  # noqa: DTZ011  # the machine's day
        "card": msgspec.to_builtins(tools.gpu.card),
        "peaks": dict(tools.gpu.peaks),
        "python": platform.python_version(),
        "fingerprint": fingerprint(),
        "parts": {},
    }


def earlier(out: Path, results: dict[str, Any]) -> dict[str, Any]:
    """With the parts that were measured before, if it was this code on this card."""
    path = out / "gpu-judge.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    same = all(before.get(key) == results[key] for key in ("card", "fingerprint"))
    return {**results, "parts": dict(before["parts"])} if same else results


def save(results: dict[str, Any], out: Path) -> None:
    """Written beside and renamed: whatever ends us, the last whole record stays."""
    out.mkdir(parents=True, exist_ok=True)
    _replace(out / "gpu-judge.json", json.dumps(results, indent=1))
    _replace(out / "gpu-judge.md", "\n".join(report(results)))


def _replace(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}")
    beside.write_text(text + "\n", encoding="utf-8")
    beside.replace(path)


@contextlib.contextmanager
def _data(chosen: Path | None) -> Iterator[Path]:
    if chosen:
        chosen.mkdir(parents=True, exist_ok=True)
        yield chosen
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


if __name__ == "__main__":
    sys.exit(main())
