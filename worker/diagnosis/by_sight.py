"""Mistakes that show in the source itself: fences, line numbers, HTML, odd characters, code left out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from worker.diagnosis.found import Context, Found, line_of
from worker.diagnosis.source import ascii_for, full_width


def by_sight(context: Context) -> Iterator[Found]:
    """The likeliest first."""
    text, code = context.source.text, context.source.code
    lines = code.split("\n")
    for number, line in enumerate(lines, start=1):
        if line.lstrip().startswith("```"):
            yield "markdown-fence", number, {}
            return
    if len(lines) > 2 and (numbered := _numbered(lines)):
        yield "line-numbers", numbered, {}
        return
    for match in re.finditer(r"&(lt|gt|amp|quot);", code):
        ascii_ = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}[match[1]]
        yield "html-entity", line_of(text, match.start()), {"name": match[0], "ascii": ascii_}
    for number, character in context.source.odd_characters():
        yield _odd(number, character)
    for match in re.finditer(r"^[^\n#]*?(?<![.\w])\.\.\.(?!\.)", code, re.MULTILINE):
        behind = code[match.end() : match.end() + 1]
        if "template" not in match[0] and "typename" not in match[0] and not (behind.isidentifier() or behind == ")"):
            yield "elided-code", line_of(text, match.end()), {}


def _numbered(lines: Sequence[str]) -> int | None:
    """The first line of a source whose lines count up, as copied from a listing."""
    numbers = [
        (at, int(match[1])) for at, line in enumerate(lines, 1) if (match := re.match(r"\s*(\d+)\s*[:.|]?\s", line))
    ]
    filled = sum(bool(line.strip()) for line in lines)
    rising = all(later == earlier + 1 for (_, earlier), (_, later) in itertools.pairwise(numbers))
    return numbers[0][0] if len(numbers) > 1 and rising and len(numbers) * 2 > filled else None


def _odd(line: int, character: str) -> Found:
    evidence = {"character": character, "code": f"{ord(character):04X}"}
    meant = ascii_for(character)
    if meant is None:
        return "stray-character", line, evidence
    if full_width(character):
        return "full-width-punctuation", line, {**evidence, "ascii": meant}
    return "non-ascii-operator", line, {**evidence, "ascii": meant}
