"""Every command, in both languages, in a server, in a direct message and as a user install."""

from __future__ import annotations

import pytest

from tests.discord import LocalDiscord
from tests.e2e.bot.scenarios import QUESTION, QUESTION_ZH, SCENARIOS, Scenario
from tests.e2e.bot.stage import ONE_LIFE, Stage, answered

pytestmark = ONE_LIFE

LOCALES = {"en": "en-US", "zh": "zh-CN"}


@pytest.mark.parametrize("where", ["guild", "dm", "user"])
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
async def test_a_command_answers_in_the_members_language(
    stage: Stage, place: LocalDiscord, scenario: Scenario, lang: str, where: str
) -> None:
    stage.asker.answers = {
        QUESTION: answered("Two lanes of a warp address one bank in different rows."),
        QUESTION_ZH: answered("同一线程束的两个线程访问同一个存储体的不同行。", lang="zh"),
    }
    member = place.person("member", LOCALES[lang], installed=True)
    async with stage.bot():
        exchange = await member.run(scenario.typed[lang], stage.place(where, member), **scenario.options_in(lang))
        reply = await exchange.reply()
        await reply.until(lambda text: scenario.says[lang] in text)
        assert place.pings == []
