"""The five lists of the group against what was worked out from them by hand."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from indexer.lists import Imported, import_lists
from knowledge.content import load_topics
from tests.folders import CONTENT
from tests.needs import seeds

pytestmark = pytest.mark.needs("seeds")

EXPECTED: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("seeds.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def imported() -> Imported:
    folder = seeds()
    assert folder
    return import_lists(sorted(folder.iterdir()), load_topics(CONTENT))


def test_every_resource_is_there_once_with_every_place_that_names_it(imported: Imported) -> None:
    wanted = {row["url"]: {(name, line) for name, line in row["places"]} for row in EXPECTED["resources"]}
    found = {entry.url: {(label.list[:3], label.line) for label in entry.labels} for entry in imported.resources}
    assert found == wanted
    assert len(imported.resources) == len(wanted)


def test_the_level_is_what_the_list_states_and_nothing_else(imported: Imported) -> None:
    wanted = {row["url"]: row.get("level") for row in EXPECTED["resources"]}
    assert {entry.url: entry.level for entry in imported.resources} == wanted


def test_fragments_are_kept_apart(imported: Imported) -> None:
    wanted = {row["url"]: row.get("fragment", "") for row in EXPECTED["resources"]}
    found = {entry.url: entry.fragment for entry in imported.resources}
    # A medium tracker carries a date behind the fragment sign; it is no part of the page and stays as written.
    assert found == wanted
    assert not any("#" in entry.url for entry in imported.resources)


def test_papers_named_without_a_link_are_papers(imported: Imported) -> None:
    assert len(imported.papers) == len(EXPECTED["papers"])
    for paper, row in zip(imported.papers, EXPECTED["papers"], strict=True):
        assert (paper.line, paper.stretch) == (row["line"], False)
        assert paper.title.startswith(row["begins"])


def test_study_tasks_keep_their_stretch_mark(imported: Imported) -> None:
    wanted = [(row["line"], row["stretch"]) for row in EXPECTED["tasks"]]
    assert [(task.line, task.stretch) for task in imported.tasks] == wanted


def test_keyword_lists_hold_their_terms(imported: Imported) -> None:
    assert [entry.line for entry in imported.keywords] == [row["line"] for row in EXPECTED["keywords"]]
    for entry, row in zip(imported.keywords, EXPECTED["keywords"], strict=True):
        assert all(term in entry.text for term in row["terms"])


def test_snippets_are_recognised_by_content_although_fenced_as_python(imported: Imported) -> None:
    wanted = [(row["line"], row["language"], row["name"]) for row in EXPECTED["snippets"]]
    assert [(snippet.line, snippet.language, snippet.name) for snippet in imported.snippets] == wanted
    assert "bounds-check" in next(snippet.features for snippet in imported.snippets if snippet.line == 317)


def test_every_link_that_is_no_resource_is_reported_with_its_reason(imported: Imported) -> None:
    wanted = {(row["list"], row["line"], row["reason"]): row["links"] for row in EXPECTED["skipped"]}
    words = {row["reason"] for row in EXPECTED["skipped"]}
    found = Counter(
        (entry.list[:3], entry.line, next((word for word in words if word in entry.reason), entry.reason))
        for entry in imported.skipped
    )
    assert dict(found) == wanted


def test_the_lists_own_titles_are_kept(imported: Imported) -> None:
    titles = {entry.url: entry.title for entry in imported.resources}
    assert titles["https://zhuanlan.zhihu.com/p/485992286"] == "看完H100白皮书后的一些感想"
    assert titles["https://github.com/gpu-mode"].endswith("GitHub组织")
    assert titles["https://docs.nvidia.com/cuda/"] == "CUDA文档"
    assert all(title.strip() and not title.startswith("http") for title in titles.values())


def test_language_is_that_of_the_page_and_not_of_the_list(imported: Imported) -> None:
    lang = {entry.url: entry.lang for entry in imported.resources}
    assert lang["https://jax-ml.github.io/scaling-book/gpus/"] == "en"
    assert lang["https://docs.nvidia.com/cuda/"] == "en"
    assert lang["https://cudazone.nvidia.cn/cuda-training/"] == "zh"
    assert lang["https://jasonkayzk.github.io/"] == "zh"
    assert lang["https://luniak.io/cuda-neural-network-implementation-part-1/"] == "en"


def test_topics_come_from_the_lists_words(imported: Imported) -> None:
    topics = {entry.url: entry.topics for entry in imported.resources}
    assert topics["https://zhuanlan.zhihu.com/p/421737378"][:3] == ("npu", "systolic-arrays", "tpu")
    assert "graph-compilers" in topics["https://zhuanlan.zhihu.com/p/163717035"]
    assert "quantization" in topics["https://zhuanlan.zhihu.com/p/64744154"]


def test_the_result_is_one_json_document_of_the_agreed_keys(imported: Imported) -> None:
    document = json.loads(json.dumps(imported.as_json()))
    assert set(document) == {"resources", "papers", "tasks", "keywords", "snippets", "skipped"}
    assert set(document["resources"][0]) == {
        "url", "fragment", "title", "labels", "lang", "kind", "level", "stretch", "topics",
    }  # fmt: skip
    assert set(document["resources"][0]["labels"][0]) == {"list", "line", "text", "section", "description"}
