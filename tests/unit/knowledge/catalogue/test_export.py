"""The exported list, read back by the importer: nothing is lost, guessed or added."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexer.lists import Imported, import_text
from knowledge.catalogue import Item, as_markdown, items_of
from knowledge.content import load_topics
from knowledge.content.names import level_named
from tests.folders import CONTENT
from tests.shipped_content import shipped_content

TOPICS = load_topics(CONTENT)
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z"), include_characters=" "), max_size=60)


def one(title: str, summary: str = "", level: str | None = "beginner", url: str = "https://a.example/x") -> Item:
    stated = level_named(level) if level else None
    return Item("id", title, title, url, ("en",), "article", stated, (), None, summary_en=summary)


def read_back(*items: Item, lang: str = "en") -> Imported:
    return import_text(as_markdown(items, lang), "list.md", TOPICS)


def entries(found: Imported) -> list[tuple[str, str, str | None, str]]:
    return [(each.url, each.title, each.level, each.labels[0].description) for each in found.resources]


def test_every_curated_resource_comes_back_as_it_was() -> None:
    curated = items_of(shipped_content())
    with_address = [each for each in curated if each.url]
    assert len(with_address) > 100
    found = read_back(*curated)
    wanted = {
        (each.url, " ".join(each.title("en").split()), each.stated_level, " ".join(each.summary("en").split()))
        for each in with_address
    }
    assert set(entries(found)) == wanted
    assert not found.skipped
    assert (found.papers, found.tasks, found.keywords) == ((), (), ())


def test_the_summaries_in_chinese_come_back_too() -> None:
    curated = items_of(shipped_content())
    found = entries(read_back(*curated, lang="zh"))
    assert {description for *_, description in found} == {each.summary("zh") for each in curated if each.url}


def test_a_title_that_names_another_level_does_not_change_the_level() -> None:
    found = read_back(one("Advanced CUDA for experienced people", "高级内容", level="beginner"))
    assert entries(found) == [("https://a.example/x", "Advanced CUDA for experienced people", "beginner", "高级内容")]


def test_what_looks_like_a_byline_a_credit_or_another_link_stays_a_description() -> None:
    summary = (
        "Written by an author, image credit https://b.example/y, published in 2020, see [this](https://c.example)."
    )
    assert entries(read_back(one("Title", summary))) == [("https://a.example/x", "Title", "beginner", summary)]


def test_a_resource_without_a_level_comes_back_without_one() -> None:
    assert [level for _, _, level, _ in entries(read_back(one("Title", level=None)))] == [None]


def test_every_level_has_a_heading_that_the_importer_understands_by_itself() -> None:
    text = as_markdown([one("One", level="beginner"), one("Two", level="advanced", url="https://a.example/y")])
    bare = text.replace(" (level: beginner)", "").replace(" (level: advanced)", "")
    assert [(each.title, each.level) for each in import_text(bare, "list.md", TOPICS).resources] == [
        ("One", "beginner"),
        ("Two", "advanced"),
    ]


@given(
    title=WORDS.filter(str.strip),
    summary=WORDS,
    level=st.sampled_from(["beginner", "intermediate", "advanced", None]),
)
def test_whatever_members_write_comes_back(title: str, summary: str, level: str | None) -> None:
    bullets = str.maketrans(dict.fromkeys("●•◆○◦■▪", "·"))
    plain = [" ".join(text.split()).translate(bullets) for text in (title, summary)]
    assert entries(read_back(one(title, summary, level))) == [("https://a.example/x", plain[0], level, plain[1])]
