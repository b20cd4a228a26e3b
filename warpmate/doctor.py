"""Looks at everything that an installation needs, one part after another, and says what to do about what is amiss."""

from __future__ import annotations

import asyncio
import dataclasses
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy.exc import DBAPIError

from knowledge.content import load_content
from knowledge.library.embed import open_embedder
from knowledge.library.generation import current_folder, index_folder, open_current
from knowledge.reader.model import Reader
from knowledge.store import open_store
from knowledge.store.faults import explain
from knowledge.store.migrate import revisions, standing_revision
from warpmate import datadir
from warpmate.settings import Settings
from warpmate.wiring.library import model_name
from warpmate.wiring.submit import judge_facts

State = Literal["ok", "off", "warn", "bad"]
"""off: not set up, and nothing needs it. warn: works, with less than it could. bad: something will not work."""
_LEAST_FREE_GB = 2
_ANSWERS_WITHIN_S = 10
_LOOKS_FOR_S = 60


@dataclass(frozen=True, slots=True)
class Diagnosis:
    part: str
    state: State
    finding: str
    advice: str = ""
    """What the operator should do; empty where nothing is amiss."""

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


Look = Callable[[Settings], Awaitable[Diagnosis]]


async def diagnoses(settings: Settings) -> AsyncIterator[Diagnosis]:
    for part, look in LOOKS.items():
        try:
            async with asyncio.timeout(_LOOKS_FOR_S):
                yield await look(settings)
        except TimeoutError:
            yield Diagnosis(part, "bad", f"it does not answer within {_LOOKS_FOR_S} s")
        except Exception as error:  # noqa: BLE001  whatever it is, the other parts are looked at too
            yield Diagnosis(part, "bad", _one_line(error))


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


async def _settings(settings: Settings) -> Diagnosis:
    stated = sorted(settings.model_fields_set)
    return Diagnosis("settings", "ok", ", ".join(f"WARPMATE_{name.upper()}" for name in stated) or "all by default")


async def _data(settings: Settings) -> Diagnosis:
    datadir.prepare(settings.data_dir)
    free_gb = shutil.disk_usage(settings.data_dir).free / 1e9
    found = f"{settings.data_dir.absolute()}, {free_gb:.0f} GB free"
    if free_gb < _LEAST_FREE_GB:
        return Diagnosis(
            "data", "warn", found, f"leave at least {_LEAST_FREE_GB} GB: an index is written beside the old one"
        )
    return Diagnosis("data", "ok", found)


async def _content(settings: Settings) -> Diagnosis:
    content = load_content(settings.content_dir)
    found = f"{len(content.notes)} notes, {len(content.resources)} resources, {len(content.problems)} problems"
    return Diagnosis("content", "ok", found)


async def _database(settings: Settings) -> Diagnosis:
    async with open_store(settings.store_url) as store:
        kind = store.engine.dialect.name
        try:
            found = await standing_revision(store)
        except (TimeoutError, DBAPIError, OSError) as error:
            raise explain(error) or error from None
    newest = revisions()[-1]
    if found == newest:
        return Diagnosis("database", "ok", f"{kind}, at revision {found}")
    return Diagnosis(
        "database",
        "warn",
        f"{kind}, at revision {found or 'none'}; this warpmate writes {newest}",
        "run: warpmate db upgrade",
    )


async def _models(settings: Settings) -> Diagnosis:
    cache = settings.data_dir / "cache"
    embedder = await asyncio.to_thread(open_embedder, model_name(settings), cache=cache)
    await asyncio.to_thread(embedder.queries, ["what is a warp?"])
    await asyncio.to_thread(Reader, cache)
    return Diagnosis("models", "ok", f"{embedder.spec.model} embeds, the reader reads")


