"""Which functions of ours ran, in order: what the paths of docs/flows.md are held against."""

from __future__ import annotations

import itertools
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from tests.folders import ROOT

ROOMS = ("bot", "web", "warpmate", "knowledge", "indexer", "worker")
FLOWS = ROOT / "docs" / "flows.md"
MOST_HOPS = 12
_HOP = re.compile(r"^\d+\. `([\w.]+:[\w.]+)`", re.MULTILINE)


@dataclass
class Trace:
    """Calls as `module:function`, in the order in which they were first made."""

    calls: dict[str, int] = field(default_factory=dict)
    arguments: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What the functions in `keep` were called with, the first time."""
    keep: frozenset[str] = frozenset()

    def note(self, frame: FrameType, event: str, _argument: object) -> None:
        module = str(frame.f_globals.get("__name__", ""))
        if event != "call" or module.partition(".")[0] not in ROOMS:
            return
        called = f"{module}:{frame.f_code.co_qualname}"
        if called not in self.calls:
            self.calls[called] = len(self.calls)
            if called in self.keep:
                self.arguments[called] = dict(frame.f_locals)


@contextmanager
def traced(*keep: str) -> Iterator[Trace]:
    """The calls that this process makes during the block, in whatever thread."""
    trace = Trace(keep=frozenset(keep))
    threading.setprofile(trace.note)
    sys.setprofile(trace.note)
    try:
        yield trace
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def drawn(heading: str, text: str | None = None) -> list[str]:
    """The hops under a heading of docs/flows.md."""
    text = FLOWS.read_text(encoding="utf-8") if text is None else text
    _, found, rest = text.partition(f"\n## {heading}\n")
    assert found, f"docs/flows.md has no section {heading!r}"
    return _HOP.findall(rest.partition("\n## ")[0])


def mistakes(hops: list[str], calls: dict[str, int]) -> list[str]:
    """What the drawing says and the code did not do: hops that were not taken, and such as came too early."""
    found = [f"{hop} was not called" for hop in hops if hop not in calls]
    taken = [hop for hop in hops if hop in calls]
    found += [
        f"{later} was called before {earlier}"
        for earlier, later in itertools.pairwise(taken)
        if calls[later] < calls[earlier]
    ]
    if len(hops) > MOST_HOPS:
        found.append(f"{len(hops)} hops are drawn, and more than {MOST_HOPS} nobody keeps in mind")
    return found or ([] if hops else ["no hop is drawn"])
