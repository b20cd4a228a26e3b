"""Turn every error into one clear page, or one JSON line for programs; of a defect only its number is shown."""

from __future__ import annotations

import secrets
from http import HTTPStatus

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler

from knowledge.errors import (
    BadInput,
    NotAllowed,
    NotFound,
    NotReady,
    SafeError,
    SetupError,
    TooMany,
)
from knowledge.store.faults import explain
from web.keys import RENDERER
from web.render import wants_json

log = structlog.get_logger()

_STATUS: tuple[tuple[type[SafeError], int], ...] = (
    (NotFound, 404),
    (NotAllowed, 403),
    (TooMany, 429),
    (BadInput, 422),
    (NotReady, 503),
    (SetupError, 503),
)


@web.middleware
async def errors_as_pages(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except SafeError as error:
        return _safe(request, error)
    except web.HTTPException as answer:
        if answer.status < 400:
            raise
        return _page(request, answer.status, _sentence(request, answer.status), headers=_kept(answer))
    except (ConnectionResetError, ConnectionAbortedError):
        raise
    except Exception as error:  # noqa: BLE001  the last line of defence; what it was is in the log
        return _defect(request, error)


def status_of(error: SafeError) -> int:
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def _safe(request: web.Request, error: SafeError) -> web.Response:
    headers = {"Retry-After": str(int(error.retry_after.total_seconds()))} if isinstance(error, TooMany) else {}
    return _page(request, status_of(error), error.text(request.app[RENDERER].lang_of(request)), headers=headers)


def _defect(request: web.Request, error: Exception) -> web.Response:
    number = secrets.token_hex(4)
    fault = explain(error)
    log.error("a request failed", number=number, method=request.method, route=_route(request), exc_info=error)
    renderer = request.app[RENDERER]
    sentence = renderer.language_of(request)("error.store" if fault else "error.ours", number=number)
    return _page(request, 503 if fault else 500, sentence)


def _sentence(request: web.Request, status: int) -> str:
    language = request.app[RENDERER].language_of(request)
    known = {401, 404, 405, 408, 413, 415, 421}
    return language(f"error.{status}" if status in known else "error.400")


def _kept(answer: web.HTTPException) -> dict[str, str]:
    """Return the headers that belong to the refusal."""
    return {name: answer.headers[name] for name in ("Allow", "WWW-Authenticate") if name in answer.headers}


def _page(request: web.Request, status: int, sentence: str, headers: dict[str, str] | None = None) -> web.Response:
    if wants_json(request):
        response = problem(status, sentence)
    else:
        response = request.app[RENDERER].page(request, "error.html", status=status, sentence=sentence, code=status)
    response.headers.update(headers or {})
    return response


def problem(status: int, sentence: str, **more: object) -> web.Response:
    """Return an error as programs read it (RFC 9457)."""
    told = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": sentence}
    return web.json_response(told | more, status=status, content_type="application/problem+json")


def _route(request: web.Request) -> str:
    """Return the route's pattern for the log: an address itself may hold private things."""
    resource = request.match_info.route.resource
    return resource.canonical if resource else "none"
