"""The instructions of a cubin by line (SASS), from the toolkit's nvdisasm where it is installed, in the sandbox."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from worker.errors import ChildLost
from worker.sandbox import Kind
from worker.sandbox.native_command import run
from worker.sandbox.policies import disassembler_policy

NAME = "nvdisasm"
_IN_PACKAGES = (("nvidia", "cu13", "bin"), ("triton", "backends", "nvidia", "bin"))
MOST_LINES = 600
_LINE = re.compile(r'\s*//## File "([^"]*)", line (\d+)')
_INSTRUCTION = re.compile(r"\s*/\*[0-9a-f]+\*/\s+(.*?)\s*;")


def nvdisasm() -> Path | None:
    """The program of the nvcc wheel, Triton's, or that of an installed toolkit; None where there is none."""
    for package, *below in _IN_PACKAGES:
        spec = importlib.util.find_spec(package)
        for root in (spec.submodule_search_locations or []) if spec else []:
            if (file := Path(root).joinpath(*below, NAME)).is_file():
                return file
    found = shutil.which(NAME)
    return Path(found).resolve() if found else None


@dataclass(frozen=True, slots=True)
class Disassembler:
    kind: Kind
    program: Path

    def instructions(self, cubin: bytes) -> tuple[tuple[int, str], ...]:
        """Each with the member's line that it came from; nothing where the program does not know the card."""
        script = shlex.join([str(self.program), "-g", "-c", "kernel.cubin"])
        try:
            ran = run(self.kind, script, disassembler_policy(self.program), {"kernel.cubin": cubin}, ours=True)
        except ChildLost:
            return ()
        text = ran.stdout.decode("utf-8", "replace") if ran.exit_code == 0 and not ran.timed_out else ""
        return tuple(one for one, _ in zip(_by_line(text), range(MOST_LINES), strict=False))


def open_disassembler(kind: Kind) -> Disassembler | None:
    program = nvdisasm()
    return Disassembler(kind, program) if program else None


def _by_line(text: str) -> Iterator[tuple[int, str]]:
    """Instructions of headers belong to the line before; what fills up the end of a function is left out."""
    line = 0
    for printed in text.split("\n"):
        if match := _LINE.match(printed):
            line = int(match[2]) if match[1].endswith("kernel.cu") else line
        elif printed.lstrip().startswith(".section"):
            line = 0
        elif line and (match := _INSTRUCTION.match(printed)) and match[1] != "NOP":
            yield line, " ".join(match[1].split())[:160]
