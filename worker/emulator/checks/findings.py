"""The findings of a run: one a kind and line, with the first thread that showed it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worker.emulator.refusal import Faulted
from worker.emulator.request import Fact, Observation
from worker.emulator.translate.tables import Site
from worker.messages import message

if TYPE_CHECKING:
    from worker.emulator.schedule.group import Frame, Group


class TooMany(Faulted):
    """As many findings as the limits ask for: going on says nothing new."""


class Findings:
    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.sites: tuple[Site, ...] = ()
        self.found: dict[tuple[str, int | None], Observation] = {}

    def report(self, name: str, group: Group, position: int, site: int, **evidence: Fact) -> None:
        """`position` counts in the group."""
        if name == "uninitialized-local" and self.sites[site].in_header:
            return  # a library's own variables are its own affair: structures are copied with unset members
        line = self.line(group.frame, site)
        if (name, line) in self.found:
            return
        thread, block = group.batch.coordinates(int(group.members()[position]))
        self.found[name, line] = Observation(name, line, thread, block, evidence)
        if len(self.found) >= self.limit:
            raise TooMany(message("emulator.enough-findings", limit=self.limit))

    def report_line(self, name: str, group: Group, line: int | None, **evidence: Fact) -> None:
        """A finding of a whole block of code."""
        frame = group.frame
        while line is None and frame is not None:
            line, frame = self.sites[frame.site].line, frame.parent
        thread, block = group.batch.coordinates(int(group.members()[0]))
        self.found.setdefault((name, line), Observation(name, line, thread, block, evidence))

    def line(self, frame: Frame | None, site: int) -> int | None:
        """The site's own line, or for code of a header the line of the call that led there."""
        while self.sites[site].line is None and frame is not None:
            site, frame = frame.site, frame.parent
        return self.sites[site].line

    @property
    def observations(self) -> tuple[Observation, ...]:
        return tuple(self.found.values())
