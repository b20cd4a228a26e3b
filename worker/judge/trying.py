"""A kernel run once on what its author chose: what it wrote, who wrote it, what the hardware would have felt.

It goes the way of a submission (queue, compiler, sandboxed emulator) and stays small: sizes are limited, outputs cut.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from worker.compile import Compiled
from worker.diagnosis import explain
from worker.diagnosis.signature import launch_mistakes, resources
from worker.directives import Plan, Resolved, parse
from worker.emulator.request import Emulation, Watch
from worker.errors import ChildLost, DirectiveError, ExpressionError, ProblemError
from worker.judge.emulator_backend import first_cause
from worker.judge.emulator_request import case_request
from worker.judge.paste import after_paste
from worker.judge.tools import Tools
from worker.judge.tried import Run, what_was_seen
from worker.messages import Message, message
from worker.oracle import Expected, Inputs
from worker.problem import Case, Param, Problem
from worker.problem.element import Array
from worker.problem.model import VALUE_KINDS
from worker.protocol import Backend, CompileReport, Job, Kind, Stage, Tried, Try, Verdict
from worker.service import Say
from worker.triton import is_triton

MOST_ELEMENTS, MOST_THREADS = 1 << 16, 1 << 16
"""Of all arrays together, of all launches together."""


class Refused(Exception):
    """What was asked for cannot be tried; `reason` says why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(str(reason))
        self.reason = reason


async def try_out(job: Job, verdict: Verdict, tools: Tools, say: Say) -> Verdict:
    """The verdict on one run; `Verdict.tried` has what was seen."""
    asked = job.trying
    problem = tools.problems.get(asked.problem) if asked else None
    verdict = replace(verdict, backend=Backend.EMULATOR, card=None)
    if asked is None or problem is None:
        reason = message("worker.unknown-problem", problem=asked.problem if asked else "")
        return _refused(verdict, tools, reason)
    try:
        _check(asked, problem)
        if is_triton(job.source):
            raise Refused(message("try.triton"))
        source, pasted = after_paste(job.source, problem, tools.catalogue)
        if source is None:
            return replace(verdict, verdict=Kind.COMPILE_ERROR, findings=pasted)
        verdict = replace(verdict, adapted=source if pasted else None)
        resolved, plan = _resolved(source, problem, asked)
        inputs, expected = await asyncio.to_thread(_inputs_and_answer, asked, problem, tools)
    except Refused as refused:
        return _refused(verdict, tools, refused.reason)
    except DirectiveError as error:
        finding = tools.catalogue.finding(
            "bad-directive", error.line or None, column=error.column, what=error.message
        )
        return replace(verdict, verdict=Kind.LAUNCH_ERROR, findings=(finding,))
    await say(Stage.COMPILING)
    compiled = await asyncio.to_thread(tools.compiler.compile, source, tools.arch, plan.kernels)
    used = resources(compiled, plan, problem)
    compile_report = CompileReport(compiled.ok, compiled.log, compiled.cached, round(compiled.ms, 3), used)
    verdict = replace(verdict, compile=compile_report)
    findings = (
        launch_mistakes(tools.catalogue, compiled, plan, problem)
        if compiled.ok
        else explain(tools.catalogue, compiled, source, plan.kernels)
    )
    if findings:
        kind = first_cause({kind for one in findings if (kind := tools.catalogue[one.id].verdict)})
        return replace(verdict, verdict=kind, findings=findings)
    await say(Stage.CHECKING)
    seen = await _ran(asked, problem, tools, compiled, inputs, resolved)
    if seen == (None, None):
        return _refused(verdict, tools, message("slow.emulated"), Kind.TIMEOUT)
    try:
        done = what_was_seen(Run(asked, problem, compiled, inputs, expected, resolved, source), tools, *seen)
    except (KeyError, ValueError, IndexError) as error:
        raise ChildLost(f"the emulator's child gave no emulation: {error!r}") from error
    shown, found = await _with_sass(done.tried, tools, compiled), (*pasted, *done.findings)
    return replace(verdict, verdict=done.kind, tried=shown, findings=found, cases=(done.case,), output=done.printed)


def _refused(verdict: Verdict, tools: Tools, reason: Message, kind: Kind = Kind.LAUNCH_ERROR) -> Verdict:
    finding = tools.catalogue.finding("try-refused", None, reason=reason)
    return replace(verdict, verdict=kind, findings=(finding,))


