"""What runs inside: warm up, close the doors, answer as long as it is asked. A GPU's child closes them first."""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import struct
import sys
from pathlib import Path
from typing import Any, NoReturn

from worker.sandbox import lockdown, wire
from worker.sandbox.policy import Policy
from worker.sandbox.python import Order, policy_from_json, startup_paths

LENGTH = struct.Struct("<Q")


def main() -> None:
    order, policy = Order(**json.loads(sys.argv[1])), policy_from_json(sys.argv[2])
    if order.parent is not None:
        lockdown.die_with_parent(order.parent)
    lockdown.limit(policy)
    entry: Any = importlib.import_module(order.entry)
    if policy.syscalls == "gpu":
        _serve(entry, order, policy)
    entry.warm()
    lockdown.lock(policy)
    _send(order.descriptor, {"ready": True})
    while (request := _receive(order.descriptor)) is not None:
        _send(order.descriptor, entry.answer(request))
    sys.stdout.flush()
    os._exit(0)


def _serve(entry: Any, order: Order, policy: Policy) -> NoReturn:
    """CUDA starts threads, which Landlock would no longer bind, so the doors close before it is warm.

    The entry talks for itself, as often as it is asked: it also hands over descriptors of device memory.
    """
    driver = (Path("/proc/self"), Path("/proc/driver"), Path("/proc/devices"), Path("/proc/sys/vm"), Path("/sys"))
    names_of_threads = Path("/proc/self/task")  # the driver writes them, and gives up where it may not
    seen = (*policy.readable, *startup_paths(), *driver)
    lockdown.lock(dataclasses.replace(policy, readable=seen, writable=(*policy.writable, names_of_threads)))
    opened = entry.warm()
    _send(order.descriptor, {"ready": True})
    entry.serve(opened, order.descriptor)
    os._exit(0)


def _send(descriptor: int, message: Any) -> None:
    frame = wire.pack(message)
    view = memoryview(LENGTH.pack(len(frame)) + frame)
    while view:
        view = view[os.write(descriptor, view) :]


def _receive(descriptor: int) -> Any:
    """The request; None when our parent went away instead."""
    head = _exactly(descriptor, LENGTH.size)
    if head is None:
        return None
    frame = _exactly(descriptor, LENGTH.unpack(head)[0])
    return None if frame is None else wire.unpack(frame)


def _exactly(descriptor: int, count: int) -> bytes | None:
    parts, missing = [], count
    while missing:
        part = os.read(descriptor, min(missing, 1 << 20))
        if not part:
            return None
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)
