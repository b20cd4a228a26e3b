"""Why an emulation ended without finishing: each branch is one kind of ending and one line that a person may read."""

from __future__ import annotations

from typing import ClassVar

from worker.errors import ToldError
from worker.messages import message
from worker.protocol import Kind


class Refusal(ToldError):
    """The emulation stops here; its message says why."""

    ending: ClassVar[Kind] = Kind.RUNTIME_ERROR


class Malformed(Refusal):
    """The PTX breaks the grammar that we read.

    A member hears that much and no more: `detail` has no words, it is for whoever mends the emulator.
    """

    ending = Kind.UNSUPPORTED

    def __init__(self, detail: str) -> None:
        super().__init__(message("emulator.unreadable", detail=detail))


class Unsupported(Refusal):
    """A real GPU would run this; the emulator says so by name and never guesses."""

    ending = Kind.UNSUPPORTED


class BudgetSpent(Refusal):
    """Too many instructions, or too many seconds."""

    ending = Kind.TIMEOUT


class MemorySpent(Refusal):
    """The launch wants more memory than the limits allow."""

    ending = Kind.OUT_OF_MEMORY


class Faulted(Refusal):
    """The kernel trapped, failed an assertion, or produced so many findings that going on says nothing new."""

    ending = Kind.RUNTIME_ERROR
