"""The gateway: hello, identify, resume, heartbeats, compression, and every way in which a connection ends."""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from aiohttp import WSMsgType, web

from tests.discord import limits
from tests.discord.world import Guild, World

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, RESUME, RECONNECT, MEMBERS, INVALID, HELLO, ACK = (
    0,
    1,
    2,
    3,
    6,
    7,
    8,
    9,
    10,
    11,
)
GUILD_MESSAGES, DIRECT_MESSAGES, MESSAGE_CONTENT = 1 << 9, 1 << 12, 1 << 15
PRIVILEGED = (1 << 1) | (1 << 8) | MESSAGE_CONTENT


class Squeezer(Protocol):
    def squeeze(self, text: str) -> bytes | str: ...


class Plain:
    def squeeze(self, text: str) -> bytes | str:
        return text


class Zlib:
    """One stream a connection, flushed after every message."""

    def __init__(self) -> None:
        self._stream = zlib.compressobj()

    def squeeze(self, text: str) -> bytes | str:
        return self._stream.compress(text.encode()) + self._stream.flush(zlib.Z_SYNC_FLUSH)


class Zstd:
    def __init__(self) -> None:
        import zstandard

        self._stream = zstandard.ZstdCompressor().compressobj()
        self._flush = zstandard.COMPRESSOBJ_FLUSH_BLOCK

    def squeeze(self, text: str) -> bytes | str:
        return self._stream.compress(text.encode()) + self._stream.flush(self._flush)


SQUEEZERS: dict[str, type[Squeezer]] = {"zlib-stream": Zlib, "zstd-stream": Zstd}


@dataclass(slots=True)
class Session:
    """What survives a lost connection: the sequence, and what the client has not seen yet."""

    id: str
    shard: int
    shards: int
    intents: int
    seq: int = 0
    sent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=500))
    connection: Connection | None = None


@dataclass(slots=True)
class Connection:
    socket: web.WebSocketResponse
    squeezer: Squeezer
    session: Session | None = None
    sends: list[float] = field(default_factory=list)
    heartbeats: list[float] = field(default_factory=list)

    async def send(self, text: str) -> None:
        squeezed = self.squeezer.squeeze(text)
        with suppress(ConnectionError, RuntimeError):
            await (self.socket.send_str(squeezed) if isinstance(squeezed, str) else self.socket.send_bytes(squeezed))

    async def op(self, op: int, data: Any = None) -> None:
        await self.send(json.dumps({"op": op, "d": data, "s": None, "t": None}))


