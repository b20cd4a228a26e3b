"""Which items answer a request: relevance first, then the member's language, variety and the minutes at hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from knowledge.recommend.history import History
from knowledge.recommend.request import Request
from knowledge.recommend.shelf import LEVELS, Item, Shelf

Role = Literal["on_topic", "touches", "leads_up", "follows"]
"""Why an item came into question at all."""

_WEIGHT: dict[Role, float] = {"leads_up": 4.0, "on_topic": 3.0, "touches": 2.0, "follows": 1.0}
_A_LEVEL_BELOW = -1.5
_SAME_LANGUAGE = 1.6
_OWN_LANGUAGE_IS_ENOUGH = 3
"""With this many in the member's language, the list is not filled up with others."""
_OWN_NOTE, _OWN_PROBLEM = 0.6, 0.3
_MENTION, _MOST_MENTIONS = 0.15, 3
_UNREACHABLE = -1.0
_PORTAL = -1.2
PORTALS = frozenset({"site", "community", "discussion", "tool"})
"""Where something to read may be found, rather than something to read."""
_MOST_OF_A_SITE, _MOST_OF_OUR_OWN = 2, 3


@dataclass(frozen=True, slots=True)
class Candidate:
    item: Item
    role: Role
    below: bool
    """One level under what was asked for."""
    because_of: Item | None = None
    """For `leads_up`: what the member found too hard."""


def choose(shelf: Shelf, request: Request, history: History) -> tuple[Candidate, ...]:
    """At most `request.most` candidates, best first; fewer when the library has fewer."""
    suitable = [candidate for candidate in _candidates(shelf, request, history) if _suits(candidate.item, request)]
    fresh = [candidate for candidate in suitable if candidate.item.id not in history.hidden]
    return tuple(_varied(_ranked(fresh, request), request))


def _candidates(shelf: Shelf, request: Request, history: History) -> Iterator[Candidate]:
    """Each item once, in its most telling role."""
    seen: set[str] = set()
    for candidate in (*_leading_up(shelf, request, history), *_about(shelf, request), *_following(shelf, request)):
        if candidate.item.id not in seen:
            seen.add(candidate.item.id)
            yield candidate


def _about(shelf: Shelf, request: Request) -> Iterator[Candidate]:
    for item in shelf.by_topic.get(request.topic, ()):
        distance = LEVELS.index(request.level) - LEVELS.index(item.level)
        if distance in {0, 1}:
            yield Candidate(item, "on_topic" if item.subject == request.topic else "touches", below=distance == 1)


def _following(shelf: Shelf, request: Request) -> Iterator[Candidate]:
    """What the topic opens: items of the same level on topics of the same area that need it directly."""
    area = shelf.topics[request.topic].area
    for topic in shelf.topics:
        if request.topic in topic.needs and topic.area == area:
            for item in shelf.by_topic[topic.id]:
                if item.subject == topic.id and item.level == request.level:
                    yield Candidate(item, "follows", below=False)


def _leading_up(shelf: Shelf, request: Request, history: History) -> Iterator[Candidate]:
    """When something on the topic was too hard: what it rests on, no harder than it was."""
    for hard_id in sorted(history.too_hard):
        hard = shelf.by_id.get(hard_id)
        if hard is None or request.topic not in hard.topics:
            continue
        most = LEVELS.index(hard.level)
        needed = set(shelf.topics[hard.subject].needs) | {need.removeprefix("topic:") for need in hard.needs}
        for item in shelf.items:
            named = item.id in hard.needs or item.subject in needed
            if named and LEVELS.index(item.level) <= min(most, LEVELS.index(request.level)):
                yield Candidate(item, "leads_up", below=item.level != request.level, because_of=hard)


def _suits(item: Item, request: Request) -> bool:
    return (
        item.link_state != "dead"
        and (not request.kinds or item.kind in request.kinds)
        and (request.only_lang is None or request.only_lang in item.langs)
        and (request.stretch or not item.stretch)
    )


def _ranked(candidates: Iterable[Candidate], request: Request) -> list[Candidate]:
    return sorted(candidates, key=lambda candidate: (-_score(candidate, request), candidate.item.id))


def _score(candidate: Candidate, request: Request) -> float:
    item = candidate.item
    score = _WEIGHT[candidate.role] + _MENTION * min(item.mentions, _MOST_MENTIONS)
    score += _SAME_LANGUAGE if request.lang in item.langs else 0.0
    score += _A_LEVEL_BELOW if candidate.below and candidate.role != "leads_up" else 0.0
    score += _PORTAL if item.kind in PORTALS else 0.0
    score += _UNREACHABLE if item.link_state == "unreachable" else 0.0
    return score + {"note": _OWN_NOTE, "problem": _OWN_PROBLEM}.get(item.kind, 0.0)


def _varied(ranked: list[Candidate], request: Request) -> Iterator[Candidate]:
    """The best that keep to the minutes, few of one site, and other languages only where the own has little."""
    taken: list[Candidate] = []
    for candidate in ranked:
        if len(taken) < request.most and _fits(candidate, taken, request):
            taken.append(candidate)
            yield candidate


def _fits(candidate: Candidate, taken: list[Candidate], request: Request) -> bool:
    item = candidate.item
    if request.minutes is not None:
        spent = sum(other.item.minutes or 0 for other in taken)
        if item.minutes is None or spent + item.minutes > request.minutes:
            return False
    of_site = sum(other.item.site == item.site for other in taken)
    leading = sum(other.role == "leads_up" for other in taken)
    own_language = sum(request.lang in other.item.langs for other in taken)
    return (
        of_site < (_MOST_OF_OUR_OWN if item.own else _MOST_OF_A_SITE)
        and (candidate.role != "leads_up" or leading < _MOST_OF_A_SITE)
        and (request.lang in item.langs or own_language < _OWN_LANGUAGE_IS_ENOUGH)
    )
