"""Which readings answer a wish in free words: what is on the very thing that was named, and little beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from knowledge.content import Level
from knowledge.recommend.choose import (
    NOWHERE,
    PORTALS,
    Candidate,
    Role,
    candidates_of,
    early,
    fits,
    is_on_whole,
    of_each,
    place_in_title,
    score_of,
    suits,
)
from knowledge.recommend.history import History
from knowledge.recommend.order import in_reading_order
from knowledge.recommend.request import LEAST_ITEMS, THE_FIELD, Request, Subject
from knowledge.recommend.shelf import LEVELS, LONG_MINUTES, Item, Shelf

_BY_MEANING = 5.0
_NEAR_ENOUGH, _AS_NEAR_AS_ANY = 0.3, 0.9
"""Nearness from which a reading stands for itself, whatever its topic is."""
_AS_THE_BEST = 0.55
"""Share of the best nearness from which a reading is as good as on the subject."""
_OWN_AS_THE_BEST = 0.85
"""Of our notes, of which each is on one thing."""
_ON_ITS_OWN = 0.45
"""Nearness from which a reading may fill up a short list."""
_INSTEAD_OF_WHAT_IS_MISSING = 0.7
_SURELY_NEAR = 0.6
"""Nearness from which a reading is as good as named, where it is among the nearest."""
_CLASSIC = 0.8
"""For the first papers of a topic's list, which begins with those that everybody reads."""
_EACH_LEVEL_AWAY_OF_OTHERS = 1.1
_NOT_THE_LEVEL = -1.0
_STUB = -4.0
"""For a course or an article of which nobody could say how long it is."""
_BELOW_THE_BEST = 4.2
"""What scores so much less than the best only pads the list."""
_ABOVE_NEAR = frozenset({"leads_up", "named", "on_topic", "also"})
_BESIDE = frozenset({"on_topic", "also", "near", "named", "touches"})
"""What a short list is filled with."""
_LEVELLED = frozenset({"note", "problem", "article", "blog", "task"})
"""Kinds of which there are several a level: of papers, books and courses one takes what there is."""
_BY_MAKERS = frozenset({"docs", "reference"})
_MAKERS = ("nvidia.com", "pytorch.org", "triton-lang.org", "amd.com", "jax.dev", "llvm.org", "khronos.org", "vllm.ai")


def blend(shelf: Shelf, level: Level, request: Request, history: History) -> tuple[Candidate, ...]:
    """At most `request.most` candidates in the order to read them; none where nothing is on what was named."""
    if request.gap:
        return ()
    ranked = _in_a_language_they_read(_ranked(shelf, level, request, history), request)
    if not ranked:
        return ()
    score = dict(ranked)
    sought = _sought(list(score), request)
    if sought:
        papers = all(each.item.kind == "paper" for each in sought)
        named = sought[: request.most]
        return _by_date(shelf, named, request) if request.order or papers else tuple(named)
    best = max((request.near.get(each.item.id, 0.0) for each in score), default=0.0)
    exact = _at_the_level([each for each in score if _is_exact(each, request, best)], request)
    exact = _of_each_topic(_with_what_was_asked(exact, request), request)
    if not exact and request.kinds:
        return ()
    taken = _best(shelf, exact, score, request)
    if len(taken) < min(LEAST_ITEMS, request.most):
        beside = [each for each in score if each not in exact and _stands_beside(each, request, bool(taken))]
        taken += _fitting(_at_the_level(beside, request), taken, request, min(LEAST_ITEMS, request.most))
    return _arranged(shelf, taken, request, exact)


def _best(
    shelf: Shelf, exact: Sequence[Candidate], score: dict[Candidate, float], request: Request
) -> list[Candidate]:
    """The best on each subject and of the kinds that come later, then the best of all."""
    if not exact:
        return []
    good = [each for each in exact if score[each] >= score[exact[0]] - _BELOW_THE_BEST or request.narrow]
    first = list(of_each(list(exact), request, [])) if request.most > 1 else []
    if request.order in {"oldest", "newest"}:
        good = list(_by_date(shelf, good, request))
        first = []
    later = [each for each in exact if each.item.kind in request.then]
    before = [each for each in exact if each.item.kind not in request.then]
    if later:
        first = [*before[:2], *later[: max(2, request.most - 2)]]
    return _fitting([*first, *_spread(good, request)], [], request, request.most)


