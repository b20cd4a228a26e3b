"""Resources of the library, and the questions that it could not answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.buttons import Press, Style, row
from bot.render.card import Card, Tone, card
from bot.render.readings import pager, short_id
from bot.texts import link, one_line
from knowledge.contribute import Listed
from knowledge.wording import Voice

if TYPE_CHECKING:
    from knowledge.ask.gaps import Gap

PAGE = 15
_MOST = 20


def resource_card(one: Listed, voice: Voice, *, moderator: bool) -> Card:
    decides = moderator and one.state == "pending" and short_id(one.id) == one.id
    buttons = (
        row(Press("approve", one.id, label=voice("resource.approve"), style=Style.success),
            Press("reject", one.id, label=voice("resource.reject"), style=Style.danger))
        if decides
        else None
    )  # fmt: skip
    topics = ", ".join(one_line(topic, 40) for topic in one.topics)
    level = voice(f"level.{one.level}") if one.level else "-"
    return card(
        f"### {link(one.title, one.url)}",
        f"{level} · {one.lang} · {voice(f'kind.{one.kind}')}" + (f" · {topics}" if topics else ""),
        one_line(one.summary, 600) or None,
        f"-# {voice(f'resource.{one.state}')} · {voice(f'link.{one.link_state}')} · `{one_line(one.id, 60)}`",
        buttons,
        tone=Tone.WARN if one.state == "pending" else Tone.PLAIN,
    )


def list_card(found: Sequence[Listed], topic: str, page: int, owner: int, voice: Voice) -> Card:
    if not found:
        return card(voice("resource.none"), tone=Tone.QUIET)
    lines = [
        _listed_line(one) + (f" · {voice(f'level.{one.level}')}" if one.level else "")
        for one in found[page * PAGE : (page + 1) * PAGE]
    ]
    return card(
        f"### {voice('resource.title', n=len(found))}",
        "\n".join(lines),
        pager(f"library|{topic}", page, len(found), owner, voice, PAGE),
    )


def gaps_card(gaps: Sequence[Gap], voice: Voice) -> Card:
    if not gaps:
        return card(voice("gaps.none"), tone=Tone.QUIET)
    return card(f"### {voice('gaps.title')}", _gap_lines(gaps, voice))


def digest_card(gaps: Sequence[Gap], fresh: Sequence[Listed], voice: Voice) -> Card:
    """A server's week: what nobody could answer, and what its library gained."""
    return card(
        f"### {voice('digest.title')}",
        f"**{voice('digest.gaps')}**\n{_gap_lines(gaps, voice)}" if gaps else None,
        f"**{voice('digest.fresh')}**\n" + "\n".join(map(_listed_line, fresh[:_MOST])) if fresh else None,
        f"-# {voice('digest.how')}" if gaps else None,
    )


def _gap_lines(gaps: Sequence[Gap], voice: Voice) -> str:
    return "\n".join(
        f"- {one_line(gap.text, 160)} · {voice('gaps.asked', questions=len(gap.questions), members=gap.members)}"
        for gap in gaps[:_MOST]
    )


def _listed_line(one: Listed) -> str:
    return f"- {link(one.title, one.url, 80)}"
