"""A member's file described and its kernels compiled by sandboxed Tritons, several side by side, kept by hash."""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import TypeVar

from msgspec import json

from worker.compile.compiler import EARLY_SECONDS, Cache, source_refusal
from worker.errors import ChildLost, ChildTimeout
from worker.messages import Message, message
from worker.sandbox import Courtesy, Kind, Pool, SandboxedChild
from worker.sandbox.policies import TRITON_SECONDS, triton_policy
from worker.triton.assemble import Assembler
from worker.triton.plan import key_of
from worker.triton.wire import (
    Compile,
    Describe,
    Described,
    Launched,
    Module,
    Overflow,
    Reach,
    Reached,
    Specialisation,
    Trouble,
)

T = TypeVar("T")
log = logging.getLogger(__name__)

LANES = min(2, os.cpu_count() or 1)
"""Children that share the specialisations of a submission."""

PACKAGE = "triton"
REMEDY = "pip install 'warpmate[triton]'"
FORMAT = 2
"""Grows when what is kept means something else."""


def installed() -> bool:
    return importlib.util.find_spec(PACKAGE) is not None


class TritonCompiler:
    """Opens its pool when it is warmed, as a worker does, or at the first submission."""

    def __init__(self, open_pool: Callable[[], Pool], cache: Cache | None, assembler: Assembler) -> None:
        self._open_pool, self._cache, self.assembler = open_pool, cache, assembler
        self._lock = Lock()
        self._pool: Pool | None = None
        self.version = importlib.metadata.version(PACKAGE)

    def close(self) -> None:
        if self._pool is not None:
            self._pool.close()

    def warm(self) -> None:
        """Start the children now, so that the first submission finds Triton loaded. Does not wait for them."""
        self._opened()

    def open(self) -> Session:
        """A child for one submission, and more of them where there is more to compile."""
        return Session(self._opened(), self._cache, self.version)

    def _opened(self) -> Pool:
        with self._lock:
            if self._pool is None:
                self._pool = self._open_pool()
            return self._pool


class Session:
    """The children of one submission; they end with it."""

    def __init__(self, pool: Pool, cache: Cache | None, version: str) -> None:
        self._pool, self._cache, self._version = pool, cache, version
        self._boxes: list[SandboxedChild] = []
        self.cached = True
        """Whether nothing had to be compiled."""

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        while self._boxes:
            self._boxes.pop().close()

    def describe(self, source: str) -> Described | Trouble | Message:
        """What kernels the file has; a message says why nobody could be asked."""
        if refusal := source_refusal(source):
            return refusal
        key = Cache.key(source=source, describe=FORMAT, compiler=self._version)
        if self._cache and (kept := self._cache.get(key, Described)):
            return kept
        reply = self._asked_twice(0, Describe(source), Described)
        if isinstance(reply, Described) and self._cache:
            self._cache.put(key, reply)
        return reply

    def overflows(self, source: str, launches: Sequence[Launched]) -> tuple[Overflow, ...]:
        """Offsets of these launches that outgrow 32 bits; none where the child could not tell."""
        request = Reach(source, tuple(launches))
        key = Cache.key(source=source, reach=json.encode(request.launches).decode(), triton=FORMAT)
        if self._cache and (kept := self._cache.get(key, Reached)):
            return kept.overflows
        reply = self._asked_twice(0, request, Reached)
        if not isinstance(reply, Reached):
            return ()
        found = tuple(one for one in reply.overflows if one.launch < len(launches))
        if self._cache:
            self._cache.put(key, Reached(found))
        return found

    def compile(
        self, source: str, wanted: Sequence[Specialisation], capability: int
    ) -> list[Module | Trouble | Message]:
        """What came of each, in order; what follows a failure may be left out."""
        results: dict[int, Module | Trouble | Message] = {}
        left = []
        for number, what in enumerate(wanted):
            if self._cache and (kept := self._cache.get(self._key(source, what, capability), Module)):
                results[number] = kept
            else:
                left.append(number)
        if left:
            self.cached = False
            self._compile_side_by_side(source, wanted, capability, left, results)
        return [results[number] for number in sorted(results)]

    def _compile_side_by_side(
        self,
        source: str,
        wanted: Sequence[Specialisation],
        capability: int,
        left: list[int],
        results: dict[int, Module | Trouble | Message],
    ) -> None:
        waiting, lock = iter(left), Lock()
        failed = False

        def lane(place: int) -> None:
            nonlocal failed
            while not failed:
                with lock:
                    number = next(waiting, None)
                if number is None:
                    return
                reply = self._asked_twice(place, Compile(source, wanted[number], capability), Module)
                results[number] = reply
                if not isinstance(reply, Module):
                    failed = True
                elif self._cache:
                    self._cache.put(self._key(source, wanted[number], capability), reply)

        lanes = min(LANES, len(left))
        self._take(lanes)
        with ThreadPoolExecutor(lanes) as side_by_side:
            list(side_by_side.map(lane, range(lanes)))

    def _key(self, source: str, what: Specialisation, capability: int) -> str:
        return Cache.key(
            source=source, what=key_of(what), capability=capability, triton=FORMAT, compiler=self._version
        )

    def _take(self, count: int) -> None:
        while len(self._boxes) < count:
            self._boxes.append(self._pool.take())

    def _asked_twice(self, place: int, request: Describe | Compile | Reach, kind: type[T]) -> T | Trouble | Message:
        """The answer. A child that breaks down early is replaced once: it may have been killed by somebody else."""
        give_up_at = time.monotonic() + EARLY_SECONDS
        while True:
            self._take(place + 1)
            box = self._boxes[place]
            box.wait_ready()
            try:
                return box.ask(request, kind, Trouble)
            except ChildTimeout:
                return message("compiler.too-slow", seconds=TRITON_SECONDS)
            except ChildLost:
                if time.monotonic() > give_up_at:
                    return message("compiler.broke-down")
                give_up_at = 0.0
            box.close()
            self._boxes[place] = self._pool.take()


@contextlib.contextmanager
def open_triton(kind: Kind, cache_folder: Path, courtesy: Courtesy, warm: int = 1) -> Iterator[TritonCompiler | None]:
    """A compiler of Triton kernels; None where Triton is not installed."""
    if not installed():
        log.info("Triton kernels are not judged here; to judge them: %s", REMEDY)
        yield None
        return
    policy, cache = triton_policy(), Cache(cache_folder)
    compiler = TritonCompiler(
        lambda: Pool(kind, "worker.triton.child", policy, LANES * warm, courtesy), cache, Assembler(kind, cache)
    )
    try:
        yield compiler
    finally:
        compiler.close()
