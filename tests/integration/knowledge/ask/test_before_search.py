"""Messages through the whole flow, over real pages: what is said first, and what can be done after an answer."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator

import pytest

from knowledge.ask.answer import MOST_CHARACTERS, Answer, NextSteps
from knowledge.ask.asker import Asker
from knowledge.ask.before_search import BeforeSearch
from knowledge.ask.choose import MOST_EXCERPTS
from knowledge.ask.marks import MOST_MARKED_CHARACTERS
from knowledge.ask.question_log import QuestionLog
from knowledge.content import Content
from knowledge.reader.model import Reader
from knowledge.store import Scope, Store, open_store
from knowledge.traces import NoTraces
from tests import prepared
from tests.integration.knowledge.ask.pages import SmallLibrary
from tests.shipped_content import shipped_content, shipped_recommender

ERROR = """Traceback (most recent call last):
  File "/home/bob/train.py", line 3, in <module>
RuntimeError: CUDA error: different words of the same bank
"""


@pytest.fixture(scope="module")
def content() -> Content:
    return shipped_content()


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return Reader(prepared.models(tmp_path_factory))


@pytest.fixture
async def store(library: SmallLibrary) -> AsyncIterator[Store]:
    async with open_store(f"sqlite+aiosqlite:///{library.data_dir / 'warpmate.db'}") as opened:
        yield opened


@pytest.fixture
def asker(library: SmallLibrary, content: Content, reader: Reader, store: Store) -> Asker:
    return Asker(library.flow.searcher, reader, before_search=BeforeSearch(content, shipped_recommender(store)))


def keeps_the_contract(answer: Answer) -> None:
    assert len(answer.excerpts) <= MOST_EXCERPTS
    assert sum(len(excerpt.text) for excerpt in answer.excerpts) <= MOST_CHARACTERS
    assert sum(map(len, answer.marked)) <= MOST_MARKED_CHARACTERS
    assert {excerpt.citation for excerpt in answer.excerpts} == {citation.n for citation in answer.citations}
    assert all(span.of(excerpt.text) for excerpt in answer.excerpts for span in excerpt.marked)


@pytest.mark.parametrize(
    "slug", ["cuda", "warp", "occupancy", "bank-conflict", "softmax", "tensor", "coalesced-access"]
)
@pytest.mark.parametrize(("lang", "shape"), [("en", "What is {}?"), ("zh", "{} 是什么？"), ("zh", "什么是{}")])
async def test_what_is_x_begins_with_the_definition(
    asker: Asker, content: Content, slug: str, lang: str, shape: str
) -> None:
    term = content.definitions.by_slug[slug]
    answer = await asker.ask(shape.format(term.title(lang)))
    assert (answer.status, answer.intent, answer.lang) == ("answered", "definition", lang)
    assert answer.excerpts[0].text == term.text.text(lang)
    assert answer.definition is not None
    assert answer.definition.text == answer.excerpts[0].text
    assert (answer.citations[0].n, answer.citations[0].url) == (1, f"/terms/{slug}")
    keeps_the_contract(answer)


@pytest.mark.parametrize("question", ["What is a warp, and why 32 threads?", "线程束是什么？为什么是32个线程"])
async def test_a_definition_comes_first_where_a_second_question_follows(
    asker: Asker, content: Content, question: str
) -> None:
    answer = await asker.ask(question)
    assert (answer.status, answer.intent) == ("answered", "definition")
    assert answer.excerpts[0].text == content.definitions.by_slug["warp"].text.text(answer.lang)
    keeps_the_contract(answer)


@pytest.mark.parametrize("question", ["Warp, how does it diverge?", "How do branches cost time, what is a warp for"])
async def test_a_term_that_is_only_named_first_is_not_defined_before_the_answer(asker: Asker, question: str) -> None:
    assert (await asker.ask(question)).intent == "question"


@pytest.mark.parametrize("question", ["process vs thread", "进程和线程有什么区别？"])
async def test_a_difference_begins_with_both_definitions(asker: Asker, content: Content, question: str) -> None:
    answer = await asker.ask(question)
    terms = [content.definitions.by_slug[slug] for slug in ("process", "thread")]
    assert [excerpt.text for excerpt in answer.excerpts[:2]] == [term.text.text(answer.lang) for term in terms]
    assert [citation.url for citation in answer.citations[:2]] == ["/terms/process", "/terms/thread"]
    keeps_the_contract(answer)


async def test_a_number_that_a_question_takes_for_granted_is_corrected_first(asker: Asker) -> None:
    answer = await asker.ask("H100 有 144 个 SM 对吧，我按144算wave了")
    assert answer.status == "answered"
    assert answer.figures is not None
    assert "132" in answer.figures.text("zh")


async def test_a_topics_note_begins_with_what_it_is(asker: Asker, content: Content) -> None:
    answer = await asker.ask("What is Softmax and cross entropy?")
    note = next(note for note in content.notes if (note.slug, note.lang) == ("softmax", "en"))
    assert note.body.lstrip().startswith(answer.excerpts[0].text)
    assert answer.citations[0].resource_id == "note:softmax"
    keeps_the_contract(answer)


async def test_what_says_the_same_in_longer_names_is_left_out(asker: Asker) -> None:
    """A page on warps has the word in its title; pages on streams and shared memory have not."""
    answer = await asker.ask("What is a warp?")
    assert {citation.title for citation in answer.citations} <= {"warp", "Warps"}


async def test_figures_come_from_the_table_and_name_their_source(asker: Asker) -> None:
    answer = await asker.ask("how many SMs does an RTX 4090 have?")
    assert (answer.intent, answer.status) == ("figures", "answered")
    assert answer.figures is not None
    assert [figure.value for figure in answer.figures.figures] == [128]
    assert "128" in answer.as_text()
    assert answer.as_json()["figures"]["figures"][0]["source"]["url"]


async def test_after_a_question_of_figures_the_name_of_another_card_is_enough(asker: Asker) -> None:
    answer = await asker.ask("A100 呢", follow_up_of="H100 的带宽是多少")
    assert answer.figures is not None
    assert {"NVIDIA A100 80GB SXM"} <= {figure.subject for figure in answer.figures.figures}


@pytest.mark.parametrize(
    ("message", "intent", "lang"), [("hello", "greeting", "en"), ("你能做什么", "abilities", "zh")]
)
async def test_small_talk_is_answered_in_its_language_with_examples(
    asker: Asker, message: str, intent: str, lang: str
) -> None:
    answer = await asker.ask(message)
    assert (answer.status, answer.intent, answer.lang) == ("answered", intent, lang)
    assert answer.said is not None
    assert answer.excerpts == answer.readings == ()
    assert len(answer.next.questions) == 3
    assert answer.said.text(lang) in answer.as_text()


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("which book on GPU architecture should I read?", "book"),
        ("有没有 Triton 的教程", ""),
        ("where do I start?", ""),
    ],
)
async def test_a_wish_for_something_to_read_gets_readings(asker: Asker, message: str, kind: str) -> None:
    answer = await asker.ask(message)
    assert (answer.status, answer.intent) == ("answered", "material")
    assert answer.readings
    assert answer.said is not None
    assert not kind or any(reading.kind == kind for reading in answer.readings)


async def test_what_is_wished_for_and_not_there_is_said(asker: Asker) -> None:
    answer = await asker.ask("any good videos on bank conflicts?")
    assert answer.readings
    assert answer.said is not None
    assert "nothing of this kind (video)" in answer.said.text("en")


@pytest.mark.parametrize("message", ["when do we meet?", "群主是谁？"])
async def test_what_no_group_wrote_down_is_said_honestly(asker: Asker, message: str) -> None:
    answer = await asker.ask(message)
    assert (answer.status, answer.intent, answer.excerpts, answer.readings) == ("refused", "group", (), ())
    assert answer.said is not None
    assert "resource add" in answer.said.text(answer.lang)


async def test_a_pasted_error_finds_the_page_that_prints_it(asker: Asker) -> None:
    answer = await asker.ask(ERROR)
    assert (answer.status, answer.intent) == ("answered", "error")
    assert answer.citations[0].path == "en/shared-memory.md"
    assert "/home/bob" not in answer.asked


async def test_an_error_that_no_page_prints_is_never_answered_for_certain(asker: Asker) -> None:
    answer = await asker.ask("RuntimeError: the flux capacitor of stream 7 is empty")
    assert answer.intent == "error"
    assert answer.status != "answered"


async def test_what_to_do_next_is_there_and_not_repeated(asker: Asker, content: Content) -> None:
    answer = await asker.ask("What is a bank conflict?")
    ids = {reading.resource_id for reading in answer.next.readings}
    assert ids <= {note.id for note in content.notes} | {resource.id for resource in content.resources}
    assert not ids & {citation.resource_id for citation in answer.citations}
    assert answer.next.problem is not None
    assert answer.next.problem.kind == "problem"
    assert len(answer.next.readings) <= 2
    assert 1 <= len(answer.next.questions) <= 3
    assert not any("bank conflict" in question.lower() for question in answer.next.questions)
    for question in answer.next.questions:
        assert (await asker.ask(question)).status == "answered", question


async def test_what_was_read_is_not_offered_again(
    library: SmallLibrary, content: Content, reader: Reader, store: Store
) -> None:
    recommender = shipped_recommender(store)
    asker = Asker(library.flow.searcher, reader, before_search=BeforeSearch(content, recommender))
    before = (await asker.ask("What is a bank conflict?", member="local:ada")).next
    assert before.problem is not None
    for done in (*before.readings, before.problem):
        await recommender.remember(Scope(), "local:ada", done.resource_id, "read")
    after = (await asker.ask("What is a bank conflict?", member="local:ada")).next
    assert not {one.resource_id for one in after.readings} & {one.resource_id for one in before.readings}
    assert after.problem is None or after.problem.resource_id != before.problem.resource_id


@pytest.mark.parametrize("question", ["How long should I boil an egg?", "Who became chess champion in 1972?"])
async def test_nothing_is_offered_after_a_refusal_of_what_names_nothing_of_the_field(
    asker: Asker, question: str
) -> None:
    answer = await asker.ask(question)
    assert (answer.status, answer.next, answer.readings) == ("refused", NextSteps(), ())


async def test_a_refusal_of_what_is_near_offers_readings(asker: Asker) -> None:
    answer = await asker.ask("How many registers has the Voodoo 3?")
    assert answer.status == "refused"
    assert answer.readings


@pytest.mark.parametrize(
    "message",
    ["What is a warp?", "compare H100 and A100 bandwidth", "hello", "where do I start?", "when do we meet?"],
)
async def test_an_answer_is_stored_and_read_again_as_it_was(asker: Asker, store: Store, message: str) -> None:
    answer = await asker.ask(message)
    log = QuestionLog(store, NoTraces())
    kept = await log.keep(Scope(), message, answer, "local:ada")
    read = (await log.get(Scope(), kept, "local:ada")).answer
    assert dataclasses.replace(read, timings_ms={}) == dataclasses.replace(answer, timings_ms={})
    assert read.as_json()["follow_ups"] == list(answer.next.questions)


async def test_a_mistyped_question_is_answered_and_says_how_it_was_read(asker: Asker) -> None:
    answer = await asker.ask("how do I avoid bank conlicts in shraed memroy?")
    assert answer.status != "refused"
    assert answer.read_as == answer.as_json()["read_as"] == "how do I avoid bank conflicts in shared memory?"
    assert "bank conflicts" in answer.asked
    keeps_the_contract(answer)
    assert not (await asker.ask("how do I avoid bank conflicts?")).read_as


async def test_a_mistyped_term_gets_its_definition(asker: Asker) -> None:
    answer = await asker.ask("waht is memmory coalesing")
    assert (answer.intent, answer.status) == ("definition", "answered")
    assert answer.read_as == "what is memory coalescing"


async def test_pasted_code_hears_its_mistake_first_and_then_what_a_page_says(asker: Asker) -> None:
    asked = "__shared__ float tile[32][32];\nfloat v = tile[threadIdx.x][threadIdx.y];\nwhy is this slow"
    answer = await asker.ask(asked)
    assert (answer.status, answer.intent) == ("answered", "code")
    assert answer.said is not None
    assert "`float v = tile[threadIdx.x][threadIdx.y];`" in answer.said.text("en")
    assert any("Pad each row of a tile" in excerpt.text for excerpt in answer.excerpts)
    assert len(answer.citations) == 1, "what is said says it; a page only explains"
    keeps_the_contract(answer)


async def test_what_the_weights_of_a_model_need_stands_before_what_pages_say(asker: Asker) -> None:
    answer = await asker.ask("will 13B parameters in fp16 fit in 24 GB of shared memory?")
    assert answer.status == "answered"
    assert answer.figures is not None
    assert "26 GB" in answer.figures.text("en")


async def test_pasted_code_is_answered_in_the_language_of_the_words_around_it(asker: Asker) -> None:
    answer = await asker.ask("这段为什么只拷了四分之一\ncudaMemcpy(d_a, h_a, N, cudaMemcpyHostToDevice);")
    assert answer.lang == "zh"
    assert answer.said is not None
    assert "字节" in answer.said.text("zh")
