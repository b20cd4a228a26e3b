"""What pages find in the application and in a request: typed keys, filled by `web.app` and its middleware."""

from __future__ import annotations

from aiohttp import web

from web.flows import Flows, Terms
from web.metrics import Metrics
from web.render import Renderer
from web.visitor import Visitor

FLOWS = web.AppKey("flows", Flows)
TERMS = web.AppKey("terms", Terms)
RENDERER = web.AppKey("renderer", Renderer)
METRICS = web.AppKey("metrics", Metrics)
VISITOR: web.RequestKey[Visitor] = web.RequestKey("visitor", Visitor)
