"""`make faults`: warpmate on real servers, with everything broken that can break, and nothing may be lost.

    python -m tests.faults                    # every phase that has not run yet, then the table
    python -m tests.faults --phase broker     # this one alone, anew
    python -m tests.faults --fresh            # forget what has run

A phase takes two to four minutes. What ran is kept in `build/faults`, so that a run which was cut short goes on.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import shutil
import sys
from pathlib import Path
from typing import Any

from tests.faults.cluster import prepare
from tests.faults.phases import PHASES, SHORT, Phase, room, run
from tests.faults.table import table
from tests.folders import ROOT

KEPT = ROOT / "build" / "faults"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--phase", choices=[phase.name for phase in (*PHASES, SHORT)], action="append")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--share", type=float, default=1.0, help="of the submissions and asks of a phase")
    parser.add_argument("--fresh", action="store_true", help="forget what has run")
    parser.add_argument("--out", type=Path, help="write the table and every run to this JSON file as well")
    options = parser.parse_args()
    if options.fresh:
        shutil.rmtree(KEPT, ignore_errors=True)
    KEPT.mkdir(parents=True, exist_ok=True)
    runs = []
    for phase in (SHORT,) if options.phase == [SHORT.name] else PHASES:
        kept = KEPT / f"{phase.name}.json"
        wanted = phase.name in options.phase if options.phase else not kept.exists()
        if phase.cannot:
            print(f"{phase.name}: not run, for it needs {phase.cannot}", flush=True)
        elif wanted:
            ran = asyncio.run(_run(_share(phase, options.share), options.seed))
            kept.write_text(json.dumps(ran, indent=1))
        if kept.exists():
            runs.append(json.loads(kept.read_text()))
    print(table(runs))
    if options.out:
        options.out.write_text(json.dumps({"runs": runs, "table": table(runs).splitlines()}, indent=1) + "\n")
    sys.exit(not all(one["good"] for one in runs))


async def _run(phase: Phase, seed: int) -> dict[str, Any]:
    room().mkdir(mode=0o711, exist_ok=True)
    prepared = await prepare(room() / "prepared")

    def tell(line: str) -> None:
        print(line, flush=True)

    ran = (await run(phase, room() / phase.name, prepared, seed, tell)).as_json()
    tell(table([ran]) + "\n")
    return ran


def _share(phase: Phase, share: float) -> Phase:
    return dataclasses.replace(phase, submissions=round(phase.submissions * share), asks=round(phase.asks * share))


if __name__ == "__main__":
    main()
