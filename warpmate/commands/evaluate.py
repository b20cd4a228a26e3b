"""`warpmate eval`: retrieval, answers and refusals over labelled questions."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Annotated, Any

import typer

from knowledge.errors import BadInput
from warpmate.house import open_house
from warpmate.options import AsJson
from warpmate.progress import progress_bar
from warpmate.render import as_json, say, table
from warpmate.settings import Settings


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
    from knowledge.ask.labels import read_labels
    from warpmate.library import open_reading_room

    try:
        labels = read_labels(questions)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise BadInput(f"{questions} cannot be read as a list of questions: {reason}") from None
    if not labels:
        raise BadInput(f"{questions} holds no question")
    settings = settings if mirror is None else apart(settings, mirror)
    async with open_house(settings) as house, open_reading_room(house) as room:
        with progress_bar() as progress:
            await (room.build(mirror, progress) if mirror else room.ensure_index(progress))
            return await measured(
                labels, room.ask.asker, room.ask.searcher, house.store, mirror,
                lambda done, total: progress("ask", done, total),
            )  # fmt: skip


def apart(settings: Settings, mirror: Path) -> Settings:
    """A data directory for this mirror alone: what members asked and read stays out of it, and it out of theirs."""
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
