"""An answer that begins with a definition: a term of the glossary, or the first sentences of a topic's note."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from knowledge.ask.answer import MOST_CHARACTERS, Answer, Citation, Defined, Excerpt
from knowledge.ask.choose import MOST_EXCERPTS
from knowledge.ask.marks import MOST_MARKED_CHARACTERS
from knowledge.content import Definition, Note
from knowledge.content.topics import plain_name
from knowledge.library.passages import Passage
from knowledge.search.searcher import Findings, Hit
from knowledge.text.sentences import Span, sentences
from knowledge.text.tokens import tokens

_LONGEST_OPENING = 330
"""Characters of the first sentences of a note that are quoted as its definition; the first one counts in any case."""
_REPEATED = 0.6
"""Share of an excerpt's marked words that the definition says, from which the excerpt adds nothing."""
_SOURCE_MARK = re.compile(r"\[\^[\w-]{1,60}\]")

Beginning = tuple[Defined, Excerpt, Citation]


def of_term(term: Definition, lang: str) -> Beginning:
    """The definition as it stands in content/definitions; its citation opens the term's page."""
    text, name = term.text.text(lang), term.title(lang)
    note = f"note:{term.note}" if term.note else None
    defined = Defined(f"term:{term.slug}", name, text, term.source.what, term.source.url, note)
    path = f"definitions/{term.term.area}.yaml"
    citation = Citation(1, defined.id, 0, f"/terms/{term.slug}", name, "", path, lang)
    return defined, Excerpt(text, 0, (Span(0, len(text)),), 1), citation


def of_note(note: Note, indexed: Iterable[Passage]) -> Beginning:
    """The note's first sentences, where its page is indexed as they stand there."""
    text = opening(note)
    passage = next((one for one in indexed if one.resource_id == note.id and text in one.text), None)
    source = next(iter(note.sources), None)
    bare = _SOURCE_MARK.sub("", text)
    defined = Defined(
        note.id, note.title, bare, source.what if source else note.title, source.url if source else None, note.id
    )
    citation = Citation(
        n=1,
        resource_id=note.id,
        snapshot_id=passage.snapshot_id if passage else 0,
        url=note.id,
        title=note.title,
        section="",
        path=note.path,
        lang=note.lang,
        snapshot_at=passage.fetched_at if passage else None,
    )
    start = passage.start + passage.text.index(text) if passage else note.body.index(text)
    return defined, Excerpt(text, start, (Span(0, len(text)),), 1), citation


def opening(note: Note) -> str:
    """The first sentences of the first paragraph, as many as are short."""
    paragraph = note.body.strip().split("\n\n", 1)[0]
    spans = sentences(paragraph)
    last = max((span.end for span in spans if span.end <= _LONGEST_OPENING), default=spans[0].end if spans else 0)
    return paragraph[: last or len(paragraph)]


def beginning_with(beginning: Beginning, found: Answer, names: Sequence[str], said: str = "") -> Answer:
    """The definition first, then of the excerpts that were found those that say more of the same thing.

    `said` is how the term's note begins: with the definition, in other words.
    """
    defined, excerpt, citation = beginning
    excerpts, citations, numbers = [excerpt], [citation], dict[int, int]()
    by_number = {one.n: one for one in found.citations}
    for more in found.excerpts if found.status == "answered" else ():
        cited = by_number[more.citation]
        if len(excerpts) == MOST_EXCERPTS or not _says_more(more, defined, names):
            continue
        if sum(len(one.text) for one in (*excerpts, more)) > MOST_CHARACTERS or more.text in excerpt.text:
            continue
        if said and more.text.startswith(said):
            continue
        if cited.n not in numbers:
            numbers[cited.n] = len(citations) + 1
            citations.append(replace(cited, n=numbers[cited.n]))
        excerpts.append(replace(more, citation=numbers[cited.n]))
    return replace(
        found,
        status="answered",
        intent="definition",
        definition=defined,
        excerpts=tuple(marked_within(excerpts, MOST_MARKED_CHARACTERS)),
        citations=tuple(citations),
    )


def comparing(terms: Sequence[Definition], found: Answer) -> Answer:
    """The definition of each term that is compared, then what was found that names all of them."""
    beginnings = [of_term(term, found.lang) for term in terms]
    excerpts = [replace(excerpt, citation=n) for n, (_, excerpt, _) in enumerate(beginnings, start=1)]
    citations = [replace(citation, n=n) for n, (_, _, citation) in enumerate(beginnings, start=1)]
    by_number = {one.n: one for one in found.citations}
    for more in found.excerpts if found.status == "answered" else ():
        said = more.text.lower()
        names_all = all(any(name.lower() in said for name in term.names(found.lang)) for term in terms)
        fits = sum(len(one.text) for one in (*excerpts, more)) <= MOST_CHARACTERS
        if names_all and fits and len(excerpts) < MOST_EXCERPTS:
            citations.append(replace(by_number[more.citation], n=len(citations) + 1))
            excerpts.append(replace(more, citation=len(citations)))
    return replace(
        found,
        status="answered",
        intent="definition",
        definition=beginnings[0][0],
        excerpts=tuple(marked_within(excerpts, MOST_MARKED_CHARACTERS)),
        citations=tuple(citations),
    )


def about(beginning: Beginning, findings: Findings, names: Sequence[str]) -> Findings:
    """The passages that may say more: of the note that explains the term, else of pages that it is the title of.

    A longer name holds the term and is another matter: CUDA graphs say nothing of what CUDA is.
    """
    note, titles = beginning[0].note, {plain_name(name) for name in (beginning[0].name, *names)}

    def says_more(hit: Hit) -> bool:
        return hit.passage.resource_id == note if note else plain_name(hit.passage.title) in titles

    return replace(
        findings, hits=tuple(filter(says_more, findings.hits)), home=tuple(filter(says_more, findings.home))
    )


def _says_more(excerpt: Excerpt, defined: Defined, names: Sequence[str]) -> bool:
    """Naming the term, or of the note that was asked for, and not in the words of the definition."""
    on_subject = defined.id == defined.note or any(name.lower() in excerpt.text.lower() for name in names)
    said = [word for part in excerpt.parts if part.marked for word in tokens(part.text)]
    known = set(tokens(defined.text))
    return on_subject and bool(said) and sum(word in known for word in said) < _REPEATED * len(said)


def marked_within(excerpts: Sequence[Excerpt], most: int) -> list[Excerpt]:
    """The excerpts with as many of their marks, from the first on, as have so many characters together."""
    left, kept = most, list[Excerpt]()
    for excerpt in excerpts:
        marks = []
        for span in excerpt.marked:
            left -= span.end - span.start
            if left >= 0 or not kept:
                marks.append(span)
        kept.append(replace(excerpt, marked=tuple(marks)))
    return kept
