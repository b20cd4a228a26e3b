"""A pasted error message, and what of it is worth looking up: its own words, without paths, numbers and names.

The words by which a message is known stand in `asked.toml` (`[error_message]`), for every language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from knowledge.text.fold import fold
from knowledge.words import FOLDER, language_codes, read_table

LONGEST_TELLING = 240
_FEWEST_LETTERS = 6
_PYTHON = "traceback (most recent call last)"
_WHAT = "what():"
"""Before the message of an exception that ended a C++ program."""
_QUESTION = re.compile(
    r"(?:how|why|what|when|where|which|who|does|do|did|is|are|can|could|should|would|will)\b", re.IGNORECASE
)
_STRUCTURE = re.compile(r"\n|:\s|：|(?:/[\w.+-]+){2,}|[A-Za-z]:\\|\.(?:cu|cpp|cuh|py|so|hpp|cc|c|h)\b")
_NOISE = tuple(
    re.compile(pattern)
    for pattern in (
        r"File \"[^\"]*\", line \d+(?:, in \S+)?",
        r"(?:\bat\s+)?(?:[A-Za-z]:)?[\w.~+-]*(?:[/\\][\w.+-]+){1,}(?:[:(]\d+\)?)*:?",
        r"(?:\bat\s+)?\b[\w-]+\.(?:cu|cuh|cpp|hpp|cc|py|so|h|c)\b(?:\.\d+)*(?:[:(]\d+[),:\d]*)?:?",
        r"\bline \d+\b",
        r"\[[^\]]{1,60}\]:?",
        r"\b_Z\w+|\b0x[0-9a-fA-F]+|<[^<>]{0,80}>",
        r"['\"`‘“][^\s'\"`’”]+['\"`’”]",
        r"\([^()]*\d[^()]*(?:\)|$)",
        r"\b\d[\d.,:/-]*\s*(?:[KMG]i?B|ms|s|bytes|B)?\b",
        r"^\s*(?:\w+\.)*\w*(?:Error|Exception):\s+(?=\S)",
        r"^\s*(?:CUDA|nvcc|ptxas|nvlink|ld|collect2)?\s*(?:fatal|error|fatal error)\s*:\s*(?=\S)",
        r"={3,}|-{3,}|\^+|~{2,}",
    )
)
_STOPS = " \t\r\n.,;:!?。，；：！？"
_EDGES = _STOPS + "-=()[]{}'\"`"


def telling_part(message: str) -> str:
    """The words to look a pasted error up by; nothing where the message is no pasted error."""
    text = fold(message).strip()
    if not _holds(text, _words("strong")):
        return ""
    core = _without_around(text)
    if _QUESTION.match(core) or (not _STRUCTURE.search(text) and core.endswith("?") and core == text):
        return ""
    words = _telling_clause(" ".join(_cleaned(_telling_line(core)).split()))[:LONGEST_TELLING]
    return words if sum(character.isalpha() for character in words) >= _FEWEST_LETTERS else ""


def _telling_line(text: str) -> str:
    """The last line with a mark where Python speaks, which ends with its error; else the first, as compilers do."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if _WHAT in line] or lines
    for marks in (_words("strong"), _words("marks")):
        marked = [line for line in lines if _PYTHON not in line.lower() and _holds(line, marks)]
        if marked:
            return marked[-1] if _PYTHON in text.lower() else marked[0]
    return lines[-1]


def _telling_clause(line: str) -> str:
    """Of clauses with colons between them those with a mark; the whole line where that is a bare name."""
    clauses = [clause for clause in line.split(": ") if _holds(f"{clause}:", _words("strong"))]
    told = ": ".join(clauses).strip(_EDGES)
    return told if " " in told else line


def _cleaned(line: str) -> str:
    for noise in _NOISE:
        line = noise.sub(" ", line)
    return _without_around(" ".join(line.split())).strip(_EDGES)


def _without_around(text: str) -> str:
    """The message without what a member says around it: `I get … what should I do`."""
    while True:
        text = text.strip(_STOPS)
        lower = text.lower()
        before = next((each for each in _words("around") if _begins(lower, each)), "")
        after = next((each for each in _words("around") if _ends(lower, each)), "")
        if not before and (not after or "\n" in text[-len(after) - 1 :]):
            return text
        text = text[len(before) : len(text) - (len(after) if len(after) + len(before) <= len(text) else 0)]


def _begins(text: str, words: str) -> bool:
    return text.startswith(words) and not (text[len(words) : len(words) + 1].isalnum() and words[-1].isascii())


def _ends(text: str, words: str) -> bool:
    before = text[: -len(words)][-1:]
    return text.endswith(words) and not (before.isascii() and before.isalnum() and words[0].isascii())


def _holds(text: str, words: Iterable[str]) -> bool:
    lower = " ".join(text.lower().split())
    return any(each in lower for each in words)


@cache
def _words(name: str) -> tuple[str, ...]:
    """A list of every language, the longest phrases first."""
    said = (
        read_table(FOLDER / code / "asked.toml").get("error_message", {}).get(name, ()) for code in language_codes()
    )
    return tuple(sorted((fold(each).lower() for words in said for each in words), key=len, reverse=True))
