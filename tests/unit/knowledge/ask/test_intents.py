"""What a message asks for, in both languages; no labelled question is taken for something else."""

from __future__ import annotations

import json
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from knowledge.ask.answer import MOST_CHARACTERS
from knowledge.ask.definition_answer import of_note, of_term, opening
from knowledge.ask.intents import FIRST_TOPIC, SMALL_TALK, Intents
from knowledge.ask.marks import MOST_MARKED_CHARACTERS
from knowledge.ask.topic_notes import TopicNotes
from knowledge.content import Content
from knowledge.definitions import definition_of
from tests.shipped_content import shipped_content

MESSAGES = tomllib.loads(Path(__file__).with_name("messages.toml").read_text(encoding="utf-8"))
EVAL = Path(__file__).parents[3] / "eval"
ASKED = {
    "en": ("What is {}?", "what is {}", "define {}", "What does {} mean?"),
    "zh": ("{} 是什么？", "什么是{}", "什么叫{}？", "{}是什么意思"),
}


@pytest.fixture(scope="module")
def content() -> Content:
    return shipped_content()


@pytest.fixture(scope="module")
def intents(content: Content) -> Intents:
    return Intents(content)


@pytest.mark.parametrize(
    ("intent", "message"), [(intent, each) for intent, said in MESSAGES.items() for each in said]
)
def test_a_message_is_taken_for_what_it_asks(intents: Intents, intent: str, message: str) -> None:
    assert intents.of(message).intent == intent


def labelled() -> Iterator[str]:
    for name in ("corpus", "notes", "fresh"):
        for line in (EVAL / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if isinstance(question := row.get("question"), str):
                yield question


def test_no_labelled_question_is_small_talk_or_asks_about_a_group(intents: Intents) -> None:
    taken = {question: intents.of(question).intent for question in labelled()}
    assert len(taken) > 700
    assert not {question: intent for question, intent in taken.items() if intent in {*SMALL_TALK, "group"}}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_is_x_begins_with_its_definition_for_every_term(intents: Intents, content: Content, lang: str) -> None:
    """By every usual name, in every shape; other names may belong to two terms, and some do."""
    missed = [
        shape.format(term.title(lang))
        for term in content.definitions
        for shape in ASKED[lang]
        if (asked := intents.of(shape.format(term.title(lang)))).definition is not term
        or asked.intent != "definition"
    ]
    assert len(missed) <= 0.02 * len(ASKED[lang]) * len(content.definitions), missed


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_definition_is_quoted_whole_and_fits_beside_other_excerpts(content: Content, lang: str) -> None:
    for term in content.definitions:
        defined, excerpt, citation = of_term(term, lang)
        assert excerpt.text == defined.text == term.text.text(lang)
        assert citation.url == f"/terms/{term.slug}"
        assert defined.source_url
        assert excerpt.marked[0].of(excerpt.text) == excerpt.text
        assert len(excerpt.text) <= min(MOST_MARKED_CHARACTERS, MOST_CHARACTERS // 2)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_topic_with_a_note_is_defined_by_a_term_or_by_the_notes_first_sentences(
    intents: Intents, content: Content, lang: str
) -> None:
    with_note = [topic for topic in content.topics if any(note.topics[0] == topic.id for note in content.notes)]
    missed = []
    for topic in with_note:
        question = ASKED[lang][0].format(topic.title.text(lang))
        asked = intents.of(question)
        if asked.intent != "definition" or bool(asked.definition) == bool(asked.note):
            missed.append(question)
    assert len(with_note) > 50
    assert len(missed) <= 0.02 * len(with_note), missed


def test_a_note_is_named_by_its_title_in_either_language(intents: Intents, content: Content) -> None:
    for note in content.notes:
        asked = intents.of(ASKED[note.lang][0].format(note.title))
        assert asked.note == note.slug or asked.definition, note.path


def test_the_definition_of_a_note_is_its_first_sentences_as_they_stand(content: Content) -> None:
    notes = TopicNotes(content)
    for slug, lang in (("roofline", "en"), ("roofline", "zh"), ("bank-conflicts", "zh")):
        note = notes.note(slug, lang)
        defined, excerpt, citation = of_note(note, ())
        assert note.body.lstrip().startswith(excerpt.text)
        assert "[^" not in defined.text
        assert citation.resource_id == defined.id == f"note:{slug}"
        assert len(opening(note)) <= 400


def test_the_broad_term_comes_before_its_longer_cousins(intents: Intents) -> None:
    for question, term in (
        ("What is CUDA?", "CUDA"), ("什么是 CUDA", "CUDA"), ("what is a tensor", "tensor"),
        ("what is a register?", "register"), ("什么是访存合并", "coalesced access"), ("what is a warp?", "warp"),
    ):  # fmt: skip
        found = intents.of(question).definition
        assert found is not None
        assert found.term.en[0] == term


@pytest.mark.parametrize(
    ("message", "topic", "level", "kinds"),
    [
        ("where do I start?", FIRST_TOPIC, None, set()),
        ("which book on CUDA would you recommend for beginners?", "cuda-basics", "beginner", {"book"}),
        ("an advanced course on gemm, any recommendations?", "gemm", "advanced", {"course"}),
        ("I want to learn TPU", "tpu", None, set()),
        ("有没有 CUDA 的入门教程", "cuda-basics", "beginner", set()),
        ("想找讲 roofline 的视频", "roofline", None, {"video"}),
    ],
)
def test_a_wish_names_topic_level_and_kind(
    intents: Intents, message: str, topic: str, level: str | None, kinds: set[str]
) -> None:
    wish = intents.of(message).wish
    assert wish is not None
    assert (wish.topic, wish.level, wish.kinds) == (topic, level, frozenset(kinds))


@pytest.mark.parametrize(
    "text", ["a" * 4000, "what is " * 500, "hello " * 600, "你好" * 2000, "((((" * 1000, "error: /" * 500]
)
def test_no_message_takes_long_to_tell_apart(intents: Intents, text: str) -> None:
    started = time.process_time()
    intents.of(text)
    assert time.process_time() - started < 2


def test_a_name_of_a_term_is_never_small_talk(intents: Intents, content: Content) -> None:
    for term in content.definitions:
        for name in (*term.term.en, *term.term.zh):
            assert definition_of(name, content.definitions) is None or intents.of(name).intent == "definition", name
