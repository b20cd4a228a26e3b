"""Every attack of tests/gpu/cheats: caught or without effect, and the card healthy after it."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from bench.judging.subject import Bench
from tests.gpu.cheats import CHEATS, Cheat
from worker.protocol import Verdict


async def cheats(bench: Bench) -> dict[str, Any]:
    rows = [await _attack(bench, cheat) for cheat in CHEATS]
    bad = [row["cheat"] for row in rows if not row["caught"] or row["next_job"] != "accepted"]
    forms = Counter(cheat.form.value for cheat in CHEATS)
    return {"attacks": len(rows), "by_form": forms, "not_caught": bad, "rows": rows}


async def _attack(bench: Bench, cheat: Cheat) -> dict[str, Any]:
    started = time.perf_counter()
    verdict = await bench.verdict(cheat.problem, cheat.source, cheat.form)
    seconds = time.perf_counter() - started
    return {
        "cheat": cheat.name,
        "source": cheat.cited,
        "form": cheat.form.value,
        "verdict": verdict.verdict.value,
        "caught": caught(cheat, verdict),
        "seconds": round(seconds, 2),
        "next_job": (await bench.honest()).verdict.value,
        "why": [finding.message["en"] for finding in verdict.findings][:1],
        "output": verdict.output[:80],
        "score": verdict.score,
    }


def caught(cheat: Cheat, verdict: Verdict) -> bool:
    """Not accepted, or accepted at an honest speed where the attack had no effect."""
    if verdict.verdict.value not in cheat.allowed:
        return False
    return verdict.score is None or verdict.score <= cheat.best_score
