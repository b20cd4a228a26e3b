"""What a calculator hands back: the result, and each step of the way to it in both languages."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Step:
    """One line of working: what, how, how much."""

    en: str
    zh: str
    formula: str
    value: float
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Working:
    """A finished calculation."""

    title_en: str
    title_zh: str
    steps: tuple[Step, ...]
    conclusion_en: str
    conclusion_zh: str
    facts: dict[str, Any] = field(default_factory=dict)
    """The figures by name, for programs and for the roofline picture."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def si(value: float, unit: str) -> str:
    """`1.23 G` + unit: three significant digits with the prefix that a person would say."""
    for factor, prefix in ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= factor:
            return f"{value / factor:.3g} {prefix}{unit}"
    return f"{value:.3g} {unit}"
