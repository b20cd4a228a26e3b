"""The gateway for workers on other hosts, beside site and bot."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from knowledge.errors import BadSetting
from knowledge.workers.gateway import Gateway
from knowledge.workers.registry import Workers
from warpmate.settings import Settings
from warpmate.wiring.core import Core
from warpmate.wiring.submit import running
from web.visitor import is_loopback
from web.worker_gateway import gateway_serving
from worker.queue import JobQueue


@asynccontextmanager
async def open_gateway(core: Core, queue: JobQueue) -> AsyncIterator[str]:
    """Yield the address at which workers on other hosts are listened to."""
    host, _, port = core.settings.gateway.rpartition(":")
    host = host.strip("[]")
    tls = _tls(core.settings, host)
    gateway = Gateway(queue, Workers(core.store))
    async with running(gateway.run()), gateway_serving(gateway, host, int(port), tls) as address:
        yield address


def _tls(settings: Settings, host: str) -> ssl.SSLContext | None:
    if settings.gateway_cert is None:
        if not is_loopback(host):
            raise BadSetting(
                "WARPMATE_GATEWAY_CERT is not set: workers on other hosts are listened to over TLS alone; "
                "behind a proxy that has the certificate, let WARPMATE_GATEWAY listen on 127.0.0.1"
            )
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(settings.gateway_cert, settings.gateway_key)
    except (OSError, ssl.SSLError) as error:
        raise BadSetting(f"WARPMATE_GATEWAY_CERT: {settings.gateway_cert} cannot be used: {error}") from None
    return context
