"""The list importer: files in, everything they hold out, each resource once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from indexer.classify.stated_topics import StatedTopics
from indexer.lists.block_repair import in_flow
from indexer.lists.blocks import Block
from indexer.lists.formats import READERS, list_format
from indexer.lists.import_result import Imported, Label, ListedPaper, ListedResource, Skipped, Snippet, StudyLine
from indexer.lists.link_descriptions import Named, Refused, read_links
from indexer.lists.list_words import is_stretch
from indexer.lists.papers_and_tasks import Found, study_items
from indexer.lists.snippets import code_features, code_language, code_name
from knowledge.addresses import Address
from knowledge.content import Topics
from knowledge.errors import BadInput
from knowledge.link_hints import kind, language

LARGEST_LIST_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _List:
    name: str
    blocks: tuple[Block, ...]


def import_lists(paths: Iterable[Path], topics: Topics) -> Imported:
    """Return what the lists hold, in their order; raises BadInput for a file that cannot be read as a list."""
    return _imported([_read(Path(path)) for path in paths], topics)


def import_text(text: str, name: str, topics: Topics) -> Imported:
    """Return what one list holds that a member pasted."""
    return _imported([_parsed(text, name)], topics)


def _imported(lists: Sequence[_List], topics: Topics) -> Imported:
    found = [(listed.name, entry) for listed in lists for entry in read_links(listed.blocks)]
    study = [(listed.name, item) for listed in lists for item in study_items(listed.blocks)]
    matcher = StatedTopics(topics)
    return Imported(
        resources=_merged([(name, entry) for name, entry in found if isinstance(entry, Named)], matcher),
        papers=_papers([(name, item) for name, item in study if item.what == "paper"]),
        tasks=_lines([(name, item) for name, item in study if item.what == "task"]),
        keywords=_lines([(name, item) for name, item in study if item.what == "keywords"]),
        snippets=tuple(
            _snippet(listed.name, block) for listed in lists for block in listed.blocks if block.kind == "code"
        ),
        skipped=tuple(
            Skipped(entry.url, name, entry.line, entry.reason) for name, entry in found if isinstance(entry, Refused)
        ),
    )


def _read(path: Path) -> _List:
    try:
        if path.stat().st_size > LARGEST_LIST_BYTES:
            raise BadInput("error.list.too_large", file=path.name, most=LARGEST_LIST_BYTES >> 20)
        return _parsed(path.read_text(encoding="utf-8-sig"), path.name)
    except OSError as error:
        raise BadInput("error.list.unreadable", file=path, reason=error.strerror) from error
    except UnicodeDecodeError as error:
        raise BadInput("error.list.not_utf8", file=path.name, at=error.start) from error


def _parsed(text: str, name: str) -> _List:
    reader = READERS[list_format(text, Path(name).suffix)]
    return _List(name, tuple(in_flow(reader(text))))


def _merged(found: Sequence[tuple[str, Named]], matcher: StatedTopics) -> tuple[ListedResource, ...]:
    pages: dict[str, list[tuple[str, Named]]] = {}
    for name, entry in found:
        pages.setdefault(Address(entry.url, entry.fragment).key, []).append((name, entry))
    return tuple(_resource(entries, matcher) for entries in pages.values())


def _resource(entries: Sequence[tuple[str, Named]], matcher: StatedTopics) -> ListedResource:
    named = [entry for _, entry in entries]
    best = min(named, key=lambda entry: entry.rank)
    return ListedResource(
        url=named[0].url,
        fragment=next((entry.fragment for entry in named if entry.fragment), ""),
        title=best.title,
        labels=tuple(_label(name, entry) for name, entry in entries),
        lang=language(named[0].url, best.title, best.called),
        kind=kind(named[0].url, best.title),
        level=next((entry.level for entry in named if entry.level), None),
        stretch=all(entry.stretch for entry in named),
        topics=matcher.topics([(entry.title, entry.section, entry.description) for entry in named]),
    )


def _label(name: str, entry: Named) -> Label:
    return Label(name, entry.line, entry.title, entry.section, entry.description)


def _papers(found: Sequence[tuple[str, Found]]) -> tuple[ListedPaper, ...]:
    papers: dict[str, ListedPaper] = {}
    for name, (_, title, block) in found:
        paper = ListedPaper(title, name, block.line, block.section, is_stretch(block.text))
        papers.setdefault("".join(title.casefold().split()), paper)
    return tuple(papers.values())


def _lines(found: Sequence[tuple[str, Found]]) -> tuple[StudyLine, ...]:
    return tuple(
        StudyLine(text, name, block.line, block.section, is_stretch(text)) for name, (_, text, block) in found
    )


def _snippet(name: str, block: Block) -> Snippet:
    code = block.text
    language = code_language(code, block.label)
    return Snippet(code_name(code), language, code, name, block.line, code_features(code, language))
