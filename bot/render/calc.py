"""A calculation with its working."""

from __future__ import annotations

from bot.markup import cut, fence
from bot.render.card import Card, card
from knowledge.calc import Working
from knowledge.words import Language


def working_card(working: Working, language: Language) -> Card:
    lines = [f"{language.say(step.name)}\n    {step.formula_in(language)} = {step.shown}" for step in working.steps]
    shown = lines if len(lines) <= 24 else [*lines[:12], "…", *lines[-11:]]
    return card(
        f"### {language.say(working.title)}",
        fence("\n".join(shown), "", 2800),
        f"**{cut(language.say(working.conclusion), 500)}**",
    )
