"""The emulator behind the sandbox's door: cases of one submission, one after the other."""

from __future__ import annotations

import dataclasses
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
    """One case's emulation. What the PTX was translated to is kept for the next."""
    case = request["case"]
    emulation = emulate(_request(request["ptx"].decode(), case))
    return _plain(emulation, case["outputs"], counted=case["count"])


def _request(ptx: str, case: dict[str, Any]) -> Request:
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
    allowed = dataclasses.replace(Limits(), **case["limits"])
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
