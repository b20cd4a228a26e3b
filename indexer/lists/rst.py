"""reStructuredText lists as blocks, by docutils; nothing a document says can read a file or run code."""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes
from docutils.core import publish_doctree

from indexer.lists.blocks import Block, Outline, Span, with_bare_links

SETTINGS = {
    "report_level": 5,
    "halt_level": 5,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "doctitle_xform": False,
    "_disable_config": True,
    "line_length_limit": 100_000,
}


def rst_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of an RST list in order."""
    document = publish_doctree(text, settings_overrides=dict(SETTINGS))
    yield from _walk(document, text.splitlines(), Outline(), 0, [])


def _walk(node: nodes.Element, lines: list[str], outline: Outline, depth: int, items: list[Block]) -> Iterator[Block]:
    level = _section_level(node)
    for child in node.children:
        if isinstance(child, nodes.title):
            outline.enter(level, child.astext())
            yield Block("heading", _line(child, lines), tuple(_spans(child)), outline.path[:-1])
        elif isinstance(child, nodes.literal_block):
            line = _line(child, lines)
            yield Block("code", line, (Span(child.astext()),), outline.path, label=_language(child))
        elif isinstance(child, nodes.paragraph):
            block = _paragraph(child, lines, outline, depth, items)
            if block.kind == "item" and len(items) < depth:
                items.append(block)
            yield block
        elif isinstance(child, nodes.list_item):
            yield from _walk(child, lines, outline, depth + 1, items)
            del items[depth:]
        elif isinstance(child, nodes.Element) and not isinstance(child, nodes.system_message):
            yield from _walk(child, lines, outline, depth, items)


def _paragraph(node: nodes.paragraph, lines: list[str], outline: Outline, depth: int, items: list[Block]) -> Block:
    first = _line(node, lines)
    return Block(
        "item" if depth else "paragraph",
        first,
        tuple(_spans(node)),
        outline.path,
        depth,
        items[depth - 2] if 1 < depth <= len(items) + 1 else None,
        source=tuple(lines[first - 1 : first + node.rawsource.count("\n")]),
    )


def _section_level(node: nodes.Node | None) -> int:
    level = 0
    while node is not None:
        level += isinstance(node, nodes.section)
        node = node.parent
    return level


def _line(node: nodes.Element, lines: list[str]) -> int:
    """Find the line of the words: docutils counts a title from its underline and leaves out some paragraphs."""
    first_words = (node.rawsource or node.astext()).splitlines()[:1]
    around = node.line or (node.parent.line if node.parent is not None else None) or 1
    for line in range(max(1, around - 2), min(len(lines), around + 2) + 1):
        if first_words and first_words[0].strip() and first_words[0].strip() in lines[line - 1]:
            return line
    return min(around, len(lines) or 1)


def _language(node: nodes.literal_block) -> str:
    classes: list[str] = node.get("classes", [])
    return next((name for name in classes if name != "code"), "")


def _spans(node: nodes.Element) -> Iterator[Span]:
    for child in node.children:
        if isinstance(child, nodes.reference) and child.get("refuri"):
            yield Span(child.astext(), str(child["refuri"]))
        elif isinstance(child, nodes.Text):
            yield from with_bare_links(child.astext().replace("\n", " "))
        elif isinstance(child, nodes.image):
            yield Span("", None, picture=True)
        elif isinstance(child, nodes.Element) and not isinstance(child, nodes.target):
            yield from _spans(child)
