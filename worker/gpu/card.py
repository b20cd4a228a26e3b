"""Which card this is, what it was measured to reach, and the referee's own kernels compiled for it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from worker.compile import Compiled, Compiler
from worker.errors import InfrastructureError
from worker.gpu.referee_port import RefereePort
from worker.gpu.wire import DeviceFacts, Measure, Measured
from worker.problem.element import ELEMENTS
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


def card_of(facts: DeviceFacts) -> Card:
    arch = f"sm_{facts.major}{facts.minor}" + ("a" if facts.major >= 9 else "")
    return Card(facts.name, arch, _driver_version(facts.cuda))


def read_peaks(card: Card, referee: RefereePort, folder: Path) -> dict[str, float]:
    """Measured once for each card and driver."""
    name = re.sub(r"[^\w.-]+", "-", f"{card.name}-{card.arch}-{card.driver}")
    file = folder / f"{name}.json"
    try:
        return {str(key): float(value) for key, value in json.loads(file.read_text(encoding="utf-8")).items()}
    except (OSError, ValueError, AttributeError, TypeError):
        pass
    measured = referee.ask(Measure(_TENSOR_MULTIPLY_ADDS.get(card.arch, ())), Measured)
    peaks = {name: round(rate, 1) for name, rate in measured.rates.items()}
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


C_TYPES = {
    "i8": "signed char",
    "u8": "unsigned char",
    "i16": "short",
    "u16": "unsigned short",
    "i32": "int",
    "u32": "unsigned",
    "i64": "long long",
    "u64": "unsigned long long",
    "f16": "__half",
    "bf16": "__nv_bfloat16",
    "f32": "float",
    "f64": "double",
}


def fill_kernel(ctype: str) -> str:
    return f"fill<{C_TYPES[ctype]}>"


def compare_kernel(ctype: str) -> str:
    family = next(element.family for element in ELEMENTS.values() if element.ctype == ctype)
    return f"compare_{family}s<{C_TYPES[ctype]}>"


REFEREE_KERNELS = (
    *(fill_kernel(ctype) for ctype in C_TYPES),
    *(compare_kernel(ctype) for ctype in C_TYPES),
    "compare_pattern",
    "compare_words<unsigned>",
    "compare_words<unsigned char>",
    "read_all",
    "read_streaming",
    "copy_streaming",
    "fma_float",
    "fma_double",
    "fma_half",
    "tensor_half",
    "tensor_int8",
)


def compile_tools(compiler: Compiler, arch: str) -> Compiled:
    """The referee's kernels, compiled once and in the sandbox like anybody's."""
    source = files("worker.gpu").joinpath("referee.cu").read_text(encoding="utf-8")
    compiled = compiler.compile(source, arch, REFEREE_KERNELS)
    if not compiled.ok:
        raise InfrastructureError(f"the referee's own kernels do not compile for {arch}: {compiled.log[:300]}")
    return compiled
