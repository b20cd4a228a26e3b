"""One solution in Triton as its own program: `python bench/triton_alone.py PROBLEM FILE`, on a machine with a card.

Triton itself compiles and launches the kernels, at every timed shape of the problem, and `triton.testing.do_bench`
takes the time; nothing of the judge runs. Prints a list with the median of each shape in microseconds. Needs PyTorch.
bench/gpu_judge.py sets it beside the judge's own time.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from worker.directives import Buffer, Scalar  # noqa: E402 - found only with the path above
from worker.problem import Problem, load_all  # noqa: E402
from worker.triton import member_module  # noqa: E402
from worker.triton.binding import bind  # noqa: E402
from worker.triton.launches import read_directives  # noqa: E402
from worker.triton.plan import Launches, Pending  # noqa: E402
from worker.triton.wire import Dtype  # noqa: E402

WARM_MS, TIMED_MS = 100, 400
TYPES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}
TYPES |= {"i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64"}
TYPES |= {"u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64"}
"""PyTorch's names."""

ANY_NUMBER = 0.5
"""For a parameter that is a number of its own."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("problem")
    parser.add_argument("file", type=Path)
    chosen = parser.parse_args()
    problem = load_all(ROOT / "content" / "problems")[chosen.problem]
    kernels = member_module.functions(vars(loaded(chosen.file)))
    functions = [member_module.described(name, *kernel) for name, kernel in kernels.items()]
    directives = read_directives(chosen.file.read_text(encoding="utf-8"), problem)
    launches = Launches(problem, directives, tuple(bind(line, functions) for line in directives.launches))
    jitted = {name: kernel for name, (kernel, _) in kernels.items()}
    print(json.dumps([timed_us(problem, launches, jitted, dict(bench.sizes)) for bench in problem.bench]))


def loaded(file: Path) -> ModuleType:
    """The solution, imported as any module."""
    spec = importlib.util.spec_from_file_location("kernel", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def timed_us(problem: Problem, launches: Launches, jitted: Mapping[str, Any], sizes: Mapping[str, int]) -> float:
    """The median over all launches of the shape together, its arrays random."""
    from triton.testing import do_bench

    arrays = tensors(problem, launches, sizes)
    calls = [call_of(jitted[one.what.kernel], one, arrays) for one in launches.at(sizes) if 0 not in one.grid]

    def launch_all() -> None:
        for call in calls:
            call()

    return round(do_bench(launch_all, warmup=WARM_MS, rep=TIMED_MS, return_mode="median") * 1e3, 3)


def tensors(problem: Problem, launches: Launches, sizes: Mapping[str, int]) -> dict[str, Any]:
    import torch

    found = {}
    for param in (param for param in problem.params if param.pointer):
        kind = getattr(torch, TYPES[param.ctype])
        made = torch.empty(param.shape_at(sizes), dtype=kind, device="cuda")
        found[param.name] = made.uniform_(-1, 1) if kind.is_floating_point else made.random_(0, 100)
    for scratch in launches.scratch_at(sizes):
        kind = getattr(torch, TYPES[scratch.ctype])
        found[scratch.name] = torch.zeros(scratch.elements, dtype=kind, device="cuda")
    return found


def call_of(kernel: Any, one: Pending, arrays: Mapping[str, Any]) -> Callable[[], None]:
    """The launch as Triton's own users write it."""
    constants, args = dict(one.what.constants), iter(one.args)
    given = {
        name: _constant(constants[name]) if name in constants else _passed(next(args), arrays)
        for name, _ in one.what.signature
    }
    options = {"num_warps": one.what.num_warps, "num_stages": one.what.num_stages}
    return lambda: kernel[one.grid](**given, **options)


def _constant(value: Any) -> Any:
    import triton.language as tl

    return getattr(tl, value.name) if isinstance(value, Dtype) else value


def _passed(argument: Buffer | Scalar | int | float, arrays: Mapping[str, Any]) -> Any:
    if isinstance(argument, Buffer):
        return arrays[argument.name]
    return ANY_NUMBER if isinstance(argument, Scalar) else argument


if __name__ == "__main__":
    main()