def _fitting(
    candidates: Iterable[Candidate], before: Sequence[Candidate], request: Request, most: int
) -> list[Candidate]:
    """Those that there is place for, without those before."""
    taken = list(before)
    for candidate in candidates:
        if len(taken) < most and candidate not in taken and fits(candidate, taken, request):
            taken.append(candidate)
    return taken[len(before) :]


def _is_exact(candidate: Candidate, request: Request, best: float) -> bool:
    """On the very thing that was named: of a subject its readings, of a whole topic what is about it."""
    near = request.near.get(candidate.item.id, 0.0)
    if candidate.item.id in request.sought or candidate.role == "leads_up":
        return True
    if request.vague and request.missing:
        return near >= _INSTEAD_OF_WHAT_IS_MISSING
    if candidate.item.id in request.suited and candidate.role == "named":
        return True
    if near >= max(_SURELY_NEAR, _OWN_AS_THE_BEST * best):
        return candidate.role in _BESIDE
    if request.narrow:
        return candidate.role == "named" or is_on_whole(candidate.item, request)
    return candidate.role in {"named", "on_topic", "also"} or (candidate.role == "near" and near >= _ON_ITS_OWN)


def _of_each_topic(exact: list[Candidate], request: Request) -> list[Candidate]:
    """Without what is only on a topic that something narrower was named on: `torch.compile` of PyTorch."""
    if request.then or not request.narrow or not any(subject.whole for subject in request.subjects):
        return exact
    named = [each for each in exact if each.role in {"named", "near"}]
    covered = {topic for each in named for topic in each.item.topics}
    left = {subject.topic for subject in request.subjects if subject.whole} - covered
    return [each for each in exact if each in named or left & set(each.item.topics)] or exact


def _stands_beside(candidate: Candidate, request: Request, found: bool) -> bool:
    """What may fill up a list of less than three: on the same topic, or near in meaning."""
    if (request.vague and request.missing) or candidate.item.kind == "problem":
        return False
    near = request.near.get(candidate.item.id, 0.0) >= _ON_ITS_OWN
    near = near or (is_on_whole(candidate.item, request) and candidate.item.own)
    left_over = request.narrow and request.against
    return (near or not (found or left_over)) and candidate.role in _BESIDE


def _with_what_was_asked(exact: list[Candidate], request: Request) -> list[Candidate]:
    """Only what is official, where that was asked for and there is some."""
    official = [each for each in exact if is_official(each.item)]
    return official if request.official and official else exact


def is_official(item: Item) -> bool:
    """By whoever makes the thing: documentation, or on a site of theirs."""
    host = urlsplit(item.url or "").netloc
    return item.kind in _BY_MAKERS or any(host == maker or host.endswith(f".{maker}") for maker in _MAKERS)


def _in_a_language_they_read(
    ranked: list[tuple[Candidate, float]], request: Request
) -> list[tuple[Candidate, float]]:
    """Without Chinese pages for who asks in English, where anything else is about it; most readers of Chinese read
    English too.
    """
    if request.reading_lang != "en":
        return ranked
    read = [(each, score) for each, score in ranked if "en" in each.item.langs or each.item.id in request.sought]
    return read or ranked


def _at_the_level(found: list[Candidate], request: Request) -> list[Candidate]:
    """Without what is for beginners, or for experts, where the other was asked for and there is enough of it."""
    far = {"advanced": "beginner", "beginner": "advanced"}.get(request.level or "")
    near = [
        each
        for each in found
        if each.item.level != far or each.item.id in request.sought or each.item.kind in request.then
    ]
    return near if len(near) > 1 else found


