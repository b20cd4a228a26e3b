"""A GPU child without a card: it answers as often as it is asked, and tries what it must not."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from worker.gpu.serving import Reply
from worker.gpu.serving import serve as serve_requests


def warm() -> dict[str, int]:
    return {"asked": 0}


def serve(state: dict[str, int], descriptor: int) -> None:
    def count() -> Mapping[str, Any]:
        state["asked"] += 1
        return state

    serve_requests(descriptor, {"count": count, "read": read, "fork": fork, "hand_over": hand_over, "take": take})


def read(path: str) -> Mapping[str, Any]:
    try:
        return {"read": len(Path(path).read_bytes())}
    except OSError as error:
        return {"refused": type(error).__name__}


def fork() -> Mapping[str, Any]:
    try:
        child = os.fork()
    except OSError as error:
        return {"refused": type(error).__name__}
    if child == 0:
        os._exit(0)
    return {"forked": child}


def hand_over() -> Reply:
    """As device memory is: a descriptor that another process may use."""
    handle = os.memfd_create("memory")
    os.write(handle, b"device memory")
    return Reply({}, [handle])


def take(descriptors: list[int]) -> Mapping[str, Any]:
    return {"found": os.pread(descriptors[0], 100, 0)}
