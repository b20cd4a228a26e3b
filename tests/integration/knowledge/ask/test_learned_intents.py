"""What messages ask for in words that no list has, on sentences of another voice that nothing was learnt from."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from knowledge.ask.answer import NextSteps
from knowledge.ask.asker import Asker
from knowledge.ask.before_search import BeforeSearch
from knowledge.ask.intents import SMALL_TALK, Intent
from knowledge.ask.learned_intents import FAMILIES, Encoders, LearnedIntents, open_learned_intents
from knowledge.content import Content
from knowledge.library.embed import open_embedder
from knowledge.reader.model import Reader
from knowledge.store import open_store
from tests import prepared
from tests.eval.intents.sentences import Said, kept_aside, labelled
from tests.integration.knowledge.ask.pages import SmallLibrary
from tests.shipped_content import shipped_content, shipped_recommender


@pytest.fixture(scope="module")
def content() -> Content:
    return shipped_content()


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return Reader(prepared.models(tmp_path_factory))


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory, content: Content, reader: Reader) -> LearnedIntents:
    embedder = open_embedder(cache=prepared.models(tmp_path_factory))
    opened = open_learned_intents(Encoders(reader, embedder, content.glossary))
    assert opened is not None, "learnt with another reader: run python -m tests.eval.intents.fit MODELS"
    return opened


@pytest.fixture
async def before_search(
    library: SmallLibrary, content: Content, learned: LearnedIntents
) -> AsyncIterator[BeforeSearch]:
    async with open_store(f"sqlite+aiosqlite:///{library.data_dir / 'warpmate.db'}") as store:
        yield BeforeSearch(content, shipped_recommender(store), learned)


def family(intent: Intent) -> int | None:
    return next((number for number, each in enumerate(FAMILIES) if intent in each), None)


def test_messages_are_told_apart_and_questions_of_the_field_left_alone(learned: LearnedIntents) -> None:
    some = [*kept_aside(), *(Said("question", text) for text in list(labelled(to_learn=False))[:150])]
    taken = [(said, learned.of(said.text)) for said in some]
    none_of_ours = [(family(said.intent), family(as_what)) for said, as_what in taken if said.intent != "question"]
    questions = [(said.text, as_what) for said, as_what in taken if said.intent == "question"]
    caught = [each for each in questions if each[1] != "question"]
    assert len(none_of_ours) > 700
    assert sum(right == found for right, found in none_of_ours) >= 0.65 * len(none_of_ours)
    assert len(questions) > 350
    assert len(caught) <= 5, caught


@pytest.mark.parametrize(
    "message", ["can you show me", "能给我看看吗", "what happens if I leave it out", "可以给我演示一下吗"]
)
async def test_what_goes_on_after_a_question_is_about_it(before_search: BeforeSearch, message: str) -> None:
    assert before_search.asked(message).intent != "question"
    assert before_search.asked(message, "How do I avoid bank conflicts?").intent == "question"


@pytest.mark.parametrize("message", ["thanks, adding the barrier really fixed it", "原来如此", "useless answer"])
async def test_talk_after_a_question_is_still_talk(before_search: BeforeSearch, message: str) -> None:
    assert before_search.asked(message, "How do I avoid bank conflicts?").intent in SMALL_TALK


def test_with_other_encoders_than_it_was_learnt_with_nothing_is_told_by_likeness(
    tmp_path_factory: pytest.TempPathFactory, content: Content
) -> None:
    models = prepared.models(tmp_path_factory)
    another = Reader(models)
    another.revision = "another"
    assert open_learned_intents(Encoders(another, open_embedder(cache=models), content.glossary)) is None


async def test_every_face_gets_a_sentence_of_ours_and_no_excerpts(
    library: SmallLibrary, reader: Reader, before_search: BeforeSearch
) -> None:
    asker = Asker(library.flow.searcher, reader, before_search=before_search)
    for message, intent, said in (
        ("thanks, adding the barrier really fixed it", "thanks", "welcome"),
        ("okay good night, I go on with my kernel tomorrow", "farewell", "Goodbye"),
        ("are you chatgpt?", "identity", "program"),
        ("do you keep a record of what I ask you?", "memory", "/privacy"),
        ("你是谁做的", "maker", "MIT"),
        ("回答有错的话怎么反馈", "report", "没帮助"),
        ("write a poem for my sister", "other_work", "cannot"),
        ("when is our next session and who presents?", "group", "resource add"),
        ("what will an H200 cost next year", "current_or_future", "prices"),
    ):
        answer = await asker.ask(message)
        assert (answer.intent, answer.excerpts, answer.readings) == (intent, (), ()), message
        assert answer.next == NextSteps()
        assert answer.status == ("answered" if intent in SMALL_TALK else "refused")
        assert answer.said is not None
        assert said in answer.said.text(answer.lang)
    asked = await asker.ask("thanks, and how do I avoid bank conflicts?")
    assert asked.intent == "question"
    assert asked.excerpts
