"""What a YAML file of content/ may say, and what becomes of the rest."""

from __future__ import annotations

from datetime import date

import pytest

from knowledge.content.schema import parsed_yaml
from knowledge.errors import BadContent


def test_words_numbers_dates_lists_and_mappings_are_read() -> None:
    text = "a: yes\nb: 1.5\nc:\nd: 0x10\ne: 2026-01-31\nf: [x, {y: '2'}]\n1: one\n"
    fields = {"a": True, "b": 1.5, "c": None, "d": 16, "e": date(2026, 1, 31), "f": ["x", {"y": "2"}], 1: "one"}
    assert parsed_yaml(text, "file") == fields
    assert parsed_yaml("", "file") is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: 1\nb: {c: 1, c: 2}", "line 2: key 'c' twice"),
        ("? [a]\n: 1", "line 1: a key must be one word"),
        ("a: !!set {b, c}", "has no place here"),
        ("a: !!python/object:os.system x", "could not determine a constructor"),
        ("a: 1\nb: [c\nd: 2", "line 3: "),
    ],
)
def test_a_mistake_is_told_with_its_line(text: str, told: str) -> None:
    with pytest.raises(BadContent, match=r"^file: line \d: ") as raised:
        parsed_yaml(text, "file")
    assert told in str(raised.value)


def test_an_alias_names_the_same_thing_again_and_does_not_multiply_it() -> None:
    layers = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 30))
    read = parsed_yaml(f"l0: &l0 [lol]\n{layers}", "file")
    assert read["l29"][0] is read["l29"][8] is read["l28"]
    assert read["l1"] == [["lol"]] * 9
