"""Every mistake in a content file is named by file and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from knowledge.content import (
    Topics,
    load_content,
    load_definitions,
    load_glossary,
    load_notes,
    load_problems,
    load_resources,
    load_topics,
)
from knowledge.content.problems import load_problem_texts
from knowledge.errors import BadContent, SetupError

TOPIC = (
    "  - {{id: {id}, area: cuda, level: beginner, title: {{en: {id}, zh: {id}}}, needs: [{needs}], keywords: [k]}}\n"
)
RESOURCE = """\
resources:
  - id: page
    url: https://example.org/
    title: A page
    lang: en
    kind: article
    level: beginner
    topics: [a]
    summaries: {en: A page., zh: 一页。}
"""
NOTE = "---\nid: note:one\ntitle: One\ntopics: [a]\nlevel: beginner\nminutes: 5\n---\n\n# One\n"
DEFINITIONS = """\
sources:
  guide: {what: A guide, url: https://example.org/guide}
definitions:
  - {term: warp, en: A warp is 32 threads., zh: 线程束是 32 个线程。, source: guide, note: one}
"""
PROBLEM = """slug = "p"
level = "beginner"
topics = ["a"]
[title]
en = "P"
zh = "题"
[launch]
kernel = "p"
grid = 1
block = 1
[check]
rule = "exact"
[[cases]]
sizes = { n = 1 }
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, "topics.yaml", "topics:\n" + TOPIC.format(id="a", needs="") + TOPIC.format(id="b", needs="a"))
    write(tmp_path, "resources/r.yaml", RESOURCE)
    write(tmp_path, "notes/en/one.md", NOTE)
    write(tmp_path, "problems/p/problem.toml", PROBLEM)
    return tmp_path


@pytest.fixture
def topics(root: Path) -> Topics:
    return load_topics(root)


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_the_small_example_is_right(root: Path, topics: Topics) -> None:
    assert [topic.id for topic in topics] == ["a", "b"]
    assert load_resources(root, topics)[0].title == "A page"
    note = load_notes(root, topics)[0]
    assert (note.slug, note.lang, note.body) == ("one", "en", "# One")
    assert (root / note.path).read_text(encoding="utf-8").splitlines()[note.body_line - 1] == "# One"
    assert load_problems(root, topics)[0].slug == "p"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("topics: [}", r"topics\.yaml: line 1"),
        ("other: []", r"topics\.yaml: must hold one list named 'topics'"),
        ("topics:\n  - {id: a}\n", r"topics\.yaml: topics\[0\]\.title: Field required"),
        ("topics:\n" + TOPIC.format(id="A b", needs=""), r"topics\[0\]\.id: String should match"),
        ("topics:\n" + TOPIC.format(id="a", needs="z"), r"topics\[0\]\.needs\[0\]: no topic 'z'"),
        ("topics:\n" + TOPIC.format(id="a", needs="b") + TOPIC.format(id="b", needs="a"), "need each other"),
        ("topics:\n" + TOPIC.format(id="a", needs="") * 2, "names 'a' already"),
        ("topics:\n  - id: a\n    id: b\n", r"line 3: key 'id' twice"),
    ],
)
def test_mistakes_in_the_topics_are_named(text: str, complaint: str, root: Path) -> None:
    write(root, "topics.yaml", text)
    with pytest.raises(BadContent, match=complaint):
        load_topics(root)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("level: beginner", "level: easy", r"resources/r\.yaml: resources\[0\]\.level"),
        ("topics: [a]", "topics: [z]", r"resources\[0\]\.topics\[0\]: no topic 'z'"),
        ("topics: [a]", "topics: []", r"resources\[0\]\.topics"),
        ("url: https://example.org/", "url: ftp://example.org/", r"resources\[0\]\.url"),
        (
            "    url: https://example.org/\n",
            "",
            r"resources\[0\]\.url: a resource of kind 'article' needs an address",
        ),
        ("zh: 一页。", "zh: ''", r"resources\[0\]\.summaries\.zh"),
        ("lang: en", "lang: en\n    colour: red", r"resources\[0\]\.colour: Extra inputs"),
        ("lang: en", "lang: en\n    prerequisites: [nothing]", r"prerequisites\[0\]: 'nothing' is neither"),
        ("lang: en", "lang: en\n    minutes: 0", r"resources\[0\]\.minutes"),
        ("title: A page", "title: 7", r"resources\[0\]\.title"),
    ],
)
def test_mistakes_in_a_resource_are_named(old: str, new: str, complaint: str, root: Path, topics: Topics) -> None:
    assert old in RESOURCE
    write(root, "resources/r.yaml", RESOURCE.replace(old, new))
    with pytest.raises(BadContent, match=complaint):
        load_resources(root, topics)


