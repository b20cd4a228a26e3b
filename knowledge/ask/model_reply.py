"""What a language model writes, as it arrives: one sentence a line, with the numbers of its passages at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from knowledge.text.fold import visible

NONE = "NONE"
"""The model's word for: the passages do not answer."""
LONGEST_SENTENCE = 600
_LONGEST_REPLY = 12_000
"""Characters, thinking aloud included."""
_THOUGHT = ("<think>", "</think>")
_LEAD = re.compile(r"^(?:[-*•]\s+|\d{1,2}[.)]\s+)?")
_CITED = re.compile(
    r"(?P<text>\S.*?)(?:(?<=[\s.。!?！？;；)）」”\"'`])|(?<=[\u3400-\u9fff]))"
    r"(?P<cited>(?:\[\d{1,2}(?:\s*[,，]\s*\d{1,2})*\]\s*)+)(?P<stop>[.。!?！？]?)(?=\s|$|[\u3400-\u9fff])"
)


@dataclass(frozen=True, slots=True)
class Written:
    """A sentence and the passages that it names; none where it names none."""

    text: str
    passages: tuple[int, ...]


@dataclass(slots=True)
class Reply:
    """Collects what has arrived and hands out each line once, when it is whole."""

    _open: str = ""
    _length: int = 0
    _thinking: bool = False
    said_none: bool = field(default=False, init=False)

    def add(self, text: str) -> Iterator[Written]:
        """The sentences that this piece completes; ValueError where the reply runs on without end."""
        self._length += len(text)
        if self._length > _LONGEST_REPLY:
            raise ValueError("the reply is too long")
        self._open += text
        while "\n" in self._open:
            line, self._open = self._open.split("\n", 1)
            yield from self._sentences(line)

    def end(self) -> Iterator[Written]:
        """What stands in the last line, which nothing completed but the end of the reply."""
        line, self._open = self._open, ""
        yield from self._sentences(line)

    def _sentences(self, line: str) -> Iterator[Written]:
        line = self._aloud(line)
        line = _LEAD.sub("", " ".join(visible(line).split()))
        if not line or line.startswith("```"):
            return
        if line.strip('.。 `"') == NONE:
            self.said_none = True
            return
        found = list(_CITED.finditer(line))
        for match in found:
            numbers = tuple(dict.fromkeys(int(number) for number in re.findall(r"\d+", match["cited"])))
            text = match["text"].strip()
            yield Written(text if text[-1] in ".。!?！？" else text + match["stop"], numbers)
        if rest := line[found[-1].end() if found else 0 :].strip():
            yield Written(rest, ())

    def _aloud(self, line: str) -> str:
        """The line without what a model thinks before it answers."""
        opening, closing = _THOUGHT
        if not self._thinking and opening in line:
            before, line = line.split(opening, 1)
            self._thinking = True
            return before + self._aloud(line)
        if self._thinking and closing in line:
            self._thinking = False
            return self._aloud(line.split(closing, 1)[1])
        return "" if self._thinking else line
