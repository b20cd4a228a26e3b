"""`bench/gpu_judge.py` where there is no card, and how it keeps what it measured."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bench.gpu_judge import Part, attempt, earlier, save
from bench.judging.subject import Bench

ROOT = Path(__file__).parents[4]
RECORD: dict[str, Any] = {
    "date": "2026-11-20", "card": {"name": "A card", "arch": "sm_90a", "driver": "580"}, "peaks": {"memory": 4000.0},
    "python": "3.12", "fingerprint": "0" * 64, "parts": {},
}  # fmt: skip


def bench(seconds: float) -> Bench:
    nothing: Any = None
    return Bench(nothing, asyncio.Lock(), time.monotonic() + seconds)


@pytest.mark.slow
@pytest.mark.skipif(Path("/dev/nvidiactl").exists(), reason="this machine has a card")
def test_without_a_card_it_says_so_and_records_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "bench/gpu_judge.py", "--out", str(tmp_path)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert ran.stdout == "no card on this machine, so there is nothing to measure\n"
    assert list(tmp_path.iterdir()) == []


async def test_a_part_that_breaks_down_says_why_and_one_that_hangs_is_ended() -> None:
    async def breaks(_: Bench) -> dict[str, Any]:
        raise ValueError("the card is on fire")

    async def hangs(_: Bench) -> dict[str, Any]:
        await asyncio.Event().wait()
        return {}

    assert "the card is on fire" in (await attempt(Part(breaks, 60), bench(60)))["failed"]
    assert "needed more than" in (await attempt(Part(hangs, 0.01), bench(60)))["failed"]
    assert "no time was left" in (await attempt(Part(breaks, 60), bench(-1)))["failed"]


def test_parts_measured_one_after_another_end_in_one_record_of_one_code_and_card(tmp_path: Path) -> None:
    save({**RECORD, "parts": {"load": {"seconds": 16.7}}}, tmp_path)
    again = earlier(tmp_path, {**RECORD, "date": "2026-11-21"})
    assert (again["date"], again["parts"]) == ("2026-11-21", {"load": {"seconds": 16.7}})
    assert earlier(tmp_path, {**RECORD, "fingerprint": "1" * 64})["parts"] == {}
    assert earlier(tmp_path / "elsewhere", RECORD)["parts"] == {}


def test_a_person_reads_every_part_of_the_record(tmp_path: Path) -> None:
    attack = {"cheat": "trap", "source": "56", "form": "kernel", "verdict": "runtime_error"}
    solution = {"verdicts": ["accepted"] * 3, "score": [0.9, 0.8, 0.7], "median_us": [[9.0, 5.0], [9.0]]}
    parts = {
        "cheats": {"attacks": 1, "rows": [{**attack, "caught": True, "next_job": "accepted", "seconds": 1.0}]},
        "solutions": {"surprises": [], "rows": {"vector_add/right/simple": solution}},
        "kills": {"stages": [{"victim": "runner"}]},
        "profiler": {"failed": "no counters"},
    }
    save({**RECORD, "parts": parts}, tmp_path)
    text = (tmp_path / "gpu-judge.md").read_text()
    for line in (
        "| trap | 56 | kernel | runtime_error | True | accepted | 1.0 |",
        "| vector_add/right/simple | accepted | 0.8 | 9.0 |",
        '- {"victim": "runner"}',
        '- failed: "no counters"',
    ):
        assert line in text.splitlines()
    assert json.loads((tmp_path / "gpu-judge.json").read_text())["parts"] == parts
