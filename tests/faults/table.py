"""The phases that ran, as a table for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

COLUMNS = (
    "phase",
    "judged by",
    "handed in",
    "rows",
    "verdicts",
    "told",
    "asks",
    "deeds",
    "restarted",
    "s",
    "",
)


def table(runs: Sequence[Mapping[str, Any]]) -> str:
    rows = [COLUMNS, *(_row(run) for run in runs)]
    if len(runs) > 1:
        rows.append(_total(runs))
    widths = [max(len(str(row[column])) for row in rows) for column in range(len(COLUMNS))]
    lines = [
        "  ".join(str(cell).ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    return "\n".join([*lines, *_wrong(runs)])


def _row(run: Mapping[str, Any]) -> tuple[Any, ...]:
    found = run["outcome"]
    ended = sum(run["starts"].values()) - 7  # four workers, two sites and a bot began once without any fault
    return (
        run["phase"], run["judged_by"], run["submissions"], found["rows"], found["verdicts"], found["told"],
        run["asks"], sum(run["deeds"].values()), max(ended, 0), run["seconds"], "good" if run["good"] else "WRONG",
    )  # fmt: skip


def _total(runs: Sequence[Mapping[str, Any]]) -> tuple[Any, ...]:
    rows = [_row(run) for run in runs]
    sums = [round(sum(row[column] for row in rows), 1) for column in range(2, len(COLUMNS) - 1)]
    return ("over all", "", *sums, "good" if all(run["good"] for run in runs) else "WRONG")


def _wrong(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """What has to be nought, and each that is not, with examples."""
    totals: dict[str, int] = {}
    for run in runs:
        for what, count in {**run["outcome"]["wrong"], "processes left": run["left_processes"]}.items():
            totals[what] = totals.get(what, 0) + count
    lines = ["", *(f"{what}: {count}" for what, count in totals.items())]
    lines.append(
        f"told as trouble of ours (nobody's fault): {sum(run['outcome']['given_up_as_ours'] for run in runs)}"
    )
    lines.append(f"places on boards: {sum(run['outcome']['on_boards'] for run in runs)}")
    for run in runs:
        for what, examples in run["outcome"]["examples"].items():
            lines.append(f"  {run['phase']}, {what}: {'; '.join(map(str, examples))}")
    return lines
