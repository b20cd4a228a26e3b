"""Options that several commands share, and the language that a command replies in."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

import typer

from knowledge.words import ENGLISH, Language, language_codes, read_languages


def default_member() -> str:
    """The member id of whoever works on this machine; it never leaves it."""
    return f"local:{getpass.getuser()}"


def language_named(code: str) -> Language:
    """Return the language in which a command replies."""
    return read_languages("terminal")[code]


def wanted_language(arguments: Sequence[str]) -> Language:
    """Return the language of `--lang`, read from the arguments: errors are told after the command has ended."""
    said = [argument.removeprefix("--lang=") for argument in arguments if argument.startswith("--lang=")]
    said += [after for option, after in pairwise(arguments) if option == "--lang"]
    return language_named(said[-1] if said else ENGLISH)


def _known(code: str | None) -> str | None:
    if code is not None and code not in language_codes():
        raise typer.BadParameter(f"{code!r} is not one of {', '.join(language_codes())}")
    return code


AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Lang = Annotated[str, typer.Option("--lang", help="Language of the reply: en or zh.", callback=_known)]
MaybeLang = Annotated[
    str | None, typer.Option("--lang", help="Language of the reply; else that of the question.", callback=_known)
]
Server = Annotated[
    str | None,
    typer.Option("--server", help="Against this server; else the one of `warpmate login`. `local` is this machine."),
]
Member = Annotated[
    str | None,
    typer.Option("--member", help="Remember for this member, for instance local:ada; else nothing is kept."),
]
Whose = Annotated[
    str | None,
    typer.Option("--member", help="For this member, for instance local:ada; else for who works here."),
]
HandsIn = Annotated[
    str | None,
    typer.Option("--member", help="Hand in as this member, for instance local:ada; else as who works here."),
]
