"""What a reader of content/ would stumble over though every file loads: one line for each, with file and place.

The rules are those of CONTRIBUTING.md. Answers quote single sentences of notes, so a sentence has to make sense
alone, and a figure has to say where it comes from.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from knowledge.content.asked import INTRODUCTION, AskedSection
from knowledge.content.definitions import Definitions
from knowledge.content.glossary import Glossary
from knowledge.content.load import Content
from knowledge.content.notes import Note
from knowledge.content.problem_help import chinese_mistakes, help_mistakes
from knowledge.content.problems import ProblemCard
from knowledge.content.resources import Resource
from knowledge.text.sentences import sentences

LENGTHS = {"en": (250, 600), "zh": (400, 1000)}
"""Words of a note; in Chinese each character counts as one."""
SECTIONS = (2, 6)
LENGTHS_OF_QUESTIONS = {"en": (500, 1400), "zh": (800, 1900)}
SECTIONS_OF_QUESTIONS = (8, 16)
"""Of a note whose every heading is a question that its section answers by itself."""
LONGEST_SUMMARY = 160
LONGEST_DEFINITION = {"en": 320, "zh": 160}
"""Characters: one to three sentences."""
LEAST_ASKED = 2
"""Questions that a section answers, in either language."""
LEVELS = ("beginner", "intermediate", "advanced")

_HAN = re.compile(r"[\u4e00-\u9fff]")
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_MARKER = re.compile(r"\[\^([^\]]*)\]")
_WORD_ZH = re.compile(r"[\u4e00-\u9fff]|[A-Za-z0-9_.]+")
_MEASURED = re.compile(
    r"\d[\d,.]*\s?(?:[KMGT]i?B\b(?:/s)?|kB\b|[GT]b/s|GT/s|[MGT]?FLOP\b(?:/s)?|T?OPS\b|[MG]Hz|ns\b|µs|SMs?\b"
    r"|(?:cycles|registers|banks|threads|warps)\b|个\s?(?:SM|周期|寄存器|存储体|线程))|\d[\d.]* ?%(?!\w)"
)
_WORKED = re.compile(r"[=>≈]|\d\s?[×/]\s?\d|\b(?:suppose|take)\b|假设|设某", re.IGNORECASE)
"""A calculation, or a figure that the reader is asked to assume."""
_DANGLING = re.compile(r"(?:It|Its|They|Their|Those)\b|它们?|其(?=[^他余中])|[两二前后]者|这[种样时些个圈]")
"""Openings that mean nothing in a quote of one sentence."""


def mistakes(content: Content) -> Iterator[str]:
    """Every mistake as `file: place: what is wrong`."""
    for note in content.notes:
        yield from (f"{note.path}:{line}: {what}" for line, what in _in_note(note))
    yield from _between_notes(content.notes)
    yield from _in_resources(content.resources)
    yield from _in_glossary(content.glossary)
    yield from _in_definitions(content.glossary, content.definitions)
    yield from _between_problems(content.problems)
    yield from _in_problem_help(content)
    yield from _by_one_name(content)


def unasked(notes: Iterable[Note], asked: Iterable[AskedSection]) -> Iterator[str]:
    """Each section of a note is found by questions in either language."""
    questions = {(one.resource_id, one.headings[0]): one.questions for one in asked}
    for note in (note for note in notes if note.lang == "en"):
        for heading in (INTRODUCTION, *note.headings):
            own = questions.get((note.id, heading), ())
            chinese = sum(_HAN.search(one) is not None for one in own)
            if min(chinese, len(own) - chinese) < LEAST_ASKED:
                place = f"asked/{note.slug}.yaml: {heading or 'the introduction'}"
                yield f"{place}: needs {LEAST_ASKED} questions in English and {LEAST_ASKED} in Chinese"


def _in_note(note: Note) -> Iterator[tuple[int, str]]:
    """Line and mistake."""
    yield from ((1, what) for what in _of_its_form(note))
    yield from ((1, what) for what in _of_its_sources(note))
    for span in sentences(note.body):
        line, sentence = note.body_line + note.body.count("\n", 0, span.start), span.of(note.body)
        if _DANGLING.match(sentence):
            yield line, f"does not name its subject, and answers quote single sentences: {sentence}"
        if _MEASURED.search(sentence) and not _MARKER.search(sentence) and not _WORKED.search(sentence):
            yield line, f"states a figure with neither a source [^id] nor its working: {sentence}"


def _of_its_form(note: Note) -> Iterator[str]:
    prose = _FENCE.sub("", note.body)
    text = _MARKER.sub("", prose)
    words = len(text.split()) if note.lang == "en" else len(_WORD_ZH.findall(text))
    headings = note.headings
    least, most = (LENGTHS_OF_QUESTIONS if note.of_questions else LENGTHS)[note.lang]
    if not least <= words <= most:
        yield f"has {words} words: write {least} to {most}"
    if not re.match(r"[^#`|\-\s]", note.body):
        yield "does not begin with a sentence that says what it is about"
    fewest, many = SECTIONS_OF_QUESTIONS if note.of_questions else SECTIONS
    if not fewest <= len(headings) <= many:
        yield f"has {len(headings)} sections: write {fewest} to {many} headings with ##"
    yield from (f"has the heading {one!r} twice" for one in sorted({h for h in headings if headings.count(h) > 1}))
    if other := re.search(r"^(?:# |###).*$", prose, re.MULTILINE):
        yield f"has a heading that is not of the level ##: {other[0]}"


def _of_its_sources(note: Note) -> Iterator[str]:
    named, used = {source.id for source in note.sources}, set(_MARKER.findall(_FENCE.sub("", note.body)))
    yield from (f"sources: {one!r} is used nowhere: write [^{one}] or take it out" for one in sorted(named - used))
    yield from (f"[^{one}] stands in the text and not in sources" for one in sorted(used - named))
    for source in note.sources:
        if not re.match(r"https?://\S+$", source.url or ""):
            yield f"sources: {source.id!r} has no address"


def _between_notes(notes: Sequence[Note]) -> Iterator[str]:
    pairs: dict[str, dict[str, Note]] = defaultdict(dict)
    for note in notes:
        pairs[note.slug][note.lang] = note
    for slug, pair in pairs.items():
        yield from _between_languages(slug, pair)
    yield from _circles("notes", {note.slug: set(note.needs) & set(pairs) for note in notes})
    level = {note.slug: LEVELS.index(note.level) for note in notes}
    for note in notes:
        for need in note.needs:
            if need not in level:
                yield f"{note.path}:1: needs: no note {need!r}"
            elif level[need] > level[note.slug]:
                yield f"{note.path}:1: needs: {need!r} is harder than this note itself"
        if not note.readings:
            yield f"{note.path}:1: readings: name at least one resource to go on with"
    yield from _shared_sentences(notes)


def _between_languages(slug: str, pair: Mapping[str, Note]) -> Iterator[str]:
    if missing := {"en", "zh"} - set(pair):
        yield f"notes/{missing.pop()}/{slug}.md: is missing: each note is written in both languages"
        return
    en, zh = pair["en"], pair["zh"]
    for key in ("topics", "level", "minutes", "needs", "readings"):
        if getattr(en, key) != getattr(zh, key):
            yield f"{zh.path}:1: {key}: says something else than {en.path}"
    if en.title == zh.title and not en.title.isascii():
        yield f"{en.path}:1: title: is that of the Chinese note"


def _shared_sentences(notes: Sequence[Note]) -> Iterator[str]:
    """A sentence that stands in two notes would be quoted from either, by chance."""
    first: dict[str, str] = {}
    for note in notes:
        for sentence in dict.fromkeys(_MARKER.sub("", span.of(note.body)) for span in sentences(note.body)):
            if len(sentence) > 12 and sentence in first:
                yield f"{note.path}: shares a sentence with {first[sentence]}: {sentence}"
            first.setdefault(sentence, note.path)


def _in_resources(resources: Sequence[Resource]) -> Iterator[str]:
    for resource in resources:
        at, en, zh = f"resources: {resource.id}", resource.summaries.en, resource.summaries.zh
        if len(en) > LONGEST_SUMMARY:
            yield f"{at}: summaries.en: has {len(en)} characters: write at most {LONGEST_SUMMARY}"
        if _HAN.search(en):
            yield f"{at}: summaries.en: holds Chinese"
        if not _HAN.search(zh):
            yield f"{at}: summaries.zh: holds no Chinese"
        if resource.kind == "task" and resource.title_in("zh") == resource.title_in("en"):
            yield f"{at}: titles: a task has a title in both languages"


def _in_glossary(glossary: Glossary) -> Iterator[str]:
    for term in glossary.terms:
        at = f"glossary.yaml: {term.area}: {term.en[0]}"
        yield from (f"{at}: zh: {name!r} holds no Chinese" for name in term.zh if not _HAN.search(name))
        yield from (f"{at}: en: {name!r} holds Chinese" for name in term.en if _HAN.search(name))


def _in_definitions(glossary: Glossary, definitions: Definitions) -> Iterator[str]:
    defined = {(one.term.area, one.term.en[0]) for one in definitions}
    for term in glossary.terms:
        if (term.area, term.en[0]) not in defined:
            yield f"definitions/{term.area}.yaml: {term.en[0]}: is missing: each term of the glossary is defined"
    for one in definitions:
        at = f"definitions/{one.term.area}.yaml: {one.term.en[0]}"
        for lang, longest in LONGEST_DEFINITION.items():
            if len(text := one.text.text(lang)) > longest:
                yield f"{at}: {lang}: has {len(text)} characters: write at most {longest}"
        if _HAN.search(one.text.en):
            yield f"{at}: en: holds Chinese"
        if not _HAN.search(one.text.zh):
            yield f"{at}: zh: holds no Chinese"


def _between_problems(cards: Sequence[ProblemCard]) -> Iterator[str]:
    yield from _circles("problems", {card.slug: set(card.needs) for card in cards})
    for card in cards:
        if not card.readings:
            yield f"problems/{card.slug}/problem.toml: readings: name at least one"


def _in_problem_help(content: Content) -> Iterator[str]:
    for slug, found in content.help.items():
        for file, what in help_mistakes(slug, found, content.solution_times, content.solution_resources):
            yield f"problems/{slug}/{file}: {what}"
        yield from chinese_mistakes(slug, found, content.chinese_names)


def _circles(where: str, needs: Mapping[str, set[str]]) -> Iterator[str]:
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        yield f"{where}: needs: these need each other: {' > '.join(error.args[1])}"


def _by_one_name(content: Content) -> Iterator[str]:
    """Names in our own Chinese texts that are not those of content/chinese_names.yaml."""
    says = content.chinese_names.mistakes
    for topic in content.topics:
        yield from (f"topics.yaml: {topic.id}: title.zh: {what}" for what in says(topic.title.zh))
    for note in (one for one in content.notes if one.lang == "zh"):
        yield from (f"{note.path}:1: title: {what}" for what in says(note.title, note.topics))
        for span in sentences(note.body):
            line = note.body_line + note.body.count("\n", 0, span.start)
            yield from (f"{note.path}:{line}: {what}" for what in says(span.of(note.body), note.topics))
    for resource in content.resources:
        yield from (f"resources: {resource.id}: summaries.zh: {what}" for what in says(resource.summaries.zh))
    for one in content.definitions:
        at = f"definitions/{one.term.area}.yaml: {one.term.en[0]}: zh"
        yield from (f"{at}: {what}" for what in says(one.text.zh, (one.term.area,)))
    for slug, texts in content.texts.items():
        for number, text in enumerate(texts.statements["zh"].splitlines(), 1):
            yield from (f"problems/{slug}/statement.zh.md:{number}: {what}" for what in says(text))
