"""The calculators, each with its working; those with a roofline show it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from aiohttp import web

from knowledge.calc import NETWORKS, Working, convolution, kernel_occupancy, product, receptive_field
from knowledge.calc.intensity import FORMAT_BYTES, card_names
from knowledge.errors import NotFound
from knowledge.plots.calculation_roofline import draw_calculated
from web.forms import number
from web.keys import RENDERER
from web.pages.recommend import size_px, svg
from web.visitor import VISITOR


@dataclass(frozen=True, slots=True)
class Size:
    name: str
    default: int
    least: int = 1
    most: int = 1 << 20


@dataclass(frozen=True, slots=True)
class Choice:
    name: str
    options: Callable[[], tuple[str, ...]]
    default: str


@dataclass(frozen=True, slots=True)
class Calculator:
    fields: tuple[Size | Choice, ...]
    run: Callable[..., Working]


CARD = Choice("card", card_names, "NVIDIA H200")
FORM = Choice("form", lambda: tuple(FORMAT_BYTES), "fp32")
CALCULATORS: Mapping[str, Calculator] = MappingProxyType(
    {
        "conv": Calculator(
            (
                Size("kernel", 3),
                Size("channels_in", 64),
                Size("channels_out", 64),
                Size("height", 56),
                Size("width", 56),
                Size("batch", 1),
                Size("stride", 1),
                FORM,
                CARD,
            ),
            convolution,
        ),
        "gemm": Calculator((Size("m", 4096), Size("n", 4096), Size("k", 4096), FORM, CARD), product),
        "receptive-field": Calculator((Choice("network", lambda: tuple(NETWORKS), "resnet-50"),), receptive_field),
        "occupancy": Calculator(
            (
                Size("block_threads", 256, most=1024),
                Size("registers", 32, most=255),
                Size("shared_bytes", 0, least=0),
                CARD,
            ),
            kernel_occupancy,
        ),
    }
)


def register(site: web.Application) -> None:
    site.router.add_get("/calc", index)
    site.router.add_get("/calc/{name}", show_calculator)
    site.router.add_get("/calc/{name}/roofline.svg", picture)


async def index(request: web.Request) -> web.Response:
    return request.app[RENDERER].page(request, "calculators.html", names=tuple(CALCULATORS))


async def show_calculator(request: web.Request) -> web.Response:
    name, calculator = _calculator(request)
    values = _values(request, calculator)
    working = calculator.run(**values)
    drawn = await asyncio.to_thread(draw_calculated, working, lang=request[VISITOR].lang)
    return request.app[RENDERER].page(
        request,
        "calculator.html",
        name=name,
        names=tuple(CALCULATORS),
        fields=calculator.fields,
        values=values,
        working=working,
        alt=drawn.alt if drawn else None,
        size=size_px(drawn) if drawn else None,
        query=request.query_string,
    )


async def picture(request: web.Request) -> web.Response:
    _, calculator = _calculator(request)
    working = calculator.run(**_values(request, calculator))
    drawn = await asyncio.to_thread(draw_calculated, working, lang=request[VISITOR].lang)
    if drawn is None:
        raise NotFound("error.calculation.no_picture")
    return svg(drawn)


def _calculator(request: web.Request) -> tuple[str, Calculator]:
    name = request.match_info["name"]
    if name not in CALCULATORS:
        raise NotFound("error.calculation.unknown")
    return name, CALCULATORS[name]


def _values(request: web.Request, calculator: Calculator) -> dict[str, Any]:
    """The calculators themselves refuse a card or format that they do not know."""
    return {
        field.name: number(request, field.name, field.default, field.least, field.most)
        if isinstance(field, Size)
        else request.query.get(field.name, field.default)[:100]
        for field in calculator.fields
    }
