"""How near do the right solutions come to what the card can do? One table, also against cuBLAS.

Runs on a GPU machine from the repository root: `python bench/problems_h200.py [--only SLUG ...] [--out FOLDER]`.
Every solution is checked against judge.cu on fresh random inputs before and after it is timed; each timed run gets
new inputs, poisoned outputs and a flushed L2 cache. The median of 20 runs counts. Only the cuBLAS baseline needs
torch.
"""

from __future__ import annotations

import argparse
import ctypes
import datetime
import importlib.util
import json
import statistics
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cuda.bindings import driver
from gpu_card import Card, Module, call, compile_module, launch, number

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from worker.directives import Buffer, ConcreteLaunch, Resolved, Scalar, parse, parse_judge  # noqa: E402
from worker.oracle import growth_random  # noqa: E402
from worker.problem import Bench, Param, Problem, load_all  # noqa: E402
from worker.problem.element import ELEMENTS  # noqa: E402

RUNS = 20
SLOW_US = 30_000.0
"""A solution slower than this shows its point in three runs."""
SCALAR = 0.75

C_TYPES = {"i8": "signed char", "i32": "int", "f32": "float", "f16": "half", "u32": "unsigned", "i64": "long long"}


@dataclass(frozen=True)
class Row:
    problem: str
    sizes: Mapping[str, int]
    solution: str
    right: bool
    median_us: float
    spread: float
    gb_per_s: float
    gflop_per_s: float
    attainable: float
    cublas: float | None
    judging_us: float
    """What judge.cu takes for the expected values, once per checked run."""


class Shape:
    """One problem at one timed shape: its buffers, its inputs, its expected values."""

    def __init__(self, card: Card, problem: Problem, bench: Bench) -> None:
        self.card, self.problem, self.bench = card, problem, bench
        self.buffers: dict[str, Any] = {}
        self.bytes: dict[str, int] = {}
        for param in problem.params:
            if param.pointer:
                self.add(param.name, param.elements_at(bench.sizes) * param.element.bytes)
        for output in problem.outputs:
            elements = output.elements_at(bench.sizes)
            whole = output.element.family == "integer"
            self.add(f"expected_{output.name}", elements * (output.element.bytes if whole else 8))
            self.add(f"magnitude_{output.name}", elements * 8)
        source = problem.judge_file.read_text(encoding="utf-8")
        plan = parse_judge(source, problem)
        self._fills = {p.name: f"fill_{p.name}" for p in problem.inputs if f" fill_{p.name}(" in source}
        self._has_magnitude = {o.name for o in problem.outputs if f"magnitude_{o.name}" in source}
        self._judge = compile_module(source, card.arch, [*plan.kernels, *self._fills.values()])
        self._judging = plan.resolve(bench.sizes)
        for scratch in self._judging.scratch:
            self.add(scratch.name, scratch.bytes)
        self.add("wrong", 8)

    def add(self, name: str, size: int) -> None:
        self.buffers[name], self.bytes[name] = call(driver.cuMemAlloc(max(size, 256))), size

    def close(self) -> None:
        for pointer in self.buffers.values():
            call(driver.cuMemFree(pointer))

    def prepare(self, seed: int) -> None:
        """Fresh inputs, poisoned outputs."""
        for output in self.problem.outputs:
            call(driver.cuMemsetD8(self.buffers[output.name], 0xFB, self.bytes[output.name]))
        for place, param in enumerate(self.problem.inputs):
            elements = ctypes.c_uint64(param.elements_at(self.bench.sizes))
            args = [ctypes.c_uint64(int(self.buffers[param.name])), elements, ctypes.c_uint64(seed * 977 + place)]
            launch(self.filler(param), (4096, 1, 1), (256, 1, 1), 0, args)

    def expect(self) -> None:
        self.reset_scratch(self._judging)
        self.run(self._judge, self._judging)

    def run(self, module: Module, resolved: Resolved) -> None:
        for line in resolved.launches:
            function = module.functions[line.kernel]
            launch(function, line.grid, line.block, line.shared_bytes, self._args(function, line))

    def reset_scratch(self, resolved: Resolved) -> None:
        for scratch in resolved.scratch:
            call(driver.cuMemsetD8(self.buffers[scratch.name], 0 if scratch.zero else 0xFB, max(scratch.bytes, 1)))

    def wrong(self) -> int:
        """Elements of any output that are not shown to be right."""
        call(driver.cuMemsetD8(self.buffers["wrong"], 0, 8))
        for output in self.problem.outputs:
            share, floor = self._bound(output)
            kind = C_TYPES[output.ctype]
            magnitude = self.buffers[f"magnitude_{output.name}"] if output.name in self._has_magnitude else 0
            pointers = [self.buffers[output.name], self.buffers[f"expected_{output.name}"], magnitude]
            args = [
                *(ctypes.c_uint64(int(p)) for p in pointers),
                ctypes.c_uint64(output.elements_at(self.bench.sizes)),
                ctypes.c_double(share),
                ctypes.c_double(floor),
                ctypes.c_uint64(int(self.buffers["wrong"])),
            ]
            tally = self.card.tool(f"tally<{kind}, {'double' if output.element.family == 'float' else kind}>")
            launch(tally, (4096, 1, 1), (256, 1, 1), 0, args)
        count = ctypes.c_uint64()
        call(driver.cuMemcpyDtoH(ctypes.addressof(count), self.buffers["wrong"], 8))
        return count.value

    def _bound(self, output: Param) -> tuple[float, float]:
        """What worker.oracle.bound allows for random values, as a share of the size and a constant."""
        check = self.problem.check
        if check.rule == "exact":
            return 0.0, 0.0
        growth = growth_random(check.operations.value(self.bench.sizes))
        share = ELEMENTS["f32"].eps * growth
        return (-share * check.scale if check.rule == "absolute" else share), output.element.smallest * growth

    def filler(self, param: Param) -> Any:
        if param.name in self._fills:
            return self._judge.functions[self._fills[param.name]]
        return self.card.tool(f"fill<{C_TYPES[param.ctype]}>")

    def _scalar(self, param: Param) -> float:
        """The middle of its range, where it has one."""
        if param.range is None:
            return SCALAR
        ends = (end if isinstance(end, float) else end.value(self.bench.sizes) for end in param.range)
        return statistics.mean(ends)

    def _args(self, function: Any, line: ConcreteLaunch) -> list[Any]:
        values: list[Any] = []
        for index, arg in enumerate(line.args):
            if isinstance(arg, Buffer):
                values.append(ctypes.c_uint64(int(self.buffers[arg.name])))
            elif isinstance(arg, Scalar):
                values.append(ctypes.c_float(self._scalar(self.problem.param(arg.name))))
            else:
                values.append(number(function, index, arg))
        return values


