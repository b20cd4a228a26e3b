"""How Discord says no: a status, a code, and for a bad form the path of every field that is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class Refused(Exception):
    def __init__(self, status: int, code: int, message: str, errors: dict[str, Any] | None = None) -> None:
        super().__init__(f"{status} {code} {message} {errors or ''}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"message": self.message, "code": self.code}
        return found | {"errors": self.errors} if self.errors else found


def unknown(what: str, code: int) -> Refused:
    return Refused(404, code, f"Unknown {what}")


@dataclass(slots=True)
class Complaints:
    """Everything that is wrong with one form, by the path of the field."""

    found: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, path: str, code: str, message: str) -> None:
        self.found.append((path, code, message))

    def length(self, path: str, value: Any, most: int, least: int = 0) -> None:
        if value is None and not least:
            return
        if not isinstance(value, str):
            self.add(path, "BASE_TYPE_REQUIRED" if value is None else "STRING_TYPE_CONVERT", "Must be a text.")
        elif not least <= len(value) <= most:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")

    def count(self, path: str, value: Any, most: int, least: int = 0) -> None:
        if value is None and not least:
            return
        if not isinstance(value, list):
            self.add(path, "LIST_TYPE_CONVERT", "Must be a list.")
        elif not least <= len(value) <= most:
            self.add(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")

    def refuse(self) -> None:
        """Raise if there is anything; the errors form a tree as Discord's do."""
        if not self.found:
            return
        tree: dict[str, Any] = {}
        for path, code, message in self.found:
            node = tree
            for part in path.split("."):
                node = node.setdefault(part, {})
            node.setdefault("_errors", []).append({"code": code, "message": message})
        raise Refused(400, 50035, "Invalid Form Body", tree)
