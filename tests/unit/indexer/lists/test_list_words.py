"""What the words of a list mean: levels, stretch marks, papers, tasks, keywords, code, and links that are none."""

from __future__ import annotations

import pytest

from indexer.lists import Imported, import_text
from indexer.lists.list_words import is_stretch, stated_level
from indexer.lists.snippets import code_features, code_language, code_name
from knowledge.content import Topics, load_topics
from tests.folders import CONTENT


@pytest.fixture(scope="module")
def topics() -> Topics:
    return load_topics(CONTENT)


def read(text: str, topics: Topics) -> Imported:
    return import_text(text, "list.md", topics)


@pytest.mark.parametrize(
    ("words", "level"),
    [
        ("CUDA 入门教程", "beginner"),
        ("适合初学者", "beginner"),
        ("For beginners", "beginner"),
        ("进阶优化", "advanced"),
        ("高级主题", "advanced"),
        ("An Advanced Course", "advanced"),
        ("for experienced developers", "advanced"),
        ("从入门到放弃", None),
        ("from beginner to expert", None),
        ("beginner and advanced topics", None),
        ("上手指南", None),
        ("unadvanced", None),
    ],
)
def test_only_the_agreed_words_state_a_level(words: str, level: str | None) -> None:
    assert stated_level(words) == level


def test_the_nearest_statement_wins() -> None:
    assert stated_level("a plain title", "for beginners", "Advanced") == "beginner"


@pytest.mark.parametrize(
    "words", ["有余力的去看", "再有余力", "余力的去理解", "学有余力", "Optional: read", "if you have time"]
)
def test_variants_of_time_to_spare_mark_a_stretch(words: str) -> None:
    assert is_stretch(words)


def test_a_resource_in_a_stretch_item_is_marked(topics: Topics) -> None:
    stretch, plain = read(
        "- 有余力可以读 [Page](https://example.org/a)\n- [Other](https://example.org/b)\n", topics
    ).resources
    assert (stretch.stretch, plain.stretch) == (True, False)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("see [words](https://www.zhihu.com/search?q=words&type=content)", "keyword search"),
        ("[more](https://www.google.com/search?q=cuda)", "keyword search"),
        ("Image by [someone](https://photos.example/x)", "image"),
        ("配图来自 [某站](https://photos.example/x)", "image"),
        ("Published in [A Magazine](https://magazine.example/)", "byline"),
        ("[CC BY 4.0](https://creativecommons.org/licenses/by/4.0/)", "licence"),
        ("[up](#top)", "list itself"),
        ("[chapter](../chapter.md)", "no web address"),
        ("[mail](mailto:a@example.org)", "no web address"),
        ("[file](ftp://example.org/x)", "no web address"),
        ("[in](https://user:secret@example.org/)", "user name or password"),
        ("## [](https://example.org/#heading)Heading", "heading"),
    ],
)
def test_a_link_that_is_no_resource_is_skipped_with_a_reason(line: str, reason: str, topics: Topics) -> None:
    imported = read(line + "\n", topics)
    assert not imported.resources
    (skipped,) = imported.skipped
    assert reason in skipped.reason
    assert skipped.line == 1


def test_a_picture_with_a_licence_below_is_credited_not_recommended(topics: Topics) -> None:
    text = "![](a.png)\n\n[https://wiki.example/x](https://wiki.example/x) ([CC](https://creativecommons.org/x))\n"
    assert [entry.reason.split()[0] for entry in read(text, topics).skipped] == ["credit", "licence"]


def test_a_sentence_cut_by_a_search_link_is_read_as_one(topics: Topics) -> None:
    text = (
        "这里参考几篇文章：\n\n"
        "1. Training [deep networks](https://www.zhihu.com/search?q=deep)\n\nwith many layers: A Survey\n"
    )
    (paper,) = read(text, topics).papers
    assert (paper.title, paper.line) == ("Training deep networks with many layers: A Survey", 3)


def test_a_paper_announced_in_a_line_is_taken_up_to_the_comma(topics: Topics) -> None:
    (paper,) = read("- 直接看论文：Attention Is All You Need，读两遍\n", topics).papers
    assert paper.title == "Attention Is All You Need"


def test_tasks_and_keywords_are_told_apart(topics: Topics) -> None:
    text = (
        "**并行**\n\n● 学习这些关键字\n\n○ mutex, atomic, fence 的写法\n\n"
        "○ 有余力理解一下无锁队列\n\n● 计算一下 3x3 卷积的计算密度\n\n● 这部分不难\n"
    )
    imported = read(text, topics)
    assert [entry.text for entry in imported.keywords] == ["mutex, atomic, fence 的写法"]
    assert [(task.text, task.stretch) for task in imported.tasks] == [
        ("有余力理解一下无锁队列", True),
        ("计算一下 3x3 卷积的计算密度", False),
    ]
    assert imported.tasks[0].section == ("并行",)


def test_english_tasks_are_recognised(topics: Topics) -> None:
    (task,) = read("- Compute the occupancy of your kernel\n- A remark\n", topics).tasks
    assert task.text == "Compute the occupancy of your kernel"


def test_cuda_fenced_as_python_is_cuda(topics: Topics) -> None:
    text = "```py\n__global__ void twice(float* x) { x[threadIdx.x] *= 2; }\n```\n"
    (snippet,) = read(text, topics).snippets
    assert (snippet.language, snippet.name, snippet.line) == ("cuda", "twice", 1)
    assert snippet.code == "__global__ void twice(float* x) { x[threadIdx.x] *= 2; }"


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("import numpy as np\nprint(np.zeros(3))", "python"),
        ("%%shell\nnvcc a.cu", "shell"),
        ("@triton.jit\ndef add(x): ...", "triton"),
        ("std::vector<int> v;", "cpp"),
        ("int main() { return 0; }", "c"),
        ("kernel<<<1, n>>>(x);", "cuda"),
        ("SELECT 1", "sql"),
    ],
)
def test_code_is_told_by_content_and_only_then_by_its_label(code: str, language: str) -> None:
    assert code_language(code, "sql") == language


def test_features_name_what_the_kernel_uses() -> None:
    code = """__global__ void __launch_bounds__(256) sum(const float* x, float* out, int n) {
        __shared__ float part[32];
        float v = threadIdx.x < n ? x[threadIdx.x] : 0;
        v += __shfl_down_sync(~0u, v, 16);
        __syncthreads();
        atomicAdd(out, v);
    }"""
    assert code_name(code) == "sum"
    assert {"kernel", "shared-memory", "shuffles", "barrier", "atomics"} <= set(code_features(code, "cuda"))
    assert code_features(code, "c") == ()
