"""The ask flow: tell what is asked for, understand, find, read, quote what answers, and say how certain it is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from knowledge.ask.answer import Answer, Status
from knowledge.ask.before_search import BeforeSearch
from knowledge.ask.certainty import Features, beside_the_subject, features_of, names_the_field, shipped_scale
from knowledge.ask.choose import choose
from knowledge.ask.definition_answer import about, beginning_with
from knowledge.ask.followup import leans_on_another, with_subject
from knowledge.ask.in_parts import Looked, Part, answer_of
from knowledge.ask.intents import Asked
from knowledge.ask.nearest_readings import nearest_pages
from knowledge.ask.pasted_code import Mistake, said_of
from knowledge.ask.same_words import with_the_same_words
from knowledge.ask.weighing import WeighedPassage, weigh
from knowledge.reader.model import Reader
from knowledge.readings import Reading
from knowledge.search.question import Question
from knowledge.search.searcher import Findings, Hit, Searcher, checked
from knowledge.store.scope import Scope
from knowledge.text.fold import fold, visible
from knowledge.text.language import Lang, language_of_asker
from knowledge.words import Message

_PASSAGES = 20
_OF_ONE_PAGE = 6
_AMONG = 40
"""Passages among which those of a group's own pages, or those with the words of an error, are looked for."""
_LINKS = 2
"""Among the readings of a refusal: a page or two elsewhere may say what none of ours does."""
_LEAST_CERTAIN = -20.0
"""Log-odds of a question with nothing to weigh; a column of JSON holds no infinity."""
STUDYING = "study-guides"
"""The topic of pages on where to start and what to read."""
_EVERYONE = Scope()

