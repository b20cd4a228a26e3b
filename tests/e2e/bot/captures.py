"""Writes the captures of docs/discord.md: every command in both languages, as the real client showed it.

python -m tests.e2e.bot.captures
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path

from bot.client import WarpmateBot
from knowledge.content import Content, content_folder, load_content
from tests.discord import Person, Shown, local_discord
from tests.e2e.bot.scenarios import QUESTION, QUESTION_ZH, SCENARIOS, Scenario
from tests.e2e.bot.stage import Stage, answered, staged
from tests.stores import migrated_store

DOCS = Path(__file__).parents[3] / "docs" / "discord.md"
MARK = "<!-- captures: python -m tests.e2e.bot.captures -->"
LOCALES = {"en": "en-US", "zh": "zh-CN"}


async def captures() -> str:
    content = load_content(content_folder())
    parts = [await capture(scenario, content) for scenario in SCENARIOS]
    return "\n".join(parts)


async def capture(scenario: Scenario, content: Content) -> str:
    """One command: what was typed and what came, in English and in Chinese."""
    lines = [f"### {scenario.name}\n"]
    for lang in ("en", "zh"):
        with tempfile.TemporaryDirectory() as folder:
            async with (
                local_discord() as place,
                migrated_store("sqlite", Path(folder)) as store,
                staged(place, store, content, Path(folder)) as stage,
            ):
                member = place.person("member", LOCALES[lang], installed=True)
                lines.append(await _one(stage, member, scenario, lang))
    return "\n".join(lines)


async def _one(stage: Stage, member: Person, scenario: Scenario, lang: str) -> str:
    stage.asker.answers = {
        QUESTION: answered("Two lanes of a warp address one bank in different rows."),
        QUESTION_ZH: answered("同一线程束的两个线程访问同一个存储体的不同行。", lang="zh"),
    }
    options = scenario.options_in(lang)
    async with stage.bot():
        exchange = await member.run(scenario.typed[lang], stage.place("guild", member), **options)
        shown = await (await exchange.reply()).until(lambda text: scenario.says[lang] in text)
        given = " ".join(f"{name}:{getattr(value, 'name', value)}" for name, value in options.items())
        return f"`/{scenario.typed[lang]} {given}`".replace(" `", "`") + "\n\n" + _framed(shown)


def _framed(shown: Shown) -> str:
    """The text as it was sent, its buttons and files; times and numbers that change with every run stand still."""
    text = re.sub(r"<t:\d+:R>", "<t:0:R>", re.sub(r"01[0-9A-Z]{24}", "01J0000000000000000000000", shown.text))
    text = re.sub(r"<@\d+>", "<@1>", text)
    if len(text) > 1200:
        text = text[:1200] + "\n…"
    seen = "private" if shown.private else "public"
    about = [f"({seen})", *(f"[{label}]" for label in shown.buttons), *(f"⟨{name}⟩" for name in shown.files)]
    return "\n".join(["````text", text, " ".join(about), "````", ""])


async def _at_once(self: WarpmateBot, shard_id: int | None, *, initial: bool = False) -> None:
    """The library's pause before identifying is for the real Discord."""


def main() -> None:
    WarpmateBot.before_identify_hook = _at_once  # type: ignore[method-assign, assignment]  # see its docstring
    head = DOCS.read_text(encoding="utf-8").partition(MARK)[0]
    DOCS.write_text(head + MARK + "\n\n" + asyncio.run(captures()).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
