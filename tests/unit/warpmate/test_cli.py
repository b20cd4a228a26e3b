"""The command line imports one file for one command; the table of files and commands says the truth."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest
import typer

from warpmate.cli import COMMANDS, files_for


@pytest.mark.parametrize("file", COMMANDS)
def test_a_file_adds_the_commands_that_the_table_names(file: str) -> None:
    app = typer.Typer()
    app.callback()(lambda: None)
    import_module(f"warpmate.commands.{file}").register(app)
    assert set(typer.main.get_group(app).commands) == set(COMMANDS[file])


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (["search", "warp", "-k", "2"], ("ask",)),
        (["--version"], ()),
        (["--help"], tuple(COMMANDS)),
        (["no-such-command"], tuple(COMMANDS)),
        ([], tuple(COMMANDS)),
    ],
)
def test_what_is_asked_for_decides_what_is_imported(arguments: list[str], files: tuple[str, ...]) -> None:
    assert files_for(arguments) == files


@pytest.mark.parametrize(
    ("command", "absent"),
    [
        ("--version", ("numpy", "sqlalchemy", "aiohttp")),
        ("calc", ("alembic", "discord")),
        ("worker", ("sqlalchemy",)),
    ],
)
def test_a_command_leaves_out_what_it_has_no_use_for(command: str, absent: tuple[str, ...]) -> None:
    program = "import sys; sys.argv = ['warpmate', *sys.argv[1:]]\ntry:\n    import warpmate.cli as c; c.main()\n"
    program += "finally:\n    print(*sys.modules, file=sys.stderr)"
    arguments = [command] if command.startswith("-") else [command, "--help"]
    asked = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True)
    assert set(asked.stderr.split()).isdisjoint(absent)
