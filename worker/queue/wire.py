"""What crosses between a worker on another host and the server's gateway: signed requests over HTTP.

Each request is signed with the worker's own Ed25519 key; the server knows the public half alone. The signature covers
method, path, body, the worker's name, the protocol, the time, a nonce, and the epoch, which is another one each time
that the gateway starts: what was recorded once opens nothing a second time, there or anywhere else.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from worker.protocol import Job, Part, Progress, Verdict, WorkerState

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PATHS = ("take", "renew", "progress", "finish", "release", "beat")
"""Below `/worker/`; `hello` alone is not signed."""
HEADERS = {
    "worker": "X-Warpmate-Worker",
    "protocol": "X-Warpmate-Protocol",
    "epoch": "X-Warpmate-Epoch",
    "at_ms": "X-Warpmate-Time",
    "nonce": "X-Warpmate-Nonce",
}
SIGNATURE = "X-Warpmate-Signature"
KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class Head:
    """What is signed beside the request itself, as the headers have it."""

    worker: str
    protocol: str
    epoch: str
    at_ms: str
    nonce: str

    def as_headers(self) -> Mapping[str, str]:
        return {header: getattr(self, field) for field, header in HEADERS.items()}

    def signed(self, method: str, path: str, body: bytes) -> bytes:
        """The bytes that the signature is of. No part may hold a line break, or one could pass for two."""
        parts = ("warpmate-worker", method, path, *(getattr(self, field) for field in HEADERS))
        if any("\n" in part for part in parts):
            raise ValueError("a line break in what is signed")
        return "\n".join((*parts, hashlib.sha256(body).hexdigest())).encode()


def private_key(secret: bytes) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(secret)


def public_key_of(secret: bytes) -> str:
    """As the server keeps it."""
    return base64.b64encode(private_key(secret).public_key().public_bytes_raw()).decode()


def verifies(public_key: str, signature: str, signed: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key, validate=True))
        key.verify(base64.b64decode(signature, validate=True), signed)
    except (ValueError, InvalidSignature):
        return False
    return True


class Hello(Part, frozen=True):
    epoch: str
    protocol: int
    at_ms: int
    """The server's clock: a worker's own may be wrong."""


class Take(Part, frozen=True):
    lease: str
    """Named by the worker, so that it can give back what was on its way while it stopped waiting."""
    state: WorkerState


class Taken(Part, frozen=True):
    job: Job
    lease_s: float


class Beat(Part, frozen=True):
    state: WorkerState


class OnLease(Part, frozen=True):
    """Of a lease, an attempt and a submission that have to belong together."""

    lease: str
    submission: str
    fence: int
    progress: Progress | None = None
    verdict: Verdict | None = None
    counts: bool = False
    """Of a job that is given back: whether the attempt counts."""


class Held(Part, frozen=True):
    held: bool


class Refusal(Part, frozen=True):
    why: str
    text: str


def encoded(part: Part) -> bytes:
    return msgspec.json.encode(part)
