"""Excerpts over small pages: whole where they would be loose, few, short, in order, and nothing added to fill up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from indexer.build import build
from knowledge.ask.answer import MOST_CHARACTERS
from knowledge.ask.choose import MOST_EXCERPTS, Chosen, choose
from knowledge.ask.evidence import Sentence
from knowledge.ask.excerpts import Piece, Section, announces, cut, dangles, section_around
from knowledge.ask.marks import MOST_MARKED, MOST_MARKED_CHARACTERS
from knowledge.ask.weighing import WeighedPassage, weigh
from knowledge.search.searcher import Hit
from knowledge.search.signals import Signals
from tests import prepared
from tests.integration.knowledge.ask.pages import SmallLibrary, made_library

FILLER = " ".join(f"Sentence number {n} tells of the kernel and its many blocks." for n in range(1, 60))
PAGES = {
    "en/errors.md": """# Launch errors

## Messages

An error has a number and a name.
Common messages mean the following:

- invalid configuration: more than 1024 threads in a block
- misaligned address: a vector load at an odd address
- out of memory: the allocation did not fit

Every other message is rare.

## Sizes

The caches of the card have these sizes.

| level | size |
|-------|------|
| L1 | 256 KB |
| L2 | 50 MB |

## Strides

Each thread of this kernel takes more than one element:

```cuda
for (int i = first; i < n; i += stride) x[i] = 0;
```

The loop above is a grid-stride loop. A grid-stride loop is correct for every grid size.

## Repeats

A barrier waits for all threads of a block.

A barrier waits for all threads of a block.

## Clusters

A cluster has up to eight blocks.

It exists on recent cards and nowhere else.

```cuda
cluster.sync();
```

## Fences

Writes stay in their order.

The note on fences tells more of the memory fence.

## Bounds

The bound above holds for every size of a tile.

## Sticky errors

This error stays until the process ends.

## Can two blocks share one SM?

Yes, as long as registers and shared memory suffice. They wait in turn, which the scheduler decides.

## 流和事件有什么区别？

流是一队按次序执行的操作；事件是队里的一个标记。两者都很便宜。
""",
    "en/long.md": f"# Long pages\n\n## First\n\n{FILLER}\n\n## Second\n\n{FILLER.replace('kernel', 'stream')}\n\n"
    f"## Third\n\n{FILLER.replace('kernel', 'event')}\n\n## Fourth\n\n{FILLER.replace('kernel', 'graph')}\n",
    "zh/错误.md": """# 启动错误

## 消息

常见的消息含义如下：

