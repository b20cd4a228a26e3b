"""Reading a TOML table key by key: every mistake names the file and the key."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from worker.errors import ExpressionError, ProblemError
from worker.expression import Dims, Expression, parse, parse_dims


class Table:
    """One table of a TOML file; `done` refuses the keys that nobody asked for."""

    def __init__(self, file: Path, where: str, content: Mapping[str, Any]) -> None:
        self._file = file
        self._where = where
        self._content = content
        self._asked: set[str] = set()

    def has(self, key: str) -> bool:
        return key in self._content

    def mistake(self, key: str, what: str) -> ProblemError:
        return ProblemError(self._file, f"{self._where}{key}", what)

    def value(self, key: str) -> Any:
        self._asked.add(key)
        if key not in self._content:
            raise self.mistake(key, "is missing")
        return self._content[key]

    def text(self, key: str, default: str | None = None) -> str:
        if default is not None and not self.has(key):
            return default
        return self._typed(key, str, "a text")  # type: ignore[no-any-return]  # checked to be one

    def choice(self, key: str, options: tuple[str, ...], default: str | None = None) -> str:
        text = self.text(key, default)
        if text not in options:
            raise self.mistake(key, f"expected one of {', '.join(options)}, found {text!r}")
        return text

    def number(self, key: str, default: float) -> float:
        if not self.has(key):
            return default
        value = self.value(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.mistake(key, f"expected a number, found {value!r}")
        return float(value)

    def count(self, key: str, default: int) -> int:
        if not self.has(key):
            return default
        value = self.value(key)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise self.mistake(key, f"expected a whole number from 1, found {value!r}")
        return value

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        if default is not None and not self.has(key):
            return default
        values = self._typed(key, list, "a list of texts")
        if not all(isinstance(value, str) and value for value in values):
            raise self.mistake(key, "expected a list of texts")
        return tuple(values)

    def table(self, key: str) -> Table:
        return Table(self._file, f"{self._where}{key}.", self._typed(key, dict, "a table"))

    def tables(self, key: str) -> list[Table]:
        """A list of tables; none when the key is absent."""
        if not self.has(key):
            return []
        values = self._typed(key, list, "a list of tables")
        if not all(isinstance(value, dict) for value in values):
            raise self.mistake(key, "expected a list of tables")
        return [Table(self._file, f"{self._where}{key}[{i}].", value) for i, value in enumerate(values)]

    def expression(self, key: str, names: tuple[str, ...], default: str | None = None) -> Expression:
        if default is not None and not self.has(key):
            return parse(default)
        return self.as_expression(key, self.value(key), names)

    def as_expression(self, key: str, value: Any, names: tuple[str, ...]) -> Expression:
        """A whole number or the text of an expression over the names."""
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise self.mistake(key, f"expected a whole number or an expression, found {value!r}")
        try:
            expression = parse(str(value))
        except ExpressionError as error:
            raise self.mistake(key, f"{value!r}, column {error.column}: {error.what}") from error
        self._known(key, expression, names)
        return expression

    def dims(self, key: str, names: tuple[str, ...]) -> Dims:
        text = str(self.value(key))
        try:
            dims = parse_dims(text)
        except ExpressionError as error:
            raise self.mistake(key, f"{text!r}, column {error.column}: {error.what}") from error
        for axis in dims.axes:
            self._known(key, axis, names)
        return dims

    def done(self) -> None:
        unknown = sorted(self._content.keys() - self._asked)
        if unknown:
            raise self.mistake(unknown[0], "is not a key of this table")

    def keys(self) -> tuple[str, ...]:
        return tuple(self._content)

    def _known(self, key: str, expression: Expression, names: tuple[str, ...]) -> None:
        for name in expression.names():
            if name not in names:
                raise self.mistake(key, f"expected one of the sizes {', '.join(names)}, found {name!r}")

    def _typed(self, key: str, kind: type, what: str) -> Any:
        value = self.value(key)
        if not isinstance(value, kind) or value in ("", []):
            raise self.mistake(key, f"expected {what}, found {value!r}")
        return value
