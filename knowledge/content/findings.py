"""content/findings.toml, as far as readings need it: which topics a finding of the judge leads to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from knowledge.content.schema import refuse
from knowledge.content.topics import Topics
from knowledge.errors import BadContent
from worker.errors import ProblemError
from worker.findings_file import read_findings


def load_finding_topics(root: Path, topics: Topics) -> Mapping[str, tuple[str, ...]]:
    """Topics by finding id, most telling first; raises BadContent for a topic that does not exist."""
    try:
        entries = read_findings(root / "findings.toml").entries
    except ProblemError as error:
        raise BadContent(f"findings.toml: {error.key}: {error.what}") from error
    unknown = [
        f"{id_}.topics: no topic {t!r}" for id_, entry in entries.items() for t in entry.topics if t not in topics
    ]
    refuse("findings.toml", unknown)
    return MappingProxyType({id_: entry.topics for id_, entry in entries.items()})
