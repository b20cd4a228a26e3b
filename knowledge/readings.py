"""A reading as every flow hands it out: after a refusal, with a finding, in a recommendation, on a path."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing to read next, in the reader's language, with the reason why."""

    resource_id: str
    """A resource's id, `note:…` for our own notes, `problem:…` for a problem."""
    title: str
    url: str | None
    lang: str
    level: str
    minutes: int | None
    kind: str
    topics: tuple[str, ...]
    why: str
    link_state: str = "unknown"
    stretch: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"topics": list(self.topics)}
