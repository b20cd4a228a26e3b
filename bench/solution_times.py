"""What do members see of the recorded times? Write content/solution_times.json from bench/results/problems-h200.json.

Run it after `python bench/problems_h200.py`; a test compares the two files.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "bench" / "results" / "problems-h200.json"
WRITTEN = ROOT / "content" / "solution_times.json"
NEAR = 0.002
"""The record rounds its figures."""


def times_of(record: dict[str, Any]) -> dict[str, Any]:
    """Return what members are shown of the record: the right solutions and the figure that limits each."""
    return {
        **{key: record[key] for key in ("card", "driver", "date")},
        "times": [_time(row, record["peaks"]["copy_gb_per_s"]) for row in record["rows"] if row["right"]],
    }


def _time(row: dict[str, Any], copy_gb_per_s: float) -> dict[str, Any]:
    by_memory = abs(row["gb_per_s"] / copy_gb_per_s - row["attainable"]) < NEAR and row["cublas"] is None
    return {
        **{key: row[key] for key in ("problem", "solution", "sizes", "median_us")},
        "bound": "memory" if by_memory else "compute",
        "rate": row["gb_per_s"] if by_memory else row["gflop_per_s"],
        "attainable": row["attainable"],
        "library": row["cublas"],
    }


def as_text(times: dict[str, Any]) -> str:
    """Return the file's text: one line for each solution and size."""
    lines = ",\n  ".join(json.dumps(time) for time in times["times"])
    head = "".join(f" {json.dumps(key)}: {json.dumps(times[key])},\n" for key in ("card", "driver", "date"))
    return f'{{\n{head} "times": [\n  {lines}\n ]\n}}\n'


def main() -> None:
    WRITTEN.write_text(as_text(times_of(json.loads(RECORD.read_text(encoding="utf-8")))), encoding="utf-8")


if __name__ == "__main__":
    main()
