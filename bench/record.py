"""Where results go: one line of JSON a run in bench/results, with the machine and the date."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("results")


def record(question: str, result: dict[str, Any]) -> None:
    RESULTS.mkdir(exist_ok=True)
    load = round(os.getloadavg()[0], 2)
    row = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "machine": machine(), "load_1min": load, **result}
    with (RESULTS / f"{question}.jsonl").open("a", encoding="utf-8") as out:
        out.write(json.dumps(row) + "\n")


def machine() -> str:
    """Processor and number of cores; nothing that names the host."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.is_file() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores"
