"""What to do after an answer: a reading or two, the problem that practises it, questions that its pages answer."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import numpy as np

from knowledge.ask.answer import Answer, NextSteps
from knowledge.ask.followup import leans_on_another
from knowledge.ask.intents import Wish
from knowledge.content import Content, Definition, Level
from knowledge.definitions import definition_of
from knowledge.errors import SafeError
from knowledge.readings import Reading
from knowledge.recommend import Recommendation, Recommender, Request
from knowledge.recommend.history import History, estimated_level
from knowledge.recommend.reasons import reading_of
from knowledge.recommend.shelf import LEVELS, Item, Shelf
from knowledge.search.searcher import Findings, Hit, Searcher
from knowledge.store.scope import Scope
from knowledge.text.fold import fold
from knowledge.words import FOLDER, Message, core_languages, language_codes, read_table

MOST_READINGS = 2
HEARD = frozenset({"remark.understood", "remark.missing"})
"""What is said of a wish that names more than a topic."""
_OF_ANOTHER_KIND = frozenset({"remark.no_such_kind", "remark.no_such_kind_at_level"})
MOST_QUESTIONS = 3
FEWEST_WISHED = 3
"""Readings for a wish: where its level and kind have fewer, others fill up."""
LONGEST_QUESTION = 80
"""Characters of a question to ask next: what a button of Discord shows."""
_TRIED = 4
"""Headings that are tried as questions; each costs a search."""
_SPACE = re.compile(r"\s+")


class AfterAnAnswer:
    """Reads the shelf, the member's history and the pages that the answer cites."""

    def __init__(self, content: Content, recommender: Recommender) -> None:
        self._content = content
        self._recommender = recommender

    async def readings_for(self, wish: Wish, lang: str, scope: Scope, member: str | None) -> tuple[Reading, ...]:
        """What was wished for; without its kind or at another level where there is nothing else."""
        shelf, history = await self._recommender.shelf(scope), await self._recommender.history(member)
        level = wish.level or estimated_level(shelf, history, wish.topic)[0] or _lowest(shelf, wish.topic)
        nearest = sorted(LEVELS, key=lambda other: abs(LEVELS.index(other) - LEVELS.index(level)))
        found: dict[str, Reading] = {}
        for kinds, each in itertools.product(dict.fromkeys((wish.kinds, frozenset[str]())), nearest):
            request = Request(each, wish.topic, lang=lang, kinds=kinds)
            items = (await self._recommender.recommend(scope, request, member)).items
            found |= {item.resource_id: item for item in items if item.resource_id not in found}
            if len(found) >= FEWEST_WISHED:
                break
        return tuple(found.values())

    async def wished_in_words(self, wish: str, lang: str, scope: Scope, member: str | None) -> Recommendation | None:
        """The list of a wish that names more than a topic, as `/recommend` reads it; None for any other."""
        try:
            found = await self._recommender.answer(scope, None, wish, lang, member)
        except SafeError:
            return None
        said = {remark.id for remark in found.remarks}
        return found if found.items and said & HEARD and not said & _OF_ANOTHER_KIND else None

    async def steps(
        self, answer: Answer, findings: Findings | None, searcher: Searcher, scope: Scope, member: str | None
    ) -> NextSteps:
        """Of an answer whose page or definition belongs to a topic; nothing after a refusal or a list of readings.

        A page that perhaps answers says nothing of what to ask next.
        """
        if answer.status == "refused" or answer.readings:
            return NextSteps()
        shelf, history = await self._recommender.shelf(scope), await self._recommender.history(member)
        certain = answer.status == "answered"
        questions = await asyncio.to_thread(self._questions, answer, findings, searcher, scope) if certain else ()
        item = next((shelf.by_id[id_] for id_ in _cited(answer) if id_ in shelf.by_id), None)
        if item is None:
            return NextSteps(questions=questions)
        level = estimated_level(shelf, history, item.subject)[0] or item.level
        request = Request(level, item.subject, lang=answer.lang)
        found = (await self._recommender.recommend(scope, request, member)).items
        readings = [one for one in found if one.kind != "problem" and one.resource_id not in set(_cited(answer))]
        problem = _problem(shelf, item.subject, level, history, answer.lang)
        return NextSteps(tuple(readings[:MOST_READINGS]), problem, questions)

    def _questions(
        self, answer: Answer, findings: Findings | None, searcher: Searcher, scope: Scope
    ) -> tuple[str, ...]:
        """From the headings around what was quoted, then from terms that the cited note explains."""
        asked = fold(answer.asked).lower()
        found: dict[str, None] = {}
        for question in (*self._of_headings(answer, findings, searcher, scope), *self._of_terms(answer)):
            names = definition_of(question, self._content.definitions)
            if names and any(fold(name).lower() in asked for name in (*names.term.en, *names.term.zh)):
                continue
            if len(question) <= LONGEST_QUESTION and fold(question).lower() != asked:
                found[question] = None
            if len(found) == MOST_QUESTIONS:
                break
        return tuple(found)

    def _of_headings(
        self, answer: Answer, findings: Findings | None, searcher: Searcher, scope: Scope
    ) -> Iterator[str]:
        """A heading that is a question and leads back to its own section, or that names a term.

        A single word, such as Performance, names one only in the note that explains it.
        """
        tried = 0
        for hit, heading in _neighbours(answer, findings):
            term = self._content.definitions.named(heading)
            if term and (" " in heading.strip() or f"note:{term.note}" == hit.passage.resource_id):
                yield self._what_is(term, answer.lang)
            elif not term and _is_question(heading) and tried < _TRIED:
                tried += 1
                question = heading if heading[-1] in "?？" else heading + ("？" if answer.lang == "zh" else "?")
                if _leads_back(question, hit, heading, searcher, scope):
                    yield question

    def _of_terms(self, answer: Answer) -> Iterator[str]:
        """Terms that the first cited note explains and the reply uses, in the order in which it does.

        After a definition also its neighbours: the other terms of the note.
        """
        notes = [id_.removeprefix("note:") for id_ in _cited(answer) if id_.startswith("note:")]
        terms = [term for term in self._content.definitions if term.note in notes[:1]]
        reply = "\n".join(excerpt.text for excerpt in answer.excerpts).lower()
        places = {term.slug: _place(term, reply, answer.lang) for term in terms}
        for term in sorted(terms, key=lambda term: places[term.slug]):
            if places[term.slug] < len(reply) or answer.intent == "definition":
                yield self._what_is(term, answer.lang)

    @staticmethod
    def _what_is(term: Definition, lang: str) -> str:
        return core_languages()[lang]("next.what_is", term=term.title(lang))


