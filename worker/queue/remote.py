"""The queue as a worker on another host has it: the server's gateway, asked over HTTP. No broker is in reach.

One connection a request: a worker asks a few times a second, and a connection that broke is then no special case.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import secrets
import ssl
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec

from worker.errors import SettingsError, WorkerError
from worker.protocol import PROTOCOL, Part, Progress, Verdict, WorkerState, from_json
from worker.queue import Lease, QueueUnavailable, WrongProtocol
from worker.queue.lease_renewal import RenewedLease
from worker.queue.wire import (
    KEY_BYTES,
    SIGNATURE,
    Beat,
    Head,
    Held,
    Hello,
    OnLease,
    Refusal,
    Take,
    Taken,
    encoded,
    private_key,
)

log = logging.getLogger(__name__)

ANSWER_WITHIN_S = 20.0
"""Far above what the gateway waits for a job."""
LONGEST_PAUSE_S = 2.0
MOST_ANSWER_BYTES = 2 * 1024 * 1024
Answer = TypeVar("Answer", bound=Part)


class GatewayRefuses(WorkerError):
    """The server knows this worker no more, or never did; the text is its own."""


@dataclass(frozen=True, slots=True)
class WorkerKey:
    """A worker's name and the secret half of its key, as `warpmate worker enroll` wrote them down."""

    name: str
    secret: bytes

    @classmethod
    def read(cls, file: Path) -> WorkerKey:
        try:
            mark, name, secret = file.read_text(encoding="ascii").split()
            key = cls(name, base64.b64decode(secret, validate=True))
        except OSError as error:
            raise SettingsError(f"WARPMATE_WORKER_KEY: {file} cannot be read: {error.strerror}") from None
        except ValueError:
            raise SettingsError(f"WARPMATE_WORKER_KEY: {file} is no key of warpmate worker enroll") from None
        if mark != "warpmate-worker" or len(key.secret) != KEY_BYTES:
            raise SettingsError(f"WARPMATE_WORKER_KEY: {file} is no key of warpmate worker enroll")
        return key

    def text(self) -> str:
        return f"warpmate-worker {self.name} {base64.b64encode(self.secret).decode()}\n"


@dataclass(frozen=True, slots=True)
class Address:
    host: str
    port: int
    tls: ssl.SSLContext | None

    @classmethod
    def of(cls, url: str, ca: Path | None) -> Address:
        """The address of a gateway; SettingsError where it would be spoken to without TLS over a network."""
        parts = urlsplit(url)
        if parts.scheme not in {"https", "http"} or not parts.hostname or parts.path.strip("/"):
            raise SettingsError("WARPMATE_GATEWAY_URL is not an address such as https://warpmate.example.org:8443")
        if parts.scheme == "http" and parts.hostname not in {"127.0.0.1", "localhost", "::1"}:
            raise SettingsError(
                "WARPMATE_GATEWAY_URL: begin it with https://; only this host itself is asked without TLS"
            )
        if parts.scheme == "http":
            return cls(parts.hostname, parts.port or 80, None)
        try:
            return cls(parts.hostname, parts.port or 443, ssl.create_default_context(cafile=ca))
        except OSError as error:
            raise SettingsError(f"WARPMATE_GATEWAY_CA: {ca} cannot be used: {error.strerror or error}") from None