def test_a_resource_twice_is_named_with_both_places(root: Path, topics: Topics) -> None:
    write(root, "resources/s.yaml", RESOURCE)
    with pytest.raises(BadContent, match=r"resources/s\.yaml: resources\[0\]\.id: page stands in resources/r\.yaml"):
        load_resources(root, topics)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[]", "must hold areas"),
        ("cuda: {}", "cuda: must be a list"),
        ("cuda:\n  - {en: [a], zh: []}\n", r"glossary\.yaml: cuda\[0\]\.zh"),
        ("cuda:\n  - {en: [''], zh: [甲]}\n", r"cuda\[0\]\.en\[0\]"),
        ("cuda:\n  - {en: [Warp, warp], zh: [甲]}\n", "the same name twice"),
        (
            "cuda:\n  - {en: [a], zh: [甲]}\nother:\n  - {en: [A], zh: [甲]}\n",
            r"other\[0\]: A = 甲 stands at cuda\[0\]",
        ),
    ],
)
def test_mistakes_in_the_glossary_are_named(text: str, complaint: str, root: Path) -> None:
    write(root, "glossary.yaml", text)
    with pytest.raises(BadContent, match=complaint):
        load_glossary(root)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("term: warp", "term: lane", r"definitions/cuda\.yaml: definitions\[0\]\.term: no term .*'lane'"),
        ("source: guide", "source: book", r"definitions\[0\]\.source: no source 'book'"),
        ("note: one", "note: two", r"definitions\[0\]\.note: no note 'two'"),
        ("zh: 线程束是 32 个线程。, ", "", r"definitions\[0\]\.zh: Field required"),
        ("sources:\n", "sources:\n  book: {what: B, url: https://example.org}\n", r"sources\.book: is used nowhere"),
        ("https://example.org/guide", "example.org", r"sources\.guide\.url: String should match"),
        ("source: guide, note: one}", "source: guide, colour: red}", r"definitions\[0\]\.colour: Extra inputs"),
        ("definitions:", "terms:", "must hold sources and definitions"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_definition_is_named(old: str, new: str, complaint: str, root: Path, topics: Topics) -> None:
    assert old in DEFINITIONS
    write(root, "glossary.yaml", "cuda:\n  - {en: [warp], zh: [线程束]}\n")
    write(root, "definitions/cuda.yaml", DEFINITIONS)
    glossary, notes = load_glossary(root), load_notes(root, topics)
    assert [one.slug for one in load_definitions(root, glossary, notes)] == ["warp"]
    write(root, "definitions/cuda.yaml", DEFINITIONS.replace(old, new, 1))
    with pytest.raises(BadContent, match=complaint):
        load_definitions(root, glossary, notes)


def test_a_term_defined_twice_is_named_with_both_places(root: Path, topics: Topics) -> None:
    write(root, "glossary.yaml", "cuda:\n  - {en: [warp], zh: [线程束]}\n")
    write(root, "definitions/cuda.yaml", DEFINITIONS + DEFINITIONS.splitlines(keepends=True)[-1])
    with pytest.raises(BadContent, match=r"definitions\[1\]\.term: 'warp' stands at definitions\[0\] already"):
        load_definitions(root, load_glossary(root), load_notes(root, topics))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("id: note:one", "id: note:two", r"notes/en/one\.md: id: is 'note:two'"),
        ("topics: [a]", "topics: [z]", r"topics\[0\]: no topic 'z'"),
        ("minutes: 5", "minutes: long", r"notes/en/one\.md: minutes"),
        ("minutes: 5", "minutes: 5\nneeds: [z]", r"needs\[0\]: no note or topic 'z'"),
        ("---\nid", "id", "must begin with front matter"),
    ],
)
def test_mistakes_in_a_note_are_named(old: str, new: str, complaint: str, root: Path, topics: Topics) -> None:
    write(root, "notes/en/one.md", NOTE.replace(old, new, 1))
    with pytest.raises(BadContent, match=complaint):
        load_notes(root, topics)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('slug = "p"', 'slug = "q"', r"problems/p/problem\.toml: slug: is 'q'"),
        ('topics = ["a"]', 'topics = ["z"]', r"topics\[0\]: no topic 'z'"),
        ('level = "beginner"', "level = 3", r"problems/p/problem\.toml: level"),
        ('zh = "题"', "", r"problems/p/problem\.toml: title\.zh: is missing"),
        ('slug = "p"', 'slug = "p', r"problems/p/problem\.toml: file: is not TOML"),
        ('slug = "p"', 'slug = "P!"', r"problems/p/problem\.toml: slug"),
        ("grid = 1", "grid = 1.5", r"problems/p/problem\.toml: launch\.grid: expected "),
        ("grid = 1", "gird = 1", r"problems/p/problem\.toml: launch\.(gird|grid): is "),
    ],
)
def test_mistakes_in_a_problem_are_named(old: str, new: str, complaint: str, root: Path, topics: Topics) -> None:
    write(root, "problems/p/problem.toml", PROBLEM.replace(old, new, 1))
    with pytest.raises(BadContent, match=complaint):
        load_problems(root, topics)


def test_a_file_that_is_not_text_is_named(root: Path, topics: Topics) -> None:
    (root / "resources" / "r.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadContent, match=r"resources/r\.yaml: not UTF-8"):
        load_resources(root, topics)


def test_a_folder_without_content_is_refused_with_the_setting_to_change(tmp_path: Path) -> None:
    for load in (load_content, load_topics):
        with pytest.raises(SetupError, match="WARPMATE_CONTENT_DIR"):
            load(tmp_path)


def test_a_problem_without_its_statement_in_a_language_is_named(root: Path, topics: Topics) -> None:
    for name in ("statement.en.md", "starter.cu"):
        write(root, f"problems/p/{name}", "text\n")
    with pytest.raises(BadContent, match=r"problems/p/statement\.zh\.md: cannot be read"):
        load_problem_texts(root, "p")
    write(root, "problems/p/statement.zh.md", "正文\n")
    assert load_problem_texts(root, "p").as_json() == {
        "statement": {"en": "text\n", "zh": "正文\n"},
        "starter": "text\n",
    }
