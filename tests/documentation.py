"""The parts of docs/ that follow from the code. `python -m tests.documentation` writes them anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from knowledge.store.tables import Base
from warpmate.cli import build_app
from warpmate.settings import Settings, variables

REFERENCE = Path(__file__).parents[1] / "docs" / "reference.md"


def written() -> str:
    """The whole of docs/reference.md."""
    parts = [
        "# Reference",
        "\nMade from the code by `python -m tests.documentation`; a test fails when it is out of date.",
        "\n## Settings\n\nRead once from the environment and `.env`. `.env.example` lists the same.\n",
        _table(("variable", "default", "meaning"), _settings()),
        "\n## Commands\n\n`--json` prints one JSON document on standard output and nothing else.",
        "Errors are one line on standard error: exit code 1, or 2 for wrong usage.\n",
        _table(("command", "does"), _commands()),
        "\n## Tables\n",
        _table(("table", "holds", "columns"), _tables()),
        "",
    ]
    return "\n".join(parts)


def _table(headings: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    lines = [" | ".join(headings), " | ".join("---" for _ in headings)]
    lines += [" | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) for row in rows]
    return "\n".join(f"| {line} |" for line in lines)


def _settings() -> Iterator[tuple[str, ...]]:
    settings = Settings()
    for name, field in variables().items():
        value: Any = getattr(settings, name.removeprefix("WARPMATE_").lower())
        shown = "content" if name == "WARPMATE_CONTENT_DIR" else _plain(value)
        yield f"`{name}`", f"`{shown}`" if shown else "", str(field.description)


def _plain(value: Any) -> str:
    if hasattr(value, "get_secret_value") or value is None:
        return ""
    return str(int(value)) if isinstance(value, bool) else str(value)


def _commands() -> Iterator[tuple[str, ...]]:
    root = typer.main.get_command(build_app())
    yield from _of_group(root, "warpmate")


def _of_group(group: Any, path: str) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            if command.invoke_without_command:
                arguments = [_argument(parameter) for parameter in command.params if parameter.name != "help"]
                yield f"`{' '.join([path, name, *arguments])}`", re.sub(r"\s+", " ", command.help or "").strip()
            yield from _of_group(command, f"{path} {name}")
            continue
        arguments = [_argument(parameter) for parameter in command.params if parameter.name != "help"]
        yield f"`{' '.join([path, name, *arguments])}`", re.sub(r"\s+", " ", command.help or "").strip()


def _argument(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        name = str(parameter.name).upper()
        return name if parameter.required else f"[{name}]"
    shown = parameter.opts[0] if parameter.is_flag else f"{parameter.opts[0]} {parameter.name.upper()}"
    return shown if parameter.required else f"[{shown}]"


def _tables() -> Iterator[tuple[str, ...]]:
    classes = {mapper.class_.__tablename__: mapper.class_ for mapper in Base.registry.mappers}
    for name in sorted(classes):
        meaning = (classes[name].__doc__ or "").split("\n\n")[0]
        columns = ", ".join(column.name for column in Base.metadata.tables[name].columns)
        yield f"`{name}`", meaning, columns


if __name__ == "__main__":
    REFERENCE.write_text(written(), encoding="utf-8")
