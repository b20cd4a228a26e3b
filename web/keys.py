"""What pages find in the application: typed keys, filled by `web.app`."""

from __future__ import annotations

from aiohttp import web

from web.flows import Flows, Terms
from web.metrics import Metrics
from web.render import Renderer

FLOWS = web.AppKey("flows", Flows)
TERMS = web.AppKey("terms", Terms)
RENDERER = web.AppKey("renderer", Renderer)
METRICS = web.AppKey("metrics", Metrics)
