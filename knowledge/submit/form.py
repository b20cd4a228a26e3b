"""What was handed in: a kernel, a program or a snippet, and whether it can be taken at all."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from dataclasses import dataclass

from knowledge.errors import BadInput, NotFound
from worker.protocol import Form

KIB = 1024

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


def decide(source: str, problem: str | None) -> Form:
    """With a problem a kernel; without one, what defines `main` is a program and anything else a snippet."""
    if problem is not None:
        return Form.KERNEL
    return Form.PROGRAM if _DEFINES_MAIN.search(_NOT_CODE.sub(" ", source)) else Form.SNIPPET


def check_source(source: str, limits: Limits) -> None:
    """BadInput for what no compiler should be bothered with."""
    try:
        size = len(source.encode())
    except UnicodeEncodeError:
        raise BadInput(
            "The code is not valid UTF-8; save the file as UTF-8.", "代码不是有效的 UTF-8，请以 UTF-8 保存文件。"
        ) from None
    if not source.strip():
        raise BadInput("There is no code in it.", "里面没有代码。")
    if size > limits.source_bytes:
        most = limits.source_bytes // KIB
        raise BadInput(
            f"The code is {-(-size // KIB)} KiB long; at most {most} KiB can be handed in.",
            f"代码有 {-(-size // KIB)} KiB，最多可以提交 {most} KiB。",
        )
    if "\0" in source:
        raise BadInput("This is not a text file: it holds NUL bytes.", "这不是文本文件：其中含有 NUL 字节。")


def check_problem(problem: str, known: Collection[str]) -> None:
    if problem in known:
        return
    near = difflib.get_close_matches(problem, known, n=1)
    raise NotFound(
        f"There is no problem named {problem[:64]!r}" + (f"; did you mean {near[0]}?" if near else "."),
        f"没有名为 {problem[:64]!r} 的题目" + (f"，是不是 {near[0]}？" if near else "。"),
    )
