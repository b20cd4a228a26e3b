"""Kernels that the emulator refuses by name, each with one thing wrong: compute-sanitizer has to find it."""

from __future__ import annotations

from dataclasses import dataclass

from worker.protocol import Verdict

_ADD = "__global__ void __cluster_dims__(1, 1, 1) vector_add(const float* a, const float* b, float* c, int n) {"
_INDEX = "    int i = blockIdx.x * blockDim.x + threadIdx.x;"


@dataclass(frozen=True)
class Bug:
    """A kernel with a cluster, which the emulator refuses by name, and one thing wrong with it."""

    name: str
    verdict: str
    finding: str
    body: tuple[str, ...]
    lines: tuple[int, ...]
    """Where it may be found: of the whole source, counted from 1."""

    @property
    def source(self) -> str:
        return "\n".join([_ADD, _INDEX, *self.body, "}", ""])

    def explained(self, verdict: Verdict) -> bool:
        """By name and at a line that it may be found at."""
        at = {(finding.id, finding.line) for finding in verdict.findings}
        return verdict.verdict.value == self.verdict and any((self.finding, line) in at for line in self.lines)


BUGS = (
    Bug("no bounds check", "memory_error", "out-of-bounds", ("    c[i] = a[i] + b[i];",), (3,)),
    Bug(
        "no barrier", "race", "race-shared",
        (
            "    __shared__ float tile[256];",
            "    tile[threadIdx.x] = i < n ? a[i] : 7.0f;",
            "    if (i < n) c[i] = tile[threadIdx.x ^ 32] + b[i];",
        ),
        (4, 5),
    ),
    Bug("adds to the unset", "uninitialized", "uninitialized-global", ("    if (i < n) c[i] += a[i];",), (3,)),
    Bug(
        "a barrier for some", "barrier", "divergent-barrier",
        ("    if (threadIdx.x < 40) __syncthreads();", "    if (i < n) c[i] = a[i] - b[i];"),
        (3,),
    ),
)  # fmt: skip