def measure(shape: Shape, source: str) -> tuple[bool, list[float]]:
    """Right before and after the timing, and the times."""
    plan = parse(source, shape.problem)
    module, resolved = compile_module(source, shape.card.arch, list(plan.kernels)), plan.resolve(shape.bench.sizes)
    own = [scratch.name for scratch in resolved.scratch]
    taken = {name: shape.buffers[name] for name in own if name in shape.buffers}
    for scratch in resolved.scratch:
        shape.add(scratch.name, scratch.bytes)

    def once(seed: int) -> float:
        shape.prepare(seed)
        shape.reset_scratch(resolved)
        return shape.card.time_us(lambda: shape.run(module, resolved))

    def checked(seed: int) -> tuple[bool, float]:
        took = once(seed)
        mine = {name: shape.buffers[name] for name in own}
        shape.buffers.update(taken)
        expected_inputs(shape, seed)
        right = shape.wrong() == 0
        shape.buffers.update(mine)
        return right, took

    try:
        first, took = checked(1)
        times = [once(seed) for seed in range(2, 2 + (RUNS if took < SLOW_US else 3))]
        last, _ = checked(99)
    finally:
        for name in own:
            call(driver.cuMemFree(shape.buffers[name]))
            shape.buffers.pop(name)
        shape.buffers.update(taken)
    return first and last, times


def expected_inputs(shape: Shape, seed: int) -> None:
    """Expected values from pristine inputs: what a solution wrote into an inout parameter is kept aside."""
    kept = [output for output in shape.problem.outputs if output.role == "inout"]
    for output in kept:
        call(
            driver.cuMemcpyDtoD(
                shape.buffers[f"aside_{output.name}"], shape.buffers[output.name], shape.bytes[output.name]
            )
        )
        args = [
            ctypes.c_uint64(int(shape.buffers[output.name])),
            ctypes.c_uint64(output.elements_at(shape.bench.sizes)),
            ctypes.c_uint64(seed * 977 + shape.problem.inputs.index(output)),
        ]
        launch(shape.filler(output), (4096, 1, 1), (256, 1, 1), 0, args)
    shape.expect()
    for output in kept:
        call(
            driver.cuMemcpyDtoD(
                shape.buffers[output.name], shape.buffers[f"aside_{output.name}"], shape.bytes[output.name]
            )
        )


def cublas_us(card: Card, slug: str, sizes: Mapping[str, int]) -> float | None:
    """The same product by cuBLAS, timed the same way; None for other problems or without torch."""
    if slug not in {"matmul", "hgemm"} or importlib.util.find_spec("torch") is None:
        return None
    import torch  # a baseline only

    torch.backends.cuda.matmul.allow_tf32 = False
    kind = torch.float32 if slug == "matmul" else torch.float16
    left = torch.rand(sizes["m"], sizes["k"], device="cuda").mul(2).sub(1).to(kind)
    right = torch.rand(sizes["n"], sizes["k"], device="cuda").mul(2).sub(1).to(kind).T
    right = right.contiguous() if slug == "matmul" else right
    for _ in range(3):
        torch.matmul(left, right)
    return statistics.median(card.time_us(lambda: torch.matmul(left, right)) for _ in range(RUNS))


