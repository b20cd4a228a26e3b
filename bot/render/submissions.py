"""A member's own submissions, and leaderboards."""

from __future__ import annotations

from collections.abc import Sequence

from bot.buttons import Pick, Press, row
from bot.render.card import Card, Tone, Upload, card, with_file
from bot.render.readings import pager, readings_card
from bot.texts import fence, one_line, when
from knowledge.readings import Reading
from knowledge.submit import Entry, Owned, Standing
from knowledge.submit.report import Verdict
from knowledge.wording import Voice

PAGE = 10


def submissions_card(mine: Sequence[Owned], page: int, owner: int, voice: Voice) -> Card:
    if not mine:
        return card(voice("submissions.none"), tone=Tone.QUIET)
    shown = mine[page * PAGE : (page + 1) * PAGE]
    options = [(f"{_what(one, voice)} · {_state(one, voice)}"[:100], one.submission, one.submission) for one in shown]
    return card(
        f"### {voice('submissions.title', n=len(mine))}",
        "\n".join(_line(one, voice) for one in shown),
        row(Pick("verdict", placeholder=voice("submissions.open"), options=options)),
        pager("mine", page, len(mine), owner, voice, PAGE),
    )


def board_card(
    problem: str,
    title: str,
    cards: Sequence[str],
    shown: str,
    standings: Sequence[Standing],
    mine: Sequence[Entry],
    voice: Voice,
) -> Card:
    """Names are mentions that ping nobody: a client shows them as the server knows them."""
    if not standings:
        return card(f"### {voice('board.title', problem=one_line(title))}", voice("board.none"), tone=Tone.QUIET)
    lines = [_place(standing) for standing in standings]
    best = max((entry.score for entry in mine if not entry.withdrawn), default=None)
    own = voice("board.own", n=len(mine), best=f"{best:.3f}") if best is not None else ""
    menu = (
        row(
            Pick(
                "board",
                problem,
                placeholder=voice("board.card"),
                options=[(c[:100], c[:100], "") for c in cards],
                chosen=shown,
            )
        )
        if len(cards) > 1
        else None
    )
    return card(
        f"### {voice('board.title', problem=one_line(title))}\n{one_line(shown, 80)}",
        "\n".join(lines),
        f"-# {own}" if own else None,
        menu,
    )


def about_card(verdict: Verdict, voice: Voice) -> Card:
    """What to read about the findings, each reading once."""
    found: dict[str, Reading] = {}
    for finding in verdict.findings:
        for reading in finding.readings:
            found.setdefault(reading["resource_id"], Reading(**reading | {"topics": tuple(reading["topics"])}))
    return readings_card(voice("verdict.read_about"), list(found.values()), voice)


def code_card(submission: str, source: str, voice: Voice) -> Card:
    made = card(f"**{voice('verdict.code')}** · `{submission}`", fence(source, "cuda", 1800))
    return with_file(made, Upload(f"{submission}.cu", source.encode()))


def withdraw_card(submission: str, voice: Voice) -> Card:
    return card(voice("board.withdraw_ask"), row(Press("withdraw", submission, label=voice("board.withdraw"))))


def _line(one: Owned, voice: Voice) -> str:
    score = f" · {one.score:.3f}" if one.score is not None else ""
    gone = f" · {voice('submissions.withdrawn')}" if one.withdrawn else ""
    return f"{when(one.created_at)} · **{_what(one, voice)}** · {_state(one, voice)}{score}{gone}"


def _what(one: Owned, voice: Voice) -> str:
    return one_line(one.problem, 64) if one.problem else voice(f"form.{one.form.value}")


def _state(one: Owned, voice: Voice) -> str:
    return voice(f"verdict.{one.verdict.value}") if one.verdict else voice(f"state.{one.state}")


def _place(standing: Standing) -> str:
    entry = standing.entry
    name = _name(standing.member_id)
    return f"{_medal(standing.rank)} {name} · **{entry.score:.3f}** · {when(entry.handed_in_at)}"


def _medal(rank: int) -> str:
    return {1: "🥇", 2: "🥈", 3: "🥉"}.get(rank, f"**{rank}.**")


def _name(member_id: str) -> str:
    face, _, id_ = member_id.partition(":")
    return f"<@{id_}>" if face == "discord" and id_.isdigit() else one_line(member_id, 32)
