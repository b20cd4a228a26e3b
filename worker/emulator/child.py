"""The emulator behind the sandbox's door: cases of one submission, one after the other."""

from __future__ import annotations

from msgspec.msgpack import Decoder

from worker.emulator.request import Buffer, Emulation, Launch, Pointer, Request
from worker.emulator.run import emulate

REQUESTS = Decoder(Request)

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


def answer(request: Request) -> Emulation:
    """One case's emulation. What the PTX was translated to is kept for the next."""
    return emulate(request)
