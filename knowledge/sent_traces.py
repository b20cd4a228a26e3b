"""Traces sent by OpenTelemetry: one for each submission and each question, under the id that its member sees.

A ULID has as many bits as a trace id: the id alone says which trace it is. So no process hands anything on to
another, a worker sends nothing and needs no way out of its host, and whoever is told an id by a member finds what
there is on it. Neither texts nor members are part of a trace.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from datetime import datetime, timedelta

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context
from ulid import ULID

from knowledge.ask.answer import Answer
from knowledge.store.base import now
from worker.protocol import Verdict

Attributes = Mapping[str, str | int | float | bool]
_LINE = "queued"
"""The one stage of a verdict that is not the worker's."""
_SPAN_BITS = 64
_given: ContextVar[tuple[int, int] | None] = ContextVar("ids of the span that begins a trace", default=None)


class _GivenIds(RandomIdGenerator):
    """The ids that were given for the first span of a trace; random ones for its parts."""

    def generate_trace_id(self) -> int:
        given = _given.get()
        return given[0] if given else super().generate_trace_id()

    def generate_span_id(self) -> int:
        given = _given.get()
        return given[1] if given else super().generate_span_id()


class SentTraces:
    """Spans with the times that verdict and answer carry; a thread of the exporter sends them in batches."""

    def __init__(self, collector: str) -> None:
        self._provider = TracerProvider(
            resource=Resource.create({"service.name": "warpmate"}), id_generator=_GivenIds(), shutdown_on_exit=False
        )
        exporter = OTLPSpanExporter(f"{collector.rstrip('/')}/v1/traces")
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("warpmate")

    def close(self) -> None:
        self._provider.shutdown()

    def submission(self, submission: str, verdict: Verdict, attempt: int, handed_in_at: datetime) -> None:
        ended = now()
        begun = handed_in_at + timedelta(milliseconds=verdict.stages_ms.get(_LINE, 0.0))
        what = {"submission": submission, "problem": verdict.problem or "", "form": verdict.form.value}
        self._whole(submission, "submission", handed_in_at, ended, what | {"verdict": verdict.verdict.value})
        self._part(submission, "wait in line", handed_in_at, begun, {})
        card = verdict.card.name if verdict.card else ""
        self._part(
            submission, "judge", begun, ended, {"backend": verdict.backend.value, "card": card, "attempt": attempt}
        )
        self._stages(submission, begun, {name: ms for name, ms in verdict.stages_ms.items() if name != _LINE})

    def told(self, submission: str, way: str, since: datetime) -> None:
        self._part(submission, "tell", since, now(), {"way": way})

    def question(self, question: str, answer: Answer) -> None:
        ended = now()
        begun = ended - timedelta(milliseconds=answer.timings_ms.get("total", 0.0))
        said = {"question": question, "status": answer.status, "intent": answer.intent, "lang": answer.lang}
        self._whole(question, "question", begun, ended, said | {"generation": answer.generation})
        self._stages(question, begun, {name: ms for name, ms in answer.timings_ms.items() if name != "total"})

    def _stages(self, about: str, begun: datetime, stages_ms: Mapping[str, float]) -> None:
        """One after another, as they were measured."""
        for name, ms in stages_ms.items():
            ended = begun + timedelta(milliseconds=ms)
            self._part(about, name, begun, ended, {})
            begun = ended

    def _whole(self, about: str, name: str, begun: datetime, ended: datetime, attributes: Attributes) -> None:
        before = _given.set(_ids(about))
        try:
            span = self._tracer.start_span(name, Context(), start_time=_ns(begun), attributes=attributes)
        finally:
            _given.reset(before)
        span.end(_ns(ended))

    def _part(self, about: str, name: str, begun: datetime, ended: datetime, attributes: Attributes) -> None:
        trace, whole = _ids(about)
        parent = SpanContext(trace, whole, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))
        within = set_span_in_context(NonRecordingSpan(parent), Context())
        self._tracer.start_span(name, within, start_time=_ns(begun), attributes=attributes).end(_ns(ended))


def _ids(about: str) -> tuple[int, int]:
    """Trace id and id of its first span, both from the ULID."""
    trace = int(ULID.from_str(about))
    return trace, trace % (1 << _SPAN_BITS)


def _ns(at: datetime) -> int:
    return round(at.timestamp() * 1e9)
