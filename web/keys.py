"""The typed keys by which pages find services in the application; `web.app` fills them."""

from __future__ import annotations

from aiohttp import web

from knowledge.services import Services
from web.metrics import Metrics
from web.pictures import Pictures
from web.render import Renderer
from web.visitor import SiteMode

SERVICES = web.AppKey("services", Services)
SITE_MODE = web.AppKey("site_mode", SiteMode)
RENDERER = web.AppKey("renderer", Renderer)
METRICS = web.AppKey("metrics", Metrics)
PICTURES = web.AppKey("pictures", Pictures)
