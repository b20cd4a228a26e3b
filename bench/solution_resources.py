"""What does each right solution launch, and what does it take of a multiprocessor? Writes the file that members see.

`python bench/solution_resources.py` writes content/solution_resources.json: each solution is compiled for an H200 and
launched, on paper, at the first size that is timed. No card is needed; some twenty seconds.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from worker.config import WorkerConfig  # noqa: E402
from worker.diagnosis.signature import resources  # noqa: E402
from worker.directives import parse  # noqa: E402
from worker.judge import open_tools  # noqa: E402
from worker.judge.tools import DEFAULT_ARCH, Tools  # noqa: E402
from worker.problem import Problem  # noqa: E402
from worker.protocol import Backend  # noqa: E402

CONTENT = ROOT / "content"
WRITTEN = CONTENT / "solution_resources.json"


def resources_of(problem: Problem, path: Path, tools: Tools) -> dict[str, Any]:
    """Return the figures of the solution's largest launch."""
    source = path.read_text(encoding="utf-8")
    plan = parse(source, problem)
    compiled = tools.compiler.compile(source, DEFAULT_ARCH, plan.kernels)
    if not compiled.ok:
        raise SystemExit(f"{path} does not compile")
    launches = plan.resolve(problem.bench[0].sizes).launches
    largest = max(launches, key=lambda one: math.prod(one.grid) * math.prod(one.block))
    used = next(one for one in resources(compiled, plan, problem) if one.name == largest.kernel)
    return {
        "problem": problem.slug,
        "solution": path.stem,
        "source": digest(source),
        "launches": len(launches),
        "blocks": math.prod(largest.grid),
        "threads": math.prod(largest.block),
        "registers": used.registers,
        "spill_bytes": used.spill_bytes,
        "occupancy": round(used.occupancy, 3),
    }


def digest(source: str) -> str:
    """Return what tells one text of a solution from another."""
    return hashlib.sha256(source.encode()).hexdigest()[:16]


def as_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the file's text: one line for each solution."""
    lines = ",\n  ".join(json.dumps(row) for row in rows)
    return f'{{\n "resources": [\n  {lines}\n ]\n}}\n'


def main() -> None:
    with tempfile.TemporaryDirectory() as data:
        config = dataclasses.replace(
            WorkerConfig(), content_dir=CONTENT, data_dir=Path(data), judge_backend=Backend.EMULATOR
        )
        with open_tools(config) as tools:
            rows = [
                resources_of(problem, path, tools)
                for _, problem in sorted(tools.problems.items())
                for path in problem.solutions("right")
                if path.suffix == ".cu"
            ]
    WRITTEN.write_text(as_text(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
