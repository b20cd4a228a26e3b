"""The findings of content/findings.toml with their words, and the findings that are made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from worker.emulator.request import Observation
from worker.findings_file import Entry, read_findings
from worker.messages import Catalogue, Message, plain, worker_catalogue
from worker.protocol import Finding, Kind


class FindingCatalogue:
    """All findings, and the words of the worker that stand inside of them."""

    def __init__(self, entries: Mapping[str, Entry], words: Catalogue) -> None:
        self._entries = entries
        self.words = words

    @classmethod
    def load(cls, file: Path) -> FindingCatalogue:
        """The file's findings, or ProblemError naming the mistake."""
        read = read_findings(file)
        return cls(read.entries, read.words | worker_catalogue())

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def __getitem__(self, finding_id: str) -> Entry:
        return self._entries[finding_id]

    def __contains__(self, finding_id: str) -> bool:
        return finding_id in self._entries

    def kinds(self) -> dict[str, Kind]:
        """The verdict that each fatal finding makes."""
        return {entry.id: entry.verdict for entry in self if entry.verdict is not None}

    def finding(self, finding_id: str, line: int | None = None, **evidence: object) -> Finding:
        """The finding in every language; MessageError when a piece of evidence is missing."""
        said = self.words.texts(Message(finding_id, evidence))
        shown = {name: plain(value) for name, value in evidence.items()}
        return Finding(finding_id, self._entries[finding_id].severity, said, line, evidence=shown)

    def observed(self, seen: Observation) -> Finding:
        """The finding that an emulator's observation is."""
        evidence = {name: value for name, value in seen.evidence.items() if value is not None}
        return replace(self.finding(seen.id, seen.line, **evidence), thread=seen.thread, block=seen.block)
