"""compute-sanitizer's four tools on one small case, in the sandbox, their findings at source lines.

It serves what the emulator refuses by name. Its words are read leniently: what is not understood is left out.
"""

from __future__ import annotations

import logging
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from worker.compile.nvcc import toolkit
from worker.emulator.request import Evidence, Observation
from worker.gpu.cases import SmallRun
from worker.gpu.layout import codes
from worker.gpu.wire import BareBuffer, Examination
from worker.judge.ports import Trial
from worker.sandbox import Kind
from worker.sandbox.child_command import startup_paths
from worker.sandbox.native_command import run
from worker.sandbox.policies import sanitizer_policy

log = logging.getLogger(__name__)

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
PRINTED_ERRORS = 20

_LAUNCHER = "TreeLauncherSubreaper"

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
_TROUBLE = re.compile(r"^========= Error: (?!Race reported)(.+)$", re.MULTILINE)
_THREAD = re.compile(r"by thread \((\d+),(\d+),(\d+)\) in block \((\d+),(\d+),(\d+)\)")


def program() -> Path | None:
    """compute-sanitizer of the toolkit on the path, which fits its driver, else of the wheel.

    Without its launcher beside it, as wheels older than 13.5 bring it, it can start nothing.
    """
    found, cuda = shutil.which("compute-sanitizer"), toolkit()
    folders = [Path(found).resolve().parent] if found else []
    folders += [cuda / "bin"] if cuda else []
    beside = [place for folder in folders for place in (folder, folder.parent / "compute-sanitizer")]
    complete = (place for place in beside if (place / _LAUNCHER).is_file())
    return next((place / "compute-sanitizer" for place in complete), None)


def examine(kind: Kind, trial: Trial, small: SmallRun) -> tuple[Observation, ...]:
    """What the tools find; nothing where they cannot run, which the log then says."""
    texts = said(kind, trial, small)
    for tool, text in texts.items():
        if reason := trouble(text):
            log.warning("compute-sanitizer's %s looked at nothing: %s", tool, reason)
    return observed(texts.values())


def said(kind: Kind, trial: Trial, small: SmallRun) -> Mapping[str, str]:
    """The report of each tool; none where there is no compute-sanitizer or no bubblewrap to run it in."""
    sanitizer = program()
    if sanitizer is None or kind != "bubblewrap":
        return {}
    files = {"order": msgspec.msgpack.encode(order(trial, small))}
    with ThreadPoolExecutor(len(TOOLS)) as threads:
        return dict(zip(TOOLS, threads.map(lambda tool: _run(sanitizer, tool, files), TOOLS), strict=True))


def observed(texts: Iterable[str]) -> tuple[Observation, ...]:
    """The first of each kind at each line."""
    found = [seen for text in texts for seen in read(text)]
    if any(seen.id in _MEMORY for seen in found):  # what lies out of bounds has no value either
        found = [seen for seen in found if seen.id in _MEMORY]
    first: dict[tuple[str, int | None], Observation] = {}
    for seen in found:
        first.setdefault((seen.id, seen.line), seen)
    return tuple(first.values())


def trouble(text: str) -> str | None:
    """Why a tool saw no kernel at all; None where it did its work, whatever it found."""
    if "SUMMARY" in text:  # its last line, whatever it found
        return None
    errors = _TROUBLE.findall(text)
    return "; ".join(errors or text.strip().splitlines()[-1:] or ["it said nothing"])[:300]


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
    evidence: Evidence = {}
    if name == "out-of-bounds" and match.groups():
        evidence = {"access": match[1]}
        if "misaligned" in report:
            name, evidence = "misaligned", {"bytes": int(match[2])}
    return Observation(name, int(line[1]) if line else None, (x, y, z), (bx, by_, bz), evidence)


def order(trial: Trial, small: SmallRun) -> Examination:
    """Inputs with their data, everything else bare."""
    known = {name: data.tobytes() for name, data in small.inputs.buffers.items()}
    zeroed = {
        buffer.name: bytes(buffer.bytes) for buffer in trial.plan.resolve(small.case.sizes).scratch if buffer.zero
    }
    data = {**known, **zeroed}
    buffers = (BareBuffer(place.offset, place.bytes, data.get(place.name)) for place in small.layout.places)
    return Examination(codes(trial.compiled, small.launches), small.launches, tuple(buffers))


def command(sanitizer: Path, tool: str, order: str) -> list[str]:
    """The tool over `worker.gpu.sanitizer_child`, which reads its order from that file."""
    code = f"import sys; sys.path[1:1] = [{str(Path(__file__).parents[2])!r}]; "
    code += "import worker.gpu.sanitizer_child as child; child.main()"
    options = ["--tool", tool, "--print-limit", str(PRINTED_ERRORS), "--target-processes", "application-only"]
    return [str(sanitizer), *options, "--", sys.executable, "-I", "-B", "-c", code, order]


def _run(sanitizer: Path, tool: str, files: dict[str, bytes]) -> str:
    policy = sanitizer_policy((*startup_paths(), *_around(sanitizer)))
    script = shlex.join(command(sanitizer, tool, "/tmp/order"))  # noqa: S108  # likewise
    ran = run("bubblewrap", script, policy, files, ours=True)
    return ran.stdout.decode("utf-8", "replace") + ran.stderr


def _around(sanitizer: Path) -> tuple[Path, ...]:
    """The folder with the tool's libraries, which lie beside it."""
    return sanitizer.parent, sanitizer.parent.parent / "lib"
