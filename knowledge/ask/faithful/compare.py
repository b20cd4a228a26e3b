"""A sentence beside its passage, in figures: what speaks for the passage saying so, and what against."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from knowledge.ask.faithful.statement import Item, Keys, Statement, Turn

_PRICE_OF_LENGTH = 0.0004
_CLEARLY = 0.12
_SHORTEST_EFFECT = 3
_CAUSE_FIRST = re.compile(r"(?:^|[.,;]\s)(?:because|since|as|given that)\s|因为|由于|既然")
_CAUSE_LAST = re.compile(r"\s(?:because|since|as)\s|是因为|，因为")
_SO = re.compile(
    r",?\s(?:so|so that|therefore|thus|hence|(?:and that|which|that) is why)\s|所以|因此|于是|因而|才会|才能"
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Each between 0 and about 1, but for what is counted."""

    held: float
    """Share of the sentence's notions that the passage has at all."""
    terms_missing: int
    """Terms of the field that the passage has not."""
    direction: float
    """How much better a word of direction fits where the passage has the opposite; likewise the next two."""
    opposition: float
    thing: float
    negation_lost: float
    """How much of the sentence stands near what the place denies, where the sentence denies nothing."""
    exchanged: float
    """Share of neighbourhoods that stand crosswise."""
    cause: float
    """How much better cause and effect fit the passage's exchanged."""


def compared(said: Statement, held: Statement) -> Comparison:
    weight = _weights(held)
    place = _best_place(said, held, weight)
    total = sum(weight(item) for item in said.items) or 1.0
    everything = _keys(held.items)
    conflict = {axis: _conflict(said, held, axis, weight) for axis in said.turns}

    def worst(group: str) -> float:
        return max((found for axis, found in conflict.items() if axis.startswith(group)), default=0.0)

    return Comparison(
        held=sum(weight(item) for item in said.items if item.keys & everything) / total,
        terms_missing=sum(item.kind == "term" and not item.keys & everything for item in said.items),
        direction=worst("directions"),
        opposition=worst("oppositions"),
        thing=worst("things"),
        negation_lost=0.0 if said.negations else _denied(said, held, place, weight) / total,
        exchanged=_exchanged(said, held, place),
        cause=_cause(said, held, weight),
    )


def _keys(items: Iterable[Item]) -> Keys:
    return frozenset().union(*(item.keys for item in items))


Weight = Callable[[Item], float]


def _weights(held: Statement) -> Weight:
    many = len(held.spans)

    def weight(item: Item) -> float:
        """Rare notions say more; one that the passage lacks counts like one that it has once."""
        often = max((held.rarity[key] for key in item.keys), default=0) or 1
        return (math.log((many + 1) / (often + 0.5)) + 0.4) * (1.4 if item.kind != "word" else 1.0)

    return weight


def _best_place(said: Statement, held: Statement, weight: Weight) -> tuple[int, int]:
    """The sentence, or two in a row, that share most with what is said; of equals the shorter."""
    spans = held.spans
    places = [*spans, *((one[0], two[1]) for one, two in pairwise(spans))]

    def shared(place: tuple[int, int]) -> float:
        inside = _keys(_within(held, place))
        length = held.width * (place[1] - place[0])
        return sum(weight(item) for item in said.items if item.keys & inside) - _PRICE_OF_LENGTH * length

    return max(places, key=shared)


def _within(text: Statement, part: tuple[int, int]) -> list[Item]:
    return [item for item in text.items if part[0] <= item.at < part[1]]


def _fit(said: Statement, at: int, held: Statement, place: int, weight: Weight, without: Keys) -> float:
    """How alike the neighbours of two places are."""
    fits = 0.0
    for item in said.items:
        if item.keys & without:
            continue
        here = said.nearness(at, item.at)
        there = max((held.nearness(place, one.at) for one in held.items if one.keys & item.keys), default=0.0)
        fits += weight(item) * min(here, 0.8) ** 0.5 * there
    return fits


