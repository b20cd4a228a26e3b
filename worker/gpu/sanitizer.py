"""compute-sanitizer's four tools on one small case, in the sandbox, their findings at source lines.

It serves what the emulator refuses by name. Its words are read leniently: what is not understood is left out.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from worker.compile.nvcc import toolkit
from worker.emulator.request import Observation
from worker.gpu.arguments import shared_bytes
from worker.gpu.cases import SmallRun
from worker.gpu.policy import runner_policy
from worker.judge.ports import Trial
from worker.sandbox import MIB, Kind, wire
from worker.sandbox.command import SYSTEM, run
from worker.sandbox.python import startup_paths

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
SECONDS = 20.0
OUTPUT_BYTES = 256 << 10
PRINTED_ERRORS = 20

_HEAD = (
    (re.compile(r"Invalid __(?:global|shared|local)__ (read|write|atomic) of size (\d+)"), "out-of-bounds"),
    (re.compile(r"Invalid (?:atomic|reduction)"), "out-of-bounds"),
    (re.compile(r"Uninitialized __global__ memory read"), "uninitialized-global"),
    (re.compile(r"Barrier error detected"), "divergent-barrier"),
    (re.compile(r"Race reported between (\w+) access"), "race-shared"),
    (re.compile(r"Potential (RAW|WAR|WAW) hazard"), "race-shared"),
)
_MEMORY = frozenset({"out-of-bounds", "misaligned"})
_LINE = re.compile(r" in (?:\S*/)?kernel\.cu:(\d+)")
_THREAD = re.compile(r"by thread \((\d+),(\d+),(\d+)\) in block \((\d+),(\d+),(\d+)\)")


def program() -> Path | None:
    """compute-sanitizer of the wheel, else of a toolkit on the path."""
    cuda = toolkit()
    beside = cuda / "bin" / "compute-sanitizer" if cuda else None
    found = shutil.which("compute-sanitizer")
    return beside if beside and beside.is_file() else Path(found).resolve() if found else None


def examine(kind: Kind, trial: Trial, small: SmallRun) -> tuple[Observation, ...]:
    """What the tools find; nothing where there is no compute-sanitizer or no bubblewrap to run it in."""
    sanitizer = program()
    if sanitizer is None or kind != "bubblewrap":
        return ()
    files = {"order": wire.pack(_order(trial, small))}
    with ThreadPoolExecutor(len(TOOLS)) as threads:
        said = threads.map(lambda tool: _run(sanitizer, tool, files), TOOLS)
        found = [seen for text in said for seen in read(text)]
    if any(seen.id in _MEMORY for seen in found):  # what lies out of bounds has no value either
        found = [seen for seen in found if seen.id in _MEMORY]
    first: dict[tuple[str, int | None], Observation] = {}
    for seen in found:
        first.setdefault((seen.id, seen.line), seen)
    return tuple(first.values())


def read(text: str) -> Iterator[Observation]:
    """Each report of the tool's output that names one of our findings."""
    for report in re.split(r"\n=========\s*\n", text):
        for pattern, name in _HEAD:
            if match := pattern.search(report):
                yield _observation(name, match, report)
                break


def _observation(name: str, match: re.Match[str], report: str) -> Observation:
    line, by = _LINE.search(report), _THREAD.search(report)
    x, y, z, bx, by_, bz = (int(number) for number in by.groups()) if by else (0,) * 6
    evidence: dict[str, Any] = {}
    if name == "out-of-bounds" and match.groups():
        misaligned = "misaligned" in report
        name, evidence = ("misaligned", {"bytes": int(match[2])}) if misaligned else (name, {"access": match[1]})
    return Observation(name, int(line[1]) if line else None, (x, y, z), (bx, by_, bz), evidence)


def _order(trial: Trial, small: SmallRun) -> dict[str, Any]:
    """Inputs with their data, everything else bare."""
    known = {name: data.tobytes() for name, data in small.inputs.buffers.items()}
    zeroed = {
        buffer.name: bytes(buffer.bytes) for buffer in trial.plan.resolve(small.case.sizes).scratch if buffer.zero
    }
    data = {**known, **zeroed}
    return {
        "cubin": trial.compiled.cubin,
        "shared": shared_bytes(small.launches),
        "launches": small.launches,
        "buffers": [
            {"offset": place.offset, "bytes": place.bytes, "data": data.get(place.name)}
            for place in small.layout.places
        ],
    }


def _run(sanitizer: Path, tool: str, files: dict[str, bytes]) -> str:
    code = (
        f"import sys; sys.path[1:1] = [{str(Path(__file__).parents[2])!r}]; import worker.gpu.examined as e; e.main()"
    )
    examined = [sys.executable, "-I", "-B", "-c", code, "/tmp/order"]  # noqa: S108  # private to the sandbox
    options = ["--tool", tool, "--print-limit", str(PRINTED_ERRORS), "--target-processes", "application-only"]
    base = runner_policy()
    policy = replace(
        base,
        readable=(*base.readable, *SYSTEM, *startup_paths(), *_around(sanitizer)),
        tmp_bytes=64 * MIB,
        seconds=SECONDS,
        processes=128,
        output_bytes=OUTPUT_BYTES,
        syscalls="program",
        environment=MappingProxyType({**base.environment, "HOME": "/tmp"}),  # noqa: S108  # likewise
    )
    ran = run("bubblewrap", shlex.join([str(sanitizer), *options, "--", *examined]), policy, files)
    return ran.stdout.decode("utf-8", "replace") + ran.stderr


def _around(sanitizer: Path) -> tuple[Path, ...]:
    """Its libraries lie beside it."""
    return sanitizer.parent, sanitizer.parent.parent / "lib"