class Gateway:
    def __init__(self, world: World, token: str, *, shards: int = 1, heartbeat_ms: int = 41_250) -> None:
        self.world = world
        self.token = token
        self.shards = shards
        self.heartbeat_ms = heartbeat_ms
        self.allowed_privileged = 0
        self.sessions: dict[str, Session] = {}
        self.identifies = 0
        self.resumes = 0
        self.heartbeats = 0
        self.longest_silence_s = 0.0
        """The longest time between two heartbeats of one connection."""
        self.compressions: list[str] = []
        self.url = ""

    # --- what the other side of Discord does -------------------------------------------------------------

    async def dispatch(self, event: str, data: dict[str, Any], guild_id: int | None) -> bool:
        """To the shard that the guild belongs to; kept for a resume while its connection is down."""
        sessions = [s for s in self.sessions.values() if s.shard == ((guild_id or 0) >> 22) % s.shards]
        if not sessions:
            return False
        await self._dispatch_to(sessions[-1], event, data)
        return True

    async def message(self, message: dict[str, Any]) -> None:
        """MESSAGE_CREATE as each session may see it: without the content intent most texts are blank."""
        guild_id = int(message["guild_id"]) if "guild_id" in message else None
        for session in [s for s in self.sessions.values() if s.shard == ((guild_id or 0) >> 22) % s.shards]:
            if session.intents & (GUILD_MESSAGES if guild_id else DIRECT_MESSAGES):
                await self._dispatch_to(session, "MESSAGE_CREATE", self._as_seen(message, session))

    def _as_seen(self, message: dict[str, Any], session: Session) -> dict[str, Any]:
        mine = str(self.world.bot.id)
        mentioned = any(user["id"] == mine for user in message["mentions"])
        if (
            session.intents & MESSAGE_CONTENT
            or "guild_id" not in message
            or mentioned
            or message["author"]["id"] == mine
        ):
            return message
        return message | {"content": "", "embeds": [], "attachments": [], "components": []}

    async def cut(self, code: int = 4000) -> None:
        """Close every connection; sessions may be resumed."""
        for session in list(self.sessions.values()):
            connection, session.connection = session.connection, None
            if connection is not None:
                await connection.socket.close(code=code)

    async def ask_to_reconnect(self) -> None:
        for session in list(self.sessions.values()):
            if session.connection is not None:
                await session.connection.op(RECONNECT)

    async def invalidate(self, *, resumable: bool) -> None:
        for session in list(self.sessions.values()):
            if session.connection is not None:
                await session.connection.op(INVALID, resumable)
                if not resumable:
                    self.sessions.pop(session.id, None)

    async def announce(self, guild: Guild) -> None:
        """A server that the bot has joined since it started."""
        if guild.has_bot and not guild.announced and self.sessions:
            guild.announced = True
            await self.dispatch("GUILD_CREATE", self.world.guild_json(guild), guild.id)

    # --- the connection ----------------------------------------------------------------------------------

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=1 << 20)
        await socket.prepare(request)
        wanted = request.query.get("compress", "")
        self.compressions.append(wanted)
        connection = Connection(socket, SQUEEZERS.get(wanted, Plain)())
        await connection.op(HELLO, {"heartbeat_interval": self.heartbeat_ms})
        try:
            async for frame in socket:
                if frame.type is not WSMsgType.TEXT or not await self._receive(connection, frame.data):
                    break
        finally:
            if connection.session is not None and connection.session.connection is connection:
                connection.session.connection = None
                if socket.close_code in (1000, 1001):  # a client that says goodbye gives its session up
                    self.sessions.pop(connection.session.id, None)
            self.world.changed()
        return socket

    async def _receive(self, connection: Connection, text: str) -> bool:
        """False ends the connection."""
        now = time.monotonic()
        connection.sends = [at for at in connection.sends if now - at < 60] + [now]
        if len(text.encode()) > limits.GATEWAY_PAYLOAD_BYTES:
            return await self._close(connection, 4002)
        if len(connection.sends) > limits.GATEWAY_SENDS_A_MINUTE:
            return await self._close(connection, 4008)
        frame = json.loads(text)
        match frame["op"]:
            case 1:
                await self._beat(connection, now)
            case 2:
                return await self._identify(connection, frame["d"])
            case 6:
                return await self._resume(connection, frame["d"])
            case 3 | 4:
                pass
            case 8:
                await self._members(connection, frame["d"])
            case _:
                return await self._close(connection, 4001)
        return True

    async def _beat(self, connection: Connection, now: float) -> None:
        if connection.heartbeats:
            self.longest_silence_s = max(self.longest_silence_s, now - connection.heartbeats[-1])
        connection.heartbeats.append(now)
        self.heartbeats += 1
        await connection.op(ACK)
        self.world.changed()

    async def _identify(self, connection: Connection, data: dict[str, Any]) -> bool:
        if connection.session is not None:
            return await self._close(connection, 4005)
        if data.get("token") != self.token:
            return await self._close(connection, 4004)
        shard, shards = data.get("shard", [0, 1])
        if not 0 <= shard < shards:
            return await self._close(connection, 4010)
        if data["intents"] & PRIVILEGED & ~self.allowed_privileged:
            return await self._close(connection, 4014)
        self.identifies += 1
        session = Session(f"session-{self.world.new_id()}", shard, shards, data["intents"], connection=connection)
        connection.session = self.sessions[session.id] = session
        await self._greet(session)
        self.world.changed()
        return True

    async def _greet(self, session: Session) -> None:
        guilds = [
            g for g in self.world.guilds.values() if g.has_bot and (g.id >> 22) % session.shards == session.shard
        ]
        await self._dispatch_to(
            session,
            "READY",
            {
                "v": 10,
                "user": self.world.bot.as_json(),
                "session_id": session.id,
                "resume_gateway_url": self.url,
                "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
                "shard": [session.shard, session.shards],
                "private_channels": [],
                "session_type": "normal",
                "application": {"id": str(self.world.application_id), "flags": 0},
            },
        )
        for guild in guilds:
            guild.announced = True
            await self._dispatch_to(session, "GUILD_CREATE", self.world.guild_json(guild))

    async def _resume(self, connection: Connection, data: dict[str, Any]) -> bool:
        session = self.sessions.get(data["session_id"])
        if data.get("token") != self.token or session is None or data["seq"] > session.seq:
            await connection.op(INVALID, False)
            return True
        self.resumes += 1
        session.connection, connection.session = connection, session
        for seq, text in list(session.sent):
            if seq > data["seq"]:
                await connection.send(text)
        await self._dispatch_to(session, "RESUMED", {})
        self.world.changed()
        return True

    async def _members(self, connection: Connection, data: dict[str, Any]) -> None:
        if connection.session is not None:
            chunk = {"guild_id": data["guild_id"], "members": [], "chunk_index": 0, "chunk_count": 1}
            await self._dispatch_to(connection.session, "GUILD_MEMBERS_CHUNK", chunk | {"nonce": data.get("nonce")})

    async def _dispatch_to(self, session: Session, event: str, data: dict[str, Any]) -> None:
        session.seq += 1
        text = json.dumps({"op": DISPATCH, "t": event, "s": session.seq, "d": data})
        session.sent.append((session.seq, text))
        if session.connection is not None:
            await session.connection.send(text)

    async def _close(self, connection: Connection, code: int) -> bool:
        await connection.socket.close(code=code)
        return False


async def until_connected(gateway: Gateway, shards: int = 1) -> None:
    """Every shard has a session with a connection."""
    await gateway.world.until(
        lambda: sum(s.connection is not None for s in gateway.sessions.values()) >= shards,
        what="the client to connect",
    )
    await asyncio.sleep(0)