def _sought(found: list[Candidate], request: Request) -> list[Candidate]:
    """What was named by title or author, what most of the words say first; none where other things were named too."""
    named = [each for each in found if each.item.id in request.sought]
    others = [one for one in request.subjects if not set(one.items) & set(request.sought)]
    if not named or not all(any(_describes(one, each.item) for each in named) for one in others):
        return []
    of_the_kind = [each for each in named if each.item.kind in request.kinds] or named
    said = {each: _said_of(each.item, request) for each in of_the_kind}
    in_all = [each for each in of_the_kind if all(each.item.id in one.items for one in request.subjects)]
    most = max(said.values()) if others or in_all else 0
    best = [each for each in of_the_kind if said[each] >= most]
    near = request.near
    return sorted(best, key=lambda each: (-said[each], each.item.kind != "book", -near.get(each.item.id, 0.0)))


def _said_of(item: Item, request: Request) -> int:
    """How much of what was typed the reading is on; that its title says it counts once more."""
    named = sum(_describes(one, item) for one in request.subjects)
    return named + sum(place_in_title(item, one, of_topics=True) < NOWHERE for one in request.subjects)


def _describes(subject: Subject, item: Item) -> bool:
    """Whether what was named says what the reading is on: `Harris on reductions`."""
    on_it = subject.topic in item.topics and (subject.whole or not subject.items)
    titled = place_in_title(item, subject, of_topics=True) < NOWHERE
    return item.id in subject.items or on_it or titled or subject.topic == THE_FIELD


def _arranged(
    shelf: Shelf, taken: Sequence[Candidate], request: Request, exact: Sequence[Candidate]
) -> tuple[Candidate, ...]:
    """As was asked; else what is on the very thing in the order to read it, then what is beside it."""
    papers = bool(taken) and all(each.item.kind == "paper" for each in taken)
    if request.order in {"oldest", "newest"} or (papers and not request.sought):
        ordered = list(_by_date(shelf, taken, request))
        ordered.sort(key=lambda each: each not in exact)
        return tuple(ordered)
    if request.kinds - {"problem"} and request.order != "steps":
        ordered = list(taken)
    else:
        by_id = {each.item.id: each for each in taken}
        first = frozenset[str]() if request.order == "steps" else request.first
        reading = in_reading_order(shelf, [each.item for each in taken], request.topic, first)
        ordered = [by_id[item.id] for item in reading]
    if request.order != "steps":
        ordered.sort(key=lambda each: _rank(each, request))
    ordered.sort(key=lambda each: (each not in exact, *_place_of_later(shelf, each.item, request)))
    return tuple(ordered)


def _by_date(shelf: Shelf, taken: Sequence[Candidate], request: Request) -> tuple[Candidate, ...]:
    years, sign = shelf.published, -1 if request.order == "newest" else 1
    return tuple(sorted(taken, key=lambda each: (each.item.id not in years, sign * years.get(each.item.id, 0.0))))


def _rank(candidate: Candidate, request: Request) -> tuple[object, ...]:
    """By title first, then what is on most of what was named, then what its title says, then what only comes near."""
    item = candidate.item
    narrow = [one for one in request.subjects if not one.whole]
    hits = sum(
        item.id in one.items
        or (one.whole and one.topic in item.topics)
        or place_in_title(item, one, of_topics=True) < NOWHERE
        for one in request.subjects
    )
    together = len(request.subjects) > 1 and request.most != len(request.subjects)
    names = [one for one in narrow if one.text.isascii() and not one.text.islower()]
    titled = any(place_in_title(item, one) < NOWHERE for one in names)
    led_in = request.begins and item.id in request.bridges
    return (
        item.id not in request.sought,
        not led_in,
        -hits if together and hits > 1 else 0,
        not titled,
        bool(narrow) and candidate.role != "named",
        abs(candidate.away) if request.level == "advanced" else 0,
    )


def _place_of_later(shelf: Shelf, item: Item, request: Request) -> tuple[bool, float]:
    later = item.kind in request.then
    return later, shelf.published.get(item.id, 0.0) if later else 0.0


def _is_on_a_topic(request: Request) -> bool:
    """Whether a topic was named, so that what is set aside from its lists stays aside."""
    return any(one.topic != THE_FIELD for one in request.subjects)


