"""What a member should know of a list as a whole: what was understood, what could not be held, what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knowledge.content import Level
from knowledge.recommend.choose import Candidate, is_on_it
from knowledge.recommend.request import LEAST_ITEMS, MOST_ITEMS, Recommendation, Request
from knowledge.recommend.shelf import Shelf
from knowledge.words import Message

_MOST_NAMED = 4


def understood(shelf: Shelf, asked: Request) -> Iterator[Message]:
    """What was heard of a wish besides its topic, in one sentence; nothing where a topic is all that it says."""
    about = tuple(dict.fromkeys(one.text for one in asked.subjects)) or (shelf.topics[asked.topic].title,)
    parts = [*_limits(asked)]
    if parts and not asked.gap:
        yield Message("remark.understood", about=about[:_MOST_NAMED], parts=tuple(parts))


def _limits(asked: Request) -> Iterator[Message]:
    if asked.kinds:
        yield Message("heard.kinds", kinds=tuple(Message(f"kind.{kind}") for kind in sorted(asked.kinds)))
    if asked.most < MOST_ITEMS and not (asked.vague and asked.missing):
        yield Message("heard.most", n=asked.most)
    if asked.minutes:
        yield Message("heard.minutes", n=asked.minutes)
    if asked.only_lang:
        yield Message("heard.language", language=Message(f"language.{asked.only_lang}"))
    if asked.unwanted:
        yield Message("heard.without", names=asked.unwanted[:_MOST_NAMED])
    if asked.known:
        yield Message("heard.known", names=asked.known[:_MOST_NAMED])


def unheld(shelf: Shelf, asked: Request, found: Recommendation, chosen: Sequence[Candidate]) -> Iterator[Message]:
    """What was asked for and is not in the list: a subject, a time, a pace."""
    title = shelf.topics[found.topic].title
    if asked.missing:
        held = Message("remark.missing", subjects=asked.missing, topic=title)
        yield held if found.items else Message("remark.nothing_on", subjects=asked.missing)
    if asked.assumed:
        yield Message("remark.assumed", topic=title)
    on_it = sum(is_on_it(each, asked) for each in chosen)
    if asked.narrow and 0 < on_it < len(chosen):
        named = tuple(dict.fromkeys(one.text for one in asked.subjects))
        yield Message("remark.beside", n=on_it, subjects=named, topic=title)
    if asked.compared:
        yield Message("remark.compared")
    if asked.pace:
        yield Message("remark.pace", pace=asked.pace)
    if asked.minutes is not None and sum(item.minutes or 0 for item in found.items) > asked.minutes:
        yield Message("remark.over_time", n=asked.minutes)


def remarks_on(
    shelf: Shelf, asked: Request, found: Recommendation, chosen: Sequence[Candidate], reached: Level | None
) -> Iterator[Message]:
    level, topic = Message(f"level.{found.level}"), shelf.topics[found.topic].title
    known = reached or not (asked.narrow or asked.missing or asked.sought or asked.kinds)
    if asked.level is None and found.items and known:
        yield Message("remark.reached" if reached else "remark.begins", level=level, topic=topic)
    if not found.items:
        if not asked.missing:
            yield Message("remark.none")
        return
    to_do = "problem" in asked.kinds and any(item.resource_id in asked.suited for item in found.items)
    if asked.kinds and not to_do and not {item.kind for item in found.items} & asked.kinds:
        kinds = tuple(Message(f"kind.{kind}") for kind in sorted(asked.kinds))
        harder = asked.level and any(item.kind in asked.kinds for item in shelf.by_topic[found.topic])
        yield Message("remark.no_such_kind_at_level" if harder else "remark.no_such_kind", kinds=kinds, level=level)
    on_topic = [each for each in chosen if found.topic in each.item.topics]
    if on_topic and not any(each.away == 0 for each in on_topic):
        nearest = dict.fromkeys(each.item.level for each in on_topic)
        yield Message(
            "remark.nearest", level=level, topic=topic, nearest=tuple(Message(f"level.{n}") for n in nearest)
        )
    if asked.only_lang and not any(item.lang == asked.only_lang for item in found.items):
        yield Message("remark.no_such_language", language=Message(f"language.{asked.only_lang}"))
        return
    if len(found.items) < min(LEAST_ITEMS, asked.most) and not (asked.sought or asked.missing):
        yield Message("remark.few", n=len(found.items))
    if asked.reading_lang not in {item.lang for item in found.items}:
        yield Message("remark.other_language")
