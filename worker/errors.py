"""What can go wrong in a worker.

WorkerError                 anything below; its text is one line that a person may read
|- ToldError                its `message` has words in every language; as text it is the English one
|  |- ExpressionError       an arithmetic expression does not parse or does not compute
|  |- DirectiveError        a `//! launch` or `//! scratch` line is wrong: the member's to mend
|  `- Refusal               an emulation ended early (worker.emulator.refusal)
|- ProblemError             a file of content/problems says something impossible
|- SettingsError            an environment variable of the worker is wrong: the operator's to mend
`- InfrastructureError      our machinery failed; retried once and never blamed on a member
   |- SandboxMissing        nothing hostile may run here; the text says what to install
   |- ChildLost             a sandboxed child died or spoke nonsense
   `- ChildTimeout          a sandboxed child did not answer in time
"""

from __future__ import annotations

from pathlib import Path

from worker.messages import Message, worker_catalogue


class WorkerError(Exception):
    """Its text is one line that a person may read."""


class ProblemError(WorkerError):
    """A file of a problem's folder says something impossible."""

    def __init__(self, file: Path, key: str, what: str) -> None:
        super().__init__(f"{file}: {key}: {what}")
        self.file = file
        self.key = key
        self.what = what


class ToldError(WorkerError):
    """An error that a member may be told about in any language."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return worker_catalogue().text(self.message, "en")


class ExpressionError(ToldError):
    """An arithmetic expression does not parse or does not compute; `column` counts from 1 inside its text."""

    def __init__(self, column: int, message: Message) -> None:
        super().__init__(message)
        self.column = column


class DirectiveError(ToldError):
    """A `//!` line of the submission is wrong."""

    def __init__(self, line: int, column: int, message: Message) -> None:
        super().__init__(message)
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {super().__str__()}"


class SettingsError(WorkerError):
    """An environment variable of the worker is wrong."""


class InfrastructureError(WorkerError):
    """Our machinery failed; never the member's fault."""


class SandboxMissing(InfrastructureError):
    """Neither bubblewrap nor Landlock with seccomp is there, so nothing hostile may run."""


class ChildLost(InfrastructureError):
    """A sandboxed child died or answered with something that is not an answer."""

    def __init__(self, text: str, signal: int | None = None) -> None:
        super().__init__(text)
        self.signal = signal
        """What ended it, if it was a signal."""


class ChildTimeout(InfrastructureError):
    """A sandboxed child did not answer in time and was killed."""
