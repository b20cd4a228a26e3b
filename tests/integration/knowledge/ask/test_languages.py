"""Which language is quoted: the asker's where a page has been translated, and the page's own everywhere else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from indexer.build import build
from knowledge.ask.nearest_readings import NearestReadings
from knowledge.ask.open_ask import AskFlow
from knowledge.recommend.shelf import Shelf, shelf_of
from knowledge.search.searcher import Findings, Hit
from knowledge.store import Scope
from knowledge.text.language import Lang
from tests import prepared
from tests.integration.knowledge.ask.pages import made_library
from tests.shipped_content import shipped_content

IN_BOTH = "coalescing"
MIXED = """# 存储体冲突

## 冲突从哪里来

共享内存分成 32 个存储体，同一线程束的线程访问同一存储体的不同地址时就会发生存储体冲突，访问只能一个接一个地进行。

## 参考资料

Using shared memory in CUDA C/C++: a post about shared memory, bank conflicts and tiles, for further reading.
"""


@pytest.fixture(scope="module")
def flow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AskFlow]:
    """A note that stands in both languages, and a Chinese page with a list of English readings."""
    folder = tmp_path_factory.mktemp("languages")
    content = shipped_content()
    note = replace(content, resources=(), notes=tuple(note for note in content.notes if note.id.endswith(IN_BOTH)))
    row = {"url": "https://notes.example.org/mixed", "path": "mixed.md", "lang": "zh", "kind": "markdown"}
    (folder / "mirror").mkdir()
    (folder / "mirror" / "mixed.md").write_text(MIXED, encoding="utf-8")
    (folder / "mirror" / "manifest.jsonl").write_text(json.dumps(row), encoding="utf-8")
    made = made_library(
        folder,
        prepared.models(tmp_path_factory),
        lambda library: build(library, content=note),
        lambda library: build(library, mirror=folder / "mirror"),
    )
    yield made.flow
    made.flow.sources.close()


def found(flow: AskFlow, question: str) -> Findings:
    return flow.searcher.findings(flow.searcher.read(question), at_home=True)


def langs(hits: tuple[Hit, ...], path: str) -> set[str]:
    return {hit.passage.lang for hit in hits if hit.passage.path == path}


@pytest.mark.parametrize(("question", "lang"), [("What is a coalesced access?", "en"), ("什么是合并访问？", "zh")])
def test_of_a_page_in_both_languages_the_askers_is_quoted(flow: AskFlow, question: str, lang: str) -> None:
    findings = found(flow, question)
    assert {"notes/en/coalescing.md", "notes/zh/coalescing.md"} <= {hit.passage.path for hit in findings.hits}
    assert {hit.passage.path for hit in findings.home} & {"notes/en/coalescing.md", "notes/zh/coalescing.md"} == {
        f"notes/{lang}/coalescing.md"
    }


def test_a_page_keeps_its_passages_though_some_of_its_lines_read_as_the_other_language(flow: AskFlow) -> None:
    findings = found(flow, "Why do bank conflicts happen in shared memory?")
    assert langs(findings.hits, "mixed.md") == {"en", "zh"}
    assert langs(findings.home, "mixed.md") == {"en", "zh"}


async def shelf(_scope: Scope) -> Shelf:
    return shelf_of(shipped_content())


@pytest.mark.parametrize(
    ("lang", "title"), [("en", "Coalesced access to global memory"), ("zh", "全局内存的合并访问")]
)
async def test_a_nearest_reading_comes_once_and_as_the_shelf_knows_it(flow: AskFlow, lang: Lang, title: str) -> None:
    hits = found(flow, "coalesced access 合并访问").hits
    readings = await NearestReadings(shelf)(hits, lang, Scope())
    note = next(reading for reading in readings if reading.resource_id == "note:coalescing")
    assert (note.title, note.lang, note.kind) == (title, lang, "note")
    assert note.minutes
    assert len({reading.resource_id for reading in readings}) == len(readings)
