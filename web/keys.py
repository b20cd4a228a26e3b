"""What pages find in the application: typed keys, filled by `web.app`."""

from __future__ import annotations

from aiohttp import web

from knowledge.services import Services
from web.metrics import Metrics
from web.render import Renderer
from web.visitor import Terms

SERVICES = web.AppKey("services", Services)
TERMS = web.AppKey("terms", Terms)
RENDERER = web.AppKey("renderer", Renderer)
METRICS = web.AppKey("metrics", Metrics)
