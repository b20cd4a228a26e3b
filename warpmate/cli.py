"""`warpmate`: parse, call one flow, render. Errors end here, in one line."""

from __future__ import annotations

import importlib.metadata
import sys
from types import ModuleType
from typing import Annotated, NoReturn

import typer

from knowledge.errors import SafeError
from knowledge.store.faults import explain
from knowledge.words import Language
from warpmate.commands import (
    ask,
    calc,
    card,
    content,
    database,
    define,
    doctor,
    evaluate,
    gaps,
    index,
    indexer,
    plan,
    problems,
    recommend,
    resource,
    run,
    submit,
    worker,
)
from warpmate.log import new_request_id, record_fault, set_up_logging
from warpmate.options import wanted_language
from warpmate.render import say
from warpmate.settings import Settings, read_settings

COMMANDS: tuple[ModuleType, ...] = (
    run, ask, recommend, plan, submit, problems, content, calc, card, define, resource, gaps, index, evaluate,
    indexer, worker, database, doctor,
)  # fmt: skip
"""To add a command: one file in `warpmate/commands/` with `register(app)`, one name here."""


def build_app() -> typer.Typer:
    app = typer.Typer(
        name="warpmate",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(warpmate)
    for command in COMMANDS:
        command.register(app)
    return app


def _print_version(asked: bool) -> None:
    if asked:
        say(f"warpmate {importlib.metadata.version('warpmate')}")
        raise typer.Exit


def warpmate(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
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
        raise SystemExit(build_app()(prog_name="warpmate", obj=settings, standalone_mode=False))
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
    if known := explain(error):
        return str(known)
    if isinstance(error, ModuleNotFoundError):
        return language("fault.not_installed", name=error.name)
    request_id = new_request_id()
    where = record_fault(settings.data_dir, request_id)
    kind = type(error).__name__
    if where is None:
        return language("fault.inside_untold", kind=kind)
    return language("fault.inside", kind=kind, file=where, number=request_id)


def _fail(line: str) -> NoReturn:
    print(f"warpmate: {line}", file=sys.stderr)  # noqa: T201  standard error is this program's own
    raise SystemExit(1)
