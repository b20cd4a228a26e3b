"""Mistakes in Python: Triton kernels and tensors of PyTorch."""

from __future__ import annotations

import re
from collections.abc import Iterator

from knowledge.ask.pasted_code.source import Code, arguments, parenthesis_at

_MODULE = re.compile(r"model|net|module|self|criterion|encoder|decoder|layer|head", re.IGNORECASE)


def range_no_power_of_two(code: Code) -> Iterator[str]:
    for found in re.finditer(r"\btl\.arange\(\s*0\s*,\s*(\d+)\s*\)", code.text):
        size = int(found[1])
        if size & (size - 1):
            yield found[0]


def access_without_mask(code: Code) -> Iterator[str]:
    """Offsets of a program beyond the end of the array."""
    if "tl.program_id" not in code.text and "pid" not in code.text:
        return
    offsets = {
        found[1] for found in re.finditer(r"^\s*(\w+)\s*=[^\n=%]*\*[^\n=%]*\btl\.arange\(", code.text, re.MULTILINE)
    }
    if re.search(r"make_block_ptr|tensor_descriptor", code.text):
        return
    for found in re.finditer(r"\btl\.(?:load|store)\s*(?=\()", code.text):
        given = arguments(parenthesis_at(code.text, found.end())[0])
        uses = set(re.findall(r"\w+", given[0])) & offsets
        positional = len(given) > (1 if "load" in found[0] else 2)
        if uses and not positional and not re.search(r"%|tl\.minimum", given[0]):
            yield code.line_of(found.start())


def copy_thrown_away(code: Code) -> Iterator[str]:
    """`x.cuda()` alone on its line: the tensor on the card is a new one."""
    for found in re.finditer(
        r"(?:^|;)[ \t]*(\w[\w.]*)\.(?:cuda|to|half|float|cpu)\([^()\n]*\)[ \t]*(?=;|$)", code.text, re.MULTILINE
    ):
        if not _MODULE.search(found[1]):
            yield code.line_of(found.start() + len(found[0]) - 1)


def view_by_its_pointer(code: Code) -> Iterator[str]:
    """A transposed view handed to a kernel that reads its memory as it lies."""
    for found in re.finditer(r"\b\w+\(\s*\w+\.(?:t\(\)|T\b|transpose\(|permute\()[^\n]*", code.text):
        if not re.search(r"contiguous|torch\.|print", found[0]):
            yield code.line_of(found.start())
