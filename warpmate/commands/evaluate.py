"""`warpmate eval`: retrieval, answers and refusals over labelled questions."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Annotated, Any

import typer

from knowledge.errors import BadInput
from warpmate.options import AsJson
from warpmate.progress import progress_bar
from warpmate.render import as_json, say, table
from warpmate.settings import Settings
from warpmate.wiring.core import open_core


def register(app: typer.Typer) -> None:
    app.command("eval")(evaluate)


def evaluate(
    context: typer.Context,
    questions: Annotated[
        Path, typer.Argument(help="One JSON object a line: id, cell, question, lang, relevant, gold.", dir_okay=False)
    ],
    mirror: Annotated[
        Path | None,
        typer.Option("--mirror", help="The library is this folder alone, in a data directory of its own."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Measure the library on labelled questions. How well it finds, answers and refuses."""
    report = asyncio.run(_evaluate(context.obj, questions, mirror))
    if json:
        as_json(report)
    else:
        _show(report)


async def _evaluate(settings: Settings, questions: Path, mirror: Path | None) -> dict[str, Any]:
    from knowledge.ask.evaluate import evaluate as measured
    from knowledge.ask.labelled_questions import read_labels
    from warpmate.wiring.library import open_library

    try:
        labels = read_labels(questions)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadInput("error.labels.unreadable", file=questions, reason=reason) from None
    if not labels:
        raise BadInput("error.labels.empty", file=questions)
    settings = settings if mirror is None else apart(settings, mirror)
    async with open_core(settings) as core, open_library(core) as library:
        with progress_bar() as progress:
            await (library.build(mirror, progress) if mirror else library.ensure_index(progress))
            return await measured(
                labels, library.ask.asker, library.ask.searcher, core.store, mirror,
                lambda done, total: progress("ask", done, total),
            )  # fmt: skip


def apart(settings: Settings, mirror: Path) -> Settings:
    """Return settings with a data directory for this mirror alone, apart from the members' own."""
    name = hashlib.sha256(str(mirror.resolve()).encode()).hexdigest()[:16]
    return settings.model_copy(update={"data_dir": settings.data_dir / "eval" / name, "database_url": ""})


def _show(report: dict[str, Any]) -> None:
    columns = ("hit@1", "hit@3", "hit@5", "ndcg@10")
    rows = [
        (cell, *(f"{found[column]:.3f}" for column in columns), found["n"]) for cell, found in report["cells"].items()
    ]
    table("", ("cell", *columns, "n"), rows)
    for name, value in report["answers"].items():
        say(f"{name:18} {value:.3f}")