async def _index(settings: Settings) -> Diagnosis:
    if current_folder(index_folder(settings.data_dir)) is None:
        return Diagnosis("index", "warn", "there is none yet", "warpmate run makes it at its first start")
    embedder = await asyncio.to_thread(open_embedder, model_name(settings), cache=settings.data_dir / "cache")
    generation = open_current(settings.data_dir, expect=embedder.spec)
    try:
        age = datetime.now(UTC) - generation.manifest.created_at
        return Diagnosis("index", "ok", f"{len(generation)} passages, made {_ago(age.total_seconds())} ago")
    finally:
        generation.close()


def _ago(seconds: float) -> str:
    return f"{seconds / 86_400:.0f} days" if seconds > 2 * 86_400 else f"{seconds / 3_600:.1f} h"


async def _judge(settings: Settings) -> Diagnosis:
    sandbox, card, backends = await asyncio.to_thread(judge_facts, settings)
    found = f"{sandbox} sandbox, {card or 'no card'}, judges by {', '.join(backends)}"
    if sandbox != "bubblewrap":
        return Diagnosis("judge", "warn", found, "install bubblewrap: members' whole programs need it")
    return Diagnosis("judge", "ok", found)


async def _broker(settings: Settings) -> Diagnosis:
    from worker.queue.streams import open_streams

    if not settings.redis_url:
        return Diagnosis(
            "broker", "off", "jobs stay in one process", "WARPMATE_REDIS_URL brings in workers on other hosts"
        )
    queue = open_streams(settings.redis_url)
    try:
        async with asyncio.timeout(_ANSWERS_WITHIN_S):
            workers = await queue.workers()
    finally:
        await queue.close()
    if workers:
        return Diagnosis("broker", "ok", f"it answers; workers: {', '.join(worker.name for worker in workers)}")
    return Diagnosis("broker", "warn", "it answers; no worker is there", "start one on any host: warpmate worker")


async def _discord(settings: Settings) -> Diagnosis:
    from bot.app import Account
    from bot.doctor import account_facts

    token = settings.discord_token.get_secret_value()
    if not token:
        return Diagnosis("discord", "off", "no token is set", "WARPMATE_DISCORD_TOKEN turns the bot on")
    facts = await account_facts(Account(token, settings.discord_api_base, settings.discord_gateway))
    found = f"{facts.name}, on {facts.servers} servers"
    if facts.lacking:
        server, names = facts.lacking[0]
        more = f" (and {len(facts.lacking) - 1} more servers)" if len(facts.lacking) > 1 else ""
        return Diagnosis(
            "discord", "warn", f"{found}; in {server} it lacks {', '.join(names)}{more}", "grant them to its role"
        )
    if not facts.servers:
        return Diagnosis("discord", "warn", found, "open the install link (README, “Adding the bot to a server”)")
    return Diagnosis("discord", "ok", found)


async def _language_model(settings: Settings) -> Diagnosis:
    from openai import AsyncOpenAI, OpenAIError

    if not settings.llm_base_url:
        return Diagnosis(
            "language model", "off", "answers are excerpts", "WARPMATE_LLM_BASE_URL has one compose them"
        )
    key = settings.llm_api_key.get_secret_value() or "none"
    async with AsyncOpenAI(
        base_url=settings.llm_base_url, api_key=key, max_retries=0, timeout=_ANSWERS_WITHIN_S
    ) as model:
        try:
            names = [one.id async for one in model.models.list()]
        except OpenAIError as error:
            return Diagnosis(
                "language model",
                "warn",
                f"{settings.llm_base_url}: {error}",
                "until it answers, excerpts stand alone",
            )
    if names and settings.llm_model not in names:
        advice = f"WARPMATE_LLM_MODEL is one of: {', '.join(names[:5])}"
        return Diagnosis("language model", "warn", f"it has no model {settings.llm_model!r}", advice)
    return Diagnosis("language model", "ok", f"{settings.llm_base_url} has {settings.llm_model}")


LOOKS: dict[str, Look] = {
    "settings": _settings,
    "data": _data,
    "content": _content,
    "database": _database,
    "models": _models,
    "index": _index,
    "judge": _judge,
    "broker": _broker,
    "discord": _discord,
    "language model": _language_model,
}
