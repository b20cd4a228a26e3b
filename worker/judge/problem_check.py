"""Is a problem fit for members? Everything that can be found out without a GPU, one fault after the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from worker.directives import parse
from worker.errors import DirectiveError, ProblemError
from worker.judge.flow import judge
from worker.judge.judge_cu_check import judge_faults
from worker.judge.tools import Tools
from worker.oracle import Oracle
from worker.oracle.separation import accepted_cheats, ignored_inputs
from worker.problem import Problem
from worker.problem.lint import NEEDS_GPU, Fault, lint, stated_verdict
from worker.protocol import Backend, Form, Job, Kind, Stage, Verdict


async def check_problem(problem: Problem, tools: Tools) -> AsyncIterator[Fault]:
    """Check a problem, the cheapest questions first."""
    for fault in check_at_rest(problem, tools.oracles[problem.slug]):
        yield fault
    if problem.judge_file.is_file():
        async for fault in judge_faults(problem, tools):
            yield fault
    async for fault in _of_solutions(problem, tools):
        yield fault


def check_at_rest(problem: Problem, oracle: Oracle) -> Iterator[Fault]:
    """What can be found out in a second, without compiling or running a kernel."""
    yield from lint(problem)
    yield from _of_launches(problem)
    yield from _of_oracle(problem, oracle)


def _of_launches(problem: Problem) -> Iterator[Fault]:
    """Launch lines that do not compute for a shape of the problem, and such as do though they promise not to."""
    shapes = [case.sizes for case in problem.cases()] + [bench.sizes for bench in problem.bench]
    solutions = (*problem.solutions("right"), *problem.solutions("wrong"))
    for path in (problem.folder / "starter.cu", *(path for path in solutions if path.suffix == ".cu")):
        promised = "wrong" in path.parts and stated_verdict(path) is Kind.LAUNCH_ERROR
        try:
            plan = parse(path.read_text(encoding="utf-8"), problem)
            resolved = [plan.resolve(sizes) for sizes in shapes]
        except DirectiveError as error:
            if not promised:
                yield Fault(path, f"{error}")
            continue
        if promised or not all(one.launches for one in resolved):
            what = "launches well though it promises a launch_error" if promised else "launches nothing"
            yield Fault(path, f"{what}: mend its //! lines")


def _of_oracle(problem: Problem, oracle: Oracle) -> list[Fault]:
    settings = problem.folder / "problem.toml"
    try:
        faults = [
            Fault(problem.reference_file, f"no output changes with {name}: use it, or choose other values or sizes")
            for name in ignored_inputs(problem, oracle)
        ]
        return faults + [
            Fault(settings, f"every small case accepts {what}: narrow [check] or add a case that tells them apart")
            for what in accepted_cheats(problem, oracle)
        ]
    except ProblemError as error:
        return [Fault(error.file, str(error))]


async def _of_solutions(problem: Problem, tools: Tools) -> AsyncIterator[Fault]:
    verdict = await _judged(problem, tools, problem.starter(), Backend.COMPILE)
    if verdict.verdict is not Kind.COMPILED:
        yield Fault(problem.folder / "starter.cu", f"gets {_said(verdict)}: a member begins with code that compiles")
    if (file := problem.triton_starter_file) and tools.triton:
        verdict = await _judged(problem, tools, file.read_text(encoding="utf-8"), Backend.COMPILE)
        if verdict.verdict is not Kind.COMPILED:
            yield Fault(file, f"gets {_said(verdict)}: a member begins with code that compiles")
    for path in (*problem.solutions("right"), *problem.solutions("wrong")):
        if path.suffix == ".py" and not tools.triton:
            continue
        right = path.parent.name == "right"
        stated = Kind.ACCEPTED if right else stated_verdict(path)
        source = path.read_text(encoding="utf-8")
        verdict = await _judged(problem, tools, source, Backend.EMULATOR)
        if verdict.verdict is Kind.UNSUPPORTED and NEEDS_GPU in source:
            continue
        if stated is not None and verdict.verdict is not stated:
            yield Fault(path, f"gets {_said(verdict)} instead of {stated}: mend it, the cases or [check]")


async def _judged(problem: Problem, tools: Tools, source: str, backend: Backend) -> Verdict:
    return await judge(Job("check", Form.KERNEL, source, problem.slug, backend), tools, _silent)


async def _silent(stage: Stage) -> None:
    """Nobody waits for a sign of progress."""


def _said(verdict: Verdict) -> str:
    first = f" ({verdict.findings[0].message['en']})" if verdict.findings else ""
    return f"{verdict.verdict}{first}"
