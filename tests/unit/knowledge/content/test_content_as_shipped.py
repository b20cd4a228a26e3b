"""The content that ships: complete, consistent, and of the size that was promised."""

from __future__ import annotations

import pydantic
import pytest

from indexer.lists import import_lists
from knowledge.addresses import canonical
from knowledge.content import Content, Glossary, Topics
from tests.needs import seeds
from tests.shipped_content import shipped_content


@pytest.fixture(scope="module")
def content() -> Content:
    return shipped_content()


@pytest.fixture(scope="module")
def topics(content: Content) -> Topics:
    return content.topics


def test_no_topic_comes_before_what_it_needs(topics: Topics) -> None:
    for topic in topics:
        assert all(topics.position[need] < topics.position[topic.id] for need in topic.needs)
        assert {before.id for before in topics.before(topic.id)} >= set(topic.needs)
        assert topic.id not in {before.id for before in topics.before(topic.id)}


@pytest.mark.parametrize(
    ("typed", "topic"),
    [
        ("Shared Memory", "shared-memory"),
        ("共享内存", "shared-memory"),
        ("共享記憶體", "shared-memory"),
        ("shared_memory", "shared-memory"),
        ("GEMM", "gemm"),
        ("ｃｕｄａ", "cuda-basics"),
        ("量化", "quantization"),
        ("脉动阵列", "systolic-arrays"),
        ("nsight compute", "profiling"),
    ],
)
def test_members_may_use_any_usual_name_of_a_topic(typed: str, topic: str, topics: Topics) -> None:
    found = topics.named(typed)
    assert found is not None
    assert found.id == topic


def test_an_unknown_name_is_no_topic(topics: Topics) -> None:
    assert topics.named("underwater basket weaving") is None


def test_every_term_of_the_glossary_is_defined_and_found_by_each_of_its_names(content: Content) -> None:
    """A name that two terms share leads to one of them."""
    assert [one.term for one in content.definitions] == list(content.glossary.terms)
    assert len(content.definitions) >= 1000
    shared = {"NVFP4", "MLP", "解碼", "并行性"}
    for one in content.definitions:
        for name in {*one.term.en, *one.term.zh} - shared:
            assert content.definitions.named(name) is one, name
    assert all(content.definitions.named(name) for name in shared)


@pytest.mark.parametrize(
    ("typed", "slug"),
    [
        ("访存合并", "coalesced-access"),
        ("合并访问", "coalesced-access"),
        ("執行緒束", "warp"),
        ("ＷＡＲＰ", "warp"),
        ("Thread Blocks", "thread-block"),
        ("bank-conflicts", "bank-conflict"),
        ("matrices", "matrix"),
        ("__device__", "device-function"),
        ("device", "device"),
        ("NVFP4", "nvfp4"),
    ],
)
def test_synonyms_plurals_and_other_spellings_lead_to_one_definition(typed: str, slug: str, content: Content) -> None:
    found = content.definitions.named(typed)
    assert found is not None
    assert found.slug == slug
    assert content.definitions.by_slug[slug] is found


def test_an_abbreviation_of_two_terms_leads_to_the_commoner_one_and_either_names_the_other(content: Content) -> None:
    perceptron, accesses = (
        content.definitions.by_slug[slug] for slug in ("multilayer-perceptron", "memory-level-parallelism")
    )
    assert content.definitions.named("MLP") is perceptron
    assert "memory-level parallelism" in perceptron.text.en
    assert "访存级并行" in perceptron.text.zh
    assert "multilayer perceptron" in accesses.text.en
    assert "多层感知机" in accesses.text.zh


def test_the_lists_keywords_are_terms_of_topics(topics: Topics) -> None:
    keywords = {keyword.lower() for topic in topics for keyword in topic.keywords}
    assert {
        "pthread",
        "std::thread",
        "openmp",
        "lock",
        "barrier",
        "future",
        "promise",
        "condition variable",
    } <= keywords
    assert {"智能指针", "函数重载", "虚函数", "线程池", "makefile", "变参"} <= keywords


def test_every_area_of_the_lists_has_topics(topics: Topics) -> None:
    assert {topic.area for topic in topics} == {
        "cuda", "performance", "hardware", "numerics", "deep-learning", "systems", "software", "community",
    }  # fmt: skip
    assert 50 <= len(topics) <= 70


