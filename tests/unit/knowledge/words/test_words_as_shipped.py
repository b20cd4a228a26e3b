"""Every id that the code names exists in each language with the same blanks, and none stands there unsaid."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from knowledge.words import FOLDER, language_codes, read_languages, read_table
from worker.messages import Template, flat

HERE = Path(__file__).parents[4]
ROOMS = {"bot": "bot", "web": "site", "warpmate": "terminal", "knowledge": None, "indexer": None}
FILES = ("shared", "verdict", "errors", "bot", "site", "terminal")
IN_A_TEMPLATE = re.compile(r"""\bt\(\s*(["'])([a-z_]+\.[\w.-]+)\1\s*[,)]""")
BEGUN_IN_A_TEMPLATE = re.compile(r"""\bt\(\s*(["'])([a-z_]+\.[\w.-]*)\1\s*~""")
QUOTED = re.compile(r"""["']([a-z_]+\.[\w.-]+)["']""")
A_WORD_OF = re.compile(r"""\bword\(\s*(["'])([a-z_]+)\1""")


def sentences(file: str, code: str = "en") -> dict[str, str]:
    return {id_: str(text) for id_, text in flat(read_table(FOLDER / code / f"{file}.toml"))}


def blanks(sentence: str) -> set[str]:
    return Template(sentence).fields


def python_of(room: str) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted((HERE / room).rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def templates() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in (HERE / "web" / "templates").glob("*.html"))


def named_ids(room: str) -> Iterator[tuple[str, str, set[str] | None]]:
    """Where, which id, and which blanks are filled (None where they are handed on) of every sentence said by name."""
    errors = {"SafeError", "BadInput", "NotFound", "NotAllowed", "TooMany", "NotReady"}
    for path, tree in python_of(room):
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and node.args):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in errors and isinstance(node.args[0], ast.JoinedStr | ast.Call | ast.BinOp):
                yield f"{path.relative_to(HERE)}:{node.lineno}", "a text instead of an id", None
            if not isinstance(node.args[0], ast.Constant):
                continue
            if name in {"language", "words", "Message", *errors} and isinstance(node.args[0].value, str):
                filled = {word.arg for word in node.keywords} - {"retry_after"}
                yield (
                    f"{path.relative_to(HERE)}:{node.lineno}",
                    node.args[0].value,
                    None if None in filled else {str(each) for each in filled},
                )


def said_in(rooms: tuple[str, ...]) -> tuple[set[str], set[str]]:
    """Every string of the code, and the beginnings of those that are put together (`verdict.` + kind)."""
    whole = set(QUOTED.findall(templates())) if "web" in rooms else set()
    beginnings = {found[1] for found in BEGUN_IN_A_TEMPLATE.findall(templates())} if "web" in rooms else set()
    beginnings |= {f"{found[1]}." for found in A_WORD_OF.findall(templates())} if "web" in rooms else set()
    for room in rooms:
        for _, tree in python_of(room):
            for node in ast.walk(tree):
                if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                    beginnings.add(str(node.values[0].value))
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    whole.add(node.value)
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "word":
                    beginnings |= {f"{each.value}." for each in node.args[:1] if isinstance(each, ast.Constant)}
    return whole, {start for start in beginnings if re.fullmatch(r"[a-z_]+\.[\w.-]*", start)}


@pytest.mark.parametrize("file", FILES)
def test_each_language_has_the_same_sentences_with_the_same_blanks(file: str) -> None:
    english = {name: blanks(text) for name, text in sentences(file).items()}
    for code in language_codes():
        assert {name: blanks(text) for name, text in sentences(file, code).items()} == english


@pytest.mark.parametrize("face", FILES[3:])
def test_a_face_says_no_shared_id_in_words_of_its_own(face: str) -> None:
    common = sentences("shared").keys() | sentences("verdict").keys() | sentences("errors").keys()
    assert sentences(face).keys() & common == set()


@pytest.mark.parametrize("room", ROOMS)
def test_every_sentence_that_is_named_exists_and_its_blanks_are_filled(room: str) -> None:
    known = read_languages(ROOMS[room])["en"].sentences
    wrong = [
        f"{where}: {name}"
        for where, name, filled in named_ids(room)
        if name not in known or (filled is not None and filled != blanks(known[name]))
    ]
    assert wrong == []


def test_every_sentence_that_a_template_names_exists() -> None:
    known = read_languages("site")["en"].sentences
    named = {found[1] for found in IN_A_TEMPLATE.findall(templates())}
    assert len(named) > 80
    assert named <= known.keys()


@pytest.mark.parametrize("file", FILES)
def test_every_sentence_is_said_somewhere(file: str) -> None:
    rooms = {"bot": ("bot",), "site": ("web",), "terminal": ("warpmate",)}.get(file, tuple(ROOMS))
    whole, beginnings = said_in(rooms)
    assert [name for name in sentences(file) if name not in whole and not name.startswith(tuple(beginnings))] == []


def test_a_chinese_sentence_is_chinese() -> None:
    plain = [
        name
        for file in FILES
        for name, text in sentences(file, "zh").items()
        if not re.search(r"[\u4e00-\u9fff]", text) and re.search(r"[A-Za-z]{2}", re.sub(r"\{[^}]*\}", "", text))
    ]
    assert set(plain) <= {"backend.gpu", "nav.api", "tag.html", "tag.discord"}


HAN = re.compile(r"[\u3400-\u9fff]")
CODE_THAT_READS_CHINESE = {
    "knowledge/text/language.py": "the words with which one asks in Chinese",
    "knowledge/ask/weighing.py": "the words with which a sentence leads to another note",
    "indexer/classify/level_rules.py": "patterns of easy and of hard pages",
    "indexer/classify/terms.py": "the letters that make a Chinese word",
    "indexer/extract/video.py": "the names of video sites at the end of a title",
    "indexer/lists/markdown.py": "patterns of numbered lines",
    "indexer/lists/skips.py": "patterns of links to pictures and of credits",
    "indexer/lists/papers_and_tasks.py": "patterns of a study plan's tasks",
    "indexer/lists/list_words.py": "patterns of what a list says of a link",
    "indexer/summaries.py": "patterns of sentences that lean on an earlier one",
    "knowledge/ask/evidence.py": "patterns of definitions in pages",
    "knowledge/ask/excerpts.py": "patterns of what leans on the text around it",
    "knowledge/ask/faithful/compare.py": "patterns of cause and effect",
    "knowledge/ask/faithful/quantities.py": "numbers and units as they are written",
    "knowledge/ask/faithful/statement.py": "patterns of negation",
    "knowledge/ask/followup.py": "patterns of questions that lean on an earlier one",
    "knowledge/ask/parts.py": "patterns of where a question begins",
    "knowledge/content/check.py": "patterns of mistakes in notes",
    "knowledge/definitions.py": "patterns of questions for a definition",
    "knowledge/figures/worked.py": "patterns of the numbers in a question, and of what they count",
    "knowledge/recommend/languages.py": "patterns of who reads which language",
    "knowledge/recommend/phrases.py": "patterns of a time at hand",
    "knowledge/search/question.py": "patterns of kinds of question",
    "knowledge/text/chat.py": "patterns of greetings and thanks",
    "warpmate/commands/recommend.py": "an example in --help",
}
"""The only places where Han characters stand in Python: patterns that recognise what members and pages write."""


def docstrings(tree: ast.Module) -> set[int]:
    """The nodes of strings that are no values: what stands by itself as a statement."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def test_no_python_string_is_chinese() -> None:
    found: dict[str, list[int]] = {}
    for room in ROOMS:
        for path, tree in python_of(room):
            skipped = docstrings(tree)
            lines = [
                node.lineno
                for node in ast.walk(tree)
                if isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and HAN.search(node.value)
                and id(node) not in skipped
            ]
            if lines:
                found[str(path.relative_to(HERE))] = lines
    assert {file: lines for file, lines in found.items() if file not in CODE_THAT_READS_CHINESE} == {}
    assert CODE_THAT_READS_CHINESE.keys() <= found.keys(), "an exception that is none any more"


def test_no_template_is_chinese() -> None:
    assert HAN.search(templates()) is None


HALF_WIDTH = re.compile(r"[\u3400-\u9fff”》][,:;?!]|[\u3400-\u9fff”》}]\.(?:\s|$)|[\u3400-\u9fff] ?[()](?!\d)")


@pytest.mark.parametrize("file", [*FILES, "commands"])
def test_chinese_punctuation_is_full_width(file: str) -> None:
    wrong = {name: text for name, text in sentences(file, "zh").items() if HALF_WIDTH.search(str(text))}
    assert wrong == {}
