"""What the judge works with, opened once at the top of a worker."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from worker.compile import Compiler, open_compiler
from worker.compile.disassemble import Disassembler, open_disassembler
from worker.config import WorkerConfig
from worker.diagnosis import FindingCatalogue
from worker.judge.emulator_backend import EmulatorBackend, FaultLog
from worker.judge.emulator_children import LANES, Children
from worker.judge.ports import CaseBackend, GpuBackend
from worker.judge.programs import ProgramRunner
from worker.oracle import Oracle
from worker.problem import Problem, load_all
from worker.protocol import Backend
from worker.sandbox import Courtesy, Kind, Pool, choose
from worker.sandbox.policies import emulator_policy
from worker.triton.compiler import TritonCompiler, open_triton

if TYPE_CHECKING:
    from worker.gpu.backend import Gpu

DEFAULT_ARCH = "sm_90a"
"""Compiled for where there is no card: the one that the problems were tuned on."""


@dataclass(frozen=True, slots=True)
class Tools:
    config: WorkerConfig
    problems: Mapping[str, Problem]
    oracles: Mapping[str, Oracle]
    catalogue: FindingCatalogue
    compiler: Compiler
    children: Children
    emulator: CaseBackend
    programs: ProgramRunner
    courtesy: Courtesy
    faults: FaultLog
    triton: TritonCompiler | None = None
    """None where Triton is not installed."""
    gpu: GpuBackend | None = None
    disassembler: Disassembler | None = None
    """None where the toolkit's nvdisasm is not installed."""

    @property
    def arch(self) -> str:
        return self.gpu.card.arch if self.gpu else DEFAULT_ARCH

    @property
    def backends(self) -> tuple[Backend, ...]:
        """What this worker can judge on, the strongest first."""
        return (*((Backend.GPU,) if self.gpu else ()), Backend.EMULATOR, Backend.COMPILE)

    def backend_for(self, asked: Backend) -> Backend:
        """AUTO becomes the operator's choice, that again the best there is."""
        wanted = self.config.judge_backend if asked is Backend.AUTO else asked
        return self.backends[0] if wanted is Backend.AUTO else wanted


def _open_card(kind: Kind, compiler: Compiler, config: WorkerConfig) -> contextlib.AbstractContextManager[Gpu | None]:
    """This host's card, unless the operator wants none of it."""
    if config.judge_backend not in {Backend.AUTO, Backend.GPU}:
        return contextlib.nullcontext()
    from worker.gpu.backend import open_gpu  # it builds on this package

    return open_gpu(kind, compiler, config)


@contextlib.contextmanager
def open_tools(
    config: WorkerConfig, gpu: GpuBackend | None = None, *, warm: int = 1, sandbox: Kind | None = None
) -> Iterator[Tools]:
    """Everything warm: `warm` compilers and emulators wait for jobs. Wrong content or no sandbox ends it here."""
    kind = sandbox or choose()
    problems = load_all(config.content_dir / "problems")
    catalogue = FindingCatalogue.load(config.content_dir / "findings.toml")
    courtesy, faults = Courtesy(), FaultLog()
    with contextlib.ExitStack() as stack:
        compiler = stack.enter_context(open_compiler(kind, config.cache_dir, warm, courtesy))
        pool = stack.enter_context(Pool(kind, "worker.emulator.child", emulator_policy(), LANES * warm, courtesy))
        children = Children(pool, frozenset(catalogue.kinds()))
        gpu = gpu or stack.enter_context(_open_card(kind, compiler, config))
        yield Tools(
            config,
            MappingProxyType(problems),
            MappingProxyType({slug: Oracle(problem) for slug, problem in problems.items()}),
            catalogue,
            compiler,
            children,
            EmulatorBackend(children, catalogue, faults),
            ProgramRunner(kind, config.programs),
            courtesy,
            faults,
            stack.enter_context(open_triton(kind, config.cache_dir, courtesy, warm)),
            gpu,
            open_disassembler(kind),
        )
