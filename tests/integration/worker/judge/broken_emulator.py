"""The emulator's child with a mistake of ours planted in the writer of one instruction."""

from __future__ import annotations

from worker.emulator import child
from worker.emulator.child import REQUESTS, answer
from worker.emulator.translate.emitter import Emitter
from worker.emulator.translate.opcodes import WRITERS

__all__ = ["REQUESTS", "answer", "warm"]


def warm() -> None:
    child.warm()
    WRITERS["nanosleep"] = _write_nanosleep


def _write_nanosleep(at: Emitter) -> None:
    nothing: dict[str, str] = {}
    at.line(nothing["what somebody forgot"])
