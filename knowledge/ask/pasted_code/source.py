"""The code in a message: its lines, its kernels, and what stands outside of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

_CODE_LINE = re.compile(
    r"[;{}]\s*$|<<<|>>>|__\w+__|^\s*#\s*(?:include|define|pragma)|\btl\.\w+\(|^\s*@triton|\bcuda[A-Z]\w+\(|\bdim3\b"
    r"|\w+\[[^\]]+\]\s*[-+*]?=|^\s*(?:for|while|if)\s*\(|^\s*for .+ in .+:|^\s*\w[\w.]*\s*=\s*[\w.]+\(.*\)"
    r"|^\s*[\w.]+\.(?:cuda|to|half|cpu)\(|^\s*\w+\(.*\.(?:t\(|T\b|transpose|permute)"
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|#(?!\s*(?:include|define|pragma|if|ifdef|endif|else)\b)[^\n]*", re.DOTALL)
_TEXT = re.compile(r"\"(?:\\.|[^\"\\\n])*\"")
_KERNEL = re.compile(
    r"__global__\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(?P<returns>[\w:]+(?:\s*\*)?)\s+"
    r"(?:__launch_bounds__\s*\([^)]*\)\s*)?(?P<name>\w+)\s*\((?P<parameters>[^)]*)\)\s*(?P<open>\{)?"
)
_STATEMENT_END = re.compile(r"[;{\n]|$")
_SAID_AROUND = re.compile(r"(?<=[;)\]])\s{2,}|(?<=[;)\]])\s*[\u4e00-\u9fff，。]")
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Kernel:
    """A `__global__` function; one that is not closed goes on to the end."""

    returns: str
    name: str
    parameters: str
    body: str

    @property
    def parameter_names(self) -> frozenset[str]:
        return frozenset(found[-1] for each in self.parameters.split(",") if (found := re.findall(r"\w+", each)))


@dataclass(frozen=True)
class Code:
    """Code without comments and without what stands in quotes."""

    text: str

    @cached_property
    def kernels(self) -> tuple[Kernel, ...]:
        return tuple(kernel for kernel, _, _ in self._kernels())

    @cached_property
    def host(self) -> str:
        """What stands outside of all kernels."""
        left, at = [], 0
        for _, start, end in self._kernels():
            left.append(self.text[at:start])
            at = end
        return "\n".join([*left, self.text[at:]])

    @cached_property
    def device(self) -> str:
        """What runs on the card: the bodies of the kernels, or everything where no kernel is written out."""
        return "\n".join(kernel.body for kernel in self.kernels) if self.kernels else self.text

    def _kernels(self) -> Iterator[tuple[Kernel, int, int]]:
        at = 0
        while found := _KERNEL.search(self.text, at):
            end = _closed(self.text, found.end()) if found["open"] else found.end()
            body = self.text[found.end() : end]
            yield Kernel(found["returns"], found["name"], found["parameters"], body), found.start(), end
            at = max(end, found.end())

    def line_of(self, position: int) -> str:
        """The statement at a position, without what a member says around it on the same line."""
        start = max(self.text.rfind(mark, 0, position) for mark in ";{}\n") + 1
        end = _STATEMENT_END.search(self.text, position)
        statement = self.text[start : end.end() if end else len(self.text)].strip()
        return _SAID_AROUND.split(statement)[0].strip() or statement


def code_in(message: str) -> Code | None:
    """The lines of a message that are code, as one text; None where there are none."""
    lines = (
        message[:_LONGEST].replace("```cuda", "").replace("```cpp", "").replace("```python", "").replace("```", "")
    )
    plain = _TEXT.sub('""', _COMMENT.sub("", lines))
    code = [line for line in plain.splitlines() if _CODE_LINE.search(line) or line.strip() in {"{", "}", ""}]
    return Code("\n".join(code)) if any(line.strip() for line in code) else None


def block_at(text: str, position: int) -> str:
    """The statement or the block in braces that begins at a position."""
    rest = text[position:]
    opened = re.match(r"\s*\{", rest)
    if opened:
        return rest[opened.end() : _closed(rest, opened.end())]
    end = rest.find(";")
    return rest[: end + 1] if end >= 0 else rest


def parenthesis_at(text: str, opening: int) -> tuple[str, int]:
    """What stands in the parenthesis that opens at a position, and where it has ended."""
    depth = 0
    for at in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return text[opening + 1 : at], at + 1
    return text[opening + 1 :], len(text)


def arguments(text: str) -> list[str]:
    """The arguments of a call, at the commas that are in no inner parenthesis or angle."""
    found, depth, start = list[str](), 0, 0
    for at, character in enumerate(text):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            found.append(text[start:at].strip())
            start = at + 1
    return [*found, text[start:].strip()]


def _closed(text: str, position: int) -> int:
    """Where the brace that was opened before the position is closed; the end where it is not."""
    depth = 1
    for at in range(position, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return len(text)
