"""Proxies on loopback: one of HTTP, one of SOCKS 5, and a link of plain TCP that can be slow, silent or broken."""

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


@dataclass(slots=True)
class Link:
    """A wire to a server: what goes over it can be slow, silent, cut, or broken off in the middle of a message."""

    to: tuple[str, int]
    port: int = 0
    delay_s: float = 0.0
    """How long each piece takes."""
    shut: bool = False
    """Whether a new connection ends at once, as where nobody listens."""
    silent: bool = False
    """Whether nothing comes through, and nobody is told: a network that is cut."""
    break_after: int | None = None
    """How many more bytes pass; with the next one every connection is broken off."""
    broken: int = 0
    _open: set[Writer] = field(default_factory=set)
    _lost: set[Writer] = field(default_factory=set)
    _heard: asyncio.Event = field(default_factory=asyncio.Event)

    def cut(self) -> None:
        """End every connection at once."""
        self.broken += len(self._open)
        for writer in tuple(self._open):
            writer.transport.abort()

    def silence(self) -> None:
        self.silent = True
        self._heard.clear()

    def forget(self) -> int:
        """Carry nothing more for any connection that is open now, and tell nobody; how many that are."""
        lost, self._lost = len(self._open), self._lost | self._open
        return lost

    def heal(self) -> None:
        self.delay_s, self.shut, self.silent, self.break_after = 0.0, False, False, None
        self._heard.set()

    async def serve(self, reader: Reader, writer: Writer) -> None:
        onward: Writer | None = None
        self._open.add(writer)
        try:
            if self.silent:
                await self._heard.wait()
            if self.shut:
                return
            back, onward = await asyncio.open_connection(*self.to)
            self._open.add(onward)
            ways = [asyncio.ensure_future(self._carry(*way)) for way in ((reader, onward), (back, writer))]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        except OSError:
            pass  # the server is not there, or whoever asked has gone
        finally:
            for end in filter(None, (writer, onward)):
                self._open.discard(end)
                self._lost.discard(end)
                end.transport.abort()

    async def _carry(self, reader: Reader, writer: Writer) -> None:
        while data := await reader.read(65_536):
            if self.silent:
                await self._heard.wait()
            if writer in self._lost:
                continue
            if self.delay_s:
                await asyncio.sleep(self.delay_s)
            if self.break_after is not None and len(data) > self.break_after:
                writer.write(data[: self.break_after])
                await writer.drain()
                self.break_after = None
                self.cut()
                return
            if self.break_after is not None:
                self.break_after -= len(data)
            writer.write(data)
            await writer.drain()


@asynccontextmanager
async def link_to(host: str, port: int, *also_on: str) -> AsyncIterator[Link]:
    """A link to a server, on loopback and on other addresses of this host, all of them at one port."""
    link = Link((host, port))
    link.heal()
    first = await asyncio.start_server(link.serve, "127.0.0.1", 0)
    link.port = first.sockets[0].getsockname()[1]
    servers = [first, *[await asyncio.start_server(link.serve, one, link.port) for one in also_on]]
    try:
        yield link
    finally:
        for server in servers:
            server.close()
        link.heal()
        link.cut()
