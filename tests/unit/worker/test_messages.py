"""Messages are an id and fields; catalogues give them words, in as many languages as the files have."""

from __future__ import annotations

from pathlib import Path

import pytest

from worker.messages import Catalogue, MessageError, message, plain, read_catalogue

TWO = """
languages = ["en", "zh"]
[launch.too-many]
en = "at most {limit} launches, found {found}"
zh = "启动语句最多 {limit} 条，实际有 {found} 条"
[memory.went-outside]
en = "a thread goes outside{? ({access:access})}{?: index {index}}"
zh = "线程越界{?（{access:access}）}{?：下标 {index}}"
[access.read]
en = "read"
zh = "读"
[stopped]
en = "stopped: {reason}"
zh = "已停止：{reason}"
[between]
en = "; "
zh = "；"
"""


def catalogue(folder: Path, text: str, name: str = "messages.toml") -> Catalogue:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return read_catalogue(folder / name)


def test_a_message_has_words_in_every_language(tmp_path: Path) -> None:
    said = catalogue(tmp_path, TWO).texts(message("launch.too-many", limit=16, found=17))
    assert said == {"en": "at most 16 launches, found 17", "zh": "启动语句最多 16 条，实际有 17 条"}


def test_a_third_language_is_a_change_of_files_only(tmp_path: Path) -> None:
    words = {
        'en = "at': 'de = "höchstens {limit} Starts, gefunden {found}"\nen = "at',
        'en = "a thr': 'de = "ein Thread greift daneben{? ({access:access})}{?: Index {index}}"\nen = "a thr',
        'en = "read"': 'de = "lesend"\nen = "read"',
        'en = "stopped': 'de = "angehalten: {reason}"\nen = "stopped',
        'en = "; "': 'de = "; "\nen = "; "',
        '["en", "zh"]': '["en", "zh", "de"]',
    }
    text = TWO
    for old, new in words.items():
        text = text.replace(old, new)
    inner = message("memory.went-outside", access="read", index=3)
    said = catalogue(tmp_path, text).texts(message("stopped", reason=inner))
    assert said["de"] == "angehalten: ein Thread greift daneben (lesend): Index 3"
    assert said["zh"] == "已停止：线程越界（读）：下标 3"


def test_a_part_whose_field_is_not_given_is_left_out(tmp_path: Path) -> None:
    known = catalogue(tmp_path, TWO)
    assert known.text(message("memory.went-outside"), "en") == "a thread goes outside"
    assert known.text(message("memory.went-outside", index=3), "en") == "a thread goes outside: index 3"


def test_several_messages_stand_one_after_the_other(tmp_path: Path) -> None:
    twice = message("stopped", reason=[message("access.read"), message("access.read")])
    assert catalogue(tmp_path, TWO).text(twice, "zh") == "已停止：读；读"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (message("launch.too-many", limit=1), "launch.too-many needs found"),
        (message("launch.unheard-of"), "no catalogue has words for 'launch.unheard-of'"),
        (message("memory.went-outside", access="guess"), "no catalogue has words for 'access.guess'"),
    ],
)
def test_a_message_that_does_not_fit_is_refused(tmp_path: Path, given: object, says: str) -> None:
    with pytest.raises(MessageError, match=says):
        catalogue(tmp_path, TWO).text(given, "en")  # type: ignore[arg-type]  # messages all of them


def test_a_field_that_no_language_shows_is_named(tmp_path: Path) -> None:
    known = catalogue(tmp_path, TWO)
    assert known.unknown_fields(message("stopped", reason="x", because="y")) == {"because"}


def test_a_field_is_one_short_line_and_is_not_filled_again(tmp_path: Path) -> None:
    said = catalogue(tmp_path, TWO).text(message("stopped", reason="{index}\n" * 100), "en")
    assert said.startswith("stopped: {index} {index}")
    assert len(said) < 140


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[a]\nen = "a"\nzh = "一"', "languages"),
        ('languages = ["en", "zh"]\n[a]\nen = "a"', "messages.toml: a.zh: is missing"),
        ('languages = ["en", "zh"]\n[a]\nen = "{n}"\nzh = "一"', "a.zh: does not mention {n}"),
        ('languages = ["en", "zh"]\n[a]\nen = "a"\nzh = "一"\nfr = "un"', "a.fr: is no language of this file"),
        ('languages = ["en", "zh"]\n[a', "messages.toml"),
    ],
)
def test_a_mistake_in_a_catalogue_is_named(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(MessageError, match=says.replace("{", r"\{").replace("}", r"\}")):
        catalogue(tmp_path, text)


def test_two_files_are_one_catalogue_unless_they_contradict_each_other(tmp_path: Path) -> None:
    one = catalogue(tmp_path / "one", 'languages = ["en"]\n[a]\nen = "a"')
    other = catalogue(tmp_path / "other", 'languages = ["en"]\n[b]\nen = "b"')
    assert set(one | other) == {"a", "b"}
    with pytest.raises(MessageError, match="a: is given twice"):
        _ = one | one
    with pytest.raises(MessageError, match="expected the same"):
        _ = one | catalogue(tmp_path / "third", 'languages = ["de"]\n[c]\nde = "c"')


def test_a_message_in_json_is_its_id_and_its_fields() -> None:
    assert plain(message("stopped", reason=message("access.read"))) == {
        "id": "stopped",
        "fields": {"reason": {"id": "access.read", "fields": {}}},
    }


def test_for_a_log_a_message_is_its_id_and_its_fields() -> None:
    assert str(message("launch.too-many", limit=16, found=17)) == "launch.too-many (limit=16, found=17)"