def rows_of(card: Card, problem: Problem, sources: Mapping[str, str], peaks: Mapping[str, float]) -> Iterator[Row]:
    for bench in problem.bench:
        shape = Shape(card, problem, bench)
        for output in problem.outputs:
            if output.role == "inout":
                shape.add(f"aside_{output.name}", shape.bytes[output.name])
        shape.prepare(0)
        judging_us = round(card.time_us(shape.expect), 1)
        baseline = cublas_us(card, problem.slug, bench.sizes)
        moved, flops = bench.bytes.value(bench.sizes), bench.flops.value(bench.sizes)
        floor_us = max(moved / peaks["copy_gb_per_s"], flops / peaks[bench.peak]) / 1e3
        for name, source in sources.items():
            try:
                right, times = measure(shape, source)
            except RuntimeError as error:
                print(f"{problem.slug} {name}: {error}", flush=True)
                raise
            median = statistics.median(times)
            ordered = sorted(times)
            spread = (ordered[len(times) * 9 // 10] - ordered[len(times) // 10]) / median
            yield Row(
                problem.slug,
                dict(bench.sizes),
                name,
                right,
                round(median, 2),
                round(spread, 4),
                round(moved / median / 1e3, 1),
                round(flops / median / 1e3, 1),
                round(floor_us / median, 4),
                round(baseline / median, 4) if baseline else None,
                judging_us,
            )
        shape.close()


def tensor_peak(card: Card) -> float:
    """The best half-precision product that cuBLAS makes, GFLOP/s: the card's attainable tensor-core rate."""
    size = 8192
    took = cublas_us(card, "hgemm", {"m": size, "n": size, "k": size})
    return 2 * size**3 / took / 1e3 if took else float("inf")


def table(rows: list[Row]) -> str:
    lines = [
        "| problem | sizes | solution | right | us | spread | GB/s | GFLOP/s | of attainable | of cuBLAS |",
        "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in rows:
        sizes = " ".join(f"{name}={size}" for name, size in row.sizes.items())
        cublas = f"{row.cublas:.1%}" if row.cublas else ""
        lines.append(
            f"| {row.problem} | {sizes} | {row.solution} | {'yes' if row.right else 'NO'} | {row.median_us:.1f} "
            f"| {row.spread:.1%} | {row.gb_per_s:.0f} | {row.gflop_per_s:.0f} | {row.attainable:.1%} | {cublas} |"
        )
    return "\n".join(lines)


def driver_version() -> str:
    try:
        text = Path("/proc/driver/nvidia/version").read_text(encoding="utf-8")
        return next(word for word in text.split() if word[:1].isdigit() and word.count(".") >= 1)
    except (OSError, StopIteration):
        return f"CUDA {call(driver.cuDriverGetVersion())}"


def sources_of(problem: Problem, extra: Path | None) -> dict[str, str]:
    """The right solutions, then candidates `<slug>.<name>.cu` of the extra folder."""
    files = [path for path in problem.solutions("right") if path.suffix == ".cu"]
    files += sorted(extra.glob(f"{problem.slug}.*.cu")) if extra else []
    return {file.stem.removeprefix(f"{problem.slug}."): file.read_text(encoding="utf-8") for file in files}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", help="slugs; all problems by default")
    parser.add_argument("--extra", type=Path, help="a folder of further candidates, <slug>.<name>.cu")
    parser.add_argument("--out", type=Path, default=ROOT / "bench" / "results")
    options = parser.parse_args()
    card = Card()
    peaks = {"copy_gb_per_s": card.copy_gb_per_s(), "float": card.fma_gflop_per_s(), "half_tensor": tensor_peak(card)}
    print({name: round(value) for name, value in peaks.items()}, flush=True)
    rows: list[Row] = []
    for slug, problem in load_all(ROOT / "content" / "problems").items():
        if options.only and slug not in options.only:
            continue
        for row in rows_of(card, problem, sources_of(problem, options.extra), peaks):
            rows.append(row)
            print(table([row]).splitlines()[-1], flush=True)
        record(options.out, card, peaks, rows)


def record(out: Path, card: Card, peaks: Mapping[str, float], rows: list[Row]) -> None:
    """Write what has been measured by now: a run that is cut short loses nothing."""
    facts = {
        "card": card.name,
        "driver": driver_version(),
        "date": str(datetime.datetime.now(datetime.UTC).date()),
        "peaks": {name: round(value, 1) for name, value in peaks.items()},
    }
    out.mkdir(parents=True, exist_ok=True)
    document = json.dumps({**facts, "rows": [asdict(row) for row in rows]}, indent=1)
    (out / "problems-h200.json").write_text(document + "\n", encoding="utf-8")
    head = (
        f"# The right solutions on {card.name}\n\nDriver {facts['driver']}, {facts['date']}. Copy "
        f"{peaks['copy_gb_per_s']:.0f} GB/s, FMA {peaks['float'] / 1e3:.1f} TFLOP/s, half-precision product by "
        f"cuBLAS {peaks['half_tensor'] / 1e3:.0f} TFLOP/s. Made by `bench/problems_h200.py`.\n\n"
    )
    (out / "problems-h200.md").write_text(head + table(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
