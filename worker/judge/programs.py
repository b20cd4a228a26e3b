"""The program form: compiled and explained always, run where the operator allows it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Protocol

from msgspec.structs import replace

from worker.compile.nvcc import REMEDY, CompiledProgram, compile_program, toolkit
from worker.diagnosis import FindingCatalogue, explain, readable_log
from worker.diagnosis.signature import resources_of
from worker.judge.ports import CardLock, GpuBackend, Remark
from worker.messages import Message, message
from worker.protocol import CompileReport, Job, Kind, Stage, Verdict
from worker.sandbox import Kind as SandboxKind
from worker.sandbox.native_command import Ran, run
from worker.sandbox.policies import PROGRAM_SECONDS, program_policy
from worker.service import Say

_SIGNALS = {6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS"}


@dataclass(frozen=True, slots=True)
class ProgramRunner:
    """Compiles whole programs and runs their executables, each in a sandbox of its own."""

    kind: SandboxKind
    enabled: bool

    def compile(self, source: str, arch: str) -> CompiledProgram:
        cuda = toolkit()
        if cuda is None:
            reason = message("worker.no-nvcc", remedy=REMEDY)
            return CompiledProgram(False, "", 0.0, remark=("program-not-compiled", {"reason": reason}))
        return compile_program(self.kind, cuda, source, arch)

    def run(self, executable: bytes) -> Ran:
        """Unprivileged, without network, in namespaces of its own, with the GPU's device files if there are any."""
        return run("bubblewrap", "./program", program_policy(), {"program": executable})

    def refusal(self, has_gpu: bool) -> Message | None:
        """Why a program is not run here; None when it is."""
        if not self.enabled:
            return message("worker.programs-off", setting="WARPMATE_PROGRAMS")
        if self.kind != "bubblewrap":
            return message("worker.no-bubblewrap")
        return None if has_gpu else message("worker.no-gpu")


class ProgramTools(Protocol):
    """What of the judge's tools this form needs."""

    @property
    def programs(self) -> ProgramRunner: ...

    @property
    def catalogue(self) -> FindingCatalogue: ...

    @property
    def gpu(self) -> GpuBackend | None: ...

    @property
    def arch(self) -> str: ...


async def judge_program(job: Job, verdict: Verdict, tools: ProgramTools, say: Say, card: CardLock) -> Verdict:
    await say(Stage.COMPILING)
    compiled = await asyncio.to_thread(tools.programs.compile, job.source, tools.arch)
    report = CompileReport(
        compiled.ok,
        readable_log(compiled.log),
        False,
        round(compiled.ms, 3),
        resources_of(compiled.kernels, tools.arch),
    )
    verdict = replace(verdict, compile=report, stages_ms={"compile": report.ms})
    if not compiled.ok:
        findings = explain(tools.catalogue, compiled, job.source)
        kind = tools.catalogue[findings[0].id].verdict or Kind.UNSUPPORTED
        return replace(verdict, verdict=kind, findings=findings)
    if refusal := tools.programs.refusal(tools.gpu is not None):
        finding = tools.catalogue.finding("program-not-run", None, reason=refusal)
        return replace(verdict, verdict=Kind.COMPILED, findings=(finding,))
    await say(Stage.CHECKING)
    async with card():
        ran = await asyncio.to_thread(tools.programs.run, compiled.executable)
    kind, remark = ending(ran)
    findings = (tools.catalogue.finding(remark[0], None, **remark[1]),) if remark else ()
    stages_ms = {**verdict.stages_ms, "run": round(ran.seconds * 1e3, 3)}
    return replace(verdict, verdict=kind, findings=findings, output=printed(ran), stages_ms=stages_ms)


def ending(ran: Ran) -> tuple[Kind, Remark | None]:
    """How a program ended; what it prints cannot change that."""
    if ran.timed_out:
        return Kind.TIMEOUT, ("program-stopped", {"seconds": PROGRAM_SECONDS})
    if ran.exit_code == 0:
        return Kind.RAN, None
    signal = -ran.exit_code if ran.exit_code < 0 else ran.exit_code - 128
    named = {"signal": _SIGNALS[signal]} if signal in _SIGNALS else {}
    return Kind.RUNTIME_ERROR, ("program-failed", {"code": ran.exit_code, **named})


def printed(ran: Ran) -> str:
    return ran.stdout.decode("utf-8", "replace") + ran.stderr
