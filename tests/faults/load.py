"""Members who hand in and ask, on the site's API and on Discord, and who do it once more when something breaks."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import chain, cycle
from typing import Any

import aiohttp
from aiohttp import ClientSession, ClientTimeout

from knowledge.api_tokens import TOKEN_SCOPES, ApiTokens
from knowledge.store import Store
from tests.discord import Exchange, LocalDiscord, Person, Upload
from tests.discord.check_messages import text_of
from tests.discord.world import Channel
from tests.faults.cluster import HOST
from tests.faults.ledger import HandIn, Ledger

PATIENCE_S = 120.0
"""How long somebody waits before the run calls them left waiting; every fault is over long before."""
ACKNOWLEDGED_WITHIN_S = 4.0
"""Discord itself tells a member after three seconds that the application did not respond."""
NUMBER = re.compile(r"`(01[0-9A-HJKMNP-TV-Z]{24})`")
APOLOGIES = (
    "I was restarted before this was done", "Something went wrong on our side", "The database does not answer",
    "You are faster than I can keep up", "This server is faster than I can", "The library is being prepared",
    "This took me too long",
)  # fmt: skip
QUESTIONS = (
    "what is warp divergence?", "How do I avoid bank conflicts?", "what is coalescing?", "what is a thread block?",
    "什么是合并访问？", "how does shared memory work?", "what does __syncthreads do?", "what is occupancy?",
    "why is my kernel slow?", "what is a tensor core?", "什么是共享内存？", "how do I time a kernel?",
)  # fmt: skip


@dataclass(frozen=True)
class Source:
    text: str
    expected: str


@dataclass
class Member:
    person: Person
    channel: Channel
    guild: str
    token: str

    @property
    def key(self) -> str:
        return f"discord:{self.person.user.id}"


async def enrolled(discord: LocalDiscord, store: Store, guilds: int, members: int) -> list[Member]:
    """Members of several servers, each with a token for the API."""
    tokens, found = ApiTokens(store), []
    made = [discord.world.add_guild(f"group {number}") for number in range(guilds)]
    for number, guild in zip(range(members), cycle(made), strict=False):
        person = discord.person(f"member{number}")
        guild.members.add(person.user.id)
        token = await tokens.make(f"discord:{person.user.id}", str(guild.id), "faults", TOKEN_SCOPES)
        found.append(Member(person, guild.general, str(guild.id), token))
    return found


@dataclass
class Load:
    discord: LocalDiscord
    sites: Sequence[str]
    members: Sequence[Member]
    sources: Sequence[Source]
    ledger: Ledger
    rng: random.Random
    session: ClientSession
    twice: float = 0.0
    """The share of Discord's events that are delivered twice."""
    _turns: Iterator[Member] = field(init=False)
    _site: Iterator[str] = field(init=False)

    def __post_init__(self) -> None:
        self._turns, self._site = cycle(self.members), cycle(self.sites)

    async def run(self, submissions: int, asks: int, at_once: int, go_on: Callable[[], bool]) -> None:
        """As many as that, some at a time, half of them on each face; and further ones as long as that is wanted."""
        work = [("hand in", n % 2) for n in range(submissions)] + [("ask", n % 2) for n in range(asks)]
        self.rng.shuffle(work)
        todo = chain(work, (self.rng.choice(work) for _ in iter(go_on, False)))

        async def one_after_the_other() -> None:
            for what, face in todo:
                member = next(self._turns)
                try:
                    async with asyncio.timeout(PATIENCE_S):
                        await self._do(what, face, member)
                except (TimeoutError, AssertionError) as error:
                    where = ("the site", "Discord")[face]
                    self.ledger.left_waiting.append(f"{what} by {member.key} on {where}: {error}")

        await asyncio.gather(*(one_after_the_other() for _ in range(at_once)))

    async def _do(self, what: str, face: int, member: Member) -> None:
        if what == "ask":
            self.ledger.asked += 1
            question = self.rng.choice(QUESTIONS)
            await (self._ask_on_discord if face else self._ask_on_site)(member, question)
            self.ledger.answered += 1
            return
        source = self.rng.choice(self.sources)
        entry = HandIn(("site", "discord")[face], member.key, member.guild, source.expected)
        self.ledger.hand_ins.append(entry)
        await (self._hand_in_on_discord if face else self._hand_in_on_site)(member, source, entry)

    # --- the site --------------------------------------------------------------------------------------------

    async def _ask_on_site(self, member: Member, question: str) -> None:
        answer = await self._until_done(member, "/api/v1/ask", {"question": question}, 200)
        assert answer["status"] in {"answered", "perhaps", "refused"}, answer

    async def _hand_in_on_site(self, member: Member, source: Source, entry: HandIn) -> None:
        body = {"source": source.text, "problem": "vector_add"}
        taken = await self._until_done(member, "/api/v1/submissions", body, 202)
        entry.submission = taken["submission"]
        self.ledger.numbers.add(entry.submission)
        entry.is_told(await self._followed(member, entry.submission))

    async def _until_done(self, member: Member, path: str, body: dict[str, Any], wanted: int) -> dict[str, Any]:
        while True:
            try:
                async with self._asked(member, "POST", path, json=body, timeout=ClientTimeout(60)) as reply:
                    if reply.status == wanted:
                        return dict(await reply.json())
                    self._trouble(f"site {reply.status}", await reply.text())
                    wait_s = float(reply.headers.get("Retry-After", "0.5"))
            except (aiohttp.ClientError, OSError, TimeoutError) as error:
                self._trouble(f"site {type(error).__name__}")
                wait_s = 0.5
            await asyncio.sleep(min(wait_s, 5.0))

    async def _followed(self, member: Member, submission: str) -> str:
        """The verdict in the stream of events, which is opened again, at the next site, when it breaks."""
        while True:
            try:
                path = f"/api/v1/submissions/{submission}/events"
                async with self._asked(member, "GET", path, timeout=ClientTimeout(60)) as reply:
                    if reply.status == 200 and (told := await _verdict_in(reply)):
                        return told
                    self._trouble(f"feed {reply.status}")
            except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
                self._trouble(f"feed {type(error).__name__}")
            await asyncio.sleep(0.5)

    @asynccontextmanager
    async def _asked(self, member: Member, method: str, path: str, **more: Any) -> Any:
        headers = {"Host": HOST, "Authorization": f"Bearer {member.token}"}
        async with self.session.request(method, next(self._site) + path, headers=headers, **more) as reply:
            yield reply

    # --- Discord ---------------------------------------------------------------------------------------------

    async def _ask_on_discord(self, member: Member, question: str) -> None:
        while True:
            exchange = await self._command(member, "ask", question=question)
            if exchange is None:
                continue
            text = (await exchange.reply(PATIENCE_S - 5)).text
            if not _is_apology(text):
                return
            self._trouble("Discord: asked to try again", text)
            await asyncio.sleep(0.5)

    async def _hand_in_on_discord(self, member: Member, source: Source, entry: HandIn) -> None:
        while True:
            file = Upload("kernel.cu", source.text.encode())
            exchange = await self._command(member, "submit", file=file, problem="vector_add")
            if exchange is None:
                continue
            text = await self._final_text(exchange, member, entry)
            if not _is_apology(text):
                entry.is_told(_verdict_said(text))
                return
            self._trouble("Discord: asked to try again", text)
            await asyncio.sleep(0.5)

    async def _command(self, member: Member, name: str, **options: Any) -> Exchange | None:
        """None where nobody acknowledged it, which Discord tells the member."""
        exchange = await member.person.run(name, member.channel, **options)
        if self.rng.random() < self.twice:
            payload, guild = exchange.interaction.payload, member.channel.guild_id
            await self.discord.gateway.dispatch("INTERACTION_CREATE", payload, guild)
        try:
            await exchange.acknowledged(ACKNOWLEDGED_WITHIN_S)
        except AssertionError:
            self._trouble("Discord: not acknowledged")
            await asyncio.sleep(0.5)
            return None
        return exchange

    async def _final_text(self, exchange: Exchange, member: Member, entry: HandIn) -> str:
        """What the reply reads at last, or a message in its stead: in the channel, or to the member alone."""

        def found() -> str:
            original = exchange.interaction.original
            text = text_of(original) if original else ""
            if number := NUMBER.search(text):
                entry.submission = number[1]
                self.ledger.numbers.add(number[1])
            if _is_apology(text) or is_final(text):
                return text
            direct = self.discord.world.direct.get(member.person.user.id)
            for said in map(text_of, direct.messages.values() if direct else ()):
                # Where the bot's clock is wrong it takes the reply for too old, and no reply ever had a number.
                number = NUMBER.search(said)
                if number and is_final(said) and number[1] not in self.ledger.numbers:
                    entry.submission = number[1]
                    self.ledger.numbers.add(number[1])
                    return said
            elsewhere = [*member.channel.messages.values(), *(direct.messages.values() if direct else ())]
            mine = entry.submission and (text_of(one) for one in reversed(elsewhere) if one["author"].get("bot"))
            return next((said for said in mine or () if entry.submission in said and is_final(said)), "")

        try:
            return await self.discord.world.until(found, PATIENCE_S - 5, "a verdict")
        except AssertionError:
            shown = exchange.interaction.original
            raise AssertionError(
                f"{entry.submission} reads {text_of(shown)[:200] if shown else 'nothing'!r}"
            ) from None

    def _trouble(self, what: str, text: str = "") -> None:
        said = re.sub(r"[0-9A-HJKMNP-TV-Z]{8,}|\d+", "…", _detail(text))[:90]
        self.ledger.troubles[f"{what}: {said}" if said else what] += 1


def _detail(text: str) -> str:
    try:
        return str(json.loads(text)["detail"])
    except (ValueError, KeyError, TypeError):
        return text.strip().splitlines()[0] if text.strip() else ""


async def _verdict_in(reply: aiohttp.ClientResponse) -> str:
    async for line in reply.content:
        if line.startswith(b"event: verdict"):
            data = await reply.content.readline()
            return str(json.loads(data.removeprefix(b"data: "))["verdict"])
    return ""


def is_final(text: str) -> bool:
    return "`01" in text and "handed in" not in text


def _is_apology(text: str) -> bool:
    """A line in place of a reply: of a restart, or of what is broken now."""
    return text.startswith(APOLOGIES)


def _verdict_said(text: str) -> str:
    words = {"accepted": "accepted", "wrong answer": "wrong_answer", "compile error": "compile_error"}
    said = text.casefold()
    return next((verdict for word, verdict in words.items() if word in said), said[:80])
