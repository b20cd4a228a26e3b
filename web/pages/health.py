"""`/healthz`: this process lives. `/readyz`: it reaches its database, and how it stands with Discord. `/metrics`."""

from __future__ import annotations

from aiohttp import web
from sqlalchemy import text

from web.events import STREAMS
from web.keys import METRICS, SERVICES
from web.metrics import exposed


def register(site: web.Application) -> None:
    site.router.add_get("/healthz", alive)
    site.router.add_get("/readyz", ready)


def register_metrics(site: web.Application) -> None:
    site.router.add_get("/metrics", metrics)


async def alive(_request: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


async def ready(request: web.Request) -> web.Response:
    services = request.app[SERVICES]
    async with services.store.engine.connect() as connection:
        await connection.execute(text("SELECT 1"))
    discord = services.discord
    return web.json_response(
        {"status": "ok", "discord": discord.state, "discord_since": discord.since.isoformat(timespec="seconds")}
    )


async def metrics(request: web.Request) -> web.Response:
    body = await exposed(request.app[METRICS], request.app[SERVICES], request.app[STREAMS].now)
    return web.Response(body=body, headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"})
