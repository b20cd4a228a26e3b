"""Which items answer a request: relevance first, then the member's language, variety and the minutes at hand."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from knowledge.content import Level
from knowledge.content.topics import plain_name
from knowledge.recommend.history import History
from knowledge.recommend.request import LEAST_ITEMS, THE_FIELD, Request, Subject
from knowledge.recommend.shelf import LEVELS, Item, Shelf

Role = Literal[
    "leads_up", "named", "on_topic", "also", "near", "touches", "mentions", "follows", "before", "ground"
]  # fmt: skip
"""Why an item came into question at all; of several the first counts.

`near` is what comes near by meaning alone, `touches` what has the topic second, in the same area of the field, and
`mentions` what else names it. `before` is what items on the topic name as prerequisites, `ground` what is about the
topics that come before it.
"""

_WEIGHT: dict[Role, float] = {
    "leads_up": 4.0, "named": 3.6, "on_topic": 3.0, "also": 2.2, "touches": 2.0, "mentions": 1.2, "follows": 1.0,
    "before": 2.0, "ground": 1.4, "near": 1.6,
}  # fmt: skip
_EACH_LEVEL_AWAY = -1.5
_EACH_LEVEL_AWAY_WHERE_NONE_WAS_SAID = -0.3
_EACH_SUBJECT = 1.0
"""Beyond the first that the item is on."""
_SUITED = 1.5
_HINTED = 1.0
_ALL_THAT_WAS_NAMED = 0.8
_SAME_LANGUAGE = 1.6
NOWHERE = 999
_MOST_FOREIGN = 2
"""In another language, beside some in the member's own."""
_OWN_NOTE, _OWN_PROBLEM = 0.6, 0.3
_OPENS = 0.4
_NOT_YET = -0.6
"""A problem that names another one which is not solved yet."""
_MENTION, _MOST_MENTIONS = 0.15, 3
_UNREACHABLE = -1.0
_PORTAL = -1.2
PORTALS = frozenset({"site", "community", "discussion", "tool"})
"""Where something to read may be found, rather than something to read."""
_MOST_OF_A_SITE, _MOST_OF_OUR_OWN = 2, 3
_ABOUT_IT: frozenset[Role] = frozenset({"named", "on_topic", "also", "near", "touches", "mentions"})
_GOOD_ENOUGH: frozenset[Role] = frozenset({"leads_up", "named", "on_topic", "also", "near", "touches"})
"""What a list of three or more goes on with."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """Told from others by itself and not by what it says: lists of hundreds are searched for one."""

    item: Item
    role: Role
    away: int = 0
    """Levels above what was asked for; negative below."""
    because_of: Item | None = None
    """For `leads_up`: what the member found too hard."""


def choose(shelf: Shelf, level: Level, request: Request, history: History) -> tuple[Candidate, ...]:
    """At most `request.most` candidates, best first: what fits exactly in the language read; where that is less than
    three, the nearest levels of the topic, a little of what is in another language, and what the topic rests on.
    """
    suitable = [
        candidate
        for candidate in candidates_of(shelf, level, request, history)
        if suits(candidate.item, request) and candidate.item.id not in history.hidden
    ]
    ranked = sorted(suitable, key=lambda each: (-score_of(shelf, each, request, history), *early(shelf, each.item)))
    own = [each for each in ranked if request.reading_lang in each.item.langs]
    exact = [each for each in ranked if _is_exact(each, request)]
    exact += [each for each in of_each(ranked, request, exact) if each not in exact]
    near = _beside(ranked, request) if request.narrow else _near(ranked, own)
    readable = exact if request.narrow else [each for each in exact if each in own]
    taken = _varied(readable, request, request.most, [])
    least = min(LEAST_ITEMS, request.most)
    if len(taken) < least:
        about = [each for each in near if each in own and each.role in _ABOUT_IT]
        taken = _varied(about, request, min(max(2, len(taken) + 1), least), taken)
    if len(taken) < least:
        taken = _varied(exact, request, min(len(taken) + _MOST_FOREIGN, request.most), taken)
    for rest in (near,) if request.narrow else (near, ranked):
        if len(taken) < least:
            taken = _varied(rest, request, least, taken)
    return tuple(taken)


def _near(ranked: list[Candidate], own: list[Candidate]) -> list[Candidate]:
    """At most a level off; what is about the topic, as far off as the nearest in the language read."""
    nearest = min((abs(each.away) for each in own if each.role in _ABOUT_IT), default=1)
    return [
        each
        for each in ranked
        if abs(each.away) <= (max(1, nearest) if each.role in _ABOUT_IT else 1) and each.item.kind not in PORTALS
    ]


def _beside(ranked: list[Candidate], request: Request) -> list[Candidate]:
    """What is on the topics of the subjects named, for those on which there is little and that belong to it."""
    topics = {subject.topic for subject in request.subjects}
    near = [
        one for one in ranked if one.role == "before" or one.item.subject in topics or is_on_whole(one.item, request)
    ]
    return [each for each in near if each.away <= 0 or (request.level is None and each.away < 2)]


def candidates_of(shelf: Shelf, level: Level, request: Request, history: History) -> Iterator[Candidate]:
    """Each item once, in its most telling role."""
    seen: set[str] = set()
    roles = (
        *_leading_up(shelf, level, request, history),
        *_named(shelf, request),
        *_about(shelf, request),
        *_following(shelf, request),
        *_before(shelf, request),
    )
    for candidate in roles:
        if candidate.item.id not in seen:
            seen.add(candidate.item.id)
            away = LEVELS.index(candidate.item.level) - LEVELS.index(level)
            yield replace(candidate, away=away)


def _named(shelf: Shelf, request: Request) -> Iterator[Candidate]:
    """What is on a subject that was named, or begins where the member comes from."""
    fitting = (
        id_ for id_ in shelf.here(request.suited) if set(shelf.by_id[id_].topics) & {*request.topics, *request.hints}
    )
    comes_from = request.bridges if request.begins else frozenset[str]()
    named = request.named if request.narrow else request.named | comes_from | frozenset(fitting)
    return (Candidate(item, "named") for item in shelf.items if item.id in named)


def _about(shelf: Shelf, request: Request) -> Iterator[Candidate]:
    for item in shelf.by_topic.get(request.topic, ()):
        yield Candidate(item, _role_of(shelf, item, request.topic))
    for topic in request.also:
        for item in shelf.by_topic.get(topic, ()):
            if item.subject == topic:
                yield Candidate(item, "also")


def _role_of(shelf: Shelf, item: Item, topic: str) -> Role:
    if item.subject == topic:
        return "on_topic"
    same_area = item.subject in shelf.topics and shelf.topics[item.subject].area == shelf.topics[topic].area
    return "touches" if item.own or (same_area and topic in item.topics[:2]) else "mentions"


def _following(shelf: Shelf, request: Request) -> Iterator[Candidate]:
    """What the topic opens: items on topics of the same area that need it directly."""
    area = shelf.topics[request.topic].area
    asked_first = {need for item in shelf.by_topic[request.topic] if item.kind == "problem" for need in item.needs}
    for topic in shelf.topics:
        if request.topic in topic.needs and topic.area == area:
            for item in shelf.by_topic[topic.id]:
                if item.subject == topic.id:
                    first = item.kind == "problem" and item.id in asked_first
                    yield Candidate(item, "touches" if first else "follows")


def _before(shelf: Shelf, request: Request) -> Iterator[Candidate]:
    """What the topic rests on: items that its own name as prerequisites, then those on topics that come before."""
    on_topic = [item for item in shelf.by_topic.get(request.topic, ()) if item.subject == request.topic]
    named = dict.fromkeys(need for item in on_topic for need in item.needs)
    yield from (Candidate(shelf.by_id[need], "before") for need in named if need in shelf.by_id)
    for topic in shelf.topics[request.topic].needs:
        yield from (Candidate(item, "ground") for item in shelf.by_topic[topic] if item.subject == topic)


def _leading_up(shelf: Shelf, level: Level, request: Request, history: History) -> Iterator[Candidate]:
    """When something on the topic was too hard: what it rests on, no harder than it was."""
    for hard_id in sorted(history.too_hard):
        hard = shelf.by_id.get(hard_id)
        if hard is None or request.topic not in hard.topics:
            continue
        most = min(LEVELS.index(hard.level), LEVELS.index(level))
        needed = set(shelf.topics[hard.subject].needs) | {need.removeprefix("topic:") for need in hard.needs}
        for item in shelf.items:
            leads = item.id in hard.needs or (item.subject in needed and not item.aside)
            if leads and LEVELS.index(item.level) <= most:
                yield Candidate(item, "leads_up", because_of=hard)


def suits(item: Item, request: Request) -> bool:
    return (
        item.link_state != "dead"
        and (not request.kinds or item.kind in request.kinds or _is_to_do(item, request))
        and item.kind not in request.without
        and (item.id not in request.behind or item.id in request.named)
        and item.id not in request.against
        and item.level not in request.without_levels
        and (request.only_lang is None or request.only_lang in item.langs)
        and (request.stretch or not item.stretch)
    )


def _is_to_do(item: Item, request: Request) -> bool:
    """True for puzzles, where exercises were asked for."""
    return "problem" in request.kinds and item.id in request.suited


def _is_exact(candidate: Candidate, request: Request) -> bool:
    """On the topic at the level asked for or one below; where no level was asked for, also what its title names."""
    if candidate.role in {"before", "ground"}:
        return False
    if request.narrow and candidate.role != "named" and not is_on_whole(candidate.item, request):
        return False
    if candidate.role == "follows":
        return candidate.away == 0
    if candidate.item.id in request.first:
        return True
    if candidate.role == "named":
        return request.level is None or abs(candidate.away) < 2
    return candidate.role == "leads_up" or candidate.away in {0, -1}


def is_on_whole(item: Item, request: Request) -> bool:
    """True for what is on a topic that was named as a whole."""
    wholes = {subject.topic for subject in request.subjects if subject.whole}
    return bool(wholes & set(item.topics if item.own else item.topics[:1]))


def is_on_it(candidate: Candidate, request: Request) -> bool:
    """False for what only stands beside what was named."""
    topics = {subject.topic for subject in request.subjects if subject.alias}
    return candidate.role == "named" or candidate.item.subject in topics or is_on_whole(candidate.item, request)


def subjects_on(item: Item, request: Request) -> tuple[Subject, ...]:
    """The subjects that the member named and that the item is on."""
    return tuple(one for one in request.subjects if item.id in one.items or (one.whole and one.topic == item.subject))


def early(shelf: Shelf, item: Item) -> tuple[int, str]:
    """Of equals, what rests on the least."""
    found, waiting = {item.id}, [item]
    while waiting:
        needed = [shelf.by_id[need] for need in waiting.pop().needs if need in shelf.by_id and need not in found]
        found |= {one.id for one in needed}
        waiting += needed
    return len(found), item.id


def score_of(shelf: Shelf, candidate: Candidate, request: Request, history: History) -> float:
    item, role = candidate.item, candidate.role
    score = _WEIGHT[role] + _MENTION * min(item.mentions, _MOST_MENTIONS)
    same_language = _SAME_LANGUAGE / 2 if request.narrow else _SAME_LANGUAGE
    score += same_language if request.reading_lang in item.langs else 0.0
    far = _EACH_LEVEL_AWAY if request.level or role != "named" else _EACH_LEVEL_AWAY_WHERE_NONE_WAS_SAID
    score += far * abs(candidate.away) if role != "leads_up" else 0.0
    touched = sum(item.id in one.items or (one.whole and one.topic in item.topics) for one in request.subjects)
    score += _EACH_SUBJECT * max(0, touched - 1) + _SUITED * (item.id in request.suited)
    score += _HINTED * bool((request.hints - {*request.topics, THE_FIELD}) & set(item.topics))
    score += _ALL_THAT_WAS_NAMED * (sum(topic in item.topics for topic in request.topics) > 1)
    score += _OPENS * _is_needed(shelf, item) if candidate.away <= 0 else 0.0
    score += _PORTAL if item.kind in PORTALS else 0.0
    score += _NOT_YET * any(need.startswith("problem:") and need not in history.done for need in item.needs)
    score += _UNREACHABLE if item.link_state == "unreachable" else 0.0
    return score + {"note": _OWN_NOTE, "problem": _OWN_PROBLEM if candidate.away >= 0 else 0.0}.get(item.kind, 0.0)


def _is_needed(shelf: Shelf, item: Item) -> bool:
    """True if another item on the same topic rests on it."""
    return any(item.id in other.needs for other in shelf.by_topic[item.subject])


def _varied(ranked: Iterable[Candidate], request: Request, most: int, before: Iterable[Candidate]) -> list[Candidate]:
    """What is there before, and the best that keep to the minutes, few of one site and one problem at first.

    Each topic that the member named has a place, as long as there are places.
    """
    ranked, taken = list(ranked), list(before)
    by_name = [each for each in ranked if each.role == "named"]
    first = [*(each for each in ranked if each.role == "leads_up"), *of_each(ranked, request, taken)]
    first += by_name if request.narrow or request.begins else by_name[:2]
    good = [each for each in ranked if each.role in _GOOD_ENOUGH]
    to_read = (each for each in good if each.item.kind != "problem" or request.kinds)
    problem = (each for each in good if each.item.kind == "problem")
    for candidate in (*first, *islice(to_read, most - 1), *islice(problem, 1), *good, *ranked):
        if len(taken) < most and candidate not in taken and fits(candidate, taken, request):
            taken.append(candidate)
    return taken


def of_each(ranked: list[Candidate], request: Request, before: list[Candidate]) -> Iterator[Candidate]:
    """The best on each subject, on each topic where no subject was named; what is on several counts for all."""
    taken = list(before)
    for subject in request.subjects:
        on_it = (each for each in ranked if subject in subjects_on(each.item, request))
        easy = request.level is None and subject.whole
        ordered = sorted(
            on_it,
            key=lambda each: (
                place_in_title(each.item, subject), not each.item.own, max(0, each.away) if easy else 0
            ),
        )  # fmt: skip
        best = next((each for each in ordered if each not in taken), None)
        if best is not None:
            taken.append(best)
            yield best
    if not request.narrow:
        of_topic = (next((each for each in ranked if each.item.subject == topic), None) for topic in request.topics)
        yield from filter(None, of_topic)


def place_in_title(item: Item, subject: Subject, *, of_topics: bool = False) -> int:
    """Where a title of the item has the subject's words; as late as can be where none has, or it is a whole topic."""
    if subject.whole and not of_topics:
        return NOWHERE
    wanted = _plain(subject.text)
    places = [_plain(title).find(wanted) for title in (item.title_en, item.title_zh, item.id)]
    return min((place for place in places if place >= 0), default=NOWHERE)


@functools.lru_cache(maxsize=4096)
def _plain(title: str) -> str:
    return plain_name(title)


def fits(candidate: Candidate, taken: list[Candidate], request: Request) -> bool:
    item = candidate.item
    if request.minutes is not None:
        spent = sum(other.item.minutes or 0 for other in taken)
        if item.minutes is None or spent + item.minutes > request.minutes:
            return False
    if len(taken) >= LEAST_ITEMS and candidate.role not in _GOOD_ENOUGH:
        return False
    if candidate.role == "named":
        return True
    of_site = sum(other.item.site == item.site for other in taken)
    leading = sum(other.role == "leads_up" for other in taken)
    most_of_site = _MOST_OF_OUR_OWN if item.own or request.kinds else _MOST_OF_A_SITE
    most_of_site += len(request.also)
    return of_site < most_of_site and (candidate.role != "leads_up" or leading < _MOST_OF_A_SITE)