@pytest.mark.needs("seeds")
def test_every_resource_of_the_lists_is_curated_and_nothing_else_claims_to_come_from_them(content: Content) -> None:
    folder = seeds()
    assert folder
    imported = import_lists(sorted(folder.iterdir()), content.topics)
    listed = {
        canonical(entry.url).key: {(label.list, label.line) for label in entry.labels} for entry in imported.resources
    }
    ours = {
        canonical(entry.url).key: {(mention.list, mention.line) for mention in entry.named_by}
        for entry in content.resources
        if entry.url and entry.named_by
    }
    assert ours == listed
    papers = {(paper.list, paper.line) for paper in imported.papers}
    assert papers == {
        (m.list, m.line) for e in content.resources if e.kind == "paper" and not e.url for m in e.named_by
    }
    tasks = sorted((task.list, task.line, task.stretch) for task in imported.tasks)
    assert tasks == sorted(
        (m.list, m.line, e.stretch) for e in content.resources if e.kind == "task" for m in e.named_by
    )


@pytest.mark.needs("seeds")
def test_the_level_that_a_list_states_is_kept(content: Content) -> None:
    folder = seeds()
    assert folder
    lists = import_lists(sorted(folder.iterdir()), content.topics)
    stated = {entry.url: entry.level for entry in lists.resources if entry.level}
    kept = {entry.url: entry.level for entry in content.resources if entry.url in stated}
    assert kept == stated
    assert all(
        mention.level == entry.level for entry in content.resources for mention in entry.named_by if mention.level
    )


def test_there_are_tasks_and_more_than_a_hundred_and_fifty_notes(content: Content) -> None:
    assert any(resource.kind == "task" for resource in content.resources)
    assert len({note.slug for note in content.notes}) >= 155


def test_every_topic_has_a_beginners_note_of_its_own_in_both_languages(content: Content) -> None:
    own = {(note.topics[0], note.lang) for note in content.notes if note.level == "beginner"}
    assert own >= {(topic.id, lang) for topic in content.topics for lang in ("en", "zh")}


@pytest.mark.parametrize(
    "message",
    [
        "an illegal memory access was encountered",
        "too many resources requested for launch",
        "invalid configuration argument",
        "invalid argument",
        "no kernel image is available for execution on the device",
        "undefined symbol",
        "CUDA driver version is insufficient for CUDA runtime version",
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver",
        "Driver/library version mismatch",
        "libcudart.so.12: cannot open shared object file",
        "out of memory",
        "device-side assert triggered",
        "Watchdog caught collective operation timeout",
        "unspecified launch failure",
        "misaligned address",
        "the launch timed out and was terminated",
        "unsupported GNU version",
        "Unsupported gpu architecture",
        "CUBLAS_STATUS_EXECUTION_FAILED",
        "Torch not compiled with CUDA enabled",
        "Expected all tensors to be on the same device",
        "arange's range must be a power of 2",
        "out of resource: shared memory",
        "cannot be accessed from Triton (cpu tensor?)",
    ],
)
def test_the_usual_errors_stand_word_for_word_in_a_note_of_either_language(message: str, content: Content) -> None:
    assert {note.lang for note in content.notes if message in note.body} == {"en", "zh"}


def test_the_glossary_bridges_the_languages(content: Content) -> None:
    glossary: Glossary = content.glossary
    assert len(glossary) >= 800
    pairs = {(en.lower(), zh) for term in glossary.terms for en in term.en for zh in term.zh}
    assert {
        ("shared memory", "共享内存"),
        ("smem", "共享存储器"),
        ("warp", "线程束"),
        ("memory coalescing", "合并访问"),
        ("tensor core", "张量核心"),
        ("systolic array", "脉动阵列"),
        ("cache coherence", "缓存一致性"),
        ("bank conflict", "存储体冲突"),
        ("register", "暫存器"),
    } <= pairs


def test_loaded_content_cannot_be_changed(content: Content) -> None:
    with pytest.raises(pydantic.ValidationError, match="frozen"):
        content.resources[0].title = "another"  # type: ignore[misc]  # that is the point


def test_a_reading_may_name_a_topic_and_means_its_notes(content: Content) -> None:
    assert "note:reductions" in content.resolved("note:reduction")
    assert content.resolved("note:reductions") == ("note:reductions",)
    assert content.resolved("note:nothing-of-the-kind") == ()
