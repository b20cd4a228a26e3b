"""The output of the command line: rich for people, one JSON document for programs, on standard output."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import typer

_UNFOLDED = 10_000


def as_json(document: Any) -> None:
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2, default=str))


def say(line: str) -> None:
    typer.echo(line)


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Draw a table as wide as the terminal; for a program nothing is folded. A cell is text, never markup."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(title=title or None, title_justify="left")
    for column in columns:
        drawn.add_column(column, overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(str(cell)) for cell in row))
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else _UNFOLDED
    Console(width=width).print(drawn, crop=False)
