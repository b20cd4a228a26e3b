"""The program form: compiled and explained always, run where the operator allows it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from worker.compile.nvcc import REMEDY, CompiledProgram, compile_program, toolkit
from worker.diagnosis import explain
from worker.diagnosis.signature import resources_of
from worker.hardware.driver import devices, driver_folders
from worker.judge.ports import CardLock, Say
from worker.protocol import CompileReport, Finding, Job, Kind, Stage, Verdict
from worker.sandbox import GIB, KIB, MIB, Policy
from worker.sandbox import Kind as SandboxKind
from worker.sandbox.command import SYSTEM, Ran, run

if TYPE_CHECKING:
    from worker.judge.tools import Tools

RUN_SECONDS = 20.0
OUTPUT_BYTES = 64 * KIB

_SIGNALS = {6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS"}


@dataclass(frozen=True, slots=True)
class ProgramRunner:
    """Compiles whole programs and runs their executables, each in a sandbox of its own."""

    kind: SandboxKind
    enabled: bool

    def compile(self, source: str, arch: str) -> CompiledProgram:
        cuda = toolkit()
        if cuda is None:
            return CompiledProgram(False, f"no nvcc on this worker: {REMEDY}", 0.0)
        return compile_program(self.kind, cuda, source, arch)

    def run(self, executable: bytes) -> Ran:
        """Unprivileged, without network, in namespaces of its own, with the GPU's device files if there are any."""
        return run("bubblewrap", "./program", program_policy(), {"program": executable})

    def refusal(self, has_gpu: bool) -> tuple[str, str] | None:
        """Why a program is not run here, in both languages; None when it is."""
        if not self.enabled:
            return (
                "this worker does not run whole programs (WARPMATE_PROGRAMS is off)",
                "这个评测节点没有开启程序运行（WARPMATE_PROGRAMS）",
            )
        if self.kind != "bubblewrap":
            return "this worker has no bubblewrap to run it in", "这个评测节点没有安装 bubblewrap，无法安全运行"
        if not has_gpu:
            return "this worker has no GPU", "这个评测节点没有 GPU"
        return None


def program_policy() -> Policy:
    driver = driver_folders()
    return Policy(
        readable=(*driver, *(path for path in SYSTEM if path.name not in {"include", "libexec"})),
        devices=devices(),
        proc=True,
        tmp_bytes=64 * MIB,
        memory_bytes=None if driver else 8 * GIB,
        seconds=RUN_SECONDS,
        processes=128,
        output_bytes=OUTPUT_BYTES,
        open_files=256,
        syscalls="program",
        environment=MappingProxyType({"LC_ALL": "C.UTF-8", "LD_LIBRARY_PATH": ":".join(map(str, driver))}),
    )


async def judge_program(job: Job, verdict: Verdict, tools: Tools, say: Say, card: CardLock) -> Verdict:
    await say(Stage.COMPILING)
    compiled = await asyncio.to_thread(tools.programs.compile, job.source, tools.arch)
    report = CompileReport(
        compiled.ok, compiled.log, False, round(compiled.ms, 3), resources_of(compiled.kernels, tools.arch)
    )
    verdict = replace(verdict, compile=report, stages_ms={"compile": report.ms})
    if toolkit() is None:
        return replace(verdict, verdict=Kind.UNSUPPORTED, findings=(_not_run(tools, compiled.log, compiled.log),))
    if not compiled.ok:
        return replace(
            verdict, verdict=Kind.COMPILE_ERROR, findings=explain(tools.catalogue, compiled.log, job.source)
        )
    if refusal := tools.programs.refusal(tools.gpu is not None):
        return replace(verdict, verdict=Kind.COMPILED, findings=(_not_run(tools, *refusal),))
    await say(Stage.CHECKING)
    async with card():
        ran = await asyncio.to_thread(tools.programs.run, compiled.executable)
    kind, said = ending(ran)
    stages_ms = {**verdict.stages_ms, "run": round(ran.seconds * 1e3, 3)}
    return replace(verdict, verdict=kind, output=said, stages_ms=stages_ms)


def ending(ran: Ran) -> tuple[Kind, str]:
    """How a program ended and what it printed; what it prints cannot change the former."""
    printed = ran.stdout.decode("utf-8", "replace") + ran.stderr
    if ran.timed_out:
        return Kind.TIMEOUT, f"{printed}\n[stopped after {RUN_SECONDS:.0f} s]".strip()
    if ran.exit_code == 0:
        return Kind.RAN, printed
    signal = -ran.exit_code if ran.exit_code < 0 else ran.exit_code - 128
    how = f"killed by {_SIGNALS[signal]}" if signal in _SIGNALS else f"ended with exit code {ran.exit_code}"
    return Kind.RUNTIME_ERROR, f"{printed}\n[{how}]".strip()


def _not_run(tools: Tools, reason: str, reason_zh: str) -> Finding:
    return tools.catalogue.finding("program-not-run", None, reason=reason, reason_zh=reason_zh)
