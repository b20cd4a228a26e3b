"""A whole program to an executable, by nvcc from the wheels and the host's C++ compiler, in the sandbox."""

from __future__ import annotations

import importlib.util
import re
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from worker.compile.resources import Kernel, from_report, without_report
from worker.messages import Message, message
from worker.sandbox import KIB, Kind
from worker.sandbox.native_command import run
from worker.sandbox.policies import NVCC_SECONDS, nvcc_policy

MAX_LOG_BYTES = 64 * KIB
REMEDY = "pip install 'warpmate[programs]' and a C++ compiler (Debian: g++)"


@dataclass(frozen=True, slots=True)
class CompiledProgram:
    ok: bool
    log: str
    ms: float
    executable: bytes = b""
    kernels: tuple[Kernel, ...] = ()
    remark: tuple[str, Mapping[str, Message]] | None = None
    """As of `Compiled`: a finding in place of a log."""


def toolkit() -> Path | None:
    """The folder of the nvcc wheel; None where the extra `programs` is not installed."""
    spec = importlib.util.find_spec("nvidia")
    for root in (spec.submodule_search_locations or []) if spec else []:
        if (Path(root) / "cu13" / "bin" / "nvcc").is_file():
            return Path(root) / "cu13"
    return None


def compile_program(kind: Kind, cuda: Path, source: str, arch: str) -> CompiledProgram:
    """The executable, or the log of why there is none."""
    started = time.perf_counter()
    nvcc = [str(cuda / "bin" / "nvcc"), f"-arch={arch}", "-std=c++17", "-lineinfo", "-Xptxas", "-v", "-O2"]
    nvcc += [f"-I{cuda / 'include' / 'cccl'}", f"-L{cuda / 'lib'}", "-o", "program", "kernel.cu"]
    ran = run(kind, f"{shlex.join(nvcc)} 1>&2 && cat program", nvcc_policy(cuda), {"kernel.cu": source.encode()})
    ms = (time.perf_counter() - started) * 1e3
    log = _readable(ran.stderr, (str(cuda),))[:MAX_LOG_BYTES]
    if ran.timed_out:
        reason = message("compiler.too-slow", seconds=NVCC_SECONDS)
        return CompiledProgram(False, "", ms, remark=("compiler-stopped", {"reason": reason}))
    ok = ran.exit_code == 0 and bool(ran.stdout)
    return CompiledProgram(ok, without_report(log), ms, ran.stdout if ok else b"", from_report(log) if ok else ())


def _readable(log: str, paths: Sequence[str]) -> str:
    """Drop the folders of this host and of the sandbox from a log."""
    for path in paths:
        log = log.replace(path, "cuda")
    return re.sub(r"/\S*/(kernel\.cu)", r"\1", log)
