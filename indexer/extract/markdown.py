"""Markdown: front matter read, markup resolved, formulas and code left alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from indexer.extract.blocks import flattened
from indexer.extract.decode import decode
from indexer.extract.html import write_fragment
from indexer.extract.markup import closed_tags, is_tag, role_text
from indexer.extract.page import Page, PageWriter

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_LIQUID = re.compile(
    r"\{%-?\s*(?P<word>\w+)(?P<rest>.*?)-?%\}|^[ \t]*\{:[^}\n]*\}[ \t]*$|\{\{.*?\}\}", re.DOTALL | re.MULTILINE
)
_ROLE = re.compile(
    r"(?P<gap>[ ]?)(?:(?<![\w:]):(?P<name>[a-z]\w*):|\{(?P<myst>[a-z][\w:]*)\})"
    r"`(?P<text>[^`\n]*?)(?:\s+<[^`>\n]*>)?`|(?P<end>^:end_tab:[ \t]*$)",
    re.MULTILINE,
)
_CAPTION = re.compile(r"caption=\"((?:[^\"\\]|\\.)*)\"")
_MATH = re.compile(r"\$\$.+?\$\$|\$(?!\s)(?:[^$\\]|\\.)+?(?<!\s)\$(?!\d)|\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL)
_FENCED = re.compile(
    r"^(?P<indent>[ ]{0,3})(?P<mark>`{3,}|~{3,})[^\n]*\n.*?(?:^[ ]{0,3}(?P=mark)[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_OPTIONS = re.compile(r"\A(?:[ \t]*:[\w-]+:.*\n|---\n(?:.*\n)*?---\n)+")
_PROSE = re.compile(
    r"\{(?:note|tip|hint|warning|caution|important|attention|danger|error|seealso|admonition|dropdown|tab-item|tab-set|"
    r"versionadded|versionchanged|deprecated)\}"
)
_CODE = frozenset(("{code-block}", "{code}", "{code-cell}", "{sourcecode}"))
_ELSEWHERE = re.compile(r"\{(?:literalinclude|include|toctree|figure|image|bibliography|contents|tableofcontents)\}")
"""Directives without text of their own: it stands in another file, or there is none."""
_SNIPPET = re.compile(r"^[ \t]*-{1,2}8<-{1,2}.*\n?", re.MULTILINE)


def extract(source: bytes, *, charset: str = "", title: str = "") -> Page:
    text = decode(source, charset).replace("\r\n", "\n")
    writer = PageWriter(title)
    body = _front_matter(writer, text)
    write_markdown(writer, body)
    return writer.page()


def write_markdown(writer: PageWriter, text: str) -> None:
    text = flattened(text)
    tokens = _parser().parse(_outside_fences(text))
    _Reader(writer, closed_tags(text)).read(tokens)


def _front_matter(writer: PageWriter, text: str) -> str:
    found = _FRONT.match(text)
    if not found:
        return text
    try:
        stated = yaml.load(found[1], Loader=yaml.CSafeLoader)
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
    """Keep formulas as text: their backslashes and underscores are not markup."""
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
    """Return the text without template tags; code is left as it is."""
    parts, start = [], 0
    for fence in _FENCED.finditer(text):
        parts += [_worded(text[start : fence.start()]), fence.group()]
        start = fence.end()
    return "".join([*parts, _worded(text[start:])])


def _worded(prose: str) -> str:
    return _ROLE.sub(_role, _LIQUID.sub(_caption, prose))


def _role(role: re.Match[str]) -> str:
    if role["end"]:
        return ""
    shown = role_text(role["name"] or role["myst"], role["text"])
    return role["gap"] + shown if shown else ""


def _caption(tag: re.Match[str]) -> str:
    found = _CAPTION.search(tag["rest"] or "") if tag["word"] == "include" else None
    return re.sub(r"\\(.)", r"\1", found[1]) if found else ""


class _Reader:
    def __init__(self, writer: PageWriter, closed: frozenset[str] = frozenset()) -> None:
        self._writer, self._closed = writer, closed
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
                    text = self._plain(token)
                    self._writer.heading(heading, text, _slug(text))
                    heading = 0
                case "inline" if self._in_table(token):
                    self._row.append(self._plain(token))
                case "inline":
                    self._paragraph(self._plain(token))
                case "fence":
                    self._fence(token)
                case "code_block":
                    self._writer.code(token.content)
                case "html_block":
                    write_fragment(self._writer, token.content)
                case _:
                    self._structure(token)

    def _fence(self, token: Token) -> None:
        """Read a fence: code, or a directive of MyST, which looks like code and may hold prose or nothing to read."""
        name, _, rest = token.info.strip().partition(" ")
        body = _OPTIONS.sub("", token.content) if name.startswith("{") else token.content
        if _PROSE.fullmatch(name):
            write_markdown(self._writer, f"{rest}\n\n{body}")
        elif name in _CODE:
            self._writer.code(body, rest.strip())
        elif not _ELSEWHERE.fullmatch(name):
            self._writer.code(_SNIPPET.sub("", token.content), name.strip("{}."))

    def _in_table(self, token: Token) -> bool:
        return bool(self._rows) and token.level >= 1

    def _plain(self, inline: Token) -> str:
        return "".join(_words(inline.children or [], self._closed))

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


def _words(children: Sequence[Token], closed: frozenset[str]) -> Iterator[str]:
    raises = False
    for child in children:
        if child.type in {"text", "code_inline"}:
            yield (
                "^" + child.content
                if raises and re.fullmatch(r"[-+]?(?:\d{1,3}|[a-z])", child.content)
                else child.content
            )
            raises = False
        elif child.type in {"softbreak", "hardbreak"}:
            yield "\n"
        elif child.type == "html_inline" and not is_tag(child.content, closed):
            yield child.content
        elif child.type == "html_inline" and child.content.lower() == "<sup>":
            raises = True
        elif child.type == "html_inline" and re.match(
            r"<br|</?(?:p|div|center|li|td)\b", child.content, re.IGNORECASE
        ):
            yield " "


def _slug(heading: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.strip().lower()))
