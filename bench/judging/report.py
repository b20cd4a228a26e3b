"""The figures in words, for a person."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from typing import Any

from bench.judging.solutions import median_us


def report(results: dict[str, Any]) -> Iterator[str]:
    card, parts = results["card"], results["parts"]
    yield "# The judge on a card\n"
    yield f"{card['name']} ({card['arch']}), driver {card['driver']}, {results['date']}, `python bench/gpu_judge.py`."
    yield f"Code: {results['fingerprint'][:16]} (sha256 over worker/ and content/problems/).\n"
    yield (
        "Measured peaks, GB/s and GFLOP/s: " + ", ".join(f"{k} {v:.0f}" for k, v in results["peaks"].items()) + ".\n"
    )
    for name, part in parts.items():
        yield f"## {name}\n"
        for key, value in part.items():
            if key not in {"rows", "stages", "kernels"}:
                yield f"- {key}: {json.dumps(value)}"
        for key in ("stages", "kernels"):
            yield from (f"- {json.dumps(row)}" for row in part.get(key, ()))
        yield from _table(name, part["rows"]) if "rows" in part else ()
        yield ""


def _table(name: str, rows: Any) -> Iterator[str]:
    if name == "cheats":
        yield "\n| attack | cited | form | verdict | caught | next job | seconds |\n|---|---|---|---|---|---|---|"
        for row in rows:
            said = [row[key] for key in ("cheat", "source", "form", "verdict", "caught", "next_job", "seconds")]
            yield "| " + " | ".join(map(str, said)) + " |"
    if name == "triton":
        yield "\n| solution in Triton | verdict | of attainable | median, us |\n|---|---|---|---|"
        for solution, row in sorted(rows.items()):
            times = " ".join(f"{us:.1f}" for us in row.get("median_us", ()))
            yield f"| {solution} | {row['verdict']} | {row.get('score', '')} | {times} |"
    if name == "solutions":
        yield "\n| solution | verdicts | of attainable | median, us |\n|---|---|---|---|"
        for solution, row in sorted(rows.items()):
            score = statistics.median(row["score"]) if row["score"] and None not in row["score"] else ""
            yield f"| {solution} | {' '.join(sorted(set(row['verdicts'])))} | {score} | {median_us(row)} |"
