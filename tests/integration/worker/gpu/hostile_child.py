"""A GPU child without a card: it answers as often as it is asked, and tries what it must not."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from msgspec import Struct
from msgspec.msgpack import Decoder

from worker.gpu.child_loop import WithDescriptors
from worker.gpu.child_loop import serve as serve_requests


class Count(Struct, frozen=True, tag=True):
    """How often was it asked?"""


class Read(Struct, frozen=True, tag=True):
    path: str


class Fork(Struct, frozen=True, tag=True):
    """A process of its own."""


class Die(Struct, frozen=True, tag=True):
    """By a signal of its own making, as the driver's printf does."""

    signal: int


class HandOver(Struct, frozen=True, tag=True):
    """As device memory is: a descriptor that another process may use."""


class Take(Struct, frozen=True, tag=True):
    """What lies behind the descriptor that comes beside?"""


class Got(Struct, frozen=True, tag=True):
    number: int = 0
    data: bytes = b""


class Refused(Struct, frozen=True, tag=True):
    error: str


Asked = Count | Read | Fork | Die | HandOver | Take
REQUESTS: Decoder[Asked] = Decoder(Asked)


class Child:
    def __init__(self) -> None:
        self._asked = 0

    def answer(self, request: Asked, descriptors: list[int]) -> Got | Refused | WithDescriptors:
        try:
            return self._attempt(request, descriptors)
        except OSError as error:
            return Refused(type(error).__name__)

    def _attempt(self, request: Asked, descriptors: list[int]) -> Got | WithDescriptors:
        match request:
            case Count():
                self._asked += 1
                return Got(self._asked)
            case Read():
                return Got(data=Path(request.path).read_bytes())
            case Fork():
                return Got(_forked())
            case Die():
                signal.raise_signal(request.signal)
                return Got()
            case HandOver():
                handle = os.memfd_create("memory")
                os.write(handle, b"device memory")
                return WithDescriptors(Got(), [handle])
            case Take():
                return Got(data=os.pread(descriptors[0], 100, 0))


def _forked() -> int:
    child = os.fork()
    if child == 0:
        os._exit(0)
    return child


def warm() -> Child:
    return Child()


def serve(child: Child, descriptor: int) -> None:
    serve_requests(descriptor, REQUESTS, child.answer)
