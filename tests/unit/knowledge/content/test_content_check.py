"""`warpmate content check` finds one mistake of each kind, planted in the content that ships, and names its place."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from knowledge.content import Content, Definitions, Note, ProblemCard, Resource, Words
from knowledge.content.asked import AskedSection
from knowledge.content.check import mistakes, unasked
from tests.shipped_content import shipped_content

ROOT = Path(__file__).parents[4]
SLUG = "warp-divergence"
EN, ZH = f"notes/en/{SLUG}.md", f"notes/zh/{SLUG}.md"
Plant = Callable[[Content], Content]


@pytest.fixture(scope="module")
def content() -> Content:
    """What ships, with a few notes and resources for mistakes to be planted in: the whole takes a second."""
    shipped = shipped_content()
    harder = next(one.slug for one in shipped.notes if one.level == "advanced")
    slugs, kinds = {SLUG, "coalescing", harder}, ("article", "task")
    return dataclasses.replace(
        shipped,
        notes=tuple(one for one in shipped.notes if one.slug in slugs),
        resources=tuple(next(one for one in shipped.resources if one.kind == kind) for kind in kinds),
    )


@pytest.fixture(scope="module")
def before(content: Content) -> str:
    """What so few notes lack, before anything is planted."""
    return "\n".join(mistakes(content))


def note(path: str, change: Callable[[Note], dict[str, Any]]) -> Plant:
    """Content in which the note at this path is changed."""
    return lambda content: dataclasses.replace(
        content,
        notes=tuple(one.model_copy(update=change(one)) if one.path == path else one for one in content.notes),
    )


def body(path: str, change: Callable[[str], str]) -> Plant:
    return note(path, lambda one: {"body": change(one.body)})


def both(change: Callable[[Note], dict[str, Any]]) -> Plant:
    return lambda content: note(EN, change)(note(ZH, change)(content))


def first_resource(change: Callable[[Resource], dict[str, Any]], kind: str = "article") -> Plant:
    def plant(content: Content) -> Content:
        changed = next(one for one in content.resources if one.kind == kind)
        rest: Sequence[Resource] = [one for one in content.resources if one is not changed]
        return dataclasses.replace(
            content, resources=(changed.model_copy(update={"id": "planted", **change(changed)}), *rest)
        )

    return plant


def problem(slug: str, change: dict[str, Any]) -> Plant:
    def changed(card: ProblemCard) -> ProblemCard:
        return card.model_copy(update=change) if card.slug == slug else card

    return lambda content: dataclasses.replace(content, problems=tuple(map(changed, content.problems)))


def statement(slug: str, text: str) -> Plant:
    def plant(content: Content) -> Content:
        changed = dataclasses.replace(content.texts[slug], statements={"en": "", "zh": text})
        return dataclasses.replace(content, texts={**content.texts, slug: changed})

    return plant


def first_term(change: dict[str, Any]) -> Plant:
    def plant(content: Content) -> Content:
        first, *rest = content.glossary.terms
        terms = (first.model_copy(update=change), *rest)
        return dataclasses.replace(content, glossary=content.glossary.model_copy(update={"terms": terms}))

    return plant


def first_definition(change: dict[str, str]) -> Plant:
    def plant(content: Content) -> Content:
        first, *rest = content.definitions
        changed = first.model_copy(update={"text": first.text.model_copy(update=change)})
        return dataclasses.replace(content, definitions=Definitions((changed, *rest)))

    return plant


def without_first_definition(content: Content) -> Content:
    return dataclasses.replace(content, definitions=Definitions(content.definitions.in_order[1:]))


def test_the_content_that_ships_has_no_mistake() -> None:
    shipped = shipped_content()
    assert [*mistakes(shipped), *unasked(shipped.notes, shipped.asked)] == []


def test_a_section_without_questions_in_both_languages_is_named(content: Content) -> None:
    asked = [
        AskedSection(note.id, (heading,), ("what", "how", "什么", "怎么"))
        for note in content.notes
        if note.lang == "en"
        for heading in ("", *note.headings)
    ]
    assert list(unasked(content.notes, asked)) == []
    few = dataclasses.replace(asked[0], questions=("what", "how", "什么"))
    place = f"asked/{few.resource_id.removeprefix('note:')}.yaml: the introduction"
    assert list(unasked(content.notes, [few, *asked[1:]])) == [
        f"{place}: needs 2 questions in English and 2 in Chinese"
    ]


def shared(content: Content) -> Content:
    other = next(one for one in content.notes if one.path == "notes/en/coalescing.md" or one.lang == "en")
    sentence = "Nobody else may say this sentence of ours."
    other_body = f"{other.body}\n\n{sentence}\n"
    return body(EN, lambda text: f"{text}\n\n{sentence}\n")(note(other.path, lambda _: {"body": other_body})(content))


@pytest.mark.parametrize(
    ("plant", "said"),
    [
        (lambda content: dataclasses.replace(
            content, notes=tuple(one for one in content.notes if one.path != ZH)), f"{ZH}: is missing"),
        (note(ZH, lambda _: {"minutes": 239}), f"{ZH}:1: minutes: says something else"),
        (body(EN, lambda text: text[:400]), f"{EN}:1: has "),
        (body(ZH, lambda text: text * 3), f"{ZH}:1: has "),
        (body(EN, lambda text: f"## At once\n\n{text}"), f"{EN}:1: does not begin with a sentence"),
        (body(EN, lambda text: text.replace("\n## ", "\n**").replace("**", "## ", 1)), f"{EN}:1: has "),
        (body(EN, lambda text: f"{text}\n\n### Deeper\n"), f"{EN}:1: has a heading that is not of the level ##"),
        (body(EN, lambda text: f"{text}\n\n## Twice\n\n## Twice\n"), f"{EN}:1: has the heading 'Twice' twice"),
        (body(EN, lambda text: f"{text}\n\nThis is so.[^nowhere]\n"), f"{EN}:1: [^nowhere] stands in the text"),
        (both(lambda one: {"sources": (
            *one.sources, one.sources[0].model_copy(update={"id": "unused"}))}), "'unused' is used nowhere"),
        (note(EN, lambda one: {"sources": (
            one.sources[0].model_copy(update={"url": None}), *one.sources[1:])}), "has no address"),
        (body(EN, lambda text: f"{text}\n\nThe card has 132 SMs.\n"), "states a figure with neither"),
        (body(ZH, lambda text: f"{text}\n\nH200 的带宽是 4.8 TB/s。\n"), "states a figure with neither"),
        (body(EN, lambda text: f"{text}\n\nIt waits for the others.\n"), "does not name its subject"),
        (body(ZH, lambda text: f"{text}\n\n它会等待其他线程。\n"), "does not name its subject"),
        (both(lambda _: {"needs": (SLUG,)}), "notes: needs: these need each other"),
        (both(lambda _: {"needs": ("no-such-note",)}), f"{EN}:1: needs: no note 'no-such-note'"),
        (lambda content: both(lambda _: {"level": "beginner", "needs": (next(
            one.slug for one in content.notes if one.level == "advanced"),)})(content), "is harder than this note"),
        (both(lambda _: {"readings": ()}), f"{EN}:1: readings: name at least one"),
        (shared, "shares a sentence with"),
        (first_resource(lambda one: {"summaries": Words(en="x" * 161, zh=one.summaries.zh)}),
         "resources: planted: summaries.en: has 161 characters"),
        (first_resource(lambda one: {"summaries": Words(en="An article. 文章。", zh=one.summaries.zh)}),
         "resources: planted: summaries.en: holds Chinese"),
        (first_resource(lambda one: {"summaries": Words(en=one.summaries.en, zh="An article.")}),
         "resources: planted: summaries.zh: holds no Chinese"),
        (first_resource(lambda _: {"titles": None}, "task"), "resources: planted: titles: a task has a title"),
        (first_term({"zh": ("warp",)}), "zh: 'warp' holds no Chinese"),
        (first_term({"en": ("线程束",)}), "en: '线程束' holds Chinese"),
        (without_first_definition, "definitions/cuda.yaml: thread: is missing"),
        (first_definition({"en": "x" * 321}), "definitions/cuda.yaml: thread: en: has 321 characters"),
        (first_definition({"en": "线程"}), "definitions/cuda.yaml: thread: en: holds Chinese"),
        (first_definition({"zh": "thread"}), "definitions/cuda.yaml: thread: zh: holds no Chinese"),
        (body(ZH, lambda text: f"{text}\n\n一个 warp 共用指令。\n"), "says 'warp': our texts say '线程束'"),
        (note(ZH, lambda _: {"title": "线程簇"}), f"{ZH}:1: title: says '线程簇'"),
        (first_resource(lambda one: {"summaries": Words(en=one.summaries.en, zh="写出更快的内核。")}),
         "resources: planted: summaries.zh: says '内核': our texts say '核函数'"),
        (first_definition({"zh": "线程（thread）读 Shared memory。"}), "thread: zh: says 'Shared memory'"),
        (statement("vector_add", "第一行。\n一个 kernel。\n"), "vector_add/statement.zh.md:2: says 'kernel'"),
        (problem("vector_add", {"needs": ("vector_add",)}), "problems: needs: these need each other"),
        (problem("vector_add", {"readings": ()}), "problems/vector_add/problem.toml: readings: name at least one"),
    ],
)  # fmt: skip
def test_a_planted_mistake_is_named(content: Content, before: str, plant: Plant, said: str) -> None:
    assert said not in before
    assert any(said in mistake for mistake in mistakes(plant(content)))


@pytest.mark.parametrize(("path", "sentence"), [(EN, "They wait."), (ZH, "它会等待。")])
def test_a_mistake_in_a_sentence_is_named_with_its_line(content: Content, path: str, sentence: str) -> None:
    """As an editor counts them: front matter included."""
    lines = (ROOT / "content" / path).read_text(encoding="utf-8").rstrip("\n").count("\n") + 1
    planted = body(path, lambda text: f"{text.rstrip()}\n\n{sentence}\n")(content)
    assert f"{path}:{lines + 2}: does not name its subject" in "\n".join(mistakes(planted))


@pytest.mark.parametrize(
    "sentence",
    ["An H200 has 132 SMs.", "H200 的带宽是 4.8 TB/s。", "A load takes 479 cycles.", "It reached 93.7 % of cuBLAS."],
)
def test_a_figure_with_its_source_is_no_mistake(content: Content, sentence: str) -> None:
    def planted(text: str) -> str:
        (found,) = [one for one in (content.notes) if one.path == EN]
        with_it = found.model_copy(update={"body": f"{found.body}\n\n{text}\n"})
        changed = dataclasses.replace(content, notes=tuple(with_it if one is found else one for one in content.notes))
        return "\n".join(mistakes(changed))

    assert "states a figure" in planted(sentence)
    assert "states a figure" not in planted(f"{sentence[:-1]}[^h200-datasheet]{sentence[-1]}")
