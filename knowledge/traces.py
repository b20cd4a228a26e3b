"""Traces for OpenTelemetry: what is told, and where to; nothing unless the operator names a collector."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from importlib.util import find_spec
from typing import Protocol

from knowledge.ask.answer import Answer
from knowledge.errors import SetupError
from worker.protocol import Verdict


class Traces(Protocol):
    def submission(self, submission: str, verdict: Verdict, attempt: int, handed_in_at: datetime) -> None:
        """Tell of one that has ended just now."""
        ...

    def told(self, submission: str, way: str, since: datetime) -> None:
        """Tell how a verdict came to its member, and how long that took."""
        ...

    def question(self, question: str, answer: Answer) -> None:
        """Tell of one that was answered just now."""
        ...


class NoTraces:
    """Tells nobody anything."""

    def submission(self, submission: str, verdict: Verdict, attempt: int, handed_in_at: datetime) -> None:
        return

    def told(self, submission: str, way: str, since: datetime) -> None:
        return

    def question(self, question: str, answer: Answer) -> None:
        return


@contextmanager
def open_traces(collector: str) -> Iterator[Traces]:
    """Traces sent to this address of an OTLP collector (HTTP); what is left is sent at the end."""
    if not collector:
        yield NoTraces()
        return
    if find_spec("opentelemetry.exporter") is None or find_spec("opentelemetry.exporter.otlp") is None:
        raise SetupError("WARPMATE_TRACES needs the extra traces: pip install 'warpmate[app,traces]'")
    from knowledge.sent_traces import SentTraces

    sent = SentTraces(collector)
    try:
        yield sent
    finally:
        sent.close()
