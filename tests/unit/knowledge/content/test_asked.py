"""Questions that sections answer: each section has some in both languages, and each belongs to one section."""

from __future__ import annotations

from pathlib import Path

import pytest

from knowledge.content import load_notes, load_topics
from knowledge.content.asked import INTRODUCTION, AskedSection, load_asked
from knowledge.errors import BadContent

TOPICS = "topics:\n  - {id: a, area: cuda, level: beginner, title: {en: A, zh: 甲}, needs: [], keywords: [k]}\n"
FRONT = "---\nid: note:one\ntitle: One\ntopics: [a]\nlevel: beginner\nminutes: 5\n---\n\n"
ENGLISH, CHINESE = (
    "Blocks.\n\n## Limits\n\nA block has 1024 threads.\n",
    "线程块。\n\n## 上限\n\n一个线程块有 1024 个线程。\n",
)


def sections(root: Path, asked: str, english: str = ENGLISH, name: str = "one") -> tuple[AskedSection, ...]:
    for folder in ("notes/en", "notes/zh", "asked"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "topics.yaml").write_text(TOPICS, encoding="utf-8")
    (root / "notes/en/one.md").write_text(FRONT + english, encoding="utf-8")
    (root / "notes/zh/one.md").write_text(FRONT + CHINESE, encoding="utf-8")
    (root / f"asked/{name}.yaml").write_text(asked, encoding="utf-8")
    return load_asked(root, load_notes(root, load_topics(root)))


def test_a_section_is_known_by_its_heading_in_every_language(tmp_path: Path) -> None:
    found = sections(
        tmp_path, '"":\n- what is a block\n"Limits":\n- how large may it be\n- 一个 block 最多多少线程\n'
    )
    assert found == (
        AskedSection("note:one", (INTRODUCTION,), ("what is a block",)),
        AskedSection("note:one", ("Limits", "上限"), ("how large may it be", "一个 block 最多多少线程")),
    )


@pytest.mark.parametrize(
    ("asked", "mistake"),
    [
        ('"Borders":\n- how far\n', "'Borders': the note has no such heading"),
        ('"Limits":\n- how far?\n- How far\n', "'How far' is asked of one, Limits already"),
        ('"Limits": how far\n', "Limits"),
    ],
)
def test_a_mistake_is_named_with_its_file(tmp_path: Path, asked: str, mistake: str) -> None:
    with pytest.raises(BadContent) as refused:
        sections(tmp_path, asked)
    assert "asked/one.yaml" in str(refused.value)
    assert mistake in str(refused.value)


def test_a_file_needs_a_note_of_its_name(tmp_path: Path) -> None:
    with pytest.raises(BadContent, match=r"asked/two\.yaml: no note has this name"):
        sections(tmp_path, '"":\n- what\n', name="two")


def test_a_note_with_unlike_sections_cannot_be_asked(tmp_path: Path) -> None:
    with pytest.raises(BadContent, match="more sections in one language"):
        sections(tmp_path, '"":\n- what\n', ENGLISH + "\n## More\n\nMore.\n")
