"""What was handed in: a kernel, a program or a snippet, and whether it can be taken at all."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Collection
from dataclasses import dataclass

from knowledge.errors import BadInput, NotFound
from worker.protocol import Form, Try

KIB = 1024
MOST_TRY_SIZE = 1 << 16
"""As workers have it: what lies above is refused before it waits in line."""

_NOT_CODE = re.compile(
    r"""//(?:\\\n|[^\n])*             # a line comment, also one continued by a backslash
      | /\*.*?(?:\*/|\Z)
      | R"(?P<mark>[^\s()\\"]{0,16})\(.*?(?:\)(?P=mark)"|\Z)
      | "(?:\\.|[^"\\\n])*"?       # what is not closed ends too, or many of them would cost quadratic time
      | \b\d(?:'?[\w.])*           # a number: its separators are no quotes
      | '(?:\\.|[^'\\\n])*'?
    """,
    re.DOTALL | re.VERBOSE,
)
_DEFINES_MAIN = re.compile(r"\b(?:int|auto|void|signed|unsigned)\s+main\s*\(")


@dataclass(frozen=True, slots=True)
class Limits:
    source_bytes: int = 256 * KIB
    """Ten times the longest kernel that a person writes; generated code is not what this is for."""
    unfinished_per_member: int = 50
    unfinished_per_guild: int = 500


def decide(source: str, problem: str | None) -> Form:
    """Tell the form: with a problem a kernel; without one, what defines `main` is a program, the rest a snippet."""
    if problem is not None:
        return Form.KERNEL
    return Form.PROGRAM if _DEFINES_MAIN.search(_NOT_CODE.sub(" ", source)) else Form.SNIPPET


def check_source(source: str, limits: Limits) -> None:
    """BadInput for what no compiler should be bothered with."""
    try:
        size = len(source.encode())
    except UnicodeEncodeError:
        raise BadInput("error.code.not_utf8") from None
    if not source.strip():
        raise BadInput("error.code.empty")
    if size > limits.source_bytes:
        raise BadInput("error.code.too_large", size=-(-size // KIB), most=limits.source_bytes // KIB)
    if "\0" in source:
        raise BadInput("error.code.not_text")


def check_problem(problem: str, known: Collection[str]) -> None:
    if problem in known:
        return
    if near := difflib.get_close_matches(problem, known, n=1):
        raise NotFound("error.problem.misspelt", name=problem[:64], nearest=near[0])
    raise NotFound("error.problem.unknown", name=problem[:64])


def check_try(asked: Try) -> None:
    """BadInput for what no worker could run: no sizes, one out of bounds, a number that is infinite."""
    if not asked.sizes:
        raise BadInput("error.try.sizes")
    for name, size in asked.sizes.items():
        if not 1 <= size <= MOST_TRY_SIZE:
            raise BadInput("error.try.size", name=name[:64], size=size, most=MOST_TRY_SIZE)
    for name, numbers in asked.typed.items():
        if not all(map(math.isfinite, numbers)):
            raise BadInput("error.try.infinite", name=name[:64])