def _is_sought_alone(request: Request) -> bool:
    """True where readings were named by title or author, and nothing else was."""
    return bool(request.sought) and all(set(one.items) & set(request.sought) for one in request.subjects)


def _spread(good: list[Candidate], request: Request) -> Iterator[Candidate]:
    """To read first, one problem on the very thing at the end; all problems where those are asked for."""
    if request.kinds:
        yield from good
        return
    named = [each for each in good if each.item.kind == "problem" and each.role == "named"]
    others = [each for each in good if each.item.kind != "problem"]
    place = max(2, request.most - 1)
    yield from others[:place]
    yield from named[:1]
    yield from others[place:]


def _ranked(shelf: Shelf, level: Level, request: Request, history: History) -> list[tuple[Candidate, float]]:
    found = {each.item.id: each for each in candidates_of(shelf, level, request, history)}
    found_near = {} if _is_sought_alone(request) else request.near
    best = max((near for name, near in found_near.items() if name in shelf.by_id), default=0.0)
    for name, nearness in found_near.items():
        here = shelf.by_id.get(name)
        named_enough = (
            not here or not here.aside or (nearness >= _AS_NEAR_AS_ANY * best and not _is_on_a_topic(request))
        )
        if here is None or not named_enough or here not in shelf.items:
            continue
        if nearness < (_ON_ITS_OWN if request.narrow else _NEAR_ENOUGH) and name not in request.sought:
            continue
        known = found.get(here.id)
        away = LEVELS.index(here.level) - LEVELS.index(level)
        as_the_best = (_OWN_AS_THE_BEST if here.own or request.narrow else _AS_THE_BEST) * best
        if nearness >= as_the_best and (known is None or known.role not in _ABOVE_NEAR):
            only_near = here.own or (request.narrow and nearness < _SURELY_NEAR)
            role: Role = "near" if only_near else "named"
            found[here.id] = Candidate(here, role, away)
    elsewhere = (*request.sought, *(request.suited if request.against else ()))
    for name in shelf.here(elsewhere):
        if name not in request.sought and not set(shelf.by_id[name].topics) & set(request.topics):
            continue
        here = shelf.by_id[name]
        found[name] = Candidate(here, "named", LEVELS.index(here.level) - LEVELS.index(level))
    usable = [each for each in found.values() if suits(each.item, request) and each.item.id not in history.hidden]
    usable = [each for each in usable if each.item.kind not in PORTALS or each.role == "named"]
    usable = [each for each in usable if not request.brief or (each.item.minutes or 0) < LONG_MINUTES]
    scored = [(each, _score(shelf, each, request, history)) for each in usable]
    return sorted(scored, key=lambda pair: (-pair[1], *early(shelf, pair[0].item)))


def _score(shelf: Shelf, candidate: Candidate, request: Request, history: History) -> float:
    item = candidate.item
    score = score_of(shelf, candidate, request, history)
    score += 0.0 if _is_sought_alone(request) else _BY_MEANING * request.near.get(item.id, 0.0)
    score += _STUB if item.minutes is None and item.kind in {"course", "article"} else 0.0
    if request.level is None and item.kind not in _LEVELLED:
        score += _EACH_LEVEL_AWAY_OF_OTHERS * max(0, candidate.away)
    score += _NOT_THE_LEVEL * abs(candidate.away) if request.level and candidate.role != "leads_up" else 0.0
    if request.kinds and item.kind in request.kinds and item.subject == request.topic:
        alike = [one.id for one in shelf.by_topic[request.topic] if one.kind == item.kind]
        score += _CLASSIC * (1 - alike.index(item.id) / len(alike)) if item.id in alike else 0.0
    return score


def without_levels_said(found: tuple[Candidate, ...]) -> tuple[Level, tuple[Candidate, ...]]:
    """The easiest level in the list: nobody asked for another one, so none is above it."""
    easiest = min((each.item.level for each in found), key=LEVELS.index)
    return easiest, tuple(replace(each, away=0) for each in found)
