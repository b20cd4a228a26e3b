"""The broker over TLS: with the authority it works, without it nothing is said to whoever answers."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.certificates import Certificate, throw_away
from tests.integration.worker.queue.jobs import job, streams, until
from worker.queue import QueueUnavailable

pytestmark = pytest.mark.needs("redis")


@asynccontextmanager
async def broker_over_tls(made: Certificate) -> AsyncIterator[int]:
    """A Redis of this test alone that speaks TLS and nothing else; its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    options = (
        "--port",
        "0",
        "--tls-port",
        str(port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--tls-auth-clients",
        "no",
    )
    files = ("--tls-cert-file", str(made.cert), "--tls-key-file", str(made.key), "--tls-ca-cert-file", str(made.ca))
    process = await asyncio.create_subprocess_exec(
        "redis-server", *options, *files, stdout=asyncio.subprocess.DEVNULL, cwd=made.ca.parent
    )

    async def listens() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        await until(listens)
        yield port
    finally:
        process.kill()
        await process.wait()


async def test_a_broker_is_reached_over_tls_and_only_where_its_authority_is_trusted(tmp_path: Path) -> None:
    made = throw_away(tmp_path)
    async with broker_over_tls(made) as port:
        async with streams(f"rediss://localhost:{port}/0?ssl_ca_certs={made.ca}", "tls") as queue:
            await queue.put(job("s1"))
            assert await queue.waiting() == 1
        for stranger in (f"rediss://localhost:{port}/0", f"redis://localhost:{port}/0"):
            async with streams(stranger, "tls") as queue:
                with pytest.raises(QueueUnavailable):
                    await queue.waiting()
