"""From weighed sentences to quotes: few, without repeats, in one language, short enough for one message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import quote as percent

from knowledge.ask.answer import MOST_CHARACTERS, Answer, Citation, Quote
from knowledge.ask.evidence import Sentence
from knowledge.library.passages import Passage
from knowledge.search.searcher import Hit
from knowledge.text.language import Lang
from knowledge.text.sentences import Span

MOST_SENTENCES = 4
_LONGEST_QUOTE = 600
_LONGEST_CODE = 1300
_LONGEST_LABEL = 90
_SAME_LANGUAGE = 0.2
"""How much better than the asker's language another one has to be."""
_FAR_BEHIND = 3.0
"""A sentence so much weaker than the best is left out."""
_CODE_BEHIND = 2.5
_SPACE = re.compile(r"\s+")
_SOURCE_MARK = re.compile(r"\[\^[\w-]{1,60}\]")
"""How our notes point at their sources: kept in the quote, left out of what is shown."""
_CLAUSE = re.compile(r"[,;:，；：、]\s*|\s")
_Picked = tuple[Hit, Span]


def choose(weighed: Sequence[tuple[float, Sentence]], lang: Lang) -> tuple[_Picked, ...]:
    """Up to four sentences; neighbours join into one quote."""
    ours = _in_one_language(weighed, lang)
    if not ours:
        return ()
    best, first = ours[0]
    picked = [first, *_neighbour(first, ours)]
    seen = {_plain(sentence.text) for sentence in picked}
    for merit, sentence in ours:
        if len(picked) == MOST_SENTENCES or merit < best - _FAR_BEHIND:
            break
        if _plain(sentence.text) not in seen:
            seen.add(_plain(sentence.text))
            picked.append(sentence)
    return tuple(_joined(picked))


def choose_code(hits: Sequence[Hit]) -> tuple[_Picked, ...]:
    """The best code block, where one ranks near the top."""
    for hit in hits:
        if hit.passage.kind == "code" and hit.score >= hits[0].score - _CODE_BEHIND:
            text = hit.passage.text
            cut = text.rfind("\n", 0, _LONGEST_CODE) if len(text) > _LONGEST_CODE else len(text)
            return ((hit, Span(0, cut if cut > 0 else _LONGEST_CODE)),)
    return ()


def quoted(answer: Answer, picked: Sequence[_Picked]) -> Answer:
    """The answer with as many of the quotes as fit, each with its source."""
    fitting = answer
    for count in range(1, len(picked) + 1):
        quotes, citations = _cited(picked[:count])
        longer = replace(answer, answer=quotes, citations=citations)
        if len(longer.as_text()) > MOST_CHARACTERS and count > 1:
            break
        fitting = longer
    return fitting


def _in_one_language(weighed: Sequence[tuple[float, Sentence]], lang: Lang) -> list[tuple[float, Sentence]]:
    """Those in the language of the question, unless the other one answers clearly better."""
    best: dict[str, float] = {}
    for merit, sentence in weighed:
        best.setdefault(sentence.hit.passage.lang, merit)
    others = [merit for other, merit in best.items() if other != lang]
    if lang in best and (not others or best[lang] >= max(others) - _SAME_LANGUAGE):
        chosen: set[str] = {lang}
    else:
        chosen = {other for other in best if other != lang}
    return [pair for pair in weighed if pair[1].hit.passage.lang in chosen]


def _neighbour(first: Sentence, weighed: Sequence[tuple[float, Sentence]]) -> list[Sentence]:
    """The better one of the sentences before and after: an answer is seldom one sentence alone."""
    source, row, number = first.place
    beside = {(source, row, number - 1), (source, row, number + 1)}
    return [sentence for _, sentence in weighed if sentence.place in beside][:1]


def _joined(picked: Sequence[Sentence]) -> Iterator[_Picked]:
    """In the order of the picks; a sentence that touches an earlier one is quoted together with it."""
    runs: list[list[Sentence]] = []
    for sentence in picked:
        run = next((run for run in runs if _touches(run, sentence)), None)
        if run is None:
            runs.append([sentence])
        else:
            run.append(sentence)
    for run in runs:
        span = Span(min(sentence.span.start for sentence in run), max(sentence.span.end for sentence in run))
        yield run[0].hit, _shortened(run[0].hit.passage.text, span)


def _touches(run: Sequence[Sentence], sentence: Sentence) -> bool:
    text = sentence.hit.passage.text
    for other in run:
        if other.place[:2] == sentence.place[:2] and abs(other.number - sentence.number) == 1:
            first, second = sorted((other.span, sentence.span), key=lambda span: span.start)
            return not text[first.end : second.start].strip()
    return False


def _shortened(text: str, span: Span) -> Span:
    """A very long sentence, such as a row of a table, ends at its last clause that fits: still verbatim."""
    if span.end - span.start <= _LONGEST_QUOTE:
        return span
    ends = [cut.start() for cut in _CLAUSE.finditer(text, span.start, span.start + _LONGEST_QUOTE)]
    return Span(span.start, ends[-1] if ends else span.start + _LONGEST_QUOTE)


def _plain(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def _cited(picked: Sequence[_Picked]) -> tuple[tuple[Quote, ...], tuple[Citation, ...]]:
    citations: dict[tuple[int, str], Citation] = {}
    quotes = []
    for hit, span in picked:
        passage, quote = hit.passage, span.of(hit.passage.text)
        key = (passage.snapshot_id, passage.section)
        source = citations.setdefault(key, _citation(len(citations) + 1, passage, quote))
        code = passage.kind == "code"
        quotes.append(
            Quote(
                text=quote if code else _SPACE.sub(" ", _SOURCE_MARK.sub("", quote)),
                quote=quote,
                start=passage.start + span.start,
                citation=source.n,
                kind=passage.kind,
                code_language=str(passage.meta.get("language", "")) if code else "",
            )
        )
    return tuple(quotes), tuple(citations.values())


def _citation(n: int, passage: Passage, quote: str) -> Citation:
    return Citation(
        n=n,
        resource_id=passage.resource_id,
        snapshot_id=passage.snapshot_id,
        url=deep_link(passage, quote),
        title=_label(passage.title),
        section=_label(passage.section),
        path=passage.path,
        lang=passage.lang,
        snapshot_at=passage.fetched_at,
    )


def deep_link(passage: Passage, quote: str) -> str:
    """At the heading where it has an anchor, else at the first words of the quote, for pages that a browser shows."""
    if passage.anchor or not passage.url.startswith(("http://", "https://")) or passage.page_kind not in {"html", ""}:
        return passage.link
    words = _SPACE.sub(" ", quote).strip()[:40]
    whole = words.rsplit(" ", 1)[0] if " " in words and len(words) == 40 else words
    return f"{passage.url.split('#')[0]}#:~:text={percent(whole, safe='')}"


def _label(text: str) -> str:
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"
