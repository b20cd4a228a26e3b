"""Numbers for Prometheus: kept as requests pass, and read from the services when somebody asks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware
from prometheus_client import CollectorRegistry, Gauge, Histogram, generate_latest

from knowledge.services import Services
from knowledge.store.counts import read_counts

LAG_EVERY_S = 0.5
_BUCKETS = (0.005, 0.01, 0.02, 0.04, 0.06, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


@dataclass(slots=True)
class Metrics:
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    requests: Histogram = field(init=False)
    lag: Histogram = field(init=False)
    streams: Gauge = field(init=False)

    def __post_init__(self) -> None:
        self.requests = Histogram(
            "warpmate_request_seconds",
            "Time to answer, by route and status; event streams are left out.",
            ("method", "route", "status"),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.lag = Histogram(
            "warpmate_loop_lag_seconds", "How late the event loop is.", buckets=_BUCKETS, registry=self.registry
        )
        self.streams = Gauge("warpmate_event_streams", "Open event streams.", registry=self.registry)

    async def watch_lag(self, _site: web.Application) -> AsyncIterator[None]:
        """Measure the event loop's lag for as long as the site runs; a cleanup context of the site."""
        task = asyncio.create_task(self._measure_lag())
        yield
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def _measure_lag(self) -> None:
        while True:
            due = time.perf_counter() + LAG_EVERY_S
            await asyncio.sleep(LAG_EVERY_S)
            self.lag.observe(max(0.0, time.perf_counter() - due))

    def timing(self) -> Middleware:
        @web.middleware
        async def timed(request: web.Request, handler: Handler) -> web.StreamResponse:
            start = time.perf_counter()
            try:
                response = await handler(request)
            except web.HTTPException as redirect:
                self._observe(request, redirect, start)
                raise
            self._observe(request, response, start)
            return response

        return timed

    def _observe(self, request: web.Request, response: web.StreamResponse, start: float) -> None:
        if response.content_type == "text/event-stream":
            return
        resource = request.match_info.route.resource
        route = resource.canonical if resource else "none"
        method = request.method if request.method in {"GET", "HEAD", "POST"} else "other"
        self.requests.labels(method, route, response.status).observe(time.perf_counter() - start)


async def exposed(metrics: Metrics, services: Services, open_streams: int) -> bytes:
    """Return all numbers of this moment in Prometheus's format."""
    metrics.streams.set(open_streams)
    return generate_latest(metrics.registry) + generate_latest(await _snapshot(services))


async def _snapshot(services: Services) -> CollectorRegistry:
    registry = CollectorRegistry()
    counted, state, workers = (
        await read_counts(services.store),
        services.library.state(),
        await services.submissions.workers(),
    )
    Gauge("warpmate_jobs_waiting", "Jobs in line.", registry=registry).set(await services.submissions.waiting())
    busy = Gauge("warpmate_workers", "Workers, by whether they are busy.", ("state",), registry=registry)
    busy.labels("busy").set(sum(worker.busy_with is not None for worker in workers))
    busy.labels("free").set(sum(worker.busy_with is None for worker in workers))
    by_kind = Gauge(
        "warpmate_worker_info", "Workers by what they say of themselves.",
        ("name", "card", "driver", "version", "protocol"), registry=registry,
    )  # fmt: skip
    for worker in workers:
        card = (worker.card.name, worker.card.driver) if worker.card else ("", "")
        by_kind.labels(worker.name, *card, worker.version, worker.protocol).set(1)
    aside = Gauge("warpmate_jobs_aside", "Jobs that no worker could judge.", registry=registry)
    aside.set(await services.aside.count())
    opinions = Gauge(
        "warpmate_second_opinions", "Verdicts of workers on other hosts that were judged again.", ("agree",),
        registry=registry,
    )  # fmt: skip
    for agree, count in (await services.opinions.counts()).items():
        opinions.labels("yes" if agree else "no").set(count)
    faults = Gauge("warpmate_emulator_faults", "Submissions that an emulator broke down on.", registry=registry)
    faults.set(sum(worker.emulator_faults for worker in workers))
    verdicts = Gauge("warpmate_verdicts", "Verdicts so far, by kind.", ("kind",), registry=registry)
    for kind, count in counted.verdicts.items():
        verdicts.labels(kind).set(count)
    questions = Gauge("warpmate_questions", "Questions so far, by how they ended.", ("status",), registry=registry)
    for status, count in counted.questions.items():
        questions.labels(status).set(count)
    share = Gauge("warpmate_refusal_ratio", "Share of questions that were refused.", registry=registry)
    share.set(counted.questions.get("refused", 0) / max(1, sum(counted.questions.values())))
    if state.made_at is not None:
        age = Gauge("warpmate_index_age_seconds", "Since the index was published.", registry=registry)
        age.set((datetime.now(UTC) - state.made_at).total_seconds())
    return registry