def _cited(answer: Answer) -> tuple[str, ...]:
    """Ids of the pages that were quoted; of a definition, the note that says more."""
    noted = (answer.definition.note,) if answer.definition and answer.definition.note else ()
    return tuple(dict.fromkeys((*noted, *(citation.resource_id for citation in answer.citations))))


def _lowest(shelf: Shelf, topic: str) -> Level:
    levels = [item.level for item in shelf.by_topic.get(topic, ()) if item.subject == topic]
    return min(levels, key=LEVELS.index, default="beginner")


def _problem(shelf: Shelf, topic: str, level: Level, history: History, lang: str) -> Reading | None:
    """The problem on the topic that is nearest to the member's level and not solved yet."""
    open_ones = [
        item for item in shelf.by_topic.get(topic, ()) if item.kind == "problem" and item.id not in history.hidden
    ]
    distance = {item.id: abs(LEVELS.index(item.level) - LEVELS.index(level)) for item in open_ones}
    ranked: Iterable[Item] = sorted(
        open_ones, key=lambda item: (item.topics.index(topic), distance[item.id], item.id)
    )
    best = next(iter(ranked), None)
    return reading_of(best, lang, Message("next.practise").text(lang)) if best else None


def _neighbours(answer: Answer, findings: Findings | None) -> Iterator[tuple[Hit, str]]:
    """The other headings of the pages that are cited, nearest to what was quoted first."""
    if findings is None:
        return
    quoted = {(citation.snapshot_id, citation.section) for citation in answer.citations}
    seen: set[int] = set()
    for citation in answer.citations:
        hit = next((one for one in (*findings.home, *findings.hits) if _is_of(one, citation.snapshot_id)), None)
        if hit is None or citation.snapshot_id in seen:
            continue
        seen.add(citation.snapshot_id)
        yield from (
            (hit, heading) for section, heading in _headings(hit) if (citation.snapshot_id, section) not in quoted
        )


def _is_of(hit: Hit, snapshot_id: int) -> bool:
    return hit.passage.snapshot_id == snapshot_id


def _headings(hit: Hit) -> Sequence[tuple[str, str]]:
    """Section and last heading of every passage of the hit's page, each once, the nearest to the hit first."""
    rows = np.flatnonzero(hit.source.generation.page_of == hit.page)
    nearest = sorted((int(row) for row in rows), key=lambda row: (abs(row - hit.passage.row), row))
    passages = hit.source.generation.passages(nearest)
    found = {one.section: one.headings[-1] for one in reversed(passages) if one.headings and one.section}
    order = dict.fromkeys(one.section for one in passages if one.section in found)
    return [(section, _SPACE.sub(" ", found[section]).strip()) for section in order]


def _leads_back(question: str, hit: Hit, heading: str, searcher: Searcher, scope: Scope) -> bool:
    """Whether the question stands on its own and search brings it back to its section."""
    read = searcher.read(question, guild_id=scope.guild_id)
    if leans_on_another(read) and not any(notion.term or notion.named for notion in read.notions):
        return False
    first = next(iter(searcher.findings(read, 1, guild_id=scope.guild_id).hits), None)
    return (
        first is not None
        and first.passage.headings[-1:] == (heading,)
        and first.passage.resource_id == hit.passage.resource_id
    )


def _is_question(heading: str) -> bool:
    return heading[-1:] in {"?", "？"} or any(shape.search(heading) for shape in _question_shapes())


@cache
def _question_shapes() -> tuple[re.Pattern[str], ...]:
    """How questions begin or end in each language, by the word files."""
    shapes = (
        read_table(FOLDER / code / "asked.toml").get("heading", {}).get("is_question", ())
        for code in language_codes()
    )
    return tuple(re.compile(shape, re.IGNORECASE) for of_language in shapes for shape in of_language)


def _place(term: Definition, reply: str, lang: str) -> int:
    """Where the reply uses the term first; behind its end where it does not."""
    places = [at for name in term.names(lang) if (at := reply.find(name.lower())) >= 0]
    return min(places, default=len(reply))
