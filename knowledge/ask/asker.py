"""The ask flow: understand, find, read, quote what answers, and say how certain it is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from knowledge.ask.answer import Answer
from knowledge.ask.certainty import Features, features_of, shipped_scale
from knowledge.ask.choose import choose
from knowledge.ask.followup import leans_on_another, with_subject
from knowledge.ask.nearest import nearest_pages
from knowledge.ask.weighing import WeighedPassage, weigh
from knowledge.reader.model import Reader
from knowledge.readings import Reading
from knowledge.search.question import Question
from knowledge.search.searcher import Findings, Hit, Searcher
from knowledge.store.scope import Scope

_PASSAGES = 12
_OF_ONE_PAGE = 6
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
    ) -> None:
        self._searcher = searcher
        self._reader = reader
        self._scale = shipped_scale()
        self._readings = readings or nearest_pages

    async def ask(
        self,
        question: str,
        lang: str | None = None,
        follow_up_of: str | None = None,
        scope: Scope = _EVERYONE,
    ) -> Answer:
        """One answer. BadInput says what is wrong with a question, IndexUnusable what is wrong with the index."""
        answer, findings = await asyncio.to_thread(self.extract, question, lang, follow_up_of, scope)
        if answer.status == "refused":
            return replace(answer, readings=tuple(await self._readings(findings.hits, answer.lang, scope)))
        return answer

    def extract(
        self, question: str, lang: str | None = None, follow_up_of: str | None = None, scope: Scope = _EVERYONE
    ) -> tuple[Answer, Findings]:
        """The answer out of excerpts alone, without readings; blocks for a tenth of a second."""
        clock = _Clock()
        understood = self.understood(question, follow_up_of, scope)
        clock.lap("understand")
        findings = self._search(understood, scope)
        clock.lap("search")
        weighed = self._weighed(findings)
        clock.lap("read")
        lang = lang or findings.question.lang
        status = self._scale.status(weighed.log_odds)
        answer = Answer(
            status=status,
            lang=lang,
            asked=understood.text,
            certainty=round(weighed.log_odds, 3),
            generation=self._searcher.generation,
            timings_ms=clock.ms,
        )
        if status == "refused":
            return answer, findings
        chosen = choose(weighed.read, lang, code_first=findings.question.wants_code)
        clock.lap("quote")
        return replace(answer, excerpts=chosen.excerpts, citations=chosen.citations), findings

    def weigh(self, question: str, follow_up_of: str | None = None, scope: Scope = _EVERYONE) -> Weighed:
        """The way to the answer, for fitting and evaluation."""
        return self._weighed(self._search(self.understood(question, follow_up_of, scope), scope))

    def understood(self, question: str, follow_up_of: str | None, scope: Scope) -> Question:
        """The question, read once; read again with the subject of the one it follows up, where it leans on that."""
        read = self._searcher.read(question, guild_id=scope.guild_id)
        if follow_up_of is None or not leans_on_another(read):
            return read
        return self._searcher.read(with_subject(follow_up_of, read), guild_id=scope.guild_id)

    def _search(self, question: Question, scope: Scope) -> Findings:
        return self._searcher.findings(
            question, _PASSAGES, guild_id=scope.guild_id, per_page=_OF_ONE_PAGE, at_home=True
        )

    def _weighed(self, findings: Findings) -> Weighed:
        """Both languages say whether there is an answer; of a translated page, the asker's version is read."""
        at_home = replace(findings, hits=findings.home)
        read = weigh(self._reader, at_home)
        features = features_of(at_home, read)
        log_odds = self._scale.log_odds(features) if features else float("-inf")
        return Weighed(findings, read, features, log_odds)
