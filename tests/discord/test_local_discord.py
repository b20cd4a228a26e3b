"""The local Discord with the real client: what it grants, and what it refuses by name."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import discord
import pytest
from discord import app_commands

from tests.discord import LocalDiscord, Person, Upload, local_discord
from tests.discord.client import quick_client, redirected
from tests.discord.gateway import until_connected

Deed = Callable[[discord.Interaction[Any]], Awaitable[Any]]


@pytest.fixture
async def place() -> AsyncIterator[LocalDiscord]:
    async with local_discord() as place:
        yield place


@asynccontextmanager
async def client_with(place: LocalDiscord, deed: Deed, shards: int | None = None) -> AsyncIterator[discord.Client]:
    """A client with one command, `do`, that does the deed."""
    client = quick_client()
    tree: app_commands.CommandTree[Any] = app_commands.CommandTree(client)
    client.failures = asyncio.Queue()  # type: ignore[attr-defined]  # what the deeds raised, for the tests

    @tree.command(name="do", description="does it")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def do(
        interaction: discord.Interaction[Any], word: str = "", count: int = 1, file: discord.Attachment | None = None
    ) -> None:
        await deed(interaction)

    @do.autocomplete("word")
    async def words(_: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=f"{current}-{n}", value=f"{n}") for n in range(2)]

    @tree.error
    async def note(_: Any, error: app_commands.AppCommandError) -> None:
        client.failures.put_nowait(getattr(error, "original", error))  # type: ignore[attr-defined]

    with redirected(place.api_base, place.gateway.url):
        await client.login(place.token)
        await tree.sync()
        running = asyncio.create_task(client.connect())
        try:
            await client.wait_until_ready()
            await until_connected(place.gateway)
            yield client
        finally:
            await client.close()
            await asyncio.gather(running, return_exceptions=True)


async def say_hello(interaction: discord.Interaction[Any]) -> None:
    await interaction.response.send_message("hello")


async def failure_of(place: LocalDiscord, deed: Deed) -> Any:
    """What the client raises when the command does this."""
    async with client_with(place, deed) as client:
        ann = place.person("ann")
        await ann.run("do", place.world.add_guild().general)
        failures: asyncio.Queue[Any] = client.failures  # type: ignore[attr-defined]
        async with asyncio.timeout(10):
            return await failures.get()


async def test_a_wrong_token_is_refused(place: LocalDiscord) -> None:
    client = quick_client()
    with redirected(place.api_base, place.gateway.url), pytest.raises(discord.LoginFailure):
        await client.login("wrong")
    await client.close()


@pytest.mark.parametrize("where", ["guild", "dm", "private"])
async def test_a_command_is_answered_everywhere(place: LocalDiscord, where: str) -> None:
    ann = place.person("ann")
    channel = {
        "guild": place.world.add_guild().general,
        "dm": place.world.direct_channel(ann.user),
        "private": place.world.private_channel(ann.user),
    }[where]
    async with client_with(place, say_hello):
        reply = await (await ann.run("do", channel)).reply()
        assert reply.text == "hello"


async def test_choices_are_offered_while_typing(place: LocalDiscord) -> None:
    async with client_with(place, say_hello):
        ann = place.person("ann")
        typing = await ann.complete("do", place.world.add_guild().general, "word", word="x")
        assert await typing.choices() == [("x-0", "0"), ("x-1", "1")]


async def test_an_upload_arrives_byte_for_byte(place: LocalDiscord) -> None:
    async def echo(interaction: discord.Interaction[Any]) -> None:
        body = await interaction.namespace.file.read()
        await interaction.response.send_message(file=discord.File(__import__("io").BytesIO(body), "echo.bin"))

    async with client_with(place, echo):
        ann = place.person("ann")
        exchange = await ann.run("do", place.world.add_guild().general, file=Upload("a.bin", b"\x00\xff"))
        assert (await exchange.reply()).files == {"echo.bin": b"\x00\xff"}


async def test_a_second_acknowledgement_is_refused(place: LocalDiscord) -> None:
    async def twice(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message("one")
        interaction.response._response_type = None
        await interaction.response.send_message("two")

    assert (await failure_of(place, twice)).code == 40060


async def test_a_late_acknowledgement_finds_no_interaction(place: LocalDiscord) -> None:
    async def late(interaction: discord.Interaction[Any]) -> None:
        place.clock.advance(3.5)
        await interaction.response.send_message("late")

    assert (await failure_of(place, late)).code == 10062


async def test_a_token_dies_after_a_quarter_of_an_hour(place: LocalDiscord) -> None:
    async def slow(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer()
        place.clock.advance(15 * 60 + 1)
        await interaction.edit_original_response(content="too late")

    assert (await failure_of(place, slow)).code == 50027


async def test_a_followup_before_the_answer_is_refused(place: LocalDiscord) -> None:
    async def early(interaction: discord.Interaction[Any]) -> None:
        await interaction.followup.send("early")

    assert (await failure_of(place, early)).code == 10015


def too_many_rows() -> discord.ui.View:
    view = discord.ui.View()
    for n in range(5):
        view.add_item(discord.ui.Button(label="x" * 81 if n == 3 else "x", custom_id=f"b{n}", row=0))
    return view


def one_select(options: int) -> discord.ui.View:
    view = discord.ui.View()
    select: discord.ui.Select[Any] = discord.ui.Select(custom_id="s")
    select._underlying.options = [discord.SelectOption(label=f"{n}", value=f"{n}") for n in range(options)]
    return view.add_item(select)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ({"content": "x" * 2001}, "content"),
        ({"embeds": [discord.Embed(description="x" * 4097)]}, "embeds.0.description"),
        ({"embeds": [discord.Embed(description="x" * 3001)] * 2}, "embeds"),
        ({"embeds": [discord.Embed().add_field(name="", value="x")]}, "embeds.0.fields.0.name"),
        ({"view": too_many_rows}, "components.0.components.3.label"),
        ({"view": lambda: one_select(26)}, "components.0.components.0.options"),
    ],
)
async def test_what_is_too_long_is_refused_by_name(place: LocalDiscord, message: dict[str, Any], field: str) -> None:
    async def send(interaction: discord.Interaction[Any]) -> None:
        made = {key: value() if callable(value) else value for key, value in message.items()}
        await interaction.response.send_message(**made)

    error = await failure_of(place, send)
    assert error.code == 50035
    assert f"In {field}:" in str(error)


async def test_an_empty_message_is_refused(place: LocalDiscord) -> None:
    async def send(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message("")

    assert (await failure_of(place, send)).code == 50006


async def test_a_channel_without_permission_is_refused(place: LocalDiscord) -> None:
    async def send(interaction: discord.Interaction[Any]) -> None:
        place.world.channels[interaction.channel_id or 0].bot_may_send = False
        await interaction.response.defer()
        await interaction.channel.send("x")  # type: ignore[union-attr]

    assert (await failure_of(place, send)).code == 50013


async def test_a_429_is_waited_out(place: LocalDiscord) -> None:
    async with client_with(place, say_hello):
        fault = place.fault("POST /interactions/", 429, retry_after_s=0.05, times=2)
        ann = place.person("ann")
        assert (await (await ann.run("do", place.world.add_guild().general)).reply()).text == "hello"
        assert fault.met == 2


async def test_the_client_keeps_to_the_announced_limits(place: LocalDiscord) -> None:
    """With the headers it waits by itself, so that no 429 is ever sent."""
    place.traffic.special["POST /channels/{channel}/messages"] = (2, 0.2)

    async def send(interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer()
        for n in range(5):
            await interaction.channel.send(f"{n}")  # type: ignore[union-attr]
        await interaction.edit_original_response(content="done")

    async with client_with(place, send):
        guild = place.world.add_guild()
        await place.gateway.announce(guild)
        reply = await (await place.person("ann").run("do", guild.general)).reply()
        assert reply.text == "done"
        assert place.traffic.limited == 0


async def test_a_cut_connection_is_resumed_and_nothing_is_lost(place: LocalDiscord) -> None:
    async with client_with(place, say_hello):
        await place.gateway.cut()
        exchange = await place.person("ann").run("do", place.world.add_guild().general)
        assert (await exchange.reply()).text == "hello"
        assert (place.gateway.resumes, place.gateway.identifies) == (1, 1)


async def test_a_requested_reconnect_resumes(place: LocalDiscord) -> None:
    async with client_with(place, say_hello):
        await place.gateway.ask_to_reconnect()
        await place.world.until(lambda: place.gateway.resumes)
        exchange = await place.person("ann").run("do", place.world.add_guild().general)
        assert (await exchange.reply()).text == "hello"


async def test_an_invalid_session_identifies_anew(place: LocalDiscord) -> None:
    async with client_with(place, say_hello):
        await place.gateway.invalidate(resumable=False)
        await place.world.until(lambda: place.gateway.identifies == 2)
        await until_connected(place.gateway)
        exchange = await place.person("ann").run("do", place.world.add_guild().general)
        assert (await exchange.reply()).text == "hello"


async def test_a_privileged_intent_is_refused(place: LocalDiscord) -> None:
    client = quick_client(discord.Intents(guilds=True, message_content=True))
    with redirected(place.api_base, place.gateway.url), pytest.raises(discord.PrivilegedIntentsRequired):
        async with client:
            await client.start(place.token)


@pytest.mark.parametrize("compression", ["zstd-stream", "zlib-stream"])
async def test_the_client_reads_both_compressions(
    place: LocalDiscord, compression: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if compression == "zlib-stream":
        monkeypatch.setattr(discord.utils, "_ActiveDecompressionContext", ZlibContext)
    async with client_with(place, say_hello):
        assert place.gateway.compressions == [compression]
        exchange = await place.person("ann").run("do", place.world.add_guild().general)
        assert (await exchange.reply()).text == "hello"


class ZlibContext:
    """The library's own, which it defines only where zstandard is missing."""

    COMPRESSION_TYPE = "zlib-stream"

    def __init__(self) -> None:
        import zlib

        self._stream = zlib.decompressobj()

    def decompress(self, data: bytes) -> str | None:
        return self._stream.decompress(data).decode() if data.endswith(b"\x00\x00\xff\xff") else None


async def test_heartbeats_are_counted(place: LocalDiscord) -> None:
    place.gateway.heartbeat_ms = 50
    async with client_with(place, say_hello):
        await place.world.until(lambda: place.gateway.heartbeats >= 4)
    assert place.gateway.longest_silence_s < 1


async def test_the_client_of_a_person_refuses_what_a_real_one_would(place: LocalDiscord) -> None:
    async with client_with(place, say_hello):
        ann: Person = place.person("ann")
        general = place.world.add_guild().general
        with pytest.raises(AssertionError, match="no command"):
            await ann.run("undo", general)
        with pytest.raises(AssertionError, match="wrong type"):
            await ann.run("do", general, count="three")
        with pytest.raises(AssertionError, match="no option"):
            await ann.run("do", general, colour="red")