class RemoteQueue:
    """A worker's side of the queue. Its leases renew themselves as those over a broker do."""

    def __init__(self, address: Address, key: WorkerKey) -> None:
        self._address = address
        self._name = key.name
        self._key = private_key(key.secret)
        self._hello: Hello | None = None
        self._ahead_ms = 0
        """How far the server's clock is ahead of ours."""
        self._lease_s = 5.0
        self._leases: set[RenewedLease] = set()

    async def take(self, state: WorkerState) -> Lease:
        while True:
            name = secrets.token_hex(16)
            try:
                taken = await self._patiently("take", Take(name, state), Taken)
            except asyncio.CancelledError:
                await self._give_back(name)
                raise
            if taken is not None:
                self._lease_s = taken.lease_s
                lease = RenewedLease(self, name, taken.job, self._name)
                self._leases.add(lease)
                return lease

    async def beat(self, state: WorkerState) -> None:
        await self._patiently("beat", Beat(state), Held)

    async def close(self) -> None:
        for lease in tuple(self._leases):
            lease.stop_renewing()

    # What the leases use

    @property
    def renewal_s(self) -> float:
        return self._lease_s / 5

    async def on_lease(self, script: str, lease: RenewedLease, *args: str | int) -> bool:
        answer = await self._patiently(script, _body(script, lease, args), Held)
        return answer is not None and answer.held

    async def courteously(self, script: str, lease: RenewedLease, *args: str | int) -> None:
        try:
            await self._ask(script, _body(script, lease, args), Held)
        except (QueueUnavailable, ValueError):
            log.warning("the gateway does not take the %s of %s", script, lease.job.submission)

    def dropped(self, lease: RenewedLease) -> None:
        self._leases.discard(lease)

    # The gateway

    async def _give_back(self, name: str) -> None:
        """What may have been on its way when nobody waited for it any more."""
        try:
            await asyncio.shield(self._ask("release", OnLease(name, "", 0), Held))
        except QueueUnavailable:
            log.info("the gateway is gone already")

    async def _patiently(self, path: str, body: Part, kind: type[Answer]) -> Answer | None:
        """Ask for as long as the gateway is away."""
        pause_s = 0.05
        while True:
            try:
                return await self._ask(path, body, kind)
            except QueueUnavailable as error:
                if pause_s == 0.05:
                    log.warning("%s; waiting for it", error)
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def _ask(self, path: str, body: Part, kind: type[Answer]) -> Answer | None:
        """The answer, None where there is none; a gateway that started anew is greeted first."""
        for _ in range(2):
            hello = self._hello or await self.greet()
            status, answer = await self._send("POST", f"/worker/{path}", encoded(body), hello)
            if status in {200, 204}:
                return from_json(kind, answer) if status == 200 else None
            refusal = _refusal(answer)
            if refusal.why == "lease":
                return None
            if refusal.why not in {"epoch", "time"}:
                raise _error_of(refusal)
            self._hello = None
        raise QueueUnavailable("the gateway does not accept our clock")

    async def greet(self) -> Hello:
        """Ask the gateway who it is, and what time it is there."""
        status, answer = await self._send("GET", "/worker/hello", b"", None)
        if status != 200:
            raise QueueUnavailable(f"the gateway answers {status}")
        try:
            hello = from_json(Hello, answer)
        except ValueError:
            raise QueueUnavailable("no gateway of warpmate is at this address") from None
        if hello.protocol != PROTOCOL:
            raise WrongProtocol(str(hello.protocol))
        self._hello, self._ahead_ms = hello, hello.at_ms - _now_ms()
        return hello

    async def _send(self, method: str, path: str, body: bytes, hello: Hello | None) -> tuple[int, bytes]:
        headers = {"Host": self._address.host, "Connection": "close", "Content-Length": str(len(body))}
        if hello is not None:
            at_ms = str(_now_ms() + self._ahead_ms)
            head = Head(self._name, str(PROTOCOL), hello.epoch, at_ms, secrets.token_hex(16))
            signature = base64.b64encode(self._key.sign(head.signed(method, path, body))).decode()
            headers |= {**head.as_headers(), SIGNATURE: signature}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S), self._connected() as (reader, writer):
                writer.write("\r\n".join(lines).encode("ascii") + body)
                await writer.drain()
                return await _answer(reader)
        except ssl.SSLCertVerificationError as error:
            raise GatewayRefuses(f"the gateway's certificate is not trusted: {error.verify_message}") from None
        except (OSError, TimeoutError, EOFError, ValueError) as error:
            raise QueueUnavailable("the gateway does not answer") from error

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        at = self._address
        reader, writer = await asyncio.open_connection(at.host, at.port, ssl=at.tls, limit=64 * 1024)
        try:
            yield reader, writer
        finally:
            writer.close()


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Status and body; ValueError for what is no answer."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    status = int(head[0].split(" ")[1])
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
    length = int(fields.get("content-length", "0"))
    if length > MOST_ANSWER_BYTES:
        raise ValueError("an answer that is too long")
    return status, await reader.readexactly(length)


def _body(script: str, lease: RenewedLease, args: tuple[str | int, ...]) -> OnLease:
    job = lease.job
    match script:
        case "progress":
            return OnLease(lease.entry, job.submission, job.fence, progress=from_json(Progress, str(args[0])))
        case "finish":
            return OnLease(lease.entry, job.submission, job.fence, verdict=from_json(Verdict, str(args[0])))
        case "release":
            return OnLease(lease.entry, job.submission, job.fence, counts=args[0] == 0)
    return OnLease(lease.entry, job.submission, job.fence)


def _refusal(answer: bytes) -> Refusal:
    try:
        return msgspec.json.decode(answer, type=Refusal)
    except msgspec.DecodeError:
        return Refusal("unknown", "the gateway refuses without a reason")


def _error_of(refusal: Refusal) -> Exception:
    """Of a refusal. ValueError is a verdict that cannot be published, as for one without JSON."""
    match refusal.why:
        case "protocol":
            return WrongProtocol(refusal.text)
        case "result":
            return ValueError(refusal.text)
        case "signature" | "revoked":
            return GatewayRefuses(refusal.text)
    return QueueUnavailable(refusal.text)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def open_remote(url: str, key_file: Path, ca: Path | None = None) -> RemoteQueue:
    """Connects with the first request."""
    return RemoteQueue(Address.of(url, ca), WorkerKey.read(key_file))
