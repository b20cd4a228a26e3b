"""Which readings answer a wish in free words: roles and levels as for a topic, and how near each comes by meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from knowledge.content import Level
from knowledge.recommend.choose import (
    Candidate,
    Role,
    candidates_of,
    early,
    fits,
    of_each,
    score_of,
    suits,
)
from knowledge.recommend.history import History
from knowledge.recommend.request import LEAST_ITEMS, THE_FIELD, Request
from knowledge.recommend.shelf import LEVELS, Shelf

_BY_MEANING = 5.0
_NEAR_ENOUGH, _AS_NEAR_AS_ANY = 0.3, 0.9
"""Nearness from which a reading stands for itself, whatever its topic is."""
_AS_THE_BEST = 0.55
"""Share of the best nearness from which a reading is as good as on the subject."""
_SOUGHT = 20.0
_VAGUE = -2.5
"""Off the field in general, where something else was named."""
_BELOW_THE_BEST = 4.2
"""What scores so much less than the best only pads the list."""
_CLASSIC = 0.8
"""For the first papers of a topic's list, which begins with those that everybody reads."""
_ABOVE_NEAR = frozenset({"leads_up", "named", "on_topic", "also"})
_LEVELLED = frozenset({"note", "problem", "article", "blog", "task"})
"""Kinds of which there are several a level: of papers, books and courses one takes what there is."""
_EACH_LEVEL_AWAY_OF_OTHERS = 1.1
_BESIDE_WHAT_WAS_SOUGHT = 2
_NOT_THE_LEVEL = -1.0
_OWN_AS_THE_BEST = 0.85
"""Of our notes, of which each is on one thing."""
_INSTEAD_OF_WHAT_IS_MISSING = 3


def blend(shelf: Shelf, level: Level, request: Request, history: History) -> tuple[Candidate, ...]:
    """At most `request.most` candidates, best first: what was named by title, each subject's best, then by score."""
    ranked = _ranked(shelf, level, request, history)
    if not ranked:
        return ()
    score = dict(ranked)
    order = list(score)
    sought = [each for each in order if each.item.id in request.sought and _is_sought_alone(request)]
    rest = [each for each in order if each not in sought]
    most = min(request.most, len(sought) + _BESIDE_WHAT_WAS_SOUGHT) if sought else request.most
    most = min(most, _INSTEAD_OF_WHAT_IS_MISSING) if request.vague and request.missing else most
    taken: list[Candidate] = []
    best = score[rest[0]] if rest else 0.0
    good = [each for each in rest if score[each] >= best - _BELOW_THE_BEST]
    of_subjects = [] if sought or request.most == 1 else list(of_each(rest, request, []))
    for candidate in (*sought, *of_subjects, *_spread(good, request)):
        if len(taken) < most and candidate not in taken and fits(candidate, taken, request):
            taken.append(candidate)
    for candidate in rest:
        if len(taken) < min(LEAST_ITEMS, most) and candidate not in taken and fits(candidate, taken, request):
            taken.append(candidate)
    return tuple(taken)


def _is_on_a_topic(request: Request) -> bool:
    """Whether a topic was named, so that what is set aside from its lists stays aside."""
    return any(one.topic != THE_FIELD for one in request.subjects)


def _is_sought_alone(request: Request) -> bool:
    """True where readings were named by title or author, and nothing else was."""
    return bool(request.sought) and all(set(one.items) & set(request.sought) for one in request.subjects)


def _spread(good: list[Candidate], request: Request) -> Iterator[Candidate]:
    """To read first, one problem at the end unless problems are asked for."""
    if request.kinds:
        yield from good
        return
    problems = [each for each in good if each.item.kind == "problem"]
    others = [each for each in good if each.item.kind != "problem"]
    place = max(2, request.most - 1)
    yield from others[:place]
    yield from problems[:1]
    yield from others[place:]


def _ranked(shelf: Shelf, level: Level, request: Request, history: History) -> list[tuple[Candidate, float]]:
    found = {each.item.id: each for each in candidates_of(shelf, level, request, history)}
    found_near = {} if _is_sought_alone(request) else request.near
    best = max(found_near.values(), default=0.0)
    for name, nearness in found_near.items():
        here = shelf.by_id.get(name)
        named_enough = (
            not here or not here.aside or (nearness >= _AS_NEAR_AS_ANY * best and not _is_on_a_topic(request))
        )
        if here is None or not named_enough or here not in shelf.items:
            continue
        if nearness < _NEAR_ENOUGH and name not in request.sought:
            continue
        known = found.get(here.id)
        away = LEVELS.index(here.level) - LEVELS.index(level)
        as_the_best = (_OWN_AS_THE_BEST if here.own else _AS_THE_BEST) * best
        if nearness >= as_the_best and (known is None or known.role not in _ABOVE_NEAR):
            role: Role = "near" if here.own else "named"
            found[here.id] = Candidate(here, role, away)
    for name in shelf.here(request.sought):
        here = shelf.by_id[name]
        found[name] = Candidate(here, "named", LEVELS.index(here.level) - LEVELS.index(level))
    usable = [each for each in found.values() if suits(each.item, request) and each.item.id not in history.hidden]
    scored = [(each, _score(shelf, each, request, history)) for each in usable]
    return sorted(scored, key=lambda pair: (-pair[1], *early(shelf, pair[0].item)))


def _score(shelf: Shelf, candidate: Candidate, request: Request, history: History) -> float:
    item = candidate.item
    score = score_of(shelf, candidate, request, history)
    score += 0.0 if _is_sought_alone(request) else _BY_MEANING * request.near.get(item.id, 0.0)
    score += _SOUGHT * (item.id in request.sought)
    if request.level is None and item.kind not in _LEVELLED:
        score += _EACH_LEVEL_AWAY_OF_OTHERS * max(0, candidate.away)
    score += _NOT_THE_LEVEL * abs(candidate.away) if request.level and candidate.role != "leads_up" else 0.0
    if request.vague and candidate.role not in {"named", "near"}:
        score += _VAGUE
    if request.kinds and item.kind in request.kinds and item.subject == request.topic:
        alike = [one.id for one in shelf.by_topic[request.topic] if one.kind == item.kind]
        score += _CLASSIC * (1 - alike.index(item.id) / len(alike)) if item.id in alike else 0.0
    return score


def without_levels_said(found: tuple[Candidate, ...]) -> tuple[Level, tuple[Candidate, ...]]:
    """The easiest level in the list: nobody asked for another one, so none is above it."""
    easiest = min((each.item.level for each in found), key=LEVELS.index)
    return easiest, tuple(replace(each, away=0) for each in found)
