"""Typos are read as what was meant, small talk as small talk, and right words stay: by hand-written sets."""

from __future__ import annotations

import json
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from knowledge.ask.intents import Intents
from knowledge.ask.spelling import LONGEST, Spelling, english
from knowledge.content import Content
from knowledge.text.edits import edits
from tests.shipped_content import shipped_content

SETS = Path(__file__).with_name("typos")


def read(name: str) -> dict[str, Any]:
    return tomllib.loads((SETS / f"{name}.toml").read_text(encoding="utf-8"))


def in_no_library(_: str) -> bool:
    return False


@pytest.fixture(scope="module")
def content() -> Content:
    return shipped_content()


@pytest.fixture(scope="module")
def spelling(content: Content) -> Spelling:
    return Spelling(content)


@pytest.fixture(scope="module")
def intents(content: Content) -> Intents:
    return Intents(content)


def wrong_typos(spelling: Spelling, name: str) -> dict[str, str]:
    read_as = {typed: spelling.mended(typed, in_no_library) for typed in read(name)["mistyped"]}
    return {typed: got for typed, got in read_as.items() if got != read(name)["mistyped"][typed]}


def wrong_talk(intents: Intents, name: str) -> dict[str, str]:
    told = {each: (intents.of(each).intent, meant) for meant, said in read(name)["talk"].items() for each in said}
    return {each: got for each, (got, meant) in told.items() if got != meant}


def wrongly_changed(spelling: Spelling, name: str) -> dict[str, str]:
    right = [each for questions in read(name)["clean"].values() for each in questions]
    return {each: got for each in right if (got := spelling.mended(each, in_no_library)) != each}


def test_the_set_to_work_with_is_read_as_written_down(spelling: Spelling, intents: Intents) -> None:
    """But for one that would cost 矩阵乘的 and 寄存器里, which are right: a term with a character after it."""
    assert set(wrong_typos(spelling, "work")) == {"矩阵乘发怎么分块"}
    assert not wrong_talk(intents, "work")
    assert not wrongly_changed(spelling, "work")


def test_the_set_kept_aside_keeps_its_floors(spelling: Spelling, intents: Intents) -> None:
    """18 typos, 12 messages of small talk, 30 right questions."""
    assert len(wrong_typos(spelling, "kept_aside")) <= 4
    assert len(wrong_talk(intents, "kept_aside")) <= 3
    assert len(wrongly_changed(spelling, "kept_aside")) <= 1


def test_hardly_a_labelled_question_is_changed(spelling: Spelling) -> None:
    files = [Path(__file__).parents[3] / "eval" / f"{name}.jsonl" for name in ("corpus", "notes", "fresh")]
    rows = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    asked = [row["question"] for row in rows if isinstance(row.get("question"), str)]
    changed = [each for each in asked if spelling.mended(each, in_no_library) != each]
    assert len(asked) > 1200
    assert len(changed) <= 2, changed


def test_a_word_that_the_library_has_stays(spelling: Spelling) -> None:
    assert spelling.mended("what is coalesing", in_no_library) == "what is coalescing"
    assert spelling.mended("what is coalesing", {"coalesing"}.__contains__) == "what is coalesing"


@pytest.mark.parametrize(
    "message",
    [
        "what is threadIdxx", "cudaMemcopy fails", "__shraed__ memory", "sm_90a or sm90b", "see kernal.cu for it",
        "NCCLL", "https://memroy.example/coalesing", "a b c", "x" * (LONGEST + 1), "cuda 12.x vs 13.x",
    ],
)  # fmt: skip
def test_identifiers_numbers_paths_and_short_words_stay(spelling: Spelling, message: str) -> None:
    assert spelling.mended(message, in_no_library) == message


def test_a_message_in_another_language_is_not_turned_into_english(spelling: Spelling) -> None:
    message = "warum wird mein Programm langsamer sobald mehrere Ausführungsstränge gleichzeitig schreiben möchten"
    assert spelling.mended(message, in_no_library) == message


def test_common_english_comes_with_the_packaged_embedder() -> None:
    assert len(english()) > 15_000
    assert {"rice", "curry", "cooking"} <= english()


@pytest.mark.parametrize(
    ("typed", "meant", "slips"),
    [("waht", "what", 1), ("memmory", "memory", 1), ("ca", "abc", 3), ("same", "same", 0), ("a", "wholeword", 3)],
)
def test_slips_are_counted_with_swaps_and_up_to_a_bound(typed: str, meant: str, slips: int) -> None:
    assert edits(typed, meant, 2) == slips


def test_a_question_takes_two_milliseconds_at_most(spelling: Spelling) -> None:
    messages = [*read("work")["mistyped"], *(each for said in read("work")["clean"].values() for each in said)]
    for message in messages:
        spelling.mended(message, in_no_library)
    started = time.process_time()
    for message in messages:
        spelling.mended(message, in_no_library)
    assert (time.process_time() - started) / len(messages) < 0.002


@pytest.mark.parametrize("text", ["memmroy " * 50, "a" * LONGEST, "共享内" * 130, "howtoavoid" * 40])
def test_no_message_takes_long(spelling: Spelling, text: str) -> None:
    started = time.process_time()
    spelling.mended(text, in_no_library)
    assert time.process_time() - started < 0.05
