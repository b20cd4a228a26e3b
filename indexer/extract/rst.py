"""reStructuredText, Sphinx's own roles and directives included as far as they hold text."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.core import publish_doctree

from indexer.extract.decode import decode
from indexer.extract.markup import role_text
from indexer.extract.page import Page, PageWriter

_ROLE = re.compile(r"(?P<gap>[ ]?):(?P<name>[\w:+-]+):`(?P<text>[^`]*?)(?:(?:\s+|(?<=`))<[^`>]*>)?`")
_BARE = re.compile(r"<(?P<target>[^`>]*)>?")
_DROPPED = re.compile(
    r"(toctree|index|only|literalinclude|bibliography|include|raw|automodule|autoclass|tabularcolumns)\b"
)
_OPTION = re.compile(r"\s+:[\w-]+:(?:\s.*)?$")
_DIRECTIVE = re.compile(r"^(?P<indent>[ \t]*)\.\. (?P<name>[\w:+-]+)::(?P<title>.*)")
_UNWRAPPED = re.compile(
    r"glossary|tabs|tab|group-tab|code-tab|tab-set|tab-item|grid|grid-item|grid-item-card|card|dropdown|collapse|"
    r"details|seealso|versionadded|versionchanged|deprecated|todo"
)
_SETTINGS = {
    "report_level": 5,
    "halt_level": 5,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "syntax_highlight": "none",
    "smart_quotes": False,
    "doctitle_xform": False,
}


def extract(source: bytes, *, charset: str = "", title: str = "") -> Page:
    writer = PageWriter(title)
    text = _without_sphinx(decode(source, charset).replace("\r\n", "\n"))
    tree = publish_doctree(text, settings_overrides=_SETTINGS)
    _Walker(writer).children(tree, 1)
    return writer.page()


def _without_sphinx(text: str) -> str:
    """Return the text with roles replaced by their words, without directives that only configure Sphinx."""
    lines: list[str] = []
    skipped: int | None = None
    steered = False
    for line in _ROLE.sub(_role, text).split("\n"):
        indent = len(line) - len(line.lstrip())
        if skipped is not None and (not line.strip() or indent > skipped):
            continue
        skipped = None
        steered = steered and _OPTION.match(line) is not None
        if steered:
            continue
        directive = _DIRECTIVE.match(line)
        if directive and _DROPPED.match(directive["name"]):
            skipped = indent
        elif directive and _UNWRAPPED.fullmatch(directive["name"]):
            lines.append(directive["indent"] + "..")
            lines.append("")
            if title := directive["title"].strip():
                lines += [directive["indent"] + title, ""]
            lines.append(directive["indent"] + "\0")
            steered = True
        else:
            lines.append(line)
    return "\n".join(_dedented(lines))


def _role(role: re.Match[str]) -> str:
    if role["name"] == "math":
        return role[0]  # docutils reads it, backslashes and all
    bare = _BARE.fullmatch(role["text"])
    shown = role_text(role["name"], bare["target"] if bare else role["text"])
    return role["gap"] + shown if shown else ""


def _dedented(lines: list[str]) -> list[str]:
    """Move the body of a directive out to where the directive stood."""
    done: list[str] = []
    shift, base = 0, -1
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if line.endswith("\0"):
            base, shift = len(line) - 1, 0
            continue
        if base >= 0 and line.strip() and indent <= base:
            base = -1
        if base >= 0 and line.strip() and not shift:
            shift = indent - base
        done.append(line[shift:] if base >= 0 and line.strip() else line)
    return done


class _Walker:
    def __init__(self, writer: PageWriter) -> None:
        self._writer = writer
        self._depth = 0

    def children(self, node: Any, level: int) -> None:
        for child in node.children:
            self.node(child, level)

    def node(self, node: Any, level: int) -> None:
        match node:
            case nodes.section():
                names = node.get("ids") or [""]
                self._writer.heading(level, node[0].astext(), names[0])
                for child in node.children[1:]:
                    self.node(child, level + 1)
            case nodes.title() | nodes.system_message() | nodes.comment() | nodes.Invisible() | nodes.problematic():
                pass
            case nodes.literal_block() | nodes.doctest_block():
                self._writer.code(node.astext(), _code_language(node))
            case nodes.math_block():
                self._writer.math(node.astext())
            case nodes.table():
                self._writer.table([[entry.astext() for entry in row.children] for row in node.findall(nodes.row)])
            case nodes.bullet_list() | nodes.enumerated_list():
                self._list(node, level)
            case nodes.TextElement():
                self._writer.prose(_plain(node))
            case nodes.image() | nodes.label() | nodes.Text():
                pass
            case _:
                self.children(node, level)

    def _list(self, node: Any, level: int) -> None:
        ordered = isinstance(node, nodes.enumerated_list)
        self._depth += 1
        for number, item in enumerate(node.children, start=1):
            mark = f"{number}." if ordered else "-"
            for child in item.children:
                if isinstance(child, nodes.paragraph) and mark:
                    self._writer.item(_plain(child), self._depth - 1, mark)
                    mark = ""
                else:
                    self.node(child, level)
        self._depth -= 1


def _code_language(block: Any) -> str:
    return next((str(name) for name in block.get("classes", []) if name != "code"), "")


def _plain(node: Any) -> str:
    """Return the words without footnote marks, formulas between dollars."""
    if isinstance(node, nodes.math):
        return f"${node.astext()}$"
    if isinstance(node, nodes.footnote_reference | nodes.image | nodes.system_message):
        return ""
    if isinstance(node, nodes.Text):
        return str(node.astext())
    return "".join(_plain(child) for child in node.children)
