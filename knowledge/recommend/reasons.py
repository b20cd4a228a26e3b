"""Why this one now: of each reading the one thing that is true of it and of no other in its list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knowledge.content.topics import plain_name
from knowledge.readings import Reading
from knowledge.recommend.choose import Candidate
from knowledge.recommend.history import History
from knowledge.recommend.shelf import LEVELS, LONG_MINUTES, Item, Shelf
from knowledge.words import Message, core_languages

_MOST_TERMS = 3
_LONGEST_SUMMARY = 160
_ROLE_SAYS_IT = frozenset({"before", "ground"})


def readings_of(
    shelf: Shelf, candidates: Sequence[Candidate], history: History, lang: str, *, goal: str = "", in_lang: str = ""
) -> tuple[Reading, ...]:
    """In the order given, each with its reason; met in `in_lang` where they exist in it, told in `lang`."""
    said: list[Message] = []
    found = []
    for at, candidate in enumerate(candidates):
        reason = _unsaid(_reasons(shelf, candidates, at, history, in_lang or lang, goal), said)
        said.append(reason)
        parts = (reason, *_warnings(candidate, in_lang or lang))
        language = core_languages()[lang]
        why = language("list.clause").join(language.say(part) for part in parts)
        found.append(reading_of(candidate.item, in_lang or lang, why))
    return tuple(found)


def _unsaid(reasons: Iterator[Message], said: Sequence[Message]) -> Message:
    """The first of a kind that the list has not; else the first in words that it has not."""
    kinds = {one.id for one in said}
    passed: list[Message] = []
    for reason in reasons:
        if reason.id not in kinds:
            return reason
        passed.append(reason)
    return next((reason for reason in passed if reason not in said), passed[-1])


def reading_of(item: Item, lang: str, why: str) -> Reading:
    return Reading(
        resource_id=item.id,
        title=item.title(item.lang_for(lang)) if lang in item.langs else item.title(lang),
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


def _reasons(
    shelf: Shelf, candidates: Sequence[Candidate], at: int, history: History, lang: str, goal: str
) -> Iterator[Message]:
    """Everything true of this reading in this list that is a reason to read it, most telling first."""
    candidate, item = candidates[at], candidates[at].item
    before = [each.item for each in candidates[:at]]
    later = [each.item for each in candidates[at + 1 :]]
    if candidate.because_of is not None:
        yield Message("why.leads_up", title=candidate.because_of.title(lang))
    yield from _read_before(shelf, item, history, lang)
    if candidate.role in _ROLE_SAYS_IT and goal:
        yield Message("why.ground", topic=shelf.topics[goal].title)
    if item.stretch:
        yield Message("why.stretch", topic=shelf.topics[item.subject].title)
    if candidate.role == "named" and not item.own:
        yield from _summary(item, lang)
    yield from _in_the_list(shelf, item, before, later, lang)
    yield from _contents(shelf, item, lang)
    yield from _of_itself(shelf, item, [*before, *later], goal)
    if sections := shelf.sections.get((item.id, lang)):
        yield Message("why.sections", titles=sections[:_MOST_TERMS])
    yield Message(f"why.{'practises' if item.kind == 'problem' else item.level}", topic=_about(shelf, item, goal))


def _about(shelf: Shelf, item: Item, goal: str) -> object:
    return shelf.topics[item.subject if goal not in item.topics else goal].title


def _in_the_list(shelf: Shelf, item: Item, before: list[Item], later: list[Item], lang: str) -> Iterator[Message]:
    """What it prepares for, what it follows, what it practises, by the names of the others."""
    needing = next((other for other in later if item.id in other.needs), None)
    needed = next((other for other in reversed(before) if other.id in item.needs), None)
    if item.kind == "problem":
        notes = [one for one in reversed(before) if one.kind == "note"]
        taught = next((one for one in notes if one.id in item.needs), None)
        taught = taught or next((one for one in notes if one.subject in item.topics), None)
        if taught is not None:
            yield Message("why.practises_reading", title=taught.title(lang))
        yield Message("why.practises", topic=shelf.topics[item.subject].title)
    if needing is not None:
        yield Message("why.prepares", title=needing.title(lang))
    if needed is not None:
        yield Message("why.carries_on", title=needed.title(lang))
    ahead = next((other for other in later if item.subject in shelf.ancestors.get(other.subject, frozenset())), None)
    if ahead is not None:
        yield Message("why.needed", topic=shelf.topics[ahead.subject].title)
    if not before and later and item.level == "beginner" and not item.needs:
        yield Message("why.assumes_nothing")


def _contents(shelf: Shelf, item: Item, lang: str) -> Iterator[Message]:
    """The terms that a note explains besides its title; what curators say of a page."""
    said = plain_name(item.title_en + item.title_zh)
    terms = [term for term in shelf.terms.get(item.id, ()) if plain_name(term.text(lang)) not in said]
    if terms:
        yield Message("why.explains", terms=tuple(terms[:_MOST_TERMS]))
    yield from _summary(item, lang)


def _summary(item: Item, lang: str) -> Iterator[Message]:
    if not item.own and 0 < len(summary := item.summary(lang)) <= _LONGEST_SUMMARY:
        yield Message("why.summary", text=summary.rstrip(".。"))


def _of_itself(shelf: Shelf, item: Item, others: list[Item], goal: str) -> Iterator[Message]:
    """What sets it apart from the others: what else it covers, its kind, its length, who names it."""
    covered = {topic for other in others for topic in other.topics} | {goal, item.subject}
    more = tuple(shelf.topics[topic].title for topic in item.topics if topic not in covered and topic in shelf.topics)
    if more:
        yield Message("why.covers_too", topics=more)
    kinds = {other.kind for other in others}
    if item.kind not in kinds and item.kind in {"video", "course", "book", "paper", "docs", "slides"}:
        yield Message(f"why.only_{item.kind}")
    if item.minutes and item.minutes >= LONG_MINUTES:
        yield Message("why.whole", hours=round(item.minutes / 60))
    if item.mentions > 1 and all(item.mentions > other.mentions for other in others):
        yield Message("why.listed", n=item.mentions)
    if item.url and others and all(other.own for other in others):
        yield Message("why.another_voice")
    if others and LEVELS.index(item.level) > max(LEVELS.index(other.level) for other in others):
        yield Message("why.furthest")
    times = [other.minutes for other in others if other.minutes]
    if item.minutes and times and item.minutes < min(times):
        yield Message("why.shortest", n=item.minutes)


def _read_before(shelf: Shelf, item: Item, history: History, lang: str) -> Iterator[Message]:
    """The last thing that the member finished and that this one rests on."""
    for done_id, _event in reversed(history.evidence):
        done = shelf.by_id.get(done_id)
        if done is not None and done_id in history.done and shelf.rests_on(item, done):
            yield Message("why.solved" if done.kind == "problem" else "why.read", title=done.title(lang))
            return


def _warnings(candidate: Candidate, lang: str) -> Iterator[Message]:
    """What to know before opening it."""
    item = candidate.item
    if candidate.away and candidate.because_of is None:
        far = "far_" if abs(candidate.away) > 1 else ""
        yield Message(f"why.{far}above" if candidate.away > 0 else f"why.{far}below")
    if lang not in item.langs:
        yield Message(f"why.in_{item.langs[0]}")
    if item.link_state == "unreachable":
        yield Message("why.unreachable")
