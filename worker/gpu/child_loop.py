"""A GPU child's talk with its parent: requests answered one after another, descriptors of memory beside them."""

from __future__ import annotations

import ctypes
import os
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from msgspec.msgpack import Decoder

from worker.gpu.driver import CudaError
from worker.gpu.wire import DriverFailure
from worker.sandbox.framing import MAX_DESCRIPTORS
from worker.sandbox.inside_child import Channel

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WithDescriptors:
    """An answer and the descriptors beside it, which are closed once sent."""

    answer: object
    descriptors: Sequence[int]


class DeviceChannel(Channel):
    """A channel that keeps the descriptors which come with a request, and sends some with an answer."""

    def __init__(self, channel: socket.socket) -> None:
        super().__init__(channel.fileno())
        self._channel = channel
        self._came: list[int] = []
        self._going: Sequence[int] = ()

    def take_descriptors(self) -> list[int]:
        taken, self._came = self._came, []
        return taken

    def send_with(self, message: object, descriptors: Sequence[int]) -> None:
        self._going = descriptors
        try:
            self.send(message)
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def _read(self, count: int) -> bytes:
        part, descriptors, _, _ = socket.recv_fds(self._channel, count, MAX_DESCRIPTORS)
        self._came += descriptors
        return part

    def _write(self, view: memoryview) -> int:
        """Descriptors travel with the first bytes."""
        going, self._going = self._going, ()
        return socket.send_fds(self._channel, [view], going)


def serve(descriptor: int, requests: Decoder[T], answer: Callable[[T, list[int]], object]) -> None:
    """Answer requests until the parent hangs up. A CUDA error is an answer; any other ends the child."""
    with socket.socket(fileno=descriptor) as opened:
        channel = DeviceChannel(opened)
        while (request := channel.receive(requests)) is not None:
            try:
                reply = answer(request, channel.take_descriptors())
            except CudaError as error:
                reply = DriverFailure(error.code, error.name)
            ctypes.CDLL(None).fflush(None)  # device printf goes through C's buffer
            if isinstance(reply, WithDescriptors):
                channel.send_with(reply.answer, reply.descriptors)
            else:
                channel.send(reply)
