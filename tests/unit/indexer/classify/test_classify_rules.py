"""The rules on small pages of our own: what wins, and that every label says why."""

from __future__ import annotations

import pytest

from indexer.classify import Classifier, LevelLabel, PageFeatures, Settled, TopicLabel
from indexer.classify.terms import Terms
from indexer.extract.page import PageWriter
from knowledge.content import Topics, load_topics
from knowledge.words import Message
from tests.folders import CONTENT

LIST_SAYS = Message("label.stated_by_list")
MEMBER_SAYS = Message("label.set_by_member")


@pytest.fixture(scope="module")
def topics() -> Topics:
    return load_topics(CONTENT)


@pytest.fixture(scope="module")
def classifier(topics: Topics) -> Classifier:
    return Classifier(topics)


def features(
    title: str, text: str = "", *, code_share: float = 0.0, headings: str = "", words: int = 400
) -> PageFeatures:
    return PageFeatures(title, "", "", headings, text, words, code_share)


def why(label: LevelLabel | TopicLabel, lang: str = "en") -> list[str]:
    return [reason.text(lang) for reason in label.reasons]


def test_a_title_decides_what_a_page_is_about(classifier: Classifier) -> None:
    found = classifier.classify_features(features("Avoiding bank conflicts", "Each bank conflict costs a cycle."))
    assert found.topic_ids[0] == "bank-conflicts"
    assert why(found.topics[0])[0].startswith("title: bank conflict")
    assert why(found.topics[0], "zh")[0].startswith("标题：bank conflict")


def test_chinese_pages_get_the_same_topics(classifier: Classifier) -> None:
    found = classifier.classify_features(features("理解Tensor Core与张量核心", "张量核心做矩阵乘加。"))
    assert found.topic_ids[0] == "tensor-cores"


def test_a_page_of_no_known_topic_gets_none(classifier: Classifier) -> None:
    found = classifier.classify_features(features("My holiday", "We went to the sea."))
    assert found.topics == ()
    assert "no topic of the list was recognised" in why(found.level)


def test_at_most_three_topics_the_strongest_first(classifier: Classifier) -> None:
    text = "softmax attention layernorm convolution quantization tiling occupancy roofline " * 20
    found = classifier.classify_features(features("Everything", text))
    assert len(found.topics) == 3
    assert [topic.score for topic in found.topics] == sorted((topic.score for topic in found.topics), reverse=True)


def test_an_introduction_to_a_hard_topic_is_easier_than_a_page_in_depth(classifier: Classifier) -> None:
    order = ["beginner", "intermediate", "advanced"]
    easy = classifier.classify_features(features("Getting started with TensorRT", "tensorrt " * 20))
    plain = classifier.classify_features(features("TensorRT", "tensorrt " * 20))
    hard = classifier.classify_features(
        features("TensorRT internals", "tensorrt HBM SRAM TMA mbarrier wgmma mma " * 40)
    )
    levels = [order.index(found.level.value) for found in (easy, plain, hard)]
    assert levels == sorted(levels)
    assert levels[0] < levels[2]
    assert "its title says 'Getting started'" in why(easy.level)
    assert any("hardware features" in reason for reason in why(hard.level))
    assert "讲 tensorrt 的文章通常属于中级" in why(hard.level, "zh")


def test_a_method_by_name_in_mostly_code_is_harder_than_its_topic(classifier: Classifier) -> None:
    plain = classifier.classify_features(features("学习率", "学习率与梯度下降。" * 30))
    dense = classifier.classify_features(features("AdaGrad", "学习率与梯度下降。" * 30, code_share=0.6))
    assert (plain.level.value, dense.level.value) == ("beginner", "intermediate")
    assert "60% of it is code" in why(dense.level)
    assert "专讲一种方法" in why(dense.level, "zh")


def test_a_page_that_introduces_its_terms_is_easier(classifier: Classifier) -> None:
    assuming = classifier.classify_features(features("An overview of TensorRT", "tensorrt " * 30))
    introducing = classifier.classify_features(
        features("An overview of TensorRT", "An engine is a plan; a plan is called a graph. " * 30 + "tensorrt " * 30)
    )
    assert (assuming.level.value, introducing.level.value) == ("intermediate", "beginner")
    assert any("introduces" in reason for reason in why(introducing.level))


def test_what_the_list_states_wins_over_the_rules(classifier: Classifier) -> None:
    page = features("Getting started with CUDA", "cuda kernel")
    found = classifier.classify_features(page, [Settled(LIST_SAYS, level="advanced")])
    assert (found.level.value, found.level.reasons) == ("advanced", (LIST_SAYS,))
    assert found.topic_ids[0] == "cuda-basics"


def test_a_members_override_wins_over_the_list(classifier: Classifier) -> None:
    settled = [
        Settled(MEMBER_SAYS, level="beginner", topics=("roofline",)),
        Settled(LIST_SAYS, level="advanced", topics=("gemm",)),
    ]
    found = classifier.classify_features(features("GEMM", "matrix multiplication"), settled)
    assert (found.level.value, found.topic_ids) == ("beginner", ("roofline",))
    assert found.topics[0].reasons == (MEMBER_SAYS,)


def test_an_override_of_the_topics_alone_leaves_the_level_to_the_list(classifier: Classifier) -> None:
    settled = [Settled(MEMBER_SAYS, topics=("roofline",)), Settled(LIST_SAYS, level="advanced")]
    found = classifier.classify_features(features("GEMM"), settled)
    assert (found.level.value, found.topic_ids) == ("advanced", ("roofline",))


def test_a_topic_outside_the_closed_list_is_not_taken_over(classifier: Classifier) -> None:
    found = classifier.classify_features(
        features("Roofline model"), [Settled(MEMBER_SAYS, topics=("knitting", "gemm"))]
    )
    assert found.topic_ids == ("gemm",)


def test_a_page_is_read_without_its_sites_name(classifier: Classifier) -> None:
    writer = PageWriter("Streams and events | The Convolution Blog")
    writer.heading(1, "CUDA streams")
    writer.prose("A CUDA stream orders work; cudaStreamCreate makes one.")
    found = classifier.classify(writer.page("en"), "https://example.org/notes/streams.html")
    assert found.topic_ids[0] == "streams"
    assert "convolution" not in found.topic_ids


def test_labels_are_the_same_every_time(classifier: Classifier) -> None:
    page = features("Softmax and attention", "softmax attention kv cache")
    assert classifier.classify_features(page) == classifier.classify_features(page)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Shared-Memory banks", {"smem": 1}),
        ("shared memories", {}),
        ("two tensor cores", {"tc": 1}),
        ("CUDA 编程入门", {"cuda": 1}),
        ("CUDA编程", {"cuda": 1}),
        ("ＣＵＤＡ编程", {"cuda": 1}),
        ("barcuda编程", {}),
    ],
)
def test_terms_are_found_whole_whatever_their_spelling(text: str, found: dict[str, int]) -> None:
    terms = Terms({"shared memory": ["smem"], "tensor core": ["tc"], "cuda 编程": ["cuda"]})
    assert {owner: hits.total() for owner, hits in terms.counts(text).items()} == found


def test_the_longest_term_is_counted_once() -> None:
    terms = Terms({"memory": ["short"], "memory model": ["long"]})
    assert {owner: hits.total() for owner, hits in terms.counts("memory model, memory").items()} == {
        "long": 1,
        "short": 1,
    }
