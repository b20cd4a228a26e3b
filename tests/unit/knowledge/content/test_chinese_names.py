"""Our Chinese texts call a thing by one name, as content/chinese_names.yaml says; so does the program itself."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from knowledge.content.chinese_names import ChineseNames, load_chinese_names
from knowledge.content.glossary import load_glossary
from knowledge.errors import BadContent
from tests.folders import CONTENT
from tests.shipped_content import shipped_content

ROOT = CONTENT.parent
SAID = [
    CONTENT / "findings.toml",
    ROOT / "worker" / "reasons.toml",
    *sorted((ROOT / "knowledge" / "words" / "zh").glob("*.toml")),
]
"""Every sentence of the program in Chinese."""


@pytest.fixture(scope="module")
def names() -> ChineseNames:
    return shipped_content().chinese_names


def texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text with the keys that lead to it."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from texts(inner, f"{key}.{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner, key)


def chinese(text: str) -> bool:
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)


@pytest.mark.parametrize("path", [path for path in SAID if path.name != "typed.toml"], ids=lambda path: path.name)
def test_what_the_program_says_is_in_the_voice_of_the_notes(path: Path, names: ChineseNames) -> None:
    """All but typed.toml, which holds what members type."""
    said = [(key, text) for key, text in texts(tomllib.loads(path.read_text(encoding="utf-8"))) if chinese(text)]
    assert said
    assert [f"{key}: {what}" for key, text in said for what in names.mistakes(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "线程束（warp）由 32 个线程组成。",
        "写 `__global__ void kernel()`。",
        "用 kernel<<<grid, block, smem, stream>>>(x) 启动。",
        "驱动包括内核模块和库。",
        "    //! launch kernel<<<1, 32>>>(x)",
        "见 {kernel} 与 https://example.org/warp 。",
        "BLOCK = 1024 是编译期常量。",
        "每 128 个线程组成一个线程束组。",
    ],
)
def test_code_brackets_fields_and_other_meanings_are_left_alone(text: str, names: ChineseNames) -> None:
    assert list(names.mistakes(text)) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("启动一个 kernel。", "kernel"),
        ("Kernel 启动之后", "Kernel"),
        ("两个 warps 之间", "warps"),
        ("这个内核很慢。", "内核"),
        ("在 thread-block 之间", "thread-block"),
        ("共享存储器分成 32 份", "共享存储"),
        ("用 KV 缓存", "KV 缓存"),
    ],
)
def test_another_name_is_found_however_it_is_written(text: str, name: str, names: ChineseNames) -> None:
    assert any(f"says {name!r}" in mistake for mistake in names.mistakes(text))


def test_a_text_about_operating_systems_may_speak_of_their_kernel(names: ChineseNames) -> None:
    assert list(names.mistakes("缺页会进入内核。", ("operating-systems",))) == []
    assert list(names.mistakes("缺页会进入内核。", ("cuda-basics",))) != []


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("{use: 没有这个词, instead_of: [warp]}", "use: no term of the glossary is called '没有这个词'"),
        ("{use: 线程束, instead_of: [线程]}", "instead_of: '线程' is the usual name of a term"),
    ],
)
def test_the_rules_follow_the_glossary(tmp_path: Path, rule: str, said: str) -> None:
    shutil.copy(CONTENT / "glossary.yaml", tmp_path)
    (tmp_path / "chinese_names.yaml").write_text(f"words:\n  - {rule}\n", encoding="utf-8")
    with pytest.raises(BadContent, match=said):
        load_chinese_names(tmp_path, load_glossary(tmp_path))
