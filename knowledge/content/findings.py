"""content/findings.toml, as far as readings need it: which topics a finding of the judge leads to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from knowledge.content.schema import file_text, listed, parsed_toml, refuse
from knowledge.content.topics import Topics


def load_finding_topics(root: Path, topics: Topics) -> Mapping[str, tuple[str, ...]]:
    """Topics by finding id, most telling first; raises BadContent for a topic that does not exist."""
    text, file = file_text(root / "findings.toml", root)
    found: dict[str, tuple[str, ...]] = {}
    mistakes = []
    for n, entry in enumerate(listed(parsed_toml(text, file), "finding", file)):
        if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
            mistakes.append(f"finding[{n}].id: must be a text")
            continue
        found[entry["id"]] = tuple(entry.get("topics", ()))
        mistakes += [f"finding[{n}].topics: no topic {t!r}" for t in found[entry["id"]] if t not in topics]
    refuse(file, mistakes)
    return MappingProxyType(found)
