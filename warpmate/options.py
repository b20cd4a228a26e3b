"""Options that several commands share, said once."""

from __future__ import annotations

import getpass
from enum import StrEnum
from typing import Annotated

import typer


class Lang(StrEnum):
    EN = "en"
    ZH = "zh"


def default_member() -> str:
    """Whoever works on this machine; nothing leaves it."""
    return f"local:{getpass.getuser()}"


AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Language = Annotated[Lang, typer.Option("--lang", help="Language of the reply.")]
Member = Annotated[
    str | None,
    typer.Option("--member", help="Remember for this member, for instance local:ada; else nothing is kept."),
]
HandsIn = Annotated[
    str | None,
    typer.Option("--member", help="Hand in as this member, for instance local:ada; else as who works here."),
]
