"""Which card this is, and what it was measured to reach."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from worker.errors import InfrastructureError
from worker.gpu.referee_port import RefereePort
from worker.protocol import Card

_DRIVER_VERSION = Path("/proc/driver/nvidia/version")

_TENSOR_MULTIPLY_ADDS: Mapping[str, tuple[int, int]] = {
    "sm_80": (16 * 8 * 16, 16 * 8 * 32),
    "sm_86": (16 * 8 * 16, 16 * 8 * 32),
    "sm_89": (16 * 8 * 16, 16 * 8 * 32),
    "sm_90a": (64 * 128 * 16 // 4, 64 * 128 * 32 // 4),
    "sm_120a": (16 * 8 * 16, 16 * 8 * 32),
}
"""Half and int8, a warp and step of referee.cu; other cards' matrix units are not measured, so nothing is claimed."""


def describe(facts: Mapping[str, Any]) -> tuple[Card, Mapping[str, Any]]:
    arch = f"sm_{facts['major']}{facts['minor']}" + ("a" if facts["major"] >= 9 else "")
    return Card(facts["name"], arch, _driver_version(facts["cuda"])), facts


def read_peaks(card: Card, referee: RefereePort, folder: Path) -> dict[str, float]:
    """Measured once for each card and driver."""
    name = re.sub(r"[^\w.-]+", "-", f"{card.name}-{card.arch}-{card.driver}")
    file = folder / f"{name}.json"
    try:
        return {str(key): float(value) for key, value in json.loads(file.read_text(encoding="utf-8")).items()}
    except (OSError, ValueError, AttributeError, TypeError):
        pass
    measured = referee.ask("measure", tensor_multiply_adds=_TENSOR_MULTIPLY_ADDS.get(card.arch, ()))
    peaks = {name: round(float(rate), 1) for name, rate in measured.items()}
    if not all(rate > 0 for rate in peaks.values()):
        raise InfrastructureError(f"the card could not be measured: {peaks}")
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(peaks), encoding="utf-8")
    return peaks


def _driver_version(cuda: int) -> str:
    try:
        text = _DRIVER_VERSION.read_text(encoding="utf-8")
    except OSError:
        text = ""
    found = re.search(r"\s(\d{3,}(?:\.\d+)+)\s", text)
    return found[1] if found else f"CUDA {cuda // 1000}.{cuda % 1000 // 10}"
