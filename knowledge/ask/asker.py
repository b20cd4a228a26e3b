"""The ask flow: understand, find, weigh, quote or refuse."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from knowledge.ask.answer import Answer
from knowledge.ask.choose import choose, choose_code, quoted
from knowledge.ask.doubt import Calibration, Doubts, doubts, shipped
from knowledge.ask.evidence import Sentence, sentences_of
from knowledge.ask.followup import leans_on_another, with_subject
from knowledge.ask.nearest import nearest_pages
from knowledge.ask.weighing import by_merit
from knowledge.library.embed import Embedder
from knowledge.readings import Reading
from knowledge.search.searcher import Findings, Hit, Searcher
from knowledge.store.scope import Scope
from knowledge.text.language import Lang
from knowledge.text.sentences import Span

_PASSAGES = 12
_OF_ONE_PAGE = 6
_EVERYONE = Scope()

NearReadings = Callable[[Sequence[Hit], Lang, Scope], Awaitable[Sequence[Reading]]]
"""What to read instead of an answer, from the passages that came nearest."""
Rewording = Callable[[Answer, Findings], Awaitable[Answer]]
"""A language model's turn; it hands back the answer as it was where it does not pass the checks."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Everything between a question and its answer; the evaluation looks into it."""

    findings: Findings
    weighed: list[tuple[float, Sentence]]
    doubts: Doubts | None
    log_odds: float
    answered: bool


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
        embedder: Embedder,
        readings: NearReadings | None = None,
        rewording: Rewording | None = None,
    ) -> None:
        self._searcher = searcher
        self._embedder = embedder
        self._readings = readings or nearest_pages
        self._rewording = rewording

    async def ask(
        self,
        question: str,
        lang: Lang | None = None,
        follow_up_of: str | None = None,
        scope: Scope = _EVERYONE,
    ) -> Answer:
        """One answer. BadInput says what is wrong with a question, IndexUnusable what is wrong with the index."""
        answer, findings = await asyncio.to_thread(self.extract, question, lang, follow_up_of, scope)
        if answer.status == "refused":
            return replace(answer, readings=tuple(await self._readings(findings.hits, answer.lang, scope)))
        return await self._rewording(answer, findings) if self._rewording else answer

    def extract(
        self, question: str, lang: Lang | None = None, follow_up_of: str | None = None, scope: Scope = _EVERYONE
    ) -> tuple[Answer, Findings]:
        """The answer out of quotes alone, without readings; blocks for some milliseconds."""
        clock = _Clock()
        text = self.understood(question, follow_up_of, scope)
        clock.lap("understand")
        findings = self._search(text, scope)
        clock.lap("search")
        judged = self._judged(findings)
        clock.lap("weigh")
        bare = Answer(
            status="refused",
            lang=lang or findings.question.lang,
            asked=text,
            log_odds=round(judged.log_odds, 3),
            generation=self._searcher.generation,
            timings_ms=clock.ms,
        )
        if not judged.answered:
            return bare, findings
        picked = _picked(findings, judged, bare.lang)
        answer = quoted(replace(bare, status="answered"), picked) if picked else bare
        clock.lap("quote")
        return answer, findings

    def judge(self, question: str, follow_up_of: str | None = None, scope: Scope = _EVERYONE) -> Judged:
        """The way to the answer, for fitting and evaluation."""
        return self._judged(self._search(self.understood(question, follow_up_of, scope), scope))

    def understood(self, question: str, follow_up_of: str | None, scope: Scope) -> str:
        """The question with the subject of the one it follows up, where it leans on that."""
        read = self._searcher.read(question, guild_id=scope.guild_id)
        return with_subject(follow_up_of, read) if follow_up_of and leans_on_another(read) else read.text

    def _search(self, text: str, scope: Scope) -> Findings:
        return self._searcher.findings(text, _PASSAGES, guild_id=scope.guild_id, per_page=_OF_ONE_PAGE, at_home=True)

    def _judged(self, findings: Findings) -> Judged:
        weighed = by_merit(sentences_of(findings))
        found = doubts(findings, weighed, self._embedder)
        if found is None:
            return Judged(findings, weighed, None, float("-inf"), answered=False)
        calibration = self._calibration(findings)
        # However near a passage is, one that says nothing of what was asked is no answer.
        log_odds = calibration.log_odds(found) if found.told else float("-inf")
        return Judged(findings, weighed, found, log_odds, answered=log_odds >= calibration.bar)

    def _calibration(self, findings: Findings) -> Calibration:
        """Of the index that the best passage is from."""
        row = findings.hits[0].source.calibration.get(findings.question.lang)
        return Calibration.of(row) if row else shipped()[findings.question.lang]


def _picked(findings: Findings, judged: Judged, lang: Lang) -> tuple[tuple[Hit, Span], ...]:
    """What to quote. Both languages say whether there is an answer; the asker's speaks where it can."""
    at_home = findings.home != findings.hits
    weighed = by_merit(sentences_of(replace(findings, hits=findings.home))) if at_home else judged.weighed
    code = choose_code(findings.home)
    return (code if findings.question.wants_code else ()) or choose(weighed, lang) or code
