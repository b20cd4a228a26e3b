"""Writes the captures of docs/discord.md: every command in both languages, as the real client showed it.

python -m tests.e2e.bot.captures
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path

from bot.client import WarpmateBot
from tests.discord import Shown, local_discord
from tests.e2e.bot.scenarios import SCENARIOS, Scenario
from tests.e2e.bot.stage import Stage, staged
from tests.shipped_content import shipped_content
from tests.stores import migrated_store

DOCS = Path(__file__).parents[3] / "docs" / "discord.md"
MARK = "<!-- captures: python -m tests.e2e.bot.captures -->"
LOCALES = {"en": "en-US", "zh": "zh-CN"}


async def captures() -> str:
    """One Discord and one bot for all of them; each starts with empty tables."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with (
            local_discord() as place,
            migrated_store("sqlite", folder) as store,
            staged(place, store, shipped_content(), folder) as stage,
            stage.bot(),
        ):
            return "\n".join([await capture(stage, scenario) for scenario in SCENARIOS])


async def capture(stage: Stage, scenario: Scenario) -> str:
    """One command: what was typed and what came, in English and in Chinese."""
    lines = [f"### {scenario.name}\n"]
    for lang, locale in LOCALES.items():
        member = stage.discord.person("member", locale, installed=True)
        shown = await scenario.shown(stage, member, stage.place("guild", member), lang)
        lines.append(f"`{scenario.as_typed(lang)}`\n\n{_framed(shown)}")
        await stage.calm()
    return "\n".join(lines)


def section(text: str, scenario: Scenario) -> str:
    """What stands of one scenario in the captures."""
    names = [one.name for one in SCENARIOS]
    after = names[names.index(scenario.name) + 1 :]
    found = text.partition(f"\n### {scenario.name}\n\n")[2]
    return found.partition(f"\n### {after[0]}\n\n")[0] if after else found


def _framed(shown: Shown) -> str:
    """The text as it was sent, its buttons and files; times and numbers that change with every run stand still."""
    text = re.sub(r"<t:\d+:([RF])>", r"<t:0:\1>", re.sub(r"01[0-9A-Z]{24}", "01J0000000000000000000000", shown.text))
    text = re.sub(r"page-[0-9a-f]{20}", "page-0", text)
    text = re.sub(r"<([@#])\d+>", r"<\g<1>1>", text)
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
