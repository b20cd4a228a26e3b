"""The emulator behind the sandbox's door: one submission's cases, one after the other."""

from __future__ import annotations

import dataclasses
import time
from typing import Any

from worker.emulator.request import Buffer, Emulation, Launch, Limits, Pointer, Request
from worker.emulator.run import emulate

_WARM_PTX = """.version 8.0
.target sm_90
.address_size 64
.visible .entry warm(.param .u64 p)
{
    .reg .b64 %rd<3>;
    .reg .f32 %f<2>;
    ld.param.u64 %rd1, [p];
    cvta.to.global.u64 %rd2, %rd1;
    ld.global.f32 %f1, [%rd2];
    st.global.f32 [%rd2], %f1;
    ret;
}
"""


def warm() -> None:
    """Emulate a trifle, so that everything is imported before the doors close."""
    buffer = Buffer("p", "f32", 1, bytes(4))
    emulate(Request(_WARM_PTX, (Launch("warm", (1, 1, 1), (1, 1, 1), 0, (Pointer("p"),)),), (buffer,)))


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Each case's emulation, until one ends badly, shows a fatal observation, or time runs out."""
    stop_at = time.monotonic() + request["seconds"]
    fatal, results = set(request["fatal"]), []
    for case in request["cases"]:
        left = stop_at - time.monotonic()
        if left <= 0:
            break
        ptx = request["counted_ptx"] if case["count"] else request["ptx"]
        emulation = emulate(_request(ptx, case, left))
        results.append(_plain(emulation, case["outputs"], counted=case["count"]))
        if emulation.ending != "finished" or any(seen.id in fatal for seen in emulation.observations):
            break
    return {"results": results}


def _request(ptx: str, case: dict[str, Any], left: float) -> Request:
    launches = tuple(
        Launch(
            launch["kernel"],
            tuple(launch["grid"]),
            tuple(launch["block"]),
            launch["shared_bytes"],
            tuple(Pointer(arg["buffer"]) if isinstance(arg, dict) else arg for arg in launch["args"]),
        )
        for launch in case["launches"]
    )
    buffers = tuple(Buffer(**{**buffer, "shape": tuple(buffer["shape"])}) for buffer in case["buffers"])
    limits = case["limits"]
    allowed = dataclasses.replace(Limits(), **{**limits, "seconds": min(left, limits["seconds"])})
    return Request(ptx, launches, buffers, allowed, count_requests=case["count"])


def _plain(emulation: Emulation, outputs: list[str], *, counted: bool) -> dict[str, Any]:
    return {
        "ending": emulation.ending,
        "reason": emulation.reason,
        "outputs": {name: emulation.outputs[name].tobytes() for name in outputs if name in emulation.outputs},
        "observations": [dataclasses.asdict(seen) for seen in emulation.observations],
        "counts": [_counts(dataclasses.asdict(counts)) for counts in emulation.counts] if counted else [],
        "printed": emulation.printed,
    }


def _counts(counts: dict[str, Any]) -> dict[str, Any]:
    """JSON has no integer keys."""
    return {**counts, "by_line": [[line, figures] for line, figures in counts["by_line"].items()]}
