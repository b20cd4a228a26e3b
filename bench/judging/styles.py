"""Right kernels in the styles of tests/styles: emulator and card accept every one of them.

Only the small cases are run: many of these are written to be understood, and are far too slow for the timed shapes.
"""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.judging.solutions import AT_ONCE
from bench.judging.subject import Bench, read
from tests.styles import ALL


async def all_styles(bench: Bench) -> dict[str, Any]:
    problems = {slug: dataclasses.replace(problem, bench=()) for slug, problem in bench.tools.problems.items()}
    small = dataclasses.replace(bench, tools=dataclasses.replace(bench.tools, problems=problems))
    return await _accepted(small, ALL)


async def _accepted(small: Bench, files: Sequence[Path]) -> dict[str, Any]:
    gate, verdicts = asyncio.Semaphore(AT_ONCE), dict[str, str]()
    surprises = list[str]()

    async def one(slug: str, name: str, source: str) -> None:
        async with gate:
            if time.monotonic() > small.stop_at:
                return
            verdict = await small.verdict(slug, source)
        verdicts[f"{slug}/{name}"] = verdict.verdict.value
        if verdict.verdict.value != "accepted":
            said = [finding.message["en"] for finding in verdict.findings][:2]
            surprises.append(f"{slug}/{name}: {verdict.verdict.value} {said} {verdict.output}")

    await asyncio.gather(*(one(path.parent.name, path.stem, read(path)) for path in files))
    return {"styles": len(files), "judged": len(verdicts), "surprises": sorted(surprises), "rows": verdicts}
