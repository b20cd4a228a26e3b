"""A calculation with its working."""

from __future__ import annotations

from bot.render.card import Card, card
from bot.texts import cut, fence
from knowledge.calc import Working
from knowledge.calc.working import si
from knowledge.wording import Voice


def working_card(working: Working, voice: Voice) -> Card:
    zh = voice.lang == "zh"
    lines = [
        f"{step.zh if zh else step.en}\n    {step.formula} = {si(step.value, step.unit)}" for step in working.steps
    ]
    shown = lines if len(lines) <= 24 else [*lines[:12], "…", *lines[-11:]]
    return card(
        f"### {working.title_zh if zh else working.title_en}",
        fence("\n".join(shown), "", 2800),
        f"**{cut(working.conclusion_zh if zh else working.conclusion_en, 500)}**",
    )
