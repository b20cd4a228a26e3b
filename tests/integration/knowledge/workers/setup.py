"""A server's gateway with real workers' keys, and a worker that may send whatever it likes."""

from __future__ import annotations

import asyncio
import base64
import json
import secrets
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from knowledge.store import Store
from knowledge.workers.gateway import Gateway
from knowledge.workers.registry import Workers
from tests.integration.worker.queue.jobs import gateway_beside, job
from worker.protocol import PROTOCOL, Backend, Card, Job, Kind, Verdict, WorkerState, to_json
from worker.queue import JobQueue
from worker.queue.memory import MemoryQueue
from worker.queue.remote import Address, WorkerKey
from worker.queue.wire import HEADERS, KEY_BYTES, SIGNATURE, Head, private_key, public_key_of

CARD = Card("NVIDIA H200", "sm_90a", "580.1")
STATE = WorkerState("w", None, (Backend.EMULATOR, Backend.COMPILE))
GPU_STATE = WorkerState("w", CARD, (Backend.GPU, Backend.EMULATOR, Backend.COMPILE))
Answer = tuple[int, dict[str, Any]]


def judged(on: Job, **more: Any) -> dict[str, Any]:
    """An honest verdict on the job as JSON, but for what is named."""
    honest = Verdict(on.submission, on.form, on.problem, Backend.EMULATOR, Kind.COMPILED)
    return {**json.loads(to_json(honest)), **more}


@dataclass
class Sender:
    """Sends requests as the worker that holds this key, or as whoever it says it is."""

    address: Address
    key: WorkerKey
    epoch: str = ""
    sent: list[bytes] = field(default_factory=list)

    async def hello(self) -> dict[str, Any]:
        _, answer = await self.raw(b"GET /worker/hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        return answer

    async def ask(self, path: str, body: Mapping[str, Any] | bytes, **head: str) -> Answer:
        return await self.raw(await self.request(path, body, **head))

    async def request(
        self, path: str, body: Mapping[str, Any] | bytes, extra: Mapping[str, str] | None = None, **head: str
    ) -> bytes:
        """The bytes of a signed request; `head` overrides what is signed and sent."""
        self.epoch = self.epoch or (await self.hello())["epoch"]
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        plain = {
            "worker": self.key.name, "protocol": str(PROTOCOL), "epoch": self.epoch,
            "at_ms": str(time.time_ns() // 1_000_000), "nonce": secrets.token_hex(16),
        }  # fmt: skip
        signed = Head(**{**plain, **head})
        signature = base64.b64encode(
            private_key(self.key.secret).sign(signed.signed("POST", f"/worker/{path}", text))
        )
        fields = {
            "Host": "x", "Connection": "close", "Content-Length": str(len(text)),
            **{HEADERS[name]: getattr(signed, name) for name in HEADERS}, SIGNATURE: signature.decode(),
            **(extra or {}),
        }  # fmt: skip
        lines = [f"POST /worker/{path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
        return "\r\n".join(lines).encode() + text

    async def raw(self, request: bytes) -> Answer:
        """Status and JSON of the answer; status 0 where the connection was ended without one."""
        self.sent.append(request)
        reader, writer = await asyncio.open_connection(self.address.host, self.address.port)
        try:
            writer.write(request)
            with suppress(ConnectionError):
                await writer.drain()
            async with asyncio.timeout(20):
                answer = await reader.read()
        except ConnectionError:
            return 0, {}
        finally:
            writer.close()
        head, _, body = answer.partition(b"\r\n\r\n")
        status = int(head.split(b" ")[1]) if head else 0
        try:
            return status, json.loads(body) if body else {}
        except ValueError:
            return status, {}

    async def take(self, state: WorkerState = STATE) -> dict[str, Any]:
        """A job in this worker's hands: lease, submission and attempt."""
        lease = secrets.token_hex(16)
        status, answer = await self.ask("take", {"lease": lease, "state": json.loads(to_json(state))})
        assert status == 200, (status, answer)
        job = answer["job"]
        return {"lease": lease, "submission": job["submission"], "fence": job["fence"]}


@dataclass
class Site:
    """A server with its gateway, and two workers that it knows."""

    queue: JobQueue
    workers: Workers
    address: Address
    mallory: Sender
    honest: Sender

    async def put(self, name: str = "s1", **more: Any) -> Job:
        put = job(name, **more)
        await self.queue.put(put)
        return put


@asynccontextmanager
async def site(store: Store, lease_s: float = 5.0, queue: JobQueue | None = None) -> AsyncIterator[Site]:
    queue = queue or MemoryQueue()
    workers = Workers(store)
    async with gateway_beside(Gateway(queue, workers, lease_s)) as address:
        senders = []
        for name in ("mallory", "honest"):
            key = WorkerKey(name, secrets.token_bytes(KEY_BYTES))
            await workers.enroll(name, public_key_of(key.secret))
            senders.append(Sender(address, key))
        yield Site(queue, workers, address, *senders)
