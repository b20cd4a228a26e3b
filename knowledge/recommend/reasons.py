"""Why this one: a sentence made of facts, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knowledge.readings import Reading
from knowledge.recommend.choose import Candidate
from knowledge.recommend.history import History
from knowledge.recommend.shelf import Item, Shelf
from knowledge.words import Message, core_languages


def reading_of(item: Item, lang: str, why: str) -> Reading:
    return Reading(
        resource_id=item.id,
        title=item.title(lang),
        url=item.url,
        lang=item.lang_for(lang),
        level=item.level,
        minutes=item.minutes,
        kind=item.kind,
        topics=item.topics,
        why=why,
        link_state=item.link_state,
        stretch=item.stretch,
    )


def why(shelf: Shelf, candidate: Candidate, later: Sequence[Item], history: History, lang: str) -> str:
    """What it does for the topic, what needs it, what the member brings, and what to know before opening it."""
    item = candidate.item
    parts = (
        _purpose(shelf, candidate, lang),
        *_needed_by(shelf, item, later),
        *_read_before(shelf, item, history, lang),
        *_warnings(candidate, lang),
    )
    language = core_languages()[lang]
    return language("list.clause").join(language.say(part) for part in parts)


def _purpose(shelf: Shelf, candidate: Candidate, lang: str) -> Message:
    item = candidate.item
    topic = shelf.topics[item.subject].title
    if candidate.because_of is not None:
        return Message("why.leads_up", title=candidate.because_of.title(lang))
    if item.stretch:
        return Message("why.stretch", topic=topic)
    return Message("why.practises" if item.kind == "problem" else f"why.{item.level}", topic=topic)


def _needed_by(shelf: Shelf, item: Item, later: Sequence[Item]) -> Iterator[Message]:
    """The first topic later in the same list that rests on this item's."""
    for other in later:
        if item.subject in shelf.ancestors.get(other.subject, frozenset()):
            yield Message("why.needed", topic=shelf.topics[other.subject].title)
            return


def _read_before(shelf: Shelf, item: Item, history: History, lang: str) -> Iterator[Message]:
    """The last thing that the member finished and that this one rests on."""
    for done_id, _event in reversed(history.evidence):
        done = shelf.by_id.get(done_id)
        if done is not None and done_id in history.done and shelf.rests_on(item, done):
            yield Message("why.solved" if done.kind == "problem" else "why.read", title=done.title(lang))
            return


def _warnings(candidate: Candidate, lang: str) -> Iterator[Message]:
    item = candidate.item
    if candidate.below and candidate.because_of is None:
        yield Message("why.below")
    if lang not in item.langs:
        yield Message(f"why.in_{item.langs[0]}")
    if item.link_state == "unreachable":
        yield Message("why.unreachable")
