"""One small case with every buffer in an allocation of its own: what compute-sanitizer is pointed at.

Runs as a program inside the sandbox; reads its order from a file, prints nothing. Only inputs are written, so that
a read of anything else is a read of memory without a value.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec
from cuda.bindings import driver
from msgspec.structs import replace

from worker.gpu.driver import CudaError, Modules, call, launch, open_device, open_stream, upload
from worker.gpu.wire import At, BareBuffer, Bits, Examination, Launch


def main() -> None:
    order = msgspec.msgpack.decode(Path(sys.argv[1]).read_bytes(), type=Examination)
    open_device()
    stream = open_stream()
    addresses = {buffer.offset: _allocated(buffer) for buffer in order.buffers}
    modules = Modules(order.modules)
    with contextlib.suppress(CudaError):  # the sanitizer tells of it
        for one in order.launches:
            launch(modules[one.module], _placed(one, addresses), 0, stream)
            call(driver.cuStreamSynchronize(stream))


def _allocated(buffer: BareBuffer) -> int:
    address = int(call(driver.cuMemAlloc(max(1, buffer.size))))
    if buffer.data:
        upload(address, buffer.data)
    return address


def _placed(one: Launch, addresses: Mapping[int, int]) -> Launch:
    args = [Bits(addresses[arg.offset].to_bytes(8, "little")) if isinstance(arg, At) else arg for arg in one.args]
    return replace(one, args=tuple(args))


if __name__ == "__main__":
    main()
