"""The gateway's HTTP side: reads a request within bounds, has it admitted and verified, and answers in JSON.

It has an address of its own and knows no cookie, no form and no page: nothing of the site can be reached through it.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from aiohttp.typedefs import Handler

from knowledge.errors import SetupError
from knowledge.workers.gateway import MOST_BODY_BYTES, Gateway, Refused, answer_of, head_of, refusal_of, signature_of

log = logging.getLogger(__name__)

BODY_WITHIN_S = 5.0
GATEWAY = web.AppKey("gateway", Gateway)
STATUS = {
    "signature": 401, "epoch": 401, "time": 401, "nonce": 401, "replay": 401, "revoked": 403, "paused": 403,
    "lease": 409, "result": 422, "busy": 429, "protocol": 426, "path": 404, "size": 413, "slow": 408, "headers": 400,
}  # fmt: skip


def build_gateway(gateway: Gateway) -> web.Application:
    app = web.Application(client_max_size=MOST_BODY_BYTES, middlewares=[_in_json])
    app[GATEWAY] = gateway
    app.router.add_get("/worker/hello", hello)
    app.router.add_post("/worker/{path}", obey)
    return app


async def hello(request: web.Request) -> web.Response:
    return _json(200, answer_of(request.app[GATEWAY].hello()))


async def obey(request: web.Request) -> web.Response:
    gateway = request.app[GATEWAY]
    if request.query_string:
        raise Refused("path", "nothing comes behind the path")
    head, signature = head_of(_once(request)), signature_of(_once(request))
    worker = await gateway.admit(head)
    body = await _body(request)
    gateway.verify(worker, head, signature, request.raw_path, body)
    answer = await gateway.obey(worker, request.match_info["path"], body)
    return web.Response(status=204) if answer is None else _json(200, answer_of(answer))


def _once(request: web.Request) -> dict[str, str]:
    """The headers by name in small letters; one that comes twice could be read as either, so neither is."""
    found: dict[str, str] = {}
    for name, value in request.headers.items():
        if name.lower() in found:
            raise Refused("headers", f"the header {name[:40]} comes twice")
        found[name.lower()] = value
    if "transfer-encoding" in found or "content-encoding" in found or "content-length" not in found:
        raise Refused("headers", "a body is sent as it is, with its length")
    return found


async def _body(request: web.Request) -> bytes:
    if (request.content_length or 0) > MOST_BODY_BYTES:
        raise Refused("size", f"a body has at most {MOST_BODY_BYTES} bytes")
    try:
        async with asyncio.timeout(BODY_WITHIN_S):
            return await request.read()
    except TimeoutError:
        raise Refused("slow", "the body took too long to arrive") from None


@web.middleware
async def _in_json(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Every refusal is logged, with whom it claimed to be; a defect of ours is told as nothing but that."""
    try:
        return await handler(request)
    except Refused as refused:
        claimed = request.headers.get("X-Warpmate-Worker", "")[:40]
        log.warning("refused %r at %s from %s: %s", claimed, request.path[:40], request.remote, refused)
        return _json(STATUS[refused.why], refusal_of(refused))
    except web.HTTPException as error:
        log.warning("refused %s %s from %s: %s", request.method, request.path[:40], request.remote, error.reason)
        return _json(error.status, refusal_of(Refused("path", error.reason)))


def _json(status: int, body: bytes) -> web.Response:
    response = web.Response(status=status, body=body, content_type="application/json")
    if status in {400, 408, 413}:
        response.force_close()  # what is left of the request is not read as another one
    return response


@asynccontextmanager
async def gateway_serving(gateway: Gateway, host: str, port: int, tls: ssl.SSLContext | None) -> AsyncIterator[str]:
    """Serve beside the block and yield the address. A worker that hangs up is waited for no longer."""
    runner = web.AppRunner(
        build_gateway(gateway), access_log=None, handle_signals=False, handler_cancellation=True,
        shutdown_timeout=1.0, max_line_size=4096, max_field_size=4096,
    )  # fmt: skip
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port, ssl_context=tls).start()
        except OSError as error:
            raise SetupError(f"the gateway cannot listen on {host}:{port} ({error.strerror})") from error
        yield f"{'https' if tls else 'http'}://{host}:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
