"""Proxies on loopback that pass on what they are given and count the connections: one of HTTP, one of SOCKS 5."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest

Reader, Writer = asyncio.StreamReader, asyncio.StreamWriter
VARIABLES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@dataclass(slots=True)
class Proxy:
    kind: str
    address: str = ""
    paths: list[str] = field(default_factory=list)
    """What was asked for through it: a path, or `host:port` of a tunnel."""
    known: dict[str, str] = field(default_factory=dict)
    """Names that only the proxy can look up, each with the `host:port` where it leads."""
    shut: bool = False
    """Whether it leads nobody anywhere."""
    open: set[Writer] = field(default_factory=set)

    def cut(self) -> None:
        """End every connection, and lead nobody anywhere until `shut` is taken back."""
        self.shut = True
        for writer in self.open:
            writer.transport.abort()

    async def serve(self, reader: Reader, writer: Writer) -> None:
        self.open.add(writer)
        try:
            await (self._socks(reader, writer) if self.kind == "socks5" else self._http(reader, writer))
        except (OSError, asyncio.IncompleteReadError):
            pass  # whoever asked has gone
        finally:
            self.open.discard(writer)
            writer.close()

    async def _http(self, reader: Reader, writer: Writer) -> None:
        """Pass on one request with its whole address in the first line, then whatever follows in both directions."""
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, rest = head.split(b" ", 2)
        parts = urlsplit(target.decode())
        self.paths.append(parts.path)
        if self.shut:
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        onward = await self._onward(parts.hostname or "", parts.port or 80)
        closing = rest.replace(b"Connection: keep-alive", b"Connection: close")
        if b"upgrade" not in closing.lower():
            closing = closing.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
        onward[1].write(b" ".join((method, path.encode(), closing)))
        await _both_ways((reader, writer), onward)

    async def _socks(self, reader: Reader, writer: Writer) -> None:
        _, methods = await reader.readexactly(2)
        await reader.readexactly(methods)
        writer.write(b"\x05\x00")
        _, _, _, kind = await reader.readexactly(4)
        length = (await reader.readexactly(1))[0] if kind == 3 else 4
        host = await reader.readexactly(length)
        (port,) = struct.unpack(">H", await reader.readexactly(2))
        name = host.decode() if kind == 3 else ".".join(map(str, host))
        self.paths.append(f"{name}:{port}")
        if self.shut:
            writer.write(b"\x05\x04\x00\x01\x00\x00\x00\x00\x00\x00")  # host unreachable
            return
        onward = await self._onward(name, port)
        writer.write(b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")
        await _both_ways((reader, writer), onward)

    async def _onward(self, host: str, port: int) -> tuple[Reader, Writer]:
        name, _, at = self.known.get(host, f"{host}:{port}").rpartition(":")
        return await asyncio.open_connection(name, int(at))


async def _both_ways(one: tuple[Reader, Writer], other: tuple[Reader, Writer]) -> None:
    await asyncio.gather(_pass_on(one[0], other[1]), _pass_on(other[0], one[1]))


async def _pass_on(reader: Reader, writer: Writer) -> None:
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    finally:
        writer.close()


@asynccontextmanager
async def proxy(kind: str, patch: pytest.MonkeyPatch) -> AsyncIterator[Proxy]:
    """A proxy that the environment names, and no other beside it."""
    for name in VARIABLES:
        patch.delenv(name, raising=False)
        patch.delenv(name.upper(), raising=False)
    one = Proxy(kind)
    server = await asyncio.start_server(one.serve, "127.0.0.1", 0)
    one.address = f"{kind}://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    patch.setenv("http_proxy" if kind == "http" else "all_proxy", one.address)
    try:
        yield one
    finally:
        server.close()
