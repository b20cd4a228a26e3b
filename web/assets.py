"""The site's own files: read once, kept packed, called by an address that changes with what is in them."""

from __future__ import annotations

import functools
import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True)
class Asset:
    content_type: str
    body: bytes
    packed: bytes
    """The same with gzip, which every browser reads."""
    address: str


@functools.cache
def assets() -> Mapping[str, Asset]:
    """Return every file of the folder by its name."""
    return {file.name: _read(file) for file in sorted(STATIC.iterdir()) if file.is_file()}


def addresses() -> dict[str, str]:
    return {name: one.address for name, one in assets().items()}


def register(site: web.Application) -> None:
    site.router.add_get("/static/{name}", show)


async def show(request: web.Request) -> web.Response:
    """Send a file, found by its name alone; with a digest in the address it never changes."""
    if (found := assets().get(request.match_info["name"])) is None:
        raise web.HTTPNotFound
    kept = "public, max-age=31536000, immutable" if "v" in request.query else "no-cache"
    headers = {"Cache-Control": kept, "Vary": "Accept-Encoding"}
    body = found.body
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        headers["Content-Encoding"], body = "gzip", found.packed
    return web.Response(body=body, content_type=found.content_type, charset="utf-8", headers=headers)


def _read(file: Path) -> Asset:
    body = file.read_bytes()
    content_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    digest = hashlib.sha256(body).hexdigest()[:12]
    return Asset(content_type, body, gzip.compress(body, 9, mtime=0), f"/static/{file.name}?v={digest}")
