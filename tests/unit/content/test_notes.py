"""The study notes: whole in both languages, in an order that can be read, each figure with a source or a working."""

from __future__ import annotations

import re
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from knowledge.content import Note, load_notes, load_resources, load_topics
from knowledge.text.sentences import sentences

CONTENT = Path(__file__).parents[3] / "content"
TOPICS = load_topics(CONTENT)
NOTES = load_notes(CONTENT, TOPICS)
SLUGS = sorted({note.slug for note in NOTES})

FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
MARKER = re.compile(r"\[\^([^\]]*)\]")
WORDS = {"en": (250, 600), "zh": (400, 1000)}

MEASURED = re.compile(
    r"\d[\d,.]*\s?(?:[KMGT]i?B\b(?:/s)?|kB\b|[GT]b/s|GT/s|[MGT]?FLOP\b(?:/s)?|T?OPS\b|[MG]Hz|ns\b|µs|SMs?\b"
    r"|(?:cycles|registers|banks|threads|warps)\b|个\s?(?:SM|周期|寄存器|存储体|线程))|\d[\d.]* ?%(?!\w)"
)
WORKED = re.compile(r"[=>≈]|\d\s?[×/]\s?\d|\b(?:suppose|take)\b|假设|设某", re.IGNORECASE)
"""A calculation, or a figure that the reader is asked to assume."""


DANGLING = re.compile(r"(?:It|Its|They|Their|Those)\b|它们?|其(?=[^他余中])|[两二前后]者|这[种样时些个圈]")
"""Openings that mean nothing in a quote of one sentence."""


def prose(note: Note) -> str:
    return FENCE.sub("", note.body)


def length(note: Note) -> int:
    """Words; in Chinese each character counts as one."""
    text = MARKER.sub("", prose(note))
    return len(text.split()) if note.lang == "en" else len(re.findall(r"[\u4e00-\u9fff]|[A-Za-z0-9_.]+", text))


def lines_of(note: Note) -> list[str]:
    return [span.of(note.body) for span in sentences(note.body)]


def unfounded(sentence: str) -> bool:
    """Does the sentence state a figure of hardware or of a paper with neither source nor working?"""
    return bool(MEASURED.search(sentence)) and not MARKER.search(sentence) and not WORKED.search(sentence)


def by_path(note: Note) -> str:
    return note.path


each_note = pytest.mark.parametrize("note", NOTES, ids=by_path)


def test_there_are_notes_on_at_least_forty_eight_topics() -> None:
    assert len(SLUGS) >= 48


@pytest.mark.parametrize("slug", SLUGS)
def test_a_note_says_the_same_of_itself_in_both_languages(slug: str) -> None:
    pair = {note.lang: note for note in NOTES if note.slug == slug}
    assert set(pair) == {"en", "zh"}
    en, zh = pair["en"], pair["zh"]
    assert (en.topics, en.level, en.minutes, en.needs) == (zh.topics, zh.level, zh.minutes, zh.needs)
    assert en.readings == zh.readings
    assert en.title != zh.title or en.title.isascii()


@each_note
def test_a_note_keeps_to_its_length(note: Note) -> None:
    least, most = WORDS[note.lang]
    assert least <= length(note) <= most


@each_note
def test_a_note_begins_with_its_definition_and_has_sections(note: Note) -> None:
    assert re.match(r"[^#`|\-\s]", note.body)
    headings = re.findall(r"^## (.+)$", prose(note), re.MULTILINE)
    assert 2 <= len(headings) <= 6
    assert len(set(headings)) == len(headings)
    assert not re.search(r"^(# |###)", prose(note), re.MULTILINE)


@each_note
def test_every_marker_has_a_source_and_every_source_is_used(note: Note) -> None:
    assert {source.id for source in note.sources} == set(MARKER.findall(prose(note)))
    assert all(re.match(r"https?://\S+$", source.url or "") for source in note.sources)


@each_note
def test_every_figure_has_a_source_or_a_working(note: Note) -> None:
    assert [line for line in lines_of(note) if unfounded(line)] == []


@pytest.mark.parametrize(
    "sentence",
    ["An H200 has 132 SMs.", "H200 的带宽是 4.8 TB/s。", "A load takes 479 cycles.", "It reached 93.7 % of cuBLAS."],
)
def test_a_figure_without_a_source_is_found(sentence: str) -> None:
    assert unfounded(sentence)
    assert not unfounded(sentence[:-1] + "[^h200-datasheet]" + sentence[-1])


@each_note
def test_every_sentence_names_its_subject(note: Note) -> None:
    assert [line for line in lines_of(note) if DANGLING.match(line)] == []


def test_notes_need_only_notes_and_never_in_a_circle() -> None:
    needs = {note.slug: set(note.needs) for note in NOTES}
    assert set().union(*needs.values()) <= set(SLUGS)
    order = list(TopologicalSorter(needs).static_order())
    assert sorted(order) == SLUGS


def test_a_note_is_never_easier_than_what_it_needs() -> None:
    """What a beginner's note needs is itself for beginners."""
    rank = {"beginner": 0, "intermediate": 1, "advanced": 2}
    level = {note.slug: rank[note.level] for note in NOTES}
    assert [(note.slug, need) for note in NOTES for need in note.needs if level[need] > level[note.slug]] == []


def test_every_reading_leads_to_a_resource() -> None:
    known = {resource.id for resource in load_resources(CONTENT, TOPICS)}
    assert {reading for note in NOTES for reading in note.readings} <= known
    assert [slug for slug in SLUGS if not all(note.readings for note in NOTES if note.slug == slug)] == []


def test_no_two_notes_share_a_sentence() -> None:
    count = Counter(line for note in NOTES for line in {MARKER.sub("", line) for line in lines_of(note)})
    assert [line for line, times in count.items() if times > 1 and len(line) > 12] == []
