"""PTX to a cubin for the card by the ptxas that comes with Triton, sandboxed: a member's Python wrote the PTX."""

from __future__ import annotations

import importlib.util
import shlex
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from worker.compile.compiler import Cache
from worker.compile.resources import without_report
from worker.messages import Message, message
from worker.sandbox import Kind
from worker.sandbox.native_command import run
from worker.sandbox.policies import TRITON_SECONDS, ptxas_policy

_BLACKWELL = 100
MAX_LOG_CHARACTERS = 64 << 10


class Assembled(Struct, frozen=True):
    cubin: bytes
    """Empty: it failed, and the log says why."""
    log: str


def ptxas(capability: int) -> Path | None:
    """Triton has one of its own for each line of cards; None where it is not installed."""
    spec = importlib.util.find_spec("triton")
    name = "ptxas-blackwell" if capability >= _BLACKWELL else "ptxas"
    for root in (spec.submodule_search_locations or []) if spec else []:
        if (file := Path(root) / "backends" / "nvidia" / "bin" / name).is_file():
            return file
    return None


@dataclass(frozen=True, slots=True)
class Assembler:
    kind: Kind
    cache: Cache | None

    def assemble(self, ptx: str, arch: str, capability: int) -> Assembled | Message:
        """The cubin with ptxas' report, or why there is none."""
        key = Cache.key(ptx=ptx, arch=arch, assembler=1)
        if self.cache and (kept := self.cache.get(key, Assembled)):
            return kept
        program = ptxas(capability)
        if program is None:
            return message("compiler.broke-down")
        command = [str(program), "-v", f"-arch={arch}", "-o", "kernel.cubin", "kernel.ptx"]
        ran = run(
            self.kind,
            f"{shlex.join(command)} 1>&2 && cat kernel.cubin",
            ptxas_policy(program),
            {"kernel.ptx": ptx.encode()},
            ours=True,
        )
        if ran.timed_out:
            return message("compiler.too-slow", seconds=TRITON_SECONDS)
        good = ran.exit_code == 0 and bool(ran.stdout)
        log = ran.stderr[:MAX_LOG_CHARACTERS].replace(str(program), "ptxas")
        assembled = Assembled(ran.stdout if good else b"", log if good else without_report(log))
        if self.cache and good:
            self.cache.put(key, assembled)
        return assembled
