"""What the doctor says of one part."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

State = Literal["ok", "off", "warn", "bad"]
"""off: not set up, and nothing needs it. warn: works, with less than it could. bad: something will not work."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    part: str
    state: State
    finding: str
    advice: str = ""
    """What the operator should do; empty where nothing is amiss."""

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)
