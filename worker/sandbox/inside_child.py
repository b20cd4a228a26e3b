"""What runs inside: warm up, close the doors, answer as long as it is asked. A GPU's child closes them first.

A template warms up as well, and its children then do the rest.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import NoReturn, TypeVar

from msgspec.msgpack import Decoder

from worker.sandbox import framing, lockdown
from worker.sandbox.child_command import Order, policy_from_json, startup_paths
from worker.sandbox.policy import Policy

T = TypeVar("T")

_READ_BYTES = 1 << 20


class Channel:
    """The child's end of the talk with its parent, who is believed: only the child's answers are bounded."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._frames = framing.Frames()

    def receive(self, requests: Decoder[T]) -> T | None:
        """The next request; None when the parent went away instead."""
        while (body := self._frames.take(sys.maxsize)) is None:
            part = self._read(_READ_BYTES)
            if not part:
                return None
            self._frames.add(part)
        return requests.decode(body)

    def send(self, message: object) -> None:
        view = memoryview(framing.pack(message))
        while view:
            view = view[self._write(view) :]

    # A locked child has no system call of sockets left: it reads and writes its end as if it were a file.

    def _read(self, count: int) -> bytes:
        return os.read(self._descriptor, count)

    def _write(self, view: memoryview) -> int:
        return os.write(self._descriptor, view)


def main() -> None:
    order, policy = Order(**json.loads(sys.argv[1])), policy_from_json(sys.argv[2])
    if order.parent is not None:
        lockdown.die_with_parent(order.parent)
    if order.forks:
        inside_template = importlib.import_module("worker.sandbox.inside_template")  # it builds on this module
        inside_template.serve(importlib.import_module(order.entry), order.descriptor, policy)
    lockdown.limit(policy)
    entry = importlib.import_module(order.entry)
    channel = Channel(order.descriptor)
    if policy.syscalls == "gpu":
        _serve(entry, channel, order.descriptor, policy)
    entry.warm()
    work(entry, channel, policy)


def work(entry: ModuleType, channel: Channel, policy: Policy) -> NoReturn:
    """Close the doors and answer, until nobody asks any more."""
    lockdown.lock(policy)
    channel.send(framing.READY)
    while (request := channel.receive(entry.REQUESTS)) is not None:
        channel.send(entry.answer(request))
    sys.stdout.flush()
    os._exit(0)


def _serve(entry: ModuleType, channel: Channel, descriptor: int, policy: Policy) -> NoReturn:
    """CUDA starts threads, which Landlock would no longer bind, so the doors close before it is warm.

    The entry talks for itself, as often as it is asked: it also hands over descriptors of device memory.
    """
    driver = (Path("/proc/self"), Path("/proc/driver"), Path("/proc/devices"), Path("/proc/sys/vm"), Path("/sys"))
    names_of_threads = Path("/proc/self/task")  # the driver writes them, and gives up where it may not
    seen = (*policy.readable, *startup_paths(), *driver)
    lockdown.lock(dataclasses.replace(policy, readable=seen, writable=(*policy.writable, names_of_threads)))
    opened = entry.warm()
    channel.send(framing.READY)
    entry.serve(opened, descriptor)
    os._exit(0)
