"""Why an emulation ended without finishing: each branch is one `Ending` and one line that a person may read."""

from __future__ import annotations

from typing import ClassVar

from worker.emulator.request import Ending
from worker.errors import WorkerError


class Refusal(WorkerError):
    """The emulation stops here; its text says why."""

    ending: ClassVar[Ending] = "faulted"


class Malformed(Refusal):
    """The PTX breaks the grammar that we read."""

    ending = "malformed"


class Unsupported(Refusal):
    """A real GPU would run this; the emulator says so by name and never guesses."""

    ending = "unsupported"


class BudgetSpent(Refusal):
    """Too many instructions, or too many seconds."""

    ending = "budget"


class MemorySpent(Refusal):
    """The launch wants more memory than the limits allow."""

    ending = "memory"


class Faulted(Refusal):
    """The kernel trapped, failed an assertion, or produced so many findings that going on says nothing new."""

    ending = "faulted"
