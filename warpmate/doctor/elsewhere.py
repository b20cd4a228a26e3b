"""What other hosts do for us: Discord and, where one is set up, a language model."""

from __future__ import annotations

from collections.abc import Sequence

from warpmate.doctor.diagnosis import Diagnosis
from warpmate.settings import Settings

_ANSWERS_WITHIN_S = 10
_README = "README, “Adding the bot to a server”"


async def discord(settings: Settings) -> Sequence[Diagnosis]:
    """One line while it is off, else three: the account, its permissions, its scopes."""
    from bot.app import Account
    from bot.doctor import AccountFacts, account_facts

    token = settings.discord_token.get_secret_value()
    if not token:
        return [Diagnosis("discord", "off", "no token is set", "WARPMATE_DISCORD_TOKEN turns the bot on")]
    facts: AccountFacts = await account_facts(
        Account(token, settings.discord_api_base, settings.discord_gateway),
    )
    found = f"{facts.name}, on {facts.servers} servers"
    account = Diagnosis("discord", "ok", found)
    if not facts.servers:
        account = Diagnosis("discord", "warn", found, f"open the install link ({_README})")
    return [account, _permissions(facts.lacking), _scopes(facts.without_commands, facts.link_lacks)]


def _permissions(lacking: Sequence[tuple[str, Sequence[str]]]) -> Diagnosis:
    if not lacking:
        return Diagnosis("discord permissions", "ok", "all that it needs, on every server")
    server, names = lacking[0]
    found = f"in {server} it lacks {', '.join(names)}{_more(len(lacking))}"
    blind = any("read_message_history" in missing for _, missing in lacking)
    twice = "; without read_message_history a weekly post may come twice after a failure" if blind else ""
    return Diagnosis("discord permissions", "warn", found, f"grant them to its role{twice}")


def _scopes(without_commands: Sequence[str], link_lacks: Sequence[str]) -> Diagnosis:
    if without_commands:
        found = f"in {without_commands[0]} it may not have commands{_more(len(without_commands))}"
        advice = f"open the install link with the scope applications.commands there ({_README})"
        return Diagnosis("discord scopes", "bad", found, advice)
    if link_lacks:
        found = f"its install link does not ask for {', '.join(link_lacks)}"
        return Diagnosis("discord scopes", "warn", found, f"tick them under Installation ({_README}, step 2)")
    return Diagnosis("discord scopes", "ok", "bot and applications.commands")


def _more(servers: int) -> str:
    return f" (and {servers - 1} more servers)" if servers > 1 else ""


async def language_model(settings: Settings) -> Sequence[Diagnosis]:
    from openai import AsyncOpenAI, OpenAIError

    part, base_url = "language model", settings.llm_base_url
    if not base_url:
        return [Diagnosis(part, "off", "answers are excerpts", "WARPMATE_LLM_BASE_URL has one compose them")]
    key = settings.llm_api_key.get_secret_value() or "none"
    async with AsyncOpenAI(base_url=base_url, api_key=key, max_retries=0, timeout=_ANSWERS_WITHIN_S) as model:
        try:
            names = [one.id async for one in model.models.list()]
        except OpenAIError as error:
            return [Diagnosis(part, "warn", f"{base_url}: {error}", "until it answers, excerpts stand alone")]
    if names and settings.llm_model not in names:
        advice = f"WARPMATE_LLM_MODEL is one of: {', '.join(names[:5])}"
        return [Diagnosis(part, "warn", f"it has no model {settings.llm_model!r}", advice)]
    return [Diagnosis(part, "ok", f"{base_url} has {settings.llm_model}")]