def _conflict(said: Statement, held: Statement, axis: str, weight: Weight) -> float:
    """How much better the worst turn fits the place of another end of its axis than any of its own."""
    return max((_misfit(said, turn, held, axis, weight) for turn in said.turns[axis]), default=0.0)


def _misfit(said: Statement, turn: Turn, held: Statement, axis: str, weight: Weight) -> float:
    own, other = 0.0, 0.0
    own_keys = _keys(item for item in said.items if any(abs(item.at - one.at) <= 1 for one in said.turns[axis]))
    for one in held.turns.get(axis, ()):
        fit = _fit(said, turn.at, held, one.at, weight, own_keys)
        if one.end == turn.end:
            own = max(own, fit)
        else:
            other = max(other, fit)
    return max(0.0, other - own) / (other + own + 0.5)


def _denied(said: Statement, held: Statement, place: tuple[int, int], weight: Weight) -> float:
    """How much of what is said stands near something that the place denies."""
    touched = 0.0
    for at in held.negations:
        if place[0] <= at < place[1]:
            near = [(one.keys, held.nearness(at, one.at)) for one in held.items if place[0] <= one.at < place[1]]
            touch = sum(
                weight(item) * max((nearness for keys, nearness in near if keys & item.keys), default=0.0)
                for item in said.items
            )
            touched = max(touched, touch)
    return touched


def _exchanged(said: Statement, held: Statement, place: tuple[int, int]) -> float:
    """Share of triples of notions in which the third stands nearer to the other one of the first two."""
    pairs = _pairs(said, held, place)
    cross = along = 0
    for number, (at, there) in enumerate(pairs):
        for other_at, other_there in pairs[number + 1 :]:
            for third_at, third_there in pairs:
                if third_at in {at, other_at}:
                    continue
                here = said.nearness(third_at, at) - said.nearness(third_at, other_at)
                in_place = held.nearness(third_there, there) - held.nearness(third_there, other_there)
                if min(abs(here), abs(in_place)) > _CLEARLY:
                    cross += (here > 0) != (in_place > 0)
                    along += (here > 0) == (in_place > 0)
    return cross / (cross + along + 2.0)


def _pairs(said: Statement, held: Statement, place: tuple[int, int]) -> list[tuple[int, int]]:
    """Notions that stand once in the place: where in the sentence, and where in the passage."""
    found = []
    for item in said.items:
        matches = {one.at for one in _within(held, place) if one.keys & item.keys}
        if len(matches) == 1:
            found.append((item.at, matches.pop()))
    return found


_Part = tuple[int, int]


def _reasons(text: Statement) -> Iterator[tuple[_Part, _Part]]:
    """The parts that are told as cause and as effect, sentence by sentence."""
    for start, end in text.spans:
        sentence = text.text[start:end]
        last, first, so = (pattern.search(sentence) for pattern in (_CAUSE_LAST, _CAUSE_FIRST, _SO))
        border = next((at for at in text.borders if first and start + first.end() < at < end), None)
        if last and last.start() > _SHORTEST_EFFECT:
            yield (start + last.end(), end), (start, start + last.start())
        elif first and border:
            yield (start + first.end(), border), (border, end)
        elif so:
            yield (start, start + so.start()), (start + so.end(), end)


def _cause(said: Statement, held: Statement, weight: Weight) -> float:
    """How much better cause and effect fit the passage's exchanged."""

    def shared(one: _Part, other: _Part) -> float:
        inside = _keys(_within(held, other))
        return sum(weight(item) for item in _within(said, one) if item.keys & inside)

    worst = 0.0
    for cause, effect in _reasons(said):
        straight = crossed = 0.0
        for held_cause, held_effect in _reasons(held):
            straight = max(straight, shared(cause, held_cause) + shared(effect, held_effect))
            crossed = max(crossed, shared(cause, held_effect) + shared(effect, held_cause))
        worst = max(worst, (crossed - straight) / (crossed + straight + 0.5))
    return worst
