"""Traces as a collector of OpenTelemetry hears of them, over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from knowledge.ask.answer import Answer
from knowledge.ask.question_log import QuestionLog
from knowledge.errors import SetupError
from knowledge.store import Scope, Store
from knowledge.store.base import new_id, now
from knowledge.traces import NoTraces, open_traces
from worker.protocol import Backend, Form, Kind, Verdict


@dataclass(slots=True)
class Collecting:
    """A collector's side: what was sent, span by span."""

    address: str = ""
    spans: list[Span] = field(default_factory=list)

    def named(self, name: str) -> Span:
        (found,) = [span for span in self.spans if span.name == name]
        return found


@pytest.fixture
def collector() -> Iterator[Collecting]:
    heard = Collecting()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                for scope in resource.scope_spans:
                    heard.spans += scope.spans
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        heard.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield heard
        server.shutdown()
        thread.join()


def milliseconds(span: Span) -> float:
    return (span.end_time_unix_nano - span.start_time_unix_nano) / 1e6


def said(span: Span) -> dict[str, object]:
    return {each.key: each.value.string_value or each.value.int_value for each in span.attributes}


def verdict_on(submission: str) -> Verdict:
    stages = {"queued": 30.0, "compile": 200.0, "check": 400.0}
    return Verdict(submission, Form.KERNEL, "vector_add", Backend.EMULATOR, Kind.ACCEPTED, stages_ms=stages)


def test_a_submission_is_one_trace_from_the_line_to_its_member_though_two_processes_tell_of_it(
    collector: Collecting,
) -> None:
    submission, begun = new_id(), now() - timedelta(seconds=1)
    with open_traces(collector.address) as server:
        server.submission(submission, verdict_on(submission), 2, begun)
    with open_traces(collector.address) as bot:
        bot.told(submission, "discord", now())
    whole = collector.named("submission")
    assert {span.trace_id for span in collector.spans} == {whole.trace_id}
    assert whole.parent_span_id == b""
    assert {span.parent_span_id for span in collector.spans if span is not whole} == {whole.span_id}
    assert said(whole) == {
        "submission": submission, "problem": "vector_add", "form": "kernel", "verdict": "accepted",
    }  # fmt: skip
    assert said(collector.named("judge"))["attempt"] == 2
    assert milliseconds(collector.named("wait in line")) == pytest.approx(30, abs=0.01)
    assert milliseconds(collector.named("check")) == pytest.approx(400, abs=0.01)
    assert collector.named("check").start_time_unix_nano == collector.named("compile").end_time_unix_nano


async def test_a_question_is_traced_under_its_own_id_without_a_word_of_it(
    store: Store, collector: Collecting
) -> None:
    answer = Answer("answered", "en", "What is a warp?", timings_ms={"search": 20.0, "read": 60.0, "total": 81.0})
    with open_traces(collector.address) as traces:
        kept = await QuestionLog(store, traces).keep(Scope.guild("g1"), "What is a warp?", answer, "discord:1")
    whole = collector.named("question")
    assert said(whole)["question"] == kept
    assert milliseconds(whole) == pytest.approx(81, abs=0.01)
    assert milliseconds(collector.named("read")) == pytest.approx(60, abs=0.01)
    sent = b"".join(span.SerializeToString() for span in collector.spans)
    assert b"warp?" not in sent
    assert b"discord:1" not in sent


def test_a_collector_that_is_away_holds_nobody_up(caplog: pytest.LogCaptureFixture) -> None:
    submission = new_id()
    with open_traces("http://127.0.0.1:9") as traces:
        traces.submission(submission, verdict_on(submission), 1, now())
    assert "127.0.0.1" in caplog.text


def test_without_a_collector_nothing_of_it_is_loaded() -> None:
    with open_traces("") as traces:
        assert isinstance(traces, NoTraces)


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowledge.traces.find_spec", lambda _name: None)
    with pytest.raises(SetupError, match=r"warpmate\[app,traces\]"), open_traces("http://127.0.0.1:9"):
        pass
