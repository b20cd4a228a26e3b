"""One compilation: refuse what is no source, look into the cache, ask a sandboxed NVRTC."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import importlib.metadata
import json
import os
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

import msgspec

from worker.compile import prelude, prelude_child
from worker.compile.headers import STAND_INS, include_folders
from worker.compile.request import Build, Built
from worker.compile.resources import Kernel, kernels, without_report
from worker.emulator.options import MACROS, UNOPTIMISED
from worker.errors import ChildLost, ChildTimeout
from worker.messages import Message, message
from worker.sandbox import KIB, Courtesy, Kind, Pool
from worker.sandbox.policies import COMPILER_SECONDS, compiler_policy, prelude_policy
from worker.sandbox.template import may_fork

T = TypeVar("T")

MAX_FILES = 4096


class Cache:
    """One file an entry, written beside and renamed; the oldest go when there are too many."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    @staticmethod
    def key(**parts: object) -> str:
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()

    def get(self, key: str, kind: type[T]) -> T | None:
        """The entry, which is of this kind; None when there is none or it cannot be read."""
        path = self._folder / key
        try:
            packed = path.read_bytes()
            os.utime(path)
            return msgspec.msgpack.decode(packed, type=kind)
        except (FileNotFoundError, ValueError):
            return None

    def put(self, key: str, entry: object) -> None:
        with tempfile.NamedTemporaryFile(dir=self._folder, prefix=".", delete=False) as file:
            file.write(msgspec.msgpack.encode(entry))
        Path(file.name).replace(self._folder / key)
        self._prune()

    def _prune(self) -> None:
        """Delete the oldest of too many entries, down to seven eighths: so it is not done at every entry."""
        entries = [path for path in self._folder.iterdir() if not path.name.startswith(".")]
        if len(entries) <= MAX_FILES:
            return
        with contextlib.suppress(FileNotFoundError):
            for path in sorted(entries, key=lambda path: path.stat().st_mtime)[: len(entries) - MAX_FILES * 7 // 8]:
                path.unlink(missing_ok=True)


MAX_SOURCE_BYTES = 256 * KIB
MAX_LOG_BYTES = 64 * KIB

EARLY_SECONDS = 2.0
"""An honest compilation is over by then, and what kills its compiler sooner is not much of a bomb."""


@dataclass(frozen=True, slots=True)
class OwnModule:
    """A kernel that lies in a module of its own, as each specialisation of Triton's does."""

    ptx: str
    """For the emulator."""
    kernel: Kernel
    cubin: bytes = b""


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
    modules: Mapping[str, OwnModule] = field(default_factory=dict)
    """By kernel as written in a launch; without them every kernel lies in `ptx` and `cubin`."""
    remark: tuple[str, Mapping[str, Message]] | None = None
    """A finding and its evidence that stand in place of a log: what could not be source, what had to be stopped."""

    def kernel(self, written: str) -> Kernel:
        if written in self.modules:
            return self.modules[written].kernel
        return next(kernel for kernel in self.kernels if kernel.entry == self.entries[written])


class Compiler:
    def __init__(
        self, pool: Pool, includes: Sequence[Path], cache: Cache | None, preludes: Preludes | None = None
    ) -> None:
        self._pool, self._preludes = pool, preludes
        self._includes = tuple(includes)
        self._cache = cache
        self.version = importlib.metadata.version("nvidia-cuda-nvrtc")

    def compile(self, source: str, arch: str, names: Sequence[str] = ()) -> Compiled:
        """PTX and cubin for the card, and PTX for the emulator; `names` are the kernels that will be launched."""
        if refusal := source_refusal(source):
            return Compiled(False, "", False, 0.0, arch, remark=("unreadable-source", {"what": refusal}))
        compiled = self._compile(source, arch, names, self._builds(arch, launched=bool(names)))
        if compiled.ok or not only_generic_lambdas(compiled.log, source):
            return compiled
        builds = [[*options, "-default-device"] for options in self._builds(arch, launched=bool(names))]
        return self._compile(source, arch, names, builds)

    def _compile(self, source: str, arch: str, names: Sequence[str], builds: list[list[str]]) -> Compiled:
        key = Cache.key(source=source, names=list(names), builds=builds, compiler=self.version, headers=STAND_INS)
        if self._cache and (replies := self._cache.get(key, tuple[Built, ...])):
            return self._compiled(replies, arch, names, cached=True)
        card, *plain = self._behind_prelude(source, arch, names, builds) or self._built(
            self._pool, source, names, STAND_INS, builds
        )
        if isinstance(card, Message):
            return _stopped(card, Compiled(False, "", False, COMPILER_SECONDS * 1e3, arch))
        replies = (card, *(one for one in plain if isinstance(one, Built)))
        if self._cache and len(replies) == len(builds) and all(reply.ok for reply in replies):
            self._cache.put(key, replies)
        return self._compiled(replies, arch, names, cached=False)

    def _behind_prelude(
        self, source: str, arch: str, names: Sequence[str], builds: list[list[str]]
    ) -> list[Built | Message] | None:
        """The builds where the headers that take long are at hand; None where they are not, or a build failed."""
        if self._preludes is None or builds != self._builds(arch, launched=True) or not prelude.helps(source):
            return None
        pool = self._preludes.pool_for(builds)
        if pool is None:
            return None
        behind = [[*options, *prelude.options(prelude.place(options))] for options in builds]
        replies = self._built(pool, source, names, {**STAND_INS, prelude.NAME: prelude.TEXT}, behind)
        return replies if all(isinstance(reply, Built) and reply.ok for reply in replies) else None

    def _built(
        self, pool: Pool, source: str, names: Sequence[str], headers: dict[str, str], builds: list[list[str]]
    ) -> list[Built | Message]:
        encoded = source.encode()
        requests = [Build(encoded, headers, tuple(names), tuple(options), MAX_LOG_BYTES) for options in builds]
        with ThreadPoolExecutor(len(builds)) as side_by_side:
            return list(side_by_side.map(functools.partial(self._ask, pool), requests))

    def _builds(self, arch: str, *, launched: bool) -> list[list[str]]:
        common = [*STANDARD, *(f"-D{macro}" for macro in MACROS), *(f"-I{path}" for path in self._includes)]
        for_card = [f"-arch={arch}", *FOR_CARD, *common]
        for_emulator = [f"-arch={arch.replace('sm_', 'compute_')}", *UNOPTIMISED, *common]
        return [for_card, for_emulator] if launched else [for_card]

    def _ask(self, pool: Pool, request: Build) -> Built | Message:
        """What was built, or why the compiler was stopped.

        A compiler that breaks down early is asked once more: it may have been killed by somebody else.
        """
        give_up_at = time.monotonic() + EARLY_SECONDS
        while True:
            with pool.take() as box:
                box.wait_ready()
                try:
                    return box.ask(request, Built)
                except ChildTimeout:
                    return message("compiler.too-slow", seconds=COMPILER_SECONDS)
                except ChildLost:
                    if time.monotonic() > give_up_at:
                        break
                    give_up_at = 0.0
        return message("compiler.broke-down")

    def _compiled(self, replies: Sequence[Built], arch: str, names: Sequence[str], *, cached: bool) -> Compiled:
        built, plain = replies[0], replies[-1]
        log = self._without_paths(built.log.decode("utf-8", "replace"))
        ms = 0.0 if cached else max(reply.ms for reply in replies)
        if not built.ok:
            return _failed(without_report(log), built.status, Compiled(False, "", cached, ms, arch))
        ptx = _text(built.ptx)
        entries = dict(zip(names, built.lowered, strict=True))
        return Compiled(
            True,
            without_report(log),
            cached,
            ms,
            arch,
            ptx,
            _text(plain.ptx) if plain.ok else ptx,
            built.cubin,
            kernels(ptx, log),
            MappingProxyType(entries),
        )

    def _without_paths(self, log: str) -> str:
        """Drop the folders of this host from a log: where the headers lie is nobody's business."""
        for path in sorted(map(str, self._includes), key=len, reverse=True):
            log = log.replace(path, "cuda")
        return log


class Preludes:
    """Compilers that have read the heavy headers: made when a source first includes some, which goes without."""

    def __init__(self, kind: Kind, includes: Sequence[Path], warm: int, courtesy: Courtesy) -> None:
        self._kind, self._includes, self._warm, self._courtesy = kind, includes, warm, courtesy
        self._lock = threading.Lock()
        self._pool: Pool | None = None
        self._builds: list[list[str]] = []
        self._closed = False

    def pool_for(self, builds: list[list[str]]) -> Pool | None:
        """Those with these options, once they are ready. Only the first that were asked for are ever made."""
        with self._lock:
            first = not self._builds and prelude.memory_suffices()
            if first:
                self._builds = builds
            pool = self._pool if self._builds == builds else None
        if first:
            self._courtesy.when_idle(self._open)
        return pool if pool is not None and pool.ready else None

    def close(self) -> None:
        with self._lock:
            self._closed = True
        if self._pool is not None:
            self._pool.close()

    def _open(self) -> None:
        policy = prelude_policy(self._includes, msgspec.json.encode(self._builds).decode())
        with self._lock:
            if not self._closed:
                self._pool = Pool(self._kind, prelude_child.__name__, policy, self._warm, self._courtesy)


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
    includes, courtesy = include_folders(), courtesy or Courtesy()
    with contextlib.ExitStack() as stack:
        policy = compiler_policy(includes)
        pool = stack.enter_context(Pool(kind, "worker.compile.child", policy, BUILDS * warm, courtesy))
        preludes = None
        if kind == "bubblewrap" and may_fork(policy):  # a private place for the files, and the memory they lie in
            preludes = stack.enter_context(contextlib.closing(Preludes(kind, includes, BUILDS * warm, courtesy)))
        yield Compiler(pool, includes, Cache(cache_folder) if cache_folder else None, preludes)


_ERROR = re.compile(r"^\S+?\((\d+)\): (?:catastrophic )?error: (.*)", re.MULTILINE)
_GENERIC_LAMBDA = re.compile(r"\]\s*\([^)]*\bauto\b")


def only_generic_lambdas(log: str, source: str) -> bool:
    """Whether all that is wrong are lambdas with an `auto` parameter: NVRTC takes them for host code, nvcc not."""
    lines, errors = source.splitlines(), _ERROR.findall(log)
    return bool(errors) and all(
        what.startswith("A function without execution space annotations")
        and 1 <= int(line) <= len(lines)
        and _GENERIC_LAMBDA.search(lines[int(line) - 1])
        for line, what in errors
    )


def source_refusal(source: str) -> Message | None:
    """Why this cannot be source; None if it can."""
    try:
        encoded = source.encode()
    except UnicodeEncodeError:
        return message("source.not-unicode")
    if len(encoded) > MAX_SOURCE_BYTES:
        return message("source.too-large", found=len(encoded), limit=MAX_SOURCE_BYTES)
    if b"\0" in encoded:
        return message("source.zero-byte")
    return None if source.strip() else message("source.empty")


def _failed(log: str, status: int, compiled: Compiled) -> Compiled:
    if log:
        return dataclasses.replace(compiled, log=log)
    return _stopped(message("compiler.silent", status=status), compiled)


def _stopped(reason: Message, compiled: Compiled) -> Compiled:
    return dataclasses.replace(compiled, remark=("compiler-stopped", {"reason": reason}))


def _text(ptx: bytes) -> str:
    return ptx.rstrip(b"\0").decode("utf-8", "replace")
