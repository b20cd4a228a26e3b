"""`warpmate content`: is what members wrote under content/ fit to be read?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import typer

from knowledge.content import load_content
from knowledge.content.check import mistakes, unasked
from knowledge.errors import BadContent
from warpmate.options import AsJson
from warpmate.render import as_json, say
from warpmate.settings import Settings
from worker.errors import ProblemError

content = typer.Typer(help="What members wrote under content/.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(content, name="content")


@content.command()
def check(context: typer.Context, json: AsJson = False) -> None:
    """Say what is wrong under content/, one line per mistake. No kernel runs: that is `problems check`."""
    settings: Settings = context.obj
    found = list(content_mistakes(settings.content_dir))
    if json:
        as_json({"mistakes": found})
    else:
        for line in found:
            say(line)
        say("nothing to mend" if not found else f"{len(found)} to mend")
    if found:
        raise typer.Exit(1)


def content_mistakes(root: Path) -> Iterator[str]:
    """Yield each mistake as `file: place: what is wrong`; where files do not load, only those are named."""
    try:
        loaded = load_content(root)
        asked = loaded.asked
    except BadContent as error:
        yield from str(error).splitlines()
        return
    yield from mistakes(loaded)
    yield from unasked(loaded.notes, asked)
    yield from _in_problems(root)


def _in_problems(root: Path) -> Iterator[str]:
    """Yield the mistakes in problems that show without running a kernel."""
    from worker.judge.problem_check import check_at_rest
    from worker.oracle import Oracle
    from worker.problem import load

    for path in sorted(root.glob("problems/*/problem.toml")):
        try:
            problem = load(path.parent)
            faults = [(fault.file, fault.what) for fault in check_at_rest(problem, Oracle(problem))]
        except ProblemError as error:
            faults = [(error.file, f"{error.key}: {error.what}")]
        yield from (f"{file.relative_to(root).as_posix()}: {what}" for file, what in faults)
