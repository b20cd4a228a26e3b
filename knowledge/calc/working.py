"""What a calculator hands back: the result, and each step of the way to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from knowledge.words import Language, Message

_LARGE = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
_SMALL = ((1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))


@dataclass(frozen=True, slots=True)
class Step:
    """One line of working: what, how, how much."""

    name: Message
    formula: Message | str
    """Figures alone are the same in every language."""
    value: float
    unit: str = ""

    @property
    def shown(self) -> str:
        return si(self.value, self.unit)

    def formula_in(self, language: Language) -> str:
        return language.say(self.formula) if isinstance(self.formula, Message) else self.formula


@dataclass(frozen=True, slots=True)
class Working:
    """A finished calculation."""

    title: Message
    steps: tuple[Step, ...]
    conclusion: Message
    facts: dict[str, Any] = field(default_factory=dict)
    """The figures by name, for programs and for the roofline picture."""

    def as_json(self, language: Language) -> dict[str, Any]:
        return {
            "title": language.say(self.title),
            "steps": [
                {
                    "name": language.say(step.name),
                    "formula": step.formula_in(language),
                    "value": step.value,
                    "unit": step.unit,
                }
                for step in self.steps
            ],
            "conclusion": language.say(self.conclusion),
            "facts": self.facts,
        }


def si(value: float, unit: str) -> str:
    """`1.23 G` + unit: three significant digits with the prefix that a person would say; small ones for seconds."""
    prefixes = (*_LARGE, *_SMALL) if unit == "s" else _LARGE
    for factor, prefix in prefixes:
        if abs(value) >= factor:
            return f"{value / factor:.3g} {prefix}{unit}"
    return f"{value:.3g} {unit}".rstrip()
