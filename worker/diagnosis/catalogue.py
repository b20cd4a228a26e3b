"""content/findings.toml: every finding's severity, words in both languages, and what it makes of a submission."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from worker.diagnosis.reason_words import ACCESS
from worker.emulator.request import Observation
from worker.errors import ProblemError
from worker.protocol import Finding, Kind

LANGUAGES = ("en", "zh")
MAX_EVIDENCE_CHARACTERS = 120

_OPTIONAL = re.compile(r"\{\?((?:[^{}]|\{\w+\})*)\}")
_NAME = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Entry:
    id: str
    severity: Literal["error", "warning", "hint"]
    verdict: Kind | None
    topics: tuple[str, ...]
    templates: Mapping[str, str]

    def needed(self) -> set[str]:
        """Evidence without which the sentence would have a hole."""
        texts = [_OPTIONAL.sub("", text) for text in self.templates.values()]
        return {name for text in texts for name in _NAME.findall(text)}


class Catalogue:
    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = entries

    @classmethod
    def load(cls, file: Path) -> Catalogue:
        """The file's entries, or ProblemError naming the mistake."""
        try:
            rows = tomllib.loads(file.read_text(encoding="utf-8"))["finding"]
        except (OSError, KeyError, tomllib.TOMLDecodeError) as error:
            raise ProblemError(file, "finding", f"cannot be read: {error}") from error
        entries = [_entry(file, row) for row in rows]
        if len({entry.id for entry in entries}) != len(entries):
            raise ProblemError(file, "id", "is given twice")
        return cls({entry.id: entry for entry in entries})

    def __iter__(self) -> Any:
        return iter(self._entries.values())

    def __getitem__(self, finding_id: str) -> Entry:
        return self._entries[finding_id]

    def __contains__(self, finding_id: str) -> bool:
        return finding_id in self._entries

    def kinds(self) -> dict[str, Kind]:
        """The verdict that each fatal finding makes."""
        return {entry.id: entry.verdict for entry in self._entries.values() if entry.verdict is not None}

    def finding(self, finding_id: str, line: int | None = None, **evidence: Any) -> Finding:
        """The finding in both languages; ValueError when a piece of evidence is missing."""
        entry = self._entries[finding_id]
        if evidence.get("access") in ACCESS:
            evidence["access_zh"] = ACCESS[evidence["access"]]
        if missing := entry.needed() - evidence.keys():
            raise ValueError(f"{finding_id} needs {', '.join(sorted(missing))}")
        message = {lang: _filled(text, evidence) for lang, text in entry.templates.items()}
        kept = {name: value for name, value in evidence.items() if not name.endswith("_zh")}
        return Finding(entry.id, entry.severity, message, line, evidence=kept)

    def observed(self, seen: Observation) -> Finding:
        """An emulator's observation in words."""
        evidence = {name: value for name, value in seen.evidence.items() if value is not None}
        found = self.finding(seen.id, seen.line, **evidence)
        return Finding(
            found.id,
            found.severity,
            found.message,
            seen.line,
            seen.thread,
            seen.block,
            found.evidence,
            found.readings,
        )


def _filled(template: str, evidence: Mapping[str, Any]) -> str:
    known = {name: _short(value) for name, value in evidence.items()}

    def optional(match: re.Match[str]) -> str:
        return match[1] if all(name in known for name in _NAME.findall(match[1])) else ""

    return _NAME.sub(lambda match: known[match[1]], _OPTIONAL.sub(optional, template)).strip()


def _short(value: Any) -> str:
    """Evidence may quote the submission: one line, no longer than it helps."""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list | tuple):
        return ", ".join(_short(item) for item in value)
    text = " ".join(str(value).split())
    return text if len(text) <= MAX_EVIDENCE_CHARACTERS else text[: MAX_EVIDENCE_CHARACTERS - 1] + "…"


def _entry(file: Path, row: Mapping[str, Any]) -> Entry:
    where = str(row.get("id", "finding"))
    unknown = row.keys() - {"id", "severity", "verdict", "topics", *LANGUAGES}
    if unknown:
        raise ProblemError(file, f"{where}.{min(unknown)}", "is not a key of a finding")
    for key in ("id", "severity", "topics", *LANGUAGES):
        if not row.get(key):
            raise ProblemError(file, f"{where}.{key}", "is missing")
    if row["severity"] not in {"error", "warning", "hint"}:
        raise ProblemError(file, f"{where}.severity", "expected error, warning or hint")
    verdict = row.get("verdict")
    if verdict is not None and verdict not in {kind.value for kind in Kind}:
        raise ProblemError(file, f"{where}.verdict", f"{verdict!r} is no verdict")
    return Entry(
        row["id"],
        cast(Any, row["severity"]),
        Kind(verdict) if verdict else None,
        tuple(row["topics"]),
        {lang: row[lang] for lang in LANGUAGES},
    )
