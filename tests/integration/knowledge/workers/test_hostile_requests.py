"""Requests to the gateway that no honest worker sends: odd JSON, odd bodies, odd headers, odd paths."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator

import pytest

from knowledge.store import Store
from knowledge.workers.gateway import MOST_BODY_BYTES
from tests.integration.knowledge.workers.setup import Site, judged, site
from tests.integration.knowledge.workers.test_hostile_worker import FINDING, is_refused, state


@pytest.fixture
def database() -> str:
    """One of the two: what is refused here never reaches the database."""
    return "sqlite"


@pytest.fixture
async def here(store: Store) -> AsyncIterator[Site]:
    async with site(store) as opened:
        yield opened


@pytest.mark.parametrize(
    "body",
    [
        b"", b"null", b"[]", b'"x"', b"{", b"\xff\xfe{}", b"[" * 200_000, b'{"state":' * 50_000,
        b'{"lease":"0123456789abcdef","lease":"0123456789abcdef"}', b'{"state": NaN}',
    ],
    ids=["empty", "null", "list", "text", "open", "not UTF-8", "deep list", "deep object", "twice", "NaN"],
)  # fmt: skip
async def test_odd_json_is_refused(here: Site, caplog: pytest.LogCaptureFixture, body: bytes) -> None:
    is_refused(await here.mallory.ask("take", body), "result", caplog)


async def test_deep_evidence_inside_a_true_verdict_is_refused(here: Site, caplog: pytest.LogCaptureFixture) -> None:
    job = await here.put()
    held = await here.mallory.take()
    deep = json.dumps({**held, "verdict": judged(job, findings=[{**FINDING, "evidence": {"x": "HERE"}}])})
    body = deep.replace('"HERE"', "[" * 100_000 + "]" * 100_000).encode()
    is_refused(await here.mallory.ask("finish", body), "result", caplog)


async def test_a_body_that_is_too_large_is_refused_before_it_is_read(
    here: Site, caplog: pytest.LogCaptureFixture
) -> None:
    request = await here.mallory.request("take", b"", {"Content-Length": str(MOST_BODY_BYTES + 1)})
    is_refused(await here.mallory.raw(request), "size", caplog)


async def test_a_body_that_does_not_arrive_is_not_waited_for(
    here: Site, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.worker_gateway.BODY_WITHIN_S", 0.1)
    request = await here.mallory.request("take", b"", {"Content-Length": "1000"})
    is_refused(await here.mallory.raw(request + b"{"), "slow", caplog)


@pytest.mark.parametrize("trick", ["twice", "chunked", "both lengths", "line break", "no length", "compressed"])
async def test_headers_that_could_be_read_in_two_ways_are_refused(here: Site, trick: str) -> None:
    await here.put()
    ask = {"lease": secrets.token_hex(16), "state": state()}
    request = await here.mallory.request("take", ask)
    head, _, body = request.partition(b"\r\n\r\n")
    worker = b"X-Warpmate-Worker: mallory"
    request = {
        "twice": request.replace(worker, worker + b"\r\nX-Warpmate-Worker: honest"),
        "chunked": head.replace(b"Content-Length", b"Transfer-Encoding: chunked\r\nX-Length") + b"\r\n\r\n0\r\n\r\n",
        "both lengths": request.replace(worker, b"Transfer-Encoding: chunked\r\n" + worker),
        "line break": request.replace(b"mallory", b"mallory\nX-Evil: 1", 1),
        "no length": head.replace(b"Content-Length", b"X-Length") + b"\r\n\r\n" + body,
        "compressed": request.replace(worker, b"Content-Encoding: gzip\r\n" + worker),
    }[trick]
    status, _ = await here.mallory.raw(request)
    assert status == 0 or status >= 400
    assert await here.queue.position("s1") == 0


async def test_a_second_request_hidden_in_a_body_is_not_read(here: Site) -> None:
    await here.put()
    hidden = await here.mallory.request("take", {"lease": secrets.token_hex(16), "state": state()})
    request = await here.mallory.request(
        "renew", b"", {"Content-Length": str(MOST_BODY_BYTES + 1), "Connection": "keep-alive"}
    )
    status, _ = await here.mallory.raw(request + hidden)
    assert status == 413
    assert await here.queue.position("s1") == 0


@pytest.mark.parametrize(
    "path",
    ["../admin", "%2e%2e/admin", "take/../finish", "take%00", "TAKE", "", "jobs", "../../etc/passwd", "take?x=1"],
)
async def test_paths_lead_nowhere_else(here: Site, path: str) -> None:
    await here.put()
    status, _ = await here.mallory.ask(path, {"lease": secrets.token_hex(16), "state": state()})
    assert status >= 400
    assert await here.queue.position("s1") == 0


@pytest.mark.parametrize("path", ["/", "/admin", "/metrics", "/api/v1/me", "/submit", "/signin", "/static/site.css"])
async def test_nothing_of_the_site_is_behind_the_gateway(here: Site, path: str) -> None:
    status, _ = await here.mallory.raw(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert status == 404
