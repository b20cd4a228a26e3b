"""`warpmate worker`: a worker, with the settings of warpmate; and the workers on other hosts of a server."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from knowledge.errors import BadInput, SetupError
from warpmate.render import as_json, say
from warpmate.settings import Settings

if TYPE_CHECKING:
    from knowledge.workers.registry import Workers

app = typer.Typer(invoke_without_command=True)
T = TypeVar("T")


def register(root: typer.Typer) -> None:
    root.add_typer(app, name="worker")


@app.callback()
def worker(
    context: typer.Context,
    health: Annotated[
        bool, typer.Option("--health", help="Only say whether the worker of this host lives: exit code 0 if it does.")
    ] = False,
    card: Annotated[
        str, typer.Option(help="What jobs call the card of this host, for instance h200; else as it is detected.")
    ] = "",
) -> None:
    """Judge kernels for a broker or a server's gateway, until interrupted."""
    if context.invoked_subcommand:
        return
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


@app.command()
def enroll(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Small letters, digits and hyphens.")],
    gateway: Annotated[
        str, typer.Option(help="Address at which the new host reaches the gateway: https://host:8443")
    ],
    out: Annotated[Path, typer.Option(help="Folder for the key and the compose file.")] = Path(),
) -> None:
    """Know a worker on another host: write its key, once, and a compose file; the server keeps the public half."""
    from warpmate.wiring.enrolment import compose_file
    from worker.errors import WorkerError
    from worker.queue.remote import Address, WorkerKey
    from worker.queue.wire import KEY_BYTES, public_key_of

    try:
        Address.of(gateway, None)
    except WorkerError as wrong:
        raise SetupError(f"--gateway: {str(wrong).partition(': ')[2] or wrong}") from None
    key = WorkerKey(name, secrets.token_bytes(KEY_BYTES))
    key_file, compose = out / f"{name}.key", out / f"{name}.compose.yml"
    if taken := [str(file) for file in (key_file, compose) if file.exists()]:
        raise BadInput("error.worker.files", files=", ".join(taken))
    asyncio.run(_with_workers(context.obj, lambda workers: workers.enroll(name, public_key_of(key.secret))))
    out.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(key.text())
    compose.write_text(compose_file(name, gateway, key_file.name), encoding="utf-8")
    say(f"{name} is enrolled. Copy both files to its host, delete the key here, and start it there:")
    say(f"  {key_file}  (the only copy of its key)")
    say(f"  {compose}  docker compose -f {compose.name} up -d")


@app.command("list")
def list_(
    context: typer.Context, json: Annotated[bool, typer.Option(help="Print one JSON document.")] = False
) -> None:
    """List the workers on other hosts, and whether they may have jobs."""
    known = asyncio.run(_with_workers(context.obj, lambda workers: workers.listed()))
    if json:
        as_json([dataclasses.asdict(one) for one in known])
        return
    for one in known:
        state = "revoked" if one.revoked_at else f"paused: {one.paused_why}" if one.paused_at else "enrolled"
        say(f"{one.name}  {one.enrolled_at:%Y-%m-%d}  {state}")
    if not known:
        say("No worker on another host is enrolled.")


@app.command()
def revoke(context: typer.Context, name: str) -> None:
    """Let the key of NAME open nothing any more, for good."""
    asyncio.run(_with_workers(context.obj, lambda workers: workers.revoke(name)))
    say(f"The key of {name} is revoked.")


@app.command()
def pause(context: typer.Context, name: str) -> None:
    """Give NAME no more jobs until `warpmate worker resume`."""
    asyncio.run(_with_workers(context.obj, lambda workers: workers.pause(name, "by an operator")))
    say(f"{name} is paused.")


@app.command()
def resume(context: typer.Context, name: str) -> None:
    """Give NAME jobs again."""
    asyncio.run(_with_workers(context.obj, lambda workers: workers.resume(name)))
    say(f"{name} gets jobs again.")


async def _with_workers(settings: Settings, do: Callable[[Workers], Awaitable[T]]) -> T:
    from knowledge.workers.registry import Workers
    from warpmate.wiring.core import open_core

    async with open_core(settings) as core:
        return await do(Workers(core.store))
