"""The forms of a page, as a browser would find them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

FREE = {"text", "search", "number", "hidden", "textarea"}
"""Fields that hold whatever somebody writes into them, or into the request."""


@dataclass
class Form:
    method: str
    action: str
    fields: dict[str, str] = field(default_factory=dict)
    free: set[str] = field(default_factory=set)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(said.get("method", "get"), said["action"]))
        elif self.forms and "name" in said and tag in {"input", "textarea", "select", "button"}:
            form, name = self.forms[-1], said["name"]
            form.fields.setdefault(name, said.get("value", ""))
            if said.get("type", "textarea" if tag == "textarea" else "text" if tag == "input" else tag) in FREE:
                form.free.add(name)


def forms_of(page: str) -> list[Form]:
    reader = _Reader()
    reader.feed(page)
    return reader.forms
