"""`warpmate worker`: a worker for the broker, with the settings of warpmate."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import typer

from knowledge.errors import SetupError


def register(app: typer.Typer) -> None:
    app.command()(worker)


def worker(
    context: typer.Context,
    health: Annotated[
        bool, typer.Option("--health", help="Only say whether the worker of this host lives: exit code 0 if it does.")
    ] = False,
    card: Annotated[
        str, typer.Option(help="What jobs call the card of this host, for instance h200; else as it is detected.")
    ] = "",
) -> None:
    """Judge kernels for a broker, until interrupted. WARPMATE_REDIS_URL names the broker."""
    from warpmate.wiring.submit import worker_config
    from worker.errors import WorkerError
    from worker.standalone_worker import check_health, serve

    config = worker_config(context.obj)
    config = dataclasses.replace(config, card=card or config.card)
    try:
        if health:
            check_health(config)
        else:
            serve(config)
    except WorkerError as trouble:
        raise SetupError(str(trouble)) from None
