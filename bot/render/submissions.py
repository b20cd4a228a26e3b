"""A member's own submissions, and leaderboards."""

from __future__ import annotations

from collections.abc import Sequence

from bot.buttons import Pick, Press, row
from bot.markup import fence, one_line, when
from bot.render.card import Card, Tone, Upload, card, with_file
from bot.render.readings import pager, readings_card
from knowledge.readings import Reading
from knowledge.submit import Entry, Owned, Standing, Verdict, ending, is_triton
from knowledge.submit.leaderboards import LANGUAGES
from knowledge.submit.predicted_boards import PredictedStanding
from knowledge.words import Language

PAGE = 10


def submissions_card(mine: Sequence[Owned], page: int, owner: int, language: Language) -> Card:
    if not mine:
        return card(language("submissions.none"), tone=Tone.QUIET)
    shown = mine[page * PAGE : (page + 1) * PAGE]
    options = [
        (f"{_what(one, language)} · {_state(one, language)}"[:100], one.submission, one.submission) for one in shown
    ]
    return card(
        f"### {language('submissions.title', n=len(mine))}",
        "\n".join(_line(one, language) for one in shown),
        row(Pick("verdict", placeholder=language("submissions.open"), options=options)),
        pager("mine", page, len(mine), owner, language, PAGE),
    )


def board_card(
    problem: str,
    title: str,
    cards: Sequence[str],
    shown: str,
    standings: Sequence[Standing],
    mine: Sequence[Entry],
    language: Language,
) -> Card:
    """Return the leaderboard. Members are mentions that notify nobody: a client shows their names in the server."""
    if not standings:
        return card(
            f"### {language('board.title', problem=one_line(title))}", language("board.none"), tone=Tone.QUIET
        )
    lines = [_place(standing) for standing in standings]
    best = max((entry.score for entry in mine if not entry.withdrawn), default=None)
    own = language("board.own", n=len(mine), best=f"{best:.3f}") if best is not None else ""
    menu = (
        row(
            Pick(
                "board",
                problem,
                placeholder=language("board.card"),
                options=[(c[:100], c[:100], "") for c in cards],
                chosen=shown,
            )
        )
        if len(cards) > 1
        else None
    )
    return card(
        f"### {language('board.title', problem=one_line(title))}\n{one_line(shown, 80)}",
        "\n".join(lines),
        f"-# {own}" if own else None,
        menu,
    )


def predicted_board_card(title: str, shown: str, standings: Sequence[PredictedStanding], language: Language) -> Card:
    """Return the leaderboard of times that are predicted for a card, and say that they are."""
    lines = [
        f"{_medal(one.rank)} {_name(one.member_id)} · **{one.time}** · {LANGUAGES[one.language]}"
        f"{' · ' + language('ranking.extrapolated') if one.extrapolated else ''} · {when(one.handed_in_at)}"
        for one in standings
    ]
    head = f"### {language('board.title', problem=one_line(title))}"
    return card(
        f"{head}\n{language('ranking.predicted', card=one_line(shown, 80))}",
        "\n".join(lines) or language("ranking.none_predicted"),
        f"-# {language('ranking.predicted_how')}",
        tone=Tone.GOOD if standings else Tone.QUIET,
    )


def about_card(verdict: Verdict, language: Language) -> Card:
    """Return the card of readings about the findings, each reading once."""
    found: dict[str, Reading] = {}
    for finding in verdict.findings:
        for reading in finding.readings:
            found.setdefault(reading["resource_id"], Reading(**reading | {"topics": tuple(reading["topics"])}))
    return readings_card(language("verdict.read_about"), list(found.values()), language)


def code_card(submission: str, source: str, language: Language) -> Card:
    made = card(
        f"**{language('verdict.code')}** · `{submission}`",
        fence(source, "python" if is_triton(source) else "cuda", 1800),
    )
    return with_file(made, Upload(f"{submission}{ending(source)}", source.encode()))


def withdraw_card(submission: str, language: Language) -> Card:
    return card(language("board.withdraw_ask"), row(Press("withdraw", submission, label=language("board.withdraw"))))


def _line(one: Owned, language: Language) -> str:
    score = f" · {one.score:.3f}" if one.score is not None else ""
    gone = f" · {language('submissions.withdrawn')}" if one.withdrawn else ""
    return f"{when(one.created_at)} · **{_what(one, language)}** · {_state(one, language)}{score}{gone}"


def _what(one: Owned, language: Language) -> str:
    return one_line(one.problem, 64) if one.problem else language(f"form.{one.form.value}")


def _state(one: Owned, language: Language) -> str:
    return language(f"verdict.{one.verdict.value}") if one.verdict else language(f"state.{one.state}")


def _place(standing: Standing) -> str:
    entry = standing.entry
    name = _name(standing.member_id)
    return f"{_medal(standing.rank)} {name} · **{entry.score:.3f}** · {when(entry.handed_in_at)}"


def _medal(rank: int) -> str:
    return {1: "🥇", 2: "🥈", 3: "🥉"}.get(rank, f"**{rank}.**")


def _name(member_id: str) -> str:
    face, _, id_ = member_id.partition(":")
    return f"<@{id_}>" if face == "discord" and id_.isdigit() else one_line(member_id, 32)
