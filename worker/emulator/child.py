"""The emulator as a process of its own: one request on standard input, its emulation on a private descriptor.

Started before the request is there, it has imported everything by the time it reads. It needs no environment, files
or network, gives itself limits, and is meant to run inside a sandbox (worker/sandbox).

    python -m worker.emulator.child DESCRIPTOR [MEGABYTES [SECONDS]]
"""

from __future__ import annotations

import os
import resource
import sys

from worker.emulator.refusal import Malformed
from worker.emulator.request import Emulation
from worker.emulator.run import emulate
from worker.emulator.wire import decode_request, encode_emulation, read_message

DEFAULT_MEGABYTES = 3072
DEFAULT_SECONDS = 90


def limit_resources(megabytes: int, seconds: int) -> None:
    """Address space and processor time end; no core, no file, no further process."""
    for what, amount in (
        (resource.RLIMIT_AS, megabytes << 20),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        _, hard = resource.getrlimit(what)
        wanted = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
        resource.setrlimit(what, (wanted, wanted))


def answer(message: bytes) -> bytes:
    """The emulation of an encoded request, encoded."""
    try:
        request = decode_request(message)
    except Malformed as wrong:
        return encode_emulation(Emulation("malformed", str(wrong), {}, (), (), ""))
    return encode_emulation(emulate(request))


def main(arguments: list[str]) -> int:
    descriptor, megabytes, seconds = (
        *map(int, arguments[:3]),
        *(DEFAULT_MEGABYTES, DEFAULT_SECONDS)[len(arguments) - 1 :],
    )
    limit_resources(megabytes, seconds)
    reply = answer(read_message(sys.stdin.buffer))
    with os.fdopen(descriptor, "wb") as out:
        out.write(reply)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
