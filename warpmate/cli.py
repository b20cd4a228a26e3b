"""`warpmate`: parse, call one flow, render. Errors end here, in one line."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Annotated, NoReturn

import typer

from knowledge.errors import SafeError
from knowledge.words import Language
from warpmate.edition import edition
from warpmate.log import new_request_id, record_fault, set_up_logging
from warpmate.options import wanted_language
from warpmate.render import say
from warpmate.settings import Settings, read_settings

COMMANDS: dict[str, tuple[str, ...]] = {
    "run": ("run",),
    "login": ("login", "logout"),
    "ask": ("ask", "search"),
    "recommend": ("recommend", "path", "remember", "progress"),
    "plan": ("plan",),
    "submit": ("submit",),
    "try_out": ("try",),
    "problems": ("problems",),
    "practice": ("hint", "editorial"),
    "leaderboard": ("leaderboard",),
    "content": ("content",),
    "calc": ("calc",),
    "card": ("card",),
    "define": ("define",),
    "resource": ("resource",),
    "gaps": ("gaps",),
    "index": ("index",),
    "evaluate": ("eval",),
    "mcp": ("mcp",),
    "indexer": ("indexer",),
    "worker": ("worker",),
    "jobs": ("jobs",),
    "database": ("db",),
    "doctor": ("doctor",),
}
"""The files of `warpmate/commands/` in the order of the help, and what each one's `register(app)` adds."""


def build_app(files: Iterable[str] = COMMANDS) -> typer.Typer:
    app = typer.Typer(
        name="warpmate",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(warpmate)
    for file in files:
        import_module(f"warpmate.commands.{file}").register(app)
    return app


def files_for(arguments: Sequence[str]) -> tuple[str, ...]:
    """Return the one file whose command is asked for, so that nothing else is imported; all for the help."""
    if arguments and arguments[0] == "--version":
        return ()
    return tuple(file for file, names in COMMANDS.items() if arguments and arguments[0] in names) or tuple(COMMANDS)


def _print_version(asked: bool) -> None:
    if asked:
        say(f"warpmate {edition()}")
        raise typer.Exit


def warpmate(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and its commit.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """The study partner of a GPU programming study group."""


def main() -> None:
    """Exit codes: 0 done, 1 it could not be done, 2 wrong usage (one line says why), 130 interrupted."""
    try:
        settings = read_settings()
        set_up_logging(settings.log_level, settings.log_format)
    except SafeError as error:
        _fail(str(error))
    try:
        raise SystemExit(
            build_app(files_for(sys.argv[1:]))(prog_name="warpmate", obj=settings, standalone_mode=False)
        )
    except typer.TyperException as error:
        _refuse(error)
    except SafeError as error:
        _fail(error.text(wanted_language(sys.argv).code))
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except Exception as error:  # noqa: BLE001  the last line of defence: a user sees an id, a file has the rest
        _fail(_told(error, settings, wanted_language(sys.argv)))


def _refuse(error: typer.TyperException) -> NoReturn:
    """Wrong usage: one line that leads to the help, or the help itself where a command was left out."""
    said = error.format_message()
    if not said.startswith("Usage:"):
        place = getattr(error, "ctx", None)
        said = " ".join(said.replace("Value error, ", "").split()).rstrip(".")
        said = f"warpmate: {said}; see {place.command_path if place else 'warpmate'} --help"
    print(said, file=sys.stderr)  # noqa: T201  standard error is this program's own
    raise SystemExit(error.exit_code)


def _told(error: Exception, settings: Settings, language: Language) -> str:
    if isinstance(error, ModuleNotFoundError):
        return language("fault.not_installed", name=error.name)
    from knowledge.store.faults import explain  # after the one above: it may be the database's package that lacks

    if known := explain(error):
        return str(known)
    request_id = new_request_id()
    where = record_fault(settings.data_dir, request_id)
    kind = type(error).__name__
    if where is None:
        return language("fault.inside_untold", kind=kind)
    return language("fault.inside", kind=kind, file=where, number=request_id)


def _fail(line: str) -> NoReturn:
    print(f"warpmate: {line}", file=sys.stderr)  # noqa: T201  standard error is this program's own
    raise SystemExit(1)
