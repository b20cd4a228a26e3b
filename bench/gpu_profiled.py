"""One solution's kernels at the problem's first large shape, alone in a process: what a profiler is pointed at.

ncu --clock-control none python bench/gpu_profiled.py vector_add content/problems/vector_add/solutions/right/simple.cu
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from worker.compile import open_compiler  # noqa: E402
from worker.directives import parse  # noqa: E402
from worker.gpu.driver import Arena, Module, launch, open_device, open_stream, upload  # noqa: E402
from worker.gpu.layout import LARGE_GUARD, launches, lay_out, shared_bytes  # noqa: E402
from worker.problem import load  # noqa: E402
from worker.sandbox import choose  # noqa: E402

RUNS = 7
TILE_BYTES = 64 << 20


def main(slug: str, path: Path, arch: str) -> None:
    problem = load(ROOT / "content" / "problems" / slug)
    source = path.read_text(encoding="utf-8")
    plan = parse(source, problem)
    with open_compiler(choose(), None) as compiler:
        compiled = compiler.compile(source, arch, plan.kernels)
    sizes = problem.bench[0].sizes
    resolved = plan.resolve(sizes)
    arrays = {p.name: p.elements_at(sizes) * p.element.bytes for p in problem.params if p.pointer}
    layout = lay_out({**arrays, **{buffer.name: buffer.bytes for buffer in resolved.scratch}}, LARGE_GUARD)
    scalars = {param.name: 0.75 for param in problem.params if param.role == "scalar"}
    steps = launches(compiled, resolved, layout, problem, scalars)

    device = open_device()
    stream, arena = open_stream(), Arena.create(layout.bytes, device)
    tile = np.random.default_rng(1).uniform(-1, 1, TILE_BYTES // 4).astype(np.float32).tobytes()
    for param in problem.inputs:
        place = layout[param.name]
        for at in range(place.offset, place.end, TILE_BYTES):
            upload(arena.address + at, tile[: min(TILE_BYTES, place.end - at)])
    module = Module(compiled.cubin, shared_bytes(steps))
    for _ in range(RUNS):
        for one in steps:
            launch(module, one, arena.address, stream)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(print(__doc__))
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "sm_90a")
