"""content/findings.toml as it is written: every finding's severity, words, topics, and what it makes of a submission.

The judge reads it for verdicts and words, the server for topics, so it needs no numpy.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from worker.errors import ProblemError
from worker.messages import Catalogue, MessageError, Words, languages_of, words_of
from worker.problem_file import mistake_of
from worker.protocol import Kind

Severity = Literal["error", "warning", "hint"]


class Entry(Struct, frozen=True):
    """A finding without its words, which stand beside these keys, one for each language."""

    id: Annotated[str, Meta(min_length=1)]
    severity: Severity
    topics: Annotated[tuple[str, ...], Meta(min_length=1)]
    """Most telling first."""
    verdict: Kind | None = None
    """None: advice."""


@dataclass(frozen=True, slots=True)
class FindingsFile:
    entries: Mapping[str, Entry]
    """By id, in the order of the file."""
    words: Catalogue


def read_findings(file: Path) -> FindingsFile:
    """The file's findings, or ProblemError naming file and key."""
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        languages, rows = languages_of(table, file.name), table.get("finding")
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise ProblemError(file, "finding", "expected tables such as [[finding]]")
        read = [_entry(file, n, row, languages) for n, row in enumerate(rows)]
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ProblemError(file, "file", f"cannot be read: {error}") from error
    except MessageError as error:
        raise ProblemError(file, "finding", str(error)) from error
    entries, words = {entry.id: entry for entry, _ in read}, {entry.id: words for entry, words in read}
    if len(entries) != len(read):
        raise ProblemError(file, "id", "is given twice")
    return FindingsFile(entries, Catalogue(languages, words))


def _entry(file: Path, n: int, row: Mapping[str, object], languages: tuple[str, ...]) -> tuple[Entry, Words]:
    where = str(row.get("id") or f"finding[{n}]")
    if unknown := row.keys() - {*Entry.__struct_fields__, *languages}:
        raise ProblemError(file, f"{where}.{min(unknown)}", "is not a key of a finding")
    try:
        entry = msgspec.convert(row, Entry)
    except msgspec.ValidationError as error:
        key, what = mistake_of(error)
        raise ProblemError(file, f"{where}.{key}", what) from error
    return entry, words_of(row, languages, where)
