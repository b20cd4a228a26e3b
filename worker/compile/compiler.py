"""One compilation: refuse what is no source, look into the cache, ask a sandboxed NVRTC."""

from __future__ import annotations

import contextlib
import importlib.metadata
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from worker.compile.cache import Cache
from worker.compile.headers import STAND_INS, include_folders
from worker.compile.resources import Kernel, kernels, without_report
from worker.emulator.options import MACROS, UNOPTIMISED
from worker.errors import ChildLost, ChildTimeout
from worker.sandbox import GIB, KIB, MIB, Courtesy, Kind, Policy, Pool

MAX_SOURCE_BYTES = 256 * KIB
MAX_LOG_BYTES = 64 * KIB
SECONDS = 10.0

EARLY_SECONDS = 2.0
"""An honest compilation is over by then, and what kills its compiler sooner is not much of a bomb."""

_NVRTC_COMPILATION_ERROR = 6


@dataclass(frozen=True, slots=True)
class Compiled:
    ok: bool
    log: str
    cached: bool
    ms: float
    arch: str
    ptx: str = ""
    plain_ptx: str = ""
    """For the emulator: no access is optimised away. The same as `ptx` where nothing will be launched, and where this
    build alone took too long."""
    cubin: bytes = b""
    kernels: tuple[Kernel, ...] = ()
    entries: Mapping[str, str] = field(default_factory=dict)
    """Kernel as written in a launch, `reduce<256>`, to its name in the module."""

    def kernel(self, written: str) -> Kernel:
        return next(kernel for kernel in self.kernels if kernel.entry == self.entries[written])


def policy(includes: Sequence[Path]) -> Policy:
    """NVRTC sees CUDA's headers and nothing else."""
    return Policy(
        readable=tuple(includes),
        tmp_bytes=MIB,
        memory_bytes=2 * GIB,
        seconds=SECONDS,
        answer_bytes=64 * MIB,
        environment=MappingProxyType({"OPENBLAS_NUM_THREADS": "1"}),
    )


class Compiler:
    def __init__(self, pool: Pool, includes: Sequence[Path], cache: Cache | None) -> None:
        self._pool = pool
        self._includes = tuple(includes)
        self._cache = cache
        self.version = importlib.metadata.version("nvidia-cuda-nvrtc")

    def compile(self, source: str, arch: str, names: Sequence[str] = ()) -> Compiled:
        """PTX and cubin for the card, and PTX for the emulator; `names` are the kernels that will be launched."""
        if refusal := _refusal(source):
            return Compiled(False, refusal, False, 0.0, arch)
        builds = self._builds(arch, launched=bool(names))
        key = Cache.key(source=source, names=list(names), builds=builds, compiler=self.version, headers=STAND_INS)
        if self._cache and (replies := self._cache.get(key)):
            return self._compiled(replies, arch, names, cached=True)
        common = {"source": source.encode(), "names": list(names), "headers": STAND_INS, "log_bytes": MAX_LOG_BYTES}
        with ThreadPoolExecutor(len(builds)) as side_by_side:
            replies = list(side_by_side.map(self._ask, [{**common, "options": options} for options in builds]))
        if self._cache and all("ptx" in reply for reply in replies):
            self._cache.put(key, replies)
        return self._compiled(replies, arch, names, cached=False)

    def _builds(self, arch: str, *, launched: bool) -> list[list[str]]:
        common = [*STANDARD, *(f"-D{macro}" for macro in MACROS), *(f"-I{path}" for path in self._includes)]
        for_card = [f"-arch={arch}", *FOR_CARD, *common]
        for_emulator = [f"-arch={arch.replace('sm_', 'compute_')}", *UNOPTIMISED, *common]
        return [for_card, for_emulator] if launched else [for_card]

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """A compiler that breaks down early is asked once more: it may have been killed by somebody else."""
        give_up_at = time.monotonic() + EARLY_SECONDS
        while True:
            with self._pool.take() as box:
                box.wait_ready()
                try:
                    reply = box.ask(request)
                    return reply if isinstance(reply, dict) else {}
                except ChildTimeout:
                    return _stopped(f"the compiler needed more than {SECONDS:.0f} s for this source and was stopped")
                except ChildLost:
                    if time.monotonic() > give_up_at:
                        break
                    give_up_at = 0.0
        return _stopped("the compiler ran out of memory or broke down on this source and was stopped")

    def _compiled(
        self, replies: Sequence[Mapping[str, Any]], arch: str, names: Sequence[str], *, cached: bool
    ) -> Compiled:
        built, plain = replies[0], replies[-1]
        log = self._without_paths(built["log"].decode("utf-8", "replace"))
        ms = 0.0 if cached else max(float(reply["ms"]) for reply in replies)
        if "ptx" not in built:
            return Compiled(False, _failure(log, built["status"]), cached, ms, arch)
        ptx = _text(built["ptx"])
        entries = dict(zip(names, built["lowered"], strict=True))
        return Compiled(
            True,
            without_report(log),
            cached,
            ms,
            arch,
            ptx,
            _text(plain["ptx"]) if "ptx" in plain else ptx,
            built["cubin"],
            kernels(ptx, log),
            MappingProxyType(entries),
        )

    def _without_paths(self, log: str) -> str:
        """Where the headers lie on this host is nobody's business."""
        for path in sorted(map(str, self._includes), key=len, reverse=True):
            log = log.replace(path, "cuda")
        return log


STANDARD = ("-std=c++17", "-diag-suppress=47")
"""A header of libcu++ defines MACROS anew: no news to a member."""
BUILDS = 2
"""Of a kernel that will be launched, side by side: one for a card, one for the emulator."""
FOR_CARD = ("-lineinfo", "--ptxas-options=-v")


@contextlib.contextmanager
def open_compiler(
    kind: Kind, cache_folder: Path | None, warm: int = 1, courtesy: Courtesy | None = None
) -> Iterator[Compiler]:
    """A compiler with enough sandboxed NVRTC processes waiting for `warm` sources."""
    includes = include_folders()
    with Pool(kind, "worker.compile.child", policy(includes), BUILDS * warm, courtesy or Courtesy()) as pool:
        yield Compiler(pool, includes, Cache(cache_folder) if cache_folder else None)


def _refusal(source: str) -> str:
    """Why this cannot be source; empty if it can."""
    try:
        encoded = source.encode()
    except UnicodeEncodeError:
        return "the source is not valid Unicode text"
    if len(encoded) > MAX_SOURCE_BYTES:
        return f"the source has {len(encoded)} bytes; at most {MAX_SOURCE_BYTES} are compiled"
    if b"\0" in encoded:
        return "the source holds a zero byte, which no CUDA source does"
    if not source.strip():
        return "the source is empty"
    return ""


def _stopped(why: str) -> dict[str, Any]:
    return {"status": _NVRTC_COMPILATION_ERROR, "log": why.encode(), "ms": SECONDS * 1e3}


def _text(ptx: bytes) -> str:
    return ptx.rstrip(b"\0").decode("utf-8", "replace")


def _failure(log: str, status: int) -> str:
    return without_report(log) or f"NVRTC gave up on this source with status {status} and no message"