NearReadings = Callable[[Sequence[Hit], str, Scope], Awaitable[Sequence[Reading]]]
"""What to read instead of an answer, from the passages that came nearest."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """Everything between a question and its answer; the evaluation and the fitting look into it."""

    findings: Findings
    read: tuple[WeighedPassage, ...]
    """Strongest first."""
    features: Features | None
    log_odds: float


class _Clock:
    def __init__(self) -> None:
        self._start = self._since = time.perf_counter()
        self.ms: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.ms[stage], self._since = round(1000 * (now - self._since), 2), now
        self.ms["total"] = round(1000 * (now - self._start), 2)


class Asker:
    def __init__(
        self,
        searcher: Searcher,
        reader: Reader,
        readings: NearReadings | None = None,
        before_search: BeforeSearch | None = None,
    ) -> None:
        """Without it, every message is a question to the pages: so are mirrors measured."""
        self._searcher = searcher
        self._reader = reader
        self._scale = shipped_scale()
        self._readings = readings or nearest_pages
        self._before_search = before_search

    async def ask(
        self,
        question: str,
        lang: str | None = None,
        follow_up_of: str | None = None,
        scope: Scope = _EVERYONE,
        member: str | None = None,
    ) -> Answer:
        """One answer. BadInput says what is wrong with a question, IndexUnusable what is wrong with the index."""
        if self._before_search is None:
            answer, findings = await asyncio.to_thread(self.extract, question, lang, follow_up_of, scope)
            return await self._finished(answer, findings, scope)
        typed = checked(question)
        question = await asyncio.to_thread(self._spelled, self._before_search, question, scope)
        asked = await asyncio.to_thread(self._before_search.asked, visible(question).strip(), follow_up_of)
        answer, found = await asyncio.to_thread(
            self._answered, self._before_search, asked, question, lang, follow_up_of, scope
        )
        near = await self._links(question, answer.lang, scope) if asked.wish else ()
        answer = await self._before_search.to_read(asked, answer, scope, member, near)
        if found is not None:
            answer = await self._finished(answer, found, scope)
        steps = await self._before_search.steps(answer, found, self._searcher, scope, member)
        return replace(answer, next=steps, read_as="" if checked(question) == typed else checked(question))

    def _spelled(self, before_search: BeforeSearch, question: str, scope: Scope) -> str:
        """Without typos: what the member may see has none of the words that are changed, so that nothing is lost."""
        return before_search.spelled(visible(question).strip(), self._searcher.vocabulary(scope.guild_id))

    async def _links(self, question: str, lang: str, scope: Scope) -> Sequence[Reading]:
        """What is listed near the question, as readings."""
        understood = self._searcher.read(question, guild_id=scope.guild_id)
        return await self._readings(await asyncio.to_thread(self._searcher.links, understood), lang, scope)

    async def _finished(self, answer: Answer, findings: Findings, scope: Scope) -> Answer:
        """A refusal with what to read instead, the nearest page and links first; other answers as they are.

        What names nothing of the field has nothing near: to `a good place for noodles` no reading is offered.
        """
        if answer.status != "refused" or not names_the_field(findings):
            return answer
        links = await asyncio.to_thread(self._searcher.links, findings.question, _LINKS)
        nearest = (*findings.hits[:1], *links, *findings.hits[1:])
        return replace(answer, readings=tuple(await self._readings(nearest, answer.lang, scope)))

    def _answered(
        self,
        before_search: BeforeSearch,
        asked: Asked,
        question: str,
        lang: str | None,
        follow_up_of: str | None,
        scope: Scope,
    ) -> tuple[Answer, Findings | None]:
        """By what is asked for; without findings where no page was looked into."""
        lang = lang or language_of_asker(fold(question))
        plain = Answer("answered", lang, checked(question), intent=asked.intent, generation=self._searcher.generation)
        if at_once := before_search.at_once(asked, plain):
            return at_once, None
        if asked.intent == "definition":
            return self._defined(before_search, asked, question, lang, scope)
        if asked.intent == "material":
            return self._on_studying(question, plain, scope)
        if asked.intent == "code":
            return self._of_code(asked.mistakes, plain, scope)
        if asked.intent == "error":
            return self._of_error(asked.search_for, lang, scope)
        if asked.intent == "group":
            return self._of_group(question, lang, scope)
        if (
            parts := ()
            if follow_up_of
            else before_search.parts(question, lambda text: self.understood(text, None, scope))
        ):
            return self._in_parts(before_search, parts, plain, scope)
        if first := before_search.defined_first(question):
            return self._defined(before_search, first, question, lang, scope, asks_more=True)
        answer, findings = self.extract(question, lang, follow_up_of, scope)
        return before_search.corrected(question, before_search.compared(question, answer)), findings

    def _reads(self, scope: Scope) -> Callable[[str], Question]:
        return partial(self._searcher.read, guild_id=scope.guild_id)

    def _in_parts(
        self, before_search: BeforeSearch, parts: Sequence[Part], plain: Answer, scope: Scope
    ) -> tuple[Answer, Findings]:
        """Each part searched and read for itself, then one answer to all of them."""
        clock = _Clock()
        looked = []
        for part in parts:
            findings = self._search(replace(part.question, lang=_known(plain.lang)), scope, _AMONG)
            if part.known:
                beginnings = before_search.beginnings(part, plain.lang, findings)
                looked.append(Looked(part, findings, "answered", beginnings))
                continue
            weighed, status = self._judged(findings)
            looked.append(Looked(part, findings, status, read=weighed.read, log_odds=weighed.log_odds))
        clock.lap("read")
        answer = before_search.corrected(plain.asked, answer_of(looked, plain))
        clock.lap("quote")
        return replace(answer, timings_ms=clock.ms), looked[0].findings

    def _defined(
        self,
        before_search: BeforeSearch,
        asked: Asked,
        question: str,
        lang: str,
        scope: Scope,
        *,
        asks_more: bool = False,
    ) -> tuple[Answer, Findings | None]:
        """The definition first, then what the pages about the term say more; or all pages, where more is asked."""
        clock = _Clock()
        understood = replace(self._searcher.read(question, guild_id=scope.guild_id), lang=_known(lang))
        findings = self._search(understood, scope, _AMONG)
        clock.lap("search")
        beginning = before_search.beginning(asked, lang, findings)
        names = asked.definition.names(lang) if asked.definition else ()
        if not asks_more:
            findings = about(beginning, findings, names)
        found, said = self._quoted(understood, findings, lang, clock), before_search.said_again(asked, lang)
        return beginning_with(beginning, found, names, said), findings

    def _on_studying(self, question: str, plain: Answer, scope: Scope) -> tuple[Answer, Findings | None]:
        """What notes on how to study say of it, if they do; the readings themselves are recommended."""
        clock = _Clock()
        understood = replace(self._searcher.read(question, guild_id=scope.guild_id), lang=_known(plain.lang))
        findings = self._search(understood, scope, _AMONG)
        clock.lap("search")
        home = tuple(hit for hit in findings.home if STUDYING in hit.passage.topics)
        found = self._quoted(understood, replace(findings, hits=home, home=home), plain.lang, clock)
        kept = found if found.status == "answered" else replace(plain, timings_ms=clock.ms)
        return replace(kept, intent="material"), None

    def _of_code(self, mistakes: Sequence[Mistake], plain: Answer, scope: Scope) -> tuple[Answer, Findings]:
        """What is wrong at the line that shows it, then what a page says of the first mistake."""
        clock = _Clock()
        asked = mistakes[0].asked.text(plain.lang)
        findings = self._search(replace(self._searcher.read(asked), lang=_known(plain.lang)), scope)
        clock.lap("search")
        found = self._quoted(findings.question, findings, plain.lang, clock, passages=1)
        shown = found if found.status == "answered" else replace(plain, timings_ms=clock.ms)
        return replace(shown, status="answered", intent="code", asked=plain.asked, said=said_of(mistakes)), findings

    def _of_error(self, words: str, lang: str, scope: Scope) -> tuple[Answer, Findings]:
        """By the words of the message: pages that print them come first and do answer; others perhaps do."""
        clock = _Clock()
        understood = replace(self._searcher.read(words, guild_id=scope.guild_id), lang=_known(lang))
        found = with_the_same_words(words, self._search(understood, scope, _AMONG))
        clock.lap("search")
        answer = self._quoted(understood, found.findings, lang, clock, certain=found.certain)
        unprinted = answer.status == "answered" and not found.certain
        return replace(answer, intent="error", status="perhaps" if unprinted else answer.status), found.findings

    def _of_group(self, question: str, lang: str, scope: Scope) -> tuple[Answer, Findings | None]:
        """Out of what the group itself added; where that does not say it for certain, we say so."""
        clock = _Clock()
        understood = self._searcher.read(question, guild_id=scope.guild_id)
        findings = self._search(understood, scope, _AMONG)
        shared = self._searcher.generation
        own = tuple(hit for hit in findings.hits if hit.source.name != shared)
        clock.lap("search")
        findings = replace(findings, hits=own, home=own)
        answer = replace(self._quoted(understood, findings, lang, clock), intent="group")
        if answer.status != "answered":
            unknown = Message("said.group_unknown")
            return replace(answer, status="refused", excerpts=(), citations=(), said=unknown), None
        return answer, findings

    def extract(
        self, question: str, lang: str | None = None, follow_up_of: str | None = None, scope: Scope = _EVERYONE
    ) -> tuple[Answer, Findings]:
        """The answer out of excerpts alone, without readings; blocks for a tenth of a second."""
        clock = _Clock()
        understood = self.understood(question, follow_up_of, scope)
        clock.lap("understand")
        findings = self._search(understood, scope)
        clock.lap("search")
        return self._quoted(understood, findings, lang or findings.question.lang, clock), findings

    def _quoted(
        self,
        understood: Question,
        findings: Findings,
        lang: str,
        clock: _Clock,
        *,
        certain: bool = False,
        passages: int | None = None,
    ) -> Answer:
        """What was found, read and cut into excerpts; `certain` where something else than the reader says so.

        Of the `passages` strongest ones, where a number is given.
        """
        weighed, status = self._judged(findings)
        clock.lap("read")
        if certain and weighed.read:
            status = "answered"
        answer = Answer(
            status=status,
            lang=lang,
            asked=understood.text,
            certainty=round(max(weighed.log_odds, _LEAST_CERTAIN), 3),
            generation=self._searcher.generation,
            timings_ms=clock.ms,
        )
        if status == "refused":
            return answer
        asked = findings.question
        chosen = choose(
            weighed.read[:passages],
            lang,
            code_first=asked.wants_code,
            with_code=asked.wants_way or asked.wants_code,
        )
        clock.lap("quote")
        return replace(answer, excerpts=chosen.excerpts, citations=chosen.citations)

    def _judged(self, findings: Findings) -> tuple[Weighed, Status]:
        """What was read, and how certain it is that it answers."""
        weighed = self._weighed(findings)
        status = self._scale.status(weighed.log_odds)
        if status == "perhaps" and beside_the_subject(findings, weighed.read, weighed.log_odds):
            status = "refused"
        return weighed, status

    def weigh(self, question: str, follow_up_of: str | None = None, scope: Scope = _EVERYONE) -> Weighed:
        """The way to the answer, for fitting and evaluation."""
        return self._weighed(self._search(self.understood(question, follow_up_of, scope), scope))

    def understood(self, question: str, follow_up_of: str | None, scope: Scope) -> Question:
        """The question, read once; read again with the subject of the one it follows up, where it leans on that."""
        read = self._searcher.read(question, guild_id=scope.guild_id)
        if follow_up_of is None or not leans_on_another(read):
            return read
        return self._searcher.read(with_subject(follow_up_of, read), guild_id=scope.guild_id)

    def _search(self, question: Question, scope: Scope, most: int = _PASSAGES) -> Findings:
        return self._searcher.findings(question, most, guild_id=scope.guild_id, per_page=_OF_ONE_PAGE, at_home=True)

    def _weighed(self, findings: Findings) -> Weighed:
        """Both languages say whether there is an answer; of a translated page, the asker's version is read."""
        at_home = replace(findings, hits=findings.home)
        read = weigh(self._reader, at_home)
        features = features_of(at_home, read)
        log_odds = self._scale.log_odds(features) if features else float("-inf")
        return Weighed(findings, read, features, log_odds)


def _known(lang: str) -> Lang:
    """The language of pages to prefer; English for one that no pages are in."""
    return "zh" if lang == "zh" else "en"
