"""A GPU child's talk with its parent: requests answered one after another, descriptors of memory beside them."""

from __future__ import annotations

import ctypes
import os
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from worker.gpu.driver import CudaError
from worker.sandbox import wire
from worker.sandbox.child import LENGTH

MAX_DESCRIPTORS = 4


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer with descriptors, which are closed once sent."""

    body: Mapping[str, Any]
    descriptors: Sequence[int] = ()


Handler = Callable[..., Mapping[str, Any] | Reply]


def serve(descriptor: int, handlers: Mapping[str, Handler]) -> None:
    """Until the parent hangs up. A CUDA error is an answer; any other ends the child."""
    with socket.socket(fileno=descriptor) as channel:
        while (request := _receive(channel)) is not None:
            message, descriptors = request
            do = handlers[message.pop("do")]
            try:
                reply = do(**message, descriptors=descriptors) if descriptors else do(**message)
            except CudaError as error:
                reply = {"failed": {"code": error.code, "name": error.name}}
            ctypes.CDLL(None).fflush(None)  # device printf goes through C's buffer
            _send(channel, reply if isinstance(reply, Reply) else Reply(reply))


def _receive(channel: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    head, descriptors = _exactly(channel, LENGTH.size)
    if not head:
        return None
    frame, more = _exactly(channel, LENGTH.unpack(head)[0])
    return (wire.unpack(frame), descriptors + more) if frame else None


def _exactly(channel: socket.socket, count: int) -> tuple[bytes, list[int]]:
    """Nothing when the parent is gone."""
    parts, missing, descriptors = bytearray(), count, list[int]()
    while missing:
        part, received, _, _ = socket.recv_fds(channel, min(missing, 1 << 20), MAX_DESCRIPTORS)
        descriptors += received
        if not part:
            return b"", descriptors
        parts += part
        missing -= len(part)
    return bytes(parts), descriptors


def _send(channel: socket.socket, reply: Reply) -> None:
    frame = wire.pack(reply.body)
    view = memoryview(LENGTH.pack(len(frame)) + frame)
    try:
        view = view[socket.send_fds(channel, [view], reply.descriptors) :]
    finally:
        for descriptor in reply.descriptors:
            os.close(descriptor)
    if view:
        channel.sendall(view)
