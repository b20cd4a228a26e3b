"""A judge whose sandboxed children serve several submissions, one after the other.

Starting four children takes longer than judging a small kernel, and a test over a hundred sources starts hundreds.
The children are the real ones, in the real sandbox, under the limits of one submission. That each submission gets
children of its own is for the tests that use `tools`. Nothing that attacks a child may use these; what asks for a
file that a sandbox does not show may.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any

from worker.compile.compiler import BUILDS, Compiler
from worker.compile.headers import include_folders
from worker.judge import Tools
from worker.judge.emulator_backend import EmulatorBackend
from worker.judge.emulator_children import LANES, Children
from worker.sandbox import Kind, Policy, Pool, SandboxedChild, choose
from worker.sandbox.policies import COMPILER_SECONDS, compiler_policy, emulator_policy, triton_policy
from worker.sandbox.process import Start
from worker.triton.assemble import Assembler
from worker.triton.compiler import LANES as TRITON_LANES
from worker.triton.compiler import TritonCompiler


class KeptChild(SandboxedChild):
    """One that goes back to its pool when it is closed, unless it owes an answer or has worked long enough.

    The sandbox limits the processor time of a child as a whole, to four times what one request may take.
    """

    def __init__(self, home: KeptPool, kind: Kind, entry: str, policy: Policy, start: Start | None) -> None:
        super().__init__(kind, entry, policy, start)
        self._home, self._owes, self._left_s = home, 0, policy.seconds

    def ask(self, request: object, /, *kinds: Any, seconds: float | None = None) -> Any:
        self._owes += 1
        began_s = time.monotonic()
        answer = super().ask(request, *kinds, seconds=seconds)
        self._left_s -= time.monotonic() - began_s
        self._owes -= 1
        return answer

    def close(self) -> None:
        fit = self.alive and not self._owes and self._left_s > 0
        if not (fit and self._home.take_back(self)):
            super().close()


class KeptPool(Pool):
    """A child is started when none is free, and not before."""

    def take_back(self, child: KeptChild) -> bool:
        """Whether the pool keeps it: it does as long as it is open."""
        kept: Future[SandboxedChild] = Future()
        kept.set_result(child)
        with self._lock:
            if self._open:
                self._waiting.append(kept)
            return self._open

    def _child(self, start: Start | None) -> SandboxedChild:
        return KeptChild(self, self._kind, self._entry, self._policy, start)

    def _refill(self) -> None:
        pass


@contextmanager
def kept_compiler(kind: Kind, seconds: float = COMPILER_SECONDS) -> Iterator[Compiler]:
    """Each source is compiled anew and may take this long, in children that go from one to the next."""
    includes = include_folders()
    policy = dataclasses.replace(compiler_policy(includes), seconds=seconds)
    with KeptPool(kind, "worker.compile.child", policy, BUILDS) as pool:
        yield Compiler(pool, includes, None)


@contextmanager
def with_kept_children(tools: Tools) -> Iterator[Tools]:
    """The same tools, but for the children."""
    kind = choose()
    with ExitStack() as stack:
        compiler = stack.enter_context(kept_compiler(kind))
        tritons = stack.enter_context(
            KeptPool(kind, "worker.triton.child", triton_policy(), TRITON_LANES) if tools.triton else nullcontext()
        )
        emulating = stack.enter_context(KeptPool(kind, "worker.emulator.child", emulator_policy(), LANES))
        children = Children(emulating, tools.children.fatal)
        yield dataclasses.replace(
            tools,
            compiler=compiler,
            triton=TritonCompiler(lambda: tritons, None, Assembler(kind, None))
            if isinstance(tritons, Pool)
            else None,
            children=children,
            emulator=EmulatorBackend(children, tools.catalogue, tools.faults),
        )
