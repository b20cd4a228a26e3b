"""No sentence lacks a language, none is named and missing, none is there and never said."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from knowledge.wording import GROUPS, sentences
from web.words import FOLDER, load_voices

WEB = Path(__file__).parents[3] / "web"
MADE_OF_PARTS = (
    "api.",
    "area.",
    "field.",
    "calc.",
    "error.",
    "verdict.",
    "ask.foreign_",
    "nav.",
    "preparing.",
    "status.count_",
)
"""Their last part is made from data: an area, a field, a status."""
NAMED = re.compile(r"""(?:\bt|voice|voice_of\(request\))\(\s*["']([a-z_]+\.[\w-]+)["']\s*[,)]""")


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def sources() -> str:
    files = (*WEB.rglob("*.html"), *WEB.rglob("*.py"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def test_both_languages_say_the_same_things_with_the_same_blanks() -> None:
    english, chinese = sentences(FOLDER / "en.toml"), sentences(FOLDER / "zh.toml")
    assert english.keys() == chinese.keys()
    assert {name: fields(text) for name, text in english.items()} == {n: fields(t) for n, t in chinese.items()}


def test_chinese_is_chinese() -> None:
    not_chinese = {
        name for name, text in sentences(FOLDER / "zh.toml").items() if not re.search(r"[\u4e00-\u9fff]", text)
    }
    assert not_chinese <= {"nav.api"}


def test_every_sentence_that_is_named_exists() -> None:
    named = set(NAMED.findall(sources()))
    assert len(named) > 80
    assert named <= sentences(FOLDER / "en.toml").keys()


def test_every_sentence_is_said_somewhere() -> None:
    text = sources()
    unsaid = {
        name
        for name in sentences(FOLDER / "en.toml")
        if f'"{name}"' not in text and f"'{name}'" not in text and not name.startswith(MADE_OF_PARTS)
    }
    assert unsaid == set()


@pytest.mark.parametrize("group", GROUPS)
def test_shared_words_have_both_languages(group: str) -> None:
    assert all(en and zh for en, zh in GROUPS[group].values())


def test_an_unknown_word_stands_for_itself() -> None:
    assert load_voices().zh.word("kind", "<b>hologram") == "<b>hologram"
