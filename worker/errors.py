"""What can go wrong in a worker.

WorkerError                 anything below; its text is one line that a person may read
|- ProblemError             a file of content/problems says something impossible
|- ExpressionError          an arithmetic expression does not parse or does not compute
|- DirectiveError           a `//! launch` or `//! scratch` line is wrong: the member's to mend
|- SettingsError            an environment variable of the worker is wrong: the operator's to mend
`- InfrastructureError      our machinery failed; retried once and never blamed on a member
   |- SandboxMissing        nothing hostile may run here; the text says what to install
   |- ChildLost             a sandboxed child died or spoke nonsense
   `- ChildTimeout          a sandboxed child did not answer in time
"""

from __future__ import annotations

from pathlib import Path


class WorkerError(Exception):
    """Its text is one line that a person may read."""


class ProblemError(WorkerError):
    """A file of a problem's folder says something impossible."""

    def __init__(self, file: Path, key: str, what: str) -> None:
        super().__init__(f"{file}: {key}: {what}")
        self.file = file
        self.key = key
        self.what = what


class ExpressionError(WorkerError):
    """An arithmetic expression does not parse or does not compute; `column` counts from 1 inside its text."""

    def __init__(self, column: int, what: str) -> None:
        super().__init__(what)
        self.column = column
        self.what = what


class DirectiveError(WorkerError):
    """A `//!` line of the submission is wrong."""

    def __init__(self, line: int, column: int, what: str) -> None:
        super().__init__(f"line {line}, column {column}: {what}")
        self.line = line
        self.column = column
        self.what = what


class SettingsError(WorkerError):
    """An environment variable of the worker is wrong."""


class InfrastructureError(WorkerError):
    """Our machinery failed; never the member's fault."""


class SandboxMissing(InfrastructureError):
    """Neither bubblewrap nor Landlock with seccomp is there, so nothing hostile may run."""


class ChildLost(InfrastructureError):
    """A sandboxed child died or answered with something that is not an answer."""


class ChildTimeout(InfrastructureError):
    """A sandboxed child did not answer in time and was killed."""
