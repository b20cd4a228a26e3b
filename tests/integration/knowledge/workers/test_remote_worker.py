"""An honest worker on another host: enrolled by a command, judging over TLS, without a broker."""

from __future__ import annotations

import asyncio
import ssl
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from knowledge.store import Store
from knowledge.workers.gateway import Gateway
from knowledge.workers.registry import Workers
from tests.certificates import Certificate, throw_away
from tests.integration.knowledge.workers.setup import site
from tests.integration.warpmate.cli import Home
from tests.integration.worker.queue.jobs import gateway_beside, job, next_verdict, until
from tests.integration.worker.queue.processes import ROOT
from worker.canned import CannedExecutor, accepted
from worker.errors import SettingsError
from worker.protocol import Verdict
from worker.queue.memory import MemoryQueue
from worker.queue.remote import Address, GatewayRefuses, RemoteQueue, WorkerKey, open_remote
from worker.queue.wire import KEY_BYTES, public_key_of
from worker.service import Settings, Worker

KEY = WorkerKey("h200", b"k" * KEY_BYTES)


@pytest.fixture
def database() -> str:
    """One of the two: a worker never meets it."""
    return "sqlite"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return throw_away(tmp_path_factory.mktemp("tls"))


@asynccontextmanager
async def working(queue: RemoteQueue) -> AsyncIterator[None]:
    stop = asyncio.Event()
    settings = Settings("here", beat_s=0.05, drain_s=0)
    running = asyncio.ensure_future(Worker(queue, CannedExecutor(accepted), settings).run(stop))
    try:
        yield
    finally:
        stop.set()
        await running
        await queue.close()


async def test_a_worker_judges_over_tls_with_nothing_but_its_key(store: Store, certificate: Certificate) -> None:
    queue, workers = MemoryQueue(), Workers(store)
    await workers.enroll(KEY.name, public_key_of(KEY.secret))
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate.cert, certificate.key)
    async with gateway_beside(Gateway(queue, workers), tls, certificate.ca) as address:
        async with working(RemoteQueue(address, KEY)):
            await queue.put(job("s1"))
            report = await next_verdict(queue)
            await until(lambda: _is_known(queue))
        stranger = RemoteQueue(Address.of(f"https://localhost:{address.port}", None), KEY)
        with pytest.raises(GatewayRefuses, match="certificate is not trusted"):
            await stranger.beat(Worker(stranger, CannedExecutor(), Settings("x")).state)
    assert isinstance(report.body, Verdict)
    assert (report.body.submission, report.worker) == ("s1", "remote/h200")


async def _is_known(queue: MemoryQueue) -> bool:
    (state,) = await queue.workers() or (None,)
    return state is not None and state.name == "remote/h200" and bool(state.card and state.version and state.serves)


async def test_a_worker_goes_on_when_the_gateway_starts_anew(store: Store) -> None:
    """The old start's leases are gone with it, its recordings are worth nothing, and nobody does anything by hand."""
    queue, workers = MemoryQueue(), Workers(store)
    await workers.enroll(KEY.name, public_key_of(KEY.secret))
    async with gateway_beside(Gateway(queue, workers)) as first:
        port = first.port
        remote = RemoteQueue(first, KEY)
        await queue.put(job("s1"))
        state = Worker(remote, CannedExecutor(), Settings("x")).state
        held = await remote.take(state)
    async with gateway_beside(Gateway(queue, workers), port=port):
        assert not await held.finish(accepted(held.job)), "given back when the gateway stopped"
        again = await remote.take(state)
        assert (again.job.submission, again.job.fence) == ("s1", 1)
        assert await again.finish(accepted(again.job))
    await remote.close()


async def test_a_worker_that_is_revoked_ends_with_one_line(store: Store) -> None:
    async with site(store) as here:
        remote = RemoteQueue(here.address, here.honest.key)
        state = Worker(remote, CannedExecutor(), Settings("x")).state
        await remote.beat(state)
        await here.workers.revoke("honest")
        with pytest.raises(GatewayRefuses, match=r"^the key of honest was revoked$"):
            await remote.beat(state)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://warpmate.example.org:8443", "begin it with https://"),
        ("warpmate.example.org", "is not an address"),
        ("https://warpmate.example.org/worker", "is not an address"),
    ],
)
def test_no_key_is_used_over_a_network_without_tls(url: str, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        Address.of(url, None)


def test_a_key_file_that_is_none_is_told_in_one_line(tmp_path: Path) -> None:
    for text in ("", "warpmate-worker h200 AAAA", "warpmate-worker h200 §", "a b c d"):
        (tmp_path / "key").write_text(text, encoding="utf-8")
        with pytest.raises(SettingsError, match="is no key of warpmate worker enroll"):
            open_remote("https://x:1", tmp_path / "key")


def test_enrolling_writes_the_key_once_for_its_owner_alone_and_a_compose_file(tmp_path: Path) -> None:
    home = Home(tmp_path / "data")
    enroll = ("worker", "enroll", "h200", "--gateway", "https://warpmate.example.org:8443", "--out", str(tmp_path))
    said = home.say(*enroll)
    key_file = tmp_path / "h200.key"
    key = WorkerKey.read(key_file)
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert key_file.read_text().split()[2] not in said
    compose = (tmp_path / "h200.compose.yml").read_text()
    assert "WARPMATE_GATEWAY_URL: https://warpmate.example.org:8443" in compose
    (known,) = home.json("worker", "list")
    assert (known["name"], known["public_key"]) == ("h200", public_key_of(key.secret))
    assert "already" in home.refusal(*enroll)
    key_file.unlink()
    (tmp_path / "h200.compose.yml").unlink()
    assert "takes another name" in home.refusal(*enroll), "a name is given once, so a lost key cannot be taken over"
    assert not key_file.exists()
    home.say("worker", "revoke", "h200")
    assert "revoked" in home.say("worker", "list")
    assert "small letters" in home.refusal("worker", "enroll", "../x", "--gateway", "https://x:1")


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
async def test_the_worker_process_compiles_through_the_gateway(
    store: Store, certificate: Certificate, tmp_path: Path
) -> None:
    queue, workers = MemoryQueue(), Workers(store)
    await workers.enroll(KEY.name, public_key_of(KEY.secret))
    (tmp_path / "key").write_text(KEY.text())
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate.cert, certificate.key)
    async with gateway_beside(Gateway(queue, workers), tls, certificate.ca) as address:
        environ = {
            "PATH": "/usr/bin:/bin", "WARPMATE_GATEWAY_URL": f"https://localhost:{address.port}",
            "WARPMATE_WORKER_KEY": str(tmp_path / "key"), "WARPMATE_GATEWAY_CA": str(certificate.ca),
            "WARPMATE_DATA_DIR": str(tmp_path / "data"), "WARPMATE_JUDGE_BACKEND": "compile",
        }  # fmt: skip
        health = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "worker", "--health", cwd=ROOT, env=environ
        )
        assert await health.wait() == 0
        process = await asyncio.create_subprocess_exec(sys.executable, "-m", "worker", cwd=ROOT, env=environ)
        try:
            await queue.put(job("s1"))
            report = await next_verdict(queue)
            process.terminate()
            assert await process.wait() == 0
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    assert isinstance(report.body, Verdict)
    assert report.worker == "remote/h200"
