"""Bodies and queries of the API, checked against their models; what is wrong is told by the name of its field."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from aiohttp import web
from pydantic import BaseModel, ValidationError

from knowledge.errors import BadInput

Model = TypeVar("Model", bound=BaseModel)


async def body_of(request: web.Request, model: type[Model]) -> Model:
    if request.content_type != "application/json":
        raise web.HTTPUnsupportedMediaType
    try:
        return model.model_validate_json(await request.read())
    except ValidationError as error:
        raise _wrong(error) from None


def query_of(request: web.Request, model: type[Model]) -> Model:
    given: dict[str, Any] = {}
    for name, value in request.query.items():
        if name in given:
            raise BadInput("error.form.twice", name=name)
        given[name] = value
    try:
        return model.model_validate_strings(given)
    except ValidationError as error:
        raise _wrong(error) from None


def _wrong(error: ValidationError) -> BadInput:
    first = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(str(part)[:60] for part in first["loc"]) or "body"
    said = json.dumps(first["msg"], ensure_ascii=True)[1:-1]
    return BadInput("error.form.malformed", name=where, reason=said)