def _check(asked: Try, problem: Problem) -> None:
    names = problem.size_names
    if unknown := asked.sizes.keys() ^ set(names):
        raise Refused(message("try.sizes", names=list(names), found=min(unknown)))
    if any(not 1 <= size <= MOST_ELEMENTS for size in asked.sizes.values()):
        raise Refused(message("try.size", limit=MOST_ELEMENTS))
    if asked.values not in VALUE_KINDS:
        raise Refused(message("try.values", kinds=list(VALUE_KINDS), found=asked.values))
    try:
        elements = sum(param.elements_at(asked.sizes) for param in problem.params if param.pointer)
    except ExpressionError as error:
        raise Refused(error.message) from error
    if not 0 < elements <= MOST_ELEMENTS:
        raise Refused(message("try.elements", limit=MOST_ELEMENTS, found=elements))
    outputs = {one.name: one.elements_at(asked.sizes) for one in problem.outputs}
    if asked.output and not 0 <= asked.element < outputs.get(asked.output, 0):
        raise Refused(message("try.element", names=list(outputs), found=asked.output, index=asked.element))


def _resolved(source: str, problem: Problem, asked: Try) -> tuple[Resolved, Plan]:
    plan = parse(source, problem)
    resolved = plan.resolve(asked.sizes)
    threads = sum(math.prod(launch.grid) * math.prod(launch.block) for launch in resolved.launches)
    if threads > MOST_THREADS:
        raise Refused(message("try.threads", limit=MOST_THREADS, found=threads))
    return resolved, plan


def _inputs_and_answer(asked: Try, problem: Problem, tools: Tools) -> tuple[Inputs, Expected]:
    """Refused for sizes or inputs that are no instance of the problem: more entries than the matrix has room for."""
    try:
        inputs = _inputs(asked, problem, tools)
        return inputs, tools.oracles[problem.slug].expected(inputs)
    except (ValueError, IndexError, ArithmeticError, ProblemError) as error:
        raise Refused(message("try.misfit")) from error


def _inputs(asked: Try, problem: Problem, tools: Tools) -> Inputs:
    inputs = tools.oracles[problem.slug].inputs(Case(0, asked.sizes, asked.values), abs(asked.seed))
    buffers = dict(inputs.buffers)
    for name, numbers in asked.typed.items():
        param = next((one for one in problem.inputs if one.name == name), None)
        if param is None:
            raise Refused(message("try.input", names=[one.name for one in problem.inputs], found=name))
        elements = param.elements_at(asked.sizes)
        if len(numbers) != elements:
            raise Refused(message("try.typed", name=name, wanted=elements, found=len(numbers)))
        buffers[name] = _encoded(param, numbers, asked.sizes)
    return Inputs(inputs.sizes, buffers, inputs.scalars)


def _encoded(param: Param, numbers: Sequence[float], sizes: Mapping[str, int]) -> Array:
    element = param.element
    low, high = -math.inf, math.inf
    if element.family == "integer":
        info = np.iinfo(element.stored)
        low, high = float(info.min), float(info.max)
    if param.range is not None:
        start, end = (one if isinstance(one, float) else one.value(sizes) for one in param.range)
        low, high = max(low, float(start)), min(high, float(end) - (1 if element.family == "integer" else 0))
    if any(
        not math.isfinite(one) or not low <= one <= high or (element.family == "integer" and one != int(one))
        for one in numbers
    ):
        raise Refused(message("try.range", name=param.name))
    values = np.asarray(numbers, np.int64 if element.family == "integer" else np.float64)
    return element.encode(values).reshape(-1)


async def _ran(
    asked: Try, problem: Problem, tools: Tools, compiled: Compiled, inputs: Inputs, resolved: Resolved
) -> tuple[Emulation | None, Emulation | None]:
    """As the card's code, counted; and with every access of the source, checked."""
    wanted = [output.name for output in problem.outputs]
    request = replace(
        case_request(problem, compiled, inputs, resolved, wanted), watch=Watch(asked.output, asked.element)
    )
    counted, checked = await tools.children.emulate(compiled, [request, request])
    tools.faults.add_first(one.fault for one in (counted, checked) if one)
    return counted, checked


async def _with_sass(tried: Tried, tools: Tools, compiled: Compiled) -> Tried:
    if tools.disassembler is None:
        return tried
    return replace(tried, sass=await asyncio.to_thread(tools.disassembler.instructions, compiled.cubin))
