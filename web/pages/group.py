"""The page of the guild that a visitor looks from: its plan, who did what, what is new and open, boards."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from aiohttp import web

from knowledge.api_tokens import FEED
from knowledge.catalogue import Item
from knowledge.errors import BadInput
from knowledge.group import Group, GroupPlan, WeekStanding
from knowledge.memberships import DiscordAway, Memberships
from knowledge.store import Scope
from knowledge.submit.leaderboards import BoardSummary
from web.forms import text_field
from web.keys import RENDERER, SERVICES, SITE_MODE
from web.pages.feeds import QUESTIONS, READINGS, base_address
from web.visitor import VISITOR, here

LATELY = timedelta(days=30)
MOST = 20
_MOST_NAMED = 20
"""Each is asked for at Discord, once in some minutes."""


def register(site: web.Application) -> None:
    site.router.add_get("/group", show)
    site.router.add_post("/group/named", set_named)


def register_feeds(site: web.Application) -> None:
    site.router.add_post("/group/feeds", make_feeds)


@dataclass(frozen=True, slots=True)
class ShownPlan:
    plan: GroupPlan
    number: int
    """The week that runs: 0 before the first, one more than there are after the last."""
    items: tuple[Item, ...]
    standings: tuple[WeekStanding, ...]
    """Of the weeks that have begun."""
    names: dict[str, str]
    """Of who agreed to be named and is still a member."""


async def show(request: web.Request) -> web.Response:
    services, visitor = request.app[SERVICES], request[VISITOR]
    group, scope = services.group, here(request)
    arrived = await services.catalogue.arrivals(scope, group.clock() - LATELY)
    return request.app[RENDERER].page(
        request,
        "group.html",
        shown=await _plan(group, services.memberships, scope),
        is_named=visitor.member in await group.named.all(scope) if visitor.place else False,
        arrived=list(reversed(arrived))[:MOST],
        questions=(await group.open_questions(scope))[:MOST],
        boards=await _boards(request),
        titles={card.slug: card.title.text(visitor.lang) for card in services.content.problems},
        feeds=(READINGS, QUESTIONS),
    )


async def set_named(request: web.Request) -> web.Response:
    wish = await text_field(request, "named")
    if wish not in {"yes", "no"}:
        raise BadInput("error.form.not_offered", name="named", known=("yes", "no"))
    await request.app[SERVICES].group.named.set(here(request), request[VISITOR].member, named=wish == "yes")
    raise web.HTTPSeeOther("/group")


async def make_feeds(request: web.Request) -> web.Response:
    """Make the addresses of this guild's feeds, and show them: this page is the only one that ever does."""
    services, visitor, language = request.app[SERVICES], request[VISITOR], request.app[RENDERER].language_of(request)
    if visitor.place is None:
        raise BadInput("error.group.no_guild")
    called = "".join(char for char in visitor.place.name if char.isprintable())  # an emoji may hold what is not
    name = language("feeds.token", name=called)[:80]
    token = await services.tokens.make(visitor.member, visitor.scope.guild_id, name, [FEED])
    base = base_address(request)
    addresses = [(title, f"{base}{path}?key={token}&lang={visitor.lang}") for title, path in _FEEDS]
    return request.app[RENDERER].page(request, "feeds.html", addresses=addresses)


_FEEDS = (("feeds.readings", READINGS), ("feeds.questions", QUESTIONS))


async def _plan(group: Group, memberships: Memberships, scope: Scope) -> ShownPlan | None:
    plan, now = await group.plan(scope), group.clock()
    if plan is None:
        return None
    standings = await group.standings(plan, now)
    members = dict.fromkeys(deed.member_id for standing in standings for deed in standing.deeds)
    return ShownPlan(
        plan,
        plan.number_at(now),
        await group.items(plan, plan.number_at(now)) if plan.runs_at(now) else (),
        standings,
        await _names(memberships, plan.guild_id, list(members)[:_MOST_NAMED]),
    )


async def _names(memberships: Memberships, guild_id: str, members: Sequence[str]) -> dict[str, str]:
    """Return what they are called; nobody who has left, and nobody while Discord cannot be asked."""
    try:
        places = await asyncio.gather(*(memberships.place(member, guild_id) for member in members))
    except DiscordAway:
        return {}
    return {member: place.called for member, place in zip(members, places, strict=True) if place and place.called}


async def _boards(request: web.Request) -> tuple[BoardSummary, ...]:
    """Return the boards of the place; outside of every guild those who stand there do not know one another."""
    visitor = request[VISITOR]
    if request.app[SITE_MODE].public is not None and visitor.place is None:
        return ()
    return await request.app[SERVICES].boards.overview(visitor.scope)
