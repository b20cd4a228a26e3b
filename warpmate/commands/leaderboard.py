"""`warpmate leaderboard`: who stands where on a problem, measured or predicted."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import Annotated, Any

import typer

from knowledge.content.solution_times import time_text
from knowledge.errors import NotFound
from knowledge.store import Scope
from knowledge.submit import Boards
from knowledge.submit.kernel_facts import KernelLanguage
from knowledge.submit.leaderboards import LANGUAGES
from knowledge.submit.predicted_boards import DEFAULT_CARD, PredictedBoards, named_card
from knowledge.words import ENGLISH, Language
from warpmate.options import AsJson, Lang, Server, language_named
from warpmate.remote.chosen import chosen_server
from warpmate.render import as_json, say, table
from warpmate.settings import Settings
from warpmate.wiring.core import open_core


class KernelLanguageChoice(StrEnum):
    CUDA = "cuda"
    TRITON = "triton"


def register(app: typer.Typer) -> None:
    app.command()(leaderboard)


def leaderboard(
    context: typer.Context,
    slug: Annotated[str, typer.Argument(help="A problem, for instance vector_add.")],
    card: Annotated[str | None, typer.Option(help="Which GPU; else the first that has entries.")] = None,
    predicted: Annotated[
        bool, typer.Option("--predicted", help="Times predicted from counts, for any GPU, instead of measured ones.")
    ] = False,
    language: Annotated[
        KernelLanguageChoice | None, typer.Option(help="Kernels in this language alone; else all together.")
    ] = None,
    lang: Lang = ENGLISH,
    server: Server = None,
    json: AsJson = False,
) -> None:
    """Who stands where on a problem: by measured times, or by times that are predicted for a GPU."""
    if there := chosen_server(context.obj, server, lang):
        asked = there.json(
            "GET", f"boards/{slug}", card=card, predicted="true" if predicted else None, language=language
        )
        found = asyncio.run(asked)
    else:
        found = asyncio.run(_here(context.obj, slug, card, language, predicted=predicted))
    if json:
        as_json(found)
        return
    _show(found, language_named(lang))


async def _here(
    settings: Settings, slug: str, card: str | None, language: KernelLanguageChoice | None, *, predicted: bool
) -> dict[str, Any]:
    """Return what the API of a server says of its own boards."""
    wanted: KernelLanguage | None = next((one for one in LANGUAGES if one == language), None)
    async with open_core(settings) as core:
        if slug not in {one.slug for one in core.content.problems}:
            raise NotFound("error.problem.unknown", name=slug[:64])
        said = {"problem": slug, "predicted": predicted, "language": wanted}
        if predicted:
            known = named_card(card or DEFAULT_CARD)
            board = await PredictedBoards(core.store).board(Scope(), slug, known.name, language=wanted)
            places = [
                {"rank": one.rank, "member": one.member_id, "us": one.us, "extrapolated": one.extrapolated,
                 "language": one.language, "at": one.handed_in_at.isoformat()}
                for one in board
            ]  # fmt: skip
            return said | {"card": known.name, "standings": places}
        boards = Boards(core.store)
        shown = card or next(iter(await boards.cards(Scope(), slug)), None)
        measured = await boards.board(Scope(), slug, shown or "", language=wanted)
        return said | {"card": shown, "standings": [
            {"rank": one.rank, "member": one.member_id, "score": one.entry.score,
             "at": one.entry.handed_in_at.isoformat()}
            for one in measured
        ]}  # fmt: skip


def _show(found: dict[str, Any], language: Language) -> None:
    if found["predicted"]:
        say(language("ranking.predicted", card=found["card"]))
        say(language("ranking.predicted_how"))
    if not found["standings"]:
        say(language("ranking.none_predicted" if found["predicted"] else "ranking.none_measured"))
        return
    if found["predicted"]:
        headings = ("#", language("ranking.member"), language("ranking.time"), language("ranking.language"))
        rows = [(one["rank"], one["member"], _time(one, language), LANGUAGES[one["language"]])
                for one in found["standings"]]  # fmt: skip
    else:
        say(f"{language('ranking.measured')} · {found['card']}")
        headings = ("#", language("ranking.member"), language("ranking.score"), language("ranking.day"))
        rows = [(one["rank"], one["member"], f"{one['score']:.3f}", one["at"][:10]) for one in found["standings"]]
    table("", headings, rows)


def _time(one: dict[str, Any], language: Language) -> str:
    return time_text(one["us"]) + (f" ({language('ranking.extrapolated')})" if one["extrapolated"] else "")
