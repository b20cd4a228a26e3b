"""Markdown: front matter read, markup resolved, formulas and code left alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from indexer.extract.decode import decode
from indexer.extract.html import write_fragment
from indexer.extract.page import Page, PageWriter

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_LIQUID = re.compile(
    r"\{%-?\s*(?P<word>\w+)(?P<rest>.*?)-?%\}|^[ \t]*\{:[^}\n]*\}[ \t]*$|\{\{.*?\}\}", re.DOTALL | re.MULTILINE
)
_CAPTION = re.compile(r"caption=\"((?:[^\"\\]|\\.)*)\"")
_MATH = re.compile(r"\$\$.+?\$\$|\$(?!\s)(?:[^$\\]|\\.)+?(?<!\s)\$(?!\d)|\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL)
_FENCED = re.compile(
    r"^(?P<indent>[ ]{0,3})(?P<mark>`{3,}|~{3,})[^\n]*\n.*?(?:^[ ]{0,3}(?P=mark)[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)


def extract(source: bytes, *, charset: str = "", title: str = "") -> Page:
    text = decode(source, charset).replace("\r\n", "\n")
    writer = PageWriter(title)
    body = _front_matter(writer, text)
    write_markdown(writer, body)
    return writer.page()


def write_markdown(writer: PageWriter, text: str) -> None:
    tokens = _parser().parse(_outside_fences(text))
    _Reader(writer).read(tokens)


def _front_matter(writer: PageWriter, text: str) -> str:
    found = _FRONT.match(text)
    if not found:
        return text
    try:
        stated = yaml.safe_load(found[1])
    except yaml.YAMLError:
        stated = None
    if isinstance(stated, dict):
        writer.facts = {key: value for key in ("description", "date", "author") if (value := _word(stated.get(key)))}
        if heading := _word(stated.get("title")):
            writer.title = writer.title or heading
            writer.heading(1, heading)
        writer.prose(_word(stated.get("description")))
    return text[found.end() :]


def _word(value: Any) -> str:
    return "" if value is None or isinstance(value, (dict, list)) else str(value)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    parser.inline.ruler.before("escape", "math", _math_rule)
    return parser


def _math_rule(state: StateInline, silent: bool) -> bool:
    """Formulas are text: their backslashes and underscores are not markup."""
    if state.src[state.pos] not in "$\\":
        return False
    found = _MATH.match(state.src, state.pos, state.posMax)
    if not found:
        return False
    if not silent:
        state.push("text", "", 0).content = found.group()
    state.pos = found.end()
    return True


def _outside_fences(text: str) -> str:
    """Template tags taken out, but never from code."""
    parts, start = [], 0
    for fence in _FENCED.finditer(text):
        parts += [_LIQUID.sub(_caption, text[start : fence.start()]), fence.group()]
        start = fence.end()
    return "".join([*parts, _LIQUID.sub(_caption, text[start:])])


def _caption(tag: re.Match[str]) -> str:
    found = _CAPTION.search(tag["rest"] or "") if tag["word"] == "include" else None
    return re.sub(r"\\(.)", r"\1", found[1]) if found else ""


class _Reader:
    def __init__(self, writer: PageWriter) -> None:
        self._writer = writer
        self._lists: list[int | None] = []
        self._mark = ""
        self._row: list[str] = []
        self._rows: list[list[str]] = []

    def read(self, tokens: Sequence[Token]) -> None:
        heading = 0
        for token in tokens:
            match token.type:
                case "heading_open":
                    heading = int(token.tag[1])
                case "inline" if heading:
                    text = _plain(token)
                    self._writer.heading(heading, text, _slug(text))
                    heading = 0
                case "inline" if self._in_table(token):
                    self._row.append(_plain(token))
                case "inline":
                    self._paragraph(_plain(token))
                case "fence":
                    self._writer.code(
                        token.content, token.info.strip().split(" ")[0].strip("{}.") if token.info else ""
                    )
                case "code_block":
                    self._writer.code(token.content)
                case "html_block":
                    write_fragment(self._writer, token.content)
                case _:
                    self._structure(token)

    def _in_table(self, token: Token) -> bool:
        return bool(self._rows) and token.level >= 1

    def _structure(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open":
                self._lists.append(None)
            case "ordered_list_open":
                self._lists.append(int(token.attrGet("start") or 1))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._mark = self._next_mark()
            case "tr_open":
                self._row = []
                self._rows.append(self._row)
            case "table_close":
                self._writer.table(self._rows)
                self._rows = []
            case "math_block":
                self._writer.math(token.content)

    def _next_mark(self) -> str:
        number = self._lists[-1]
        if number is None:
            return "-"
        self._lists[-1] = number + 1
        return f"{number}."

    def _paragraph(self, text: str) -> None:
        if self._mark:
            self._writer.item(text, len(self._lists) - 1, self._mark)
            self._mark = ""
        else:
            self._writer.prose(text)


def _plain(inline: Token) -> str:
    return "".join(_words(inline.children or []))


def _words(children: Sequence[Token]) -> Iterator[str]:
    for child in children:
        if child.type in {"text", "code_inline"}:
            yield child.content
        elif child.type in {"softbreak", "hardbreak"}:
            yield "\n"
        elif child.type == "html_inline" and re.match(
            r"<br|</?(?:p|div|center|li|td)\b", child.content, re.IGNORECASE
        ):
            yield " "


def _slug(heading: str) -> str:
    """The address that GitHub gives a heading."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.strip().lower()))