- 配置无效：一个线程块超过 1024 个线程
- 地址未对齐：向量读取的地址不对
""",
}


def write_pages(folder: Path) -> Path:
    rows = []
    for path, text in PAGES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
        rows.append({"url": f"https://notes.example.org/{path}", "path": path, "lang": path[:2], "kind": "markdown"})
    (folder / "manifest.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallLibrary]:
    folder = tmp_path_factory.mktemp("excerpts")
    mirror = write_pages(folder / "mirror")
    made = made_library(folder, prepared.models(tmp_path_factory), lambda library: build(library, mirror=mirror))
    yield made
    made.flow.sources.close()


def hit_with(pages: SmallLibrary, words: str) -> Hit:
    """The passage that holds these words, as search would hand it over."""
    source = pages.flow.sources.shared()
    passages = source.generation.passages(range(source.size))
    passage = next(passage for passage in passages if words in passage.text)
    return Hit(1, 1.0, passage, Signals(passage.row, passage.lang, 0, 0, 0, 0), source)


def quoted(pages: SmallLibrary, words: str, most: int = 60, room: int = 800) -> str:
    """What is quoted for the sentence with these words where little room is left."""
    section = section_around(hit_with(pages, words))
    return cut(section, marked_by(section, words), most, room).of(section.text)


def marked_by(section: Section, words: str) -> list[Piece]:
    return [piece for piece in section.pieces if words in piece.span.of(section.text)][:1]


def weighed(pages: SmallLibrary, words: str, strength: float) -> WeighedPassage:
    """A read passage whose sentence with these words answers, and no other."""
    hit = hit_with(pages, words)
    spans, _ = hit.source.sentences.of(hit.passage.row)
    sentences = tuple(
        (strength if words in span.of(hit.passage.text) else strength - 9, Sentence(hit, number, span, ()))
        for number, span in enumerate(spans)
    )
    return WeighedPassage(hit, strength, strength, sentences)


def texts(chosen: Chosen) -> list[str]:
    return [excerpt.text for excerpt in chosen.excerpts]


def test_a_list_comes_with_its_lead_in(pages: SmallLibrary) -> None:
    text = quoted(pages, "misaligned address", most=200)
    assert text.startswith("Common messages mean the following:")
    assert "- misaligned address: a vector load" in text
    assert quoted(pages, "地址未对齐", most=70).startswith("常见的消息含义如下：")


def test_a_lead_in_comes_with_its_list_and_ends_no_excerpt(pages: SmallLibrary) -> None:
    text = quoted(pages, "Common messages mean")
    assert "- out of memory: the allocation did not fit" in text
    assert not announces(text)


def test_a_table_row_comes_with_its_header_and_lead_in(pages: SmallLibrary) -> None:
    text = quoted(pages, "50 MB", most=100)
    assert text.startswith("The caches of the card have these sizes.")
    assert "| level | size |" in text
    assert "50 MB" in text


def test_a_sentence_that_points_back_comes_with_what_it_points_to(pages: SmallLibrary) -> None:
    chosen = choose([weighed(pages, "The loop above", 1.0)], "en")
    code, prose = chosen.excerpts[-2:]
    assert (code.kind, code.code_language) == ("code", "c")
    assert code.text.startswith("for (int i = first")
    assert prose.text.startswith("The loop above is")


def test_code_that_was_asked_for_comes_first(pages: SmallLibrary) -> None:
    words, code = weighed(pages, "An error has a number", 3.0), weighed(pages, "int i = first", 2.0)
    assert choose([words, code], "en", code_first=True).excerpts[0].kind == "code"
    assert choose([words, code], "en").excerpts[0].kind == "prose"


def test_code_that_was_asked_for_and_is_beside_the_point_is_left_out(pages: SmallLibrary) -> None:
    words, code = weighed(pages, "An error has a number", 9.0), weighed(pages, "int i = first", 1.0)
    assert all(excerpt.kind == "prose" for excerpt in choose([words, code], "en", code_first=True).excerpts)


def test_a_how_to_comes_with_its_code(pages: SmallLibrary) -> None:
    lead, code = choose([weighed(pages, "Each thread of this kernel", 1.0)], "en").excerpts[:2]
    assert lead.text == "Each thread of this kernel takes more than one element:"
    assert code.kind == "code"


def test_what_is_not_marked_is_left_out_where_it_would_dangle(pages: SmallLibrary) -> None:
    assert not dangles(quoted(pages, "A grid-stride loop is correct", most=55))


def test_one_passage_that_answers_is_quoted_alone(pages: SmallLibrary) -> None:
    best = weighed(pages, "An error has a number", 5.0)
    weak = weighed(pages, "A grid-stride loop is correct", 2.5)
    (excerpt,) = choose([best, weak], "en").excerpts
    assert excerpt.text.startswith("An error has a number and a name.")


def test_where_it_is_unsure_which_one_answers_a_second_passage_is_quoted(pages: SmallLibrary) -> None:
    best = weighed(pages, "An error has a number", 5.0)
    second = weighed(pages, "A barrier waits", 3.5)
    chosen = choose([best, second], "en")
    assert all(excerpt.marked for excerpt in chosen.excerpts)
    assert chosen.excerpts[1].text.startswith("A barrier waits for all threads of a block.")


def test_a_section_is_quoted_up_to_its_code_and_with_it_where_a_way_is_asked_for(pages: SmallLibrary) -> None:
    read = [weighed(pages, "A cluster has", 4.0)]
    (prose,) = choose(read, "en").excerpts
    assert "nowhere else" in prose.text
    assert [excerpt.kind for excerpt in choose(read, "en", with_code=True).excerpts] == ["prose", "code"]


def test_what_leads_on_to_another_note_answers_nothing(pages: SmallLibrary) -> None:
    findings = pages.flow.searcher.findings(pages.flow.searcher.read("What is a memory fence?"))
    hit = hit_with(pages, "memory fence")
    hits = (replace(hit, passage=replace(hit.passage, resource_id="note:fences")),)
    (passage,) = weigh(pages.flow.asker._reader, replace(findings, hits=hits))
    said, leading_on = passage.sentences
    assert said[0] > leading_on[0]


def test_the_header_of_a_table_is_not_marked(pages: SmallLibrary) -> None:
    (excerpt,) = choose([weighed(pages, "| level | size |", 4.0)], "en").excerpts
    assert [span.of(excerpt.text) for span in excerpt.marked] != ["level | size |"]
    assert "L1" in excerpt.text


def test_what_points_to_something_that_is_not_there_gives_way_to_another_passage(pages: SmallLibrary) -> None:
    pointing, other = weighed(pages, "The bound above", 3.0), weighed(pages, "A barrier waits", 1.0)
    (excerpt,) = choose([pointing, other], "en").excerpts
    assert excerpt.text.startswith("A barrier waits")
    assert [one.text for one in choose([pointing], "en").excerpts] == [
        "The bound above holds for every size of a tile."
    ]


def test_what_points_to_its_own_heading_may_begin_an_excerpt(pages: SmallLibrary) -> None:
    sticky, other = weighed(pages, "This error stays", 3.0), weighed(pages, "A barrier waits", 2.0)
    chosen = choose([sticky, other], "en")
    assert "This error stays until the process ends." in texts(chosen)
    assert "Sticky errors" in {citation.section.split(" > ")[-1] for citation in chosen.citations}


@pytest.fixture
def long(pages: SmallLibrary) -> Chosen:
    words = [f"Sentence number 20 tells of the {of}" for of in ("graph", "event", "stream", "kernel")]
    return choose([weighed(pages, each, 6.0 - n / 10) for n, each in enumerate(words)], "en")


def test_excerpts_are_at_most_three_and_short_together(long: Chosen) -> None:
    assert 1 < len(long.excerpts) <= MOST_EXCERPTS
    assert sum(map(len, texts(long))) <= MOST_CHARACTERS


def test_of_one_page_excerpts_stand_in_the_order_of_reading(long: Chosen) -> None:
    starts = [excerpt.start for excerpt in long.excerpts]
    assert starts == sorted(starts)
    assert [citation.n for citation in long.citations] == [excerpt.citation for excerpt in long.excerpts]


def test_marks_are_few_short_and_lie_in_their_excerpt(long: Chosen) -> None:
    marks = [span.of(excerpt.text) for excerpt in long.excerpts for span in excerpt.marked]
    assert 1 <= len(marks) <= MOST_MARKED
    assert sum(map(len, marks)) <= MOST_MARKED_CHARACTERS
    assert all(mark.startswith("Sentence number 20 ") for mark in marks)


def test_an_excerpt_stands_where_it_says(pages: SmallLibrary, long: Chosen) -> None:
    by_pointing = choose([weighed(pages, "The loop above", 1.0)], "en")
    for chosen in (long, by_pointing):
        snapshots = {citation.n: citation.snapshot_id for citation in chosen.citations}
        for excerpt in chosen.excerpts:
            text = pages.snapshots[snapshots[excerpt.citation]]
            for span in excerpt.marked:
                assert text[excerpt.start + span.start : excerpt.start + span.end] == span.of(excerpt.text)
            assert " ".join(excerpt.text.split()) in " ".join(text.split())


def test_of_two_languages_the_askers_comes_first_where_both_answer_alike(pages: SmallLibrary) -> None:
    english, chinese = weighed(pages, "misaligned address", 6.0), weighed(pages, "地址未对齐", 5.8)
    assert [citation.lang for citation in choose([english, chinese], "zh").citations] == ["zh", "en"]
    assert [citation.lang for citation in choose([english, chinese], "en").citations] == ["en", "zh"]


def test_what_answers_clearly_better_comes_first_in_either_language(pages: SmallLibrary) -> None:
    english, chinese = weighed(pages, "misaligned address", 7.0), weighed(pages, "地址未对齐", 6.2)
    assert [citation.lang for citation in choose([english, chinese], "zh").citations] == ["en", "zh"]


def test_what_was_said_is_not_said_again(pages: SmallLibrary) -> None:
    chosen = choose([weighed(pages, "A barrier waits", 3.0), weighed(pages, "A barrier waits", 2.9)], "en")
    assert len(chosen.excerpts) == 1
    assert len(chosen.excerpts[0].marked) == 1


def test_nothing_read_gives_nothing(pages: SmallLibrary) -> None:
    assert choose([], "en") == Chosen((), ())


def near(passage: WeighedPassage, cosine: float) -> WeighedPassage:
    """The passage, of a section that is known to answer a question as like the one asked."""
    return replace(passage, hit=replace(passage.hit, signals=replace(passage.hit.signals, asked=cosine)))


def test_a_passage_on_a_neighbouring_subject_is_not_quoted_beside_the_best(pages: SmallLibrary) -> None:
    best = weighed(pages, "An error has a number", 5.0)
    second = weighed(pages, "A barrier waits", 3.5)
    assert len(choose([best, near(second, 0.75)], "en").excerpts) == 2
    assert len(choose([best, near(second, 0.1)], "en").excerpts) == 1


def test_the_nearness_of_a_place_never_drops_the_best_passage(pages: SmallLibrary) -> None:
    (excerpt,) = choose([near(weighed(pages, "A barrier waits", 3.5), 0.05)], "en").excerpts
    assert excerpt.text.startswith("A barrier waits")


def marks(chosen: Chosen) -> list[str]:
    return [span.of(excerpt.text) for excerpt in chosen.excerpts for span in excerpt.marked]


def test_below_a_question_the_first_sentence_is_marked_unless_another_is_far_stronger(pages: SmallLibrary) -> None:
    passage = near(weighed(pages, "which the scheduler", 4.0), 0.88)
    (first_weight, first), (second_weight, second) = passage.sentences
    behind = replace(passage, sentences=((second_weight - 2, first), (second_weight, second)))
    assert marks(choose([behind], "en")) == ["Yes, as long as registers and shared memory suffice."]
    far = replace(passage, sentences=((second_weight - 9, first), (second_weight, second)))
    assert marks(choose([far], "en")) == ["They wait in turn, which the scheduler decides."]
    assert first_weight < second_weight


def test_where_the_first_sentence_answers_by_half_the_other_half_is_marked_too(pages: SmallLibrary) -> None:
    passage = near(weighed(pages, "流是一队", 4.0), 0.88)
    assert marks(choose([passage], "zh")) == ["流是一队按次序执行的操作；", "事件是队里的一个标记。"]


def test_a_lead_in_is_not_marked(pages: SmallLibrary) -> None:
    chosen = choose([weighed(pages, "Common messages mean", 4.0)], "en")
    assert marks(chosen)
    assert not any(announces(mark) for mark in marks(chosen))
