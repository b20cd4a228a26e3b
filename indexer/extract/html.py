"""HTML: the part of the page that its author wrote, block by block."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import html as lxml_html
from lxml.html import HtmlElement

from indexer.extract.boilerplate import content_roots, prune
from indexer.extract.decode import decode
from indexer.extract.markup import escaped, raised
from indexer.extract.page import Page, PageWriter, one_line

_BLOCKS = re.compile(
    r"address|article|aside|blockquote|body|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|"
    r"h[1-6r]|header|html|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul"
)
_SILENT = re.compile(
    r"script|style|noscript|template|svg|canvas|iframe|object|audio|video|select|input|img|head|title|link|meta"
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|highlight|brush:?)[- ]\s*([\w+#.]+)")
_NOT_A_LANGUAGE = re.compile(r"default|text|none|plaintext|highlight|notranslate|sourcecode|hljs|code|lines?")
_NOTES = frozenset(("d-footnote",))


def extract(source: bytes, *, charset: str = "", title: str = "") -> Page:
    text = escaped(re.sub(r"^\s*<\?xml[^>]*\?>", "", decode(source, charset)))
    writer = PageWriter()
    if not text.strip():
        return writer.page()
    document = lxml_html.document_fromstring(text)
    stated = one_line(document.findtext(".//title") or "")
    writer.facts = dict(_facts(document))
    prune(document)
    walk(writer, *content_roots(document))
    writer.title = title or writer.title or stated
    return writer.page()


def write_fragment(writer: PageWriter, fragment: str) -> None:
    """Read a piece of HTML inside another format."""
    fragment = escaped(fragment)
    if re.search(r"[^<>\s]", re.sub(r"<[^>]*>|<!--.*?-->", "", fragment, flags=re.DOTALL)):
        walk(writer, lxml_html.fragment_fromstring(fragment, create_parent="div"))


def walk(writer: PageWriter, *roots: HtmlElement) -> None:
    walker = _Walker(writer)
    for root in roots:
        walker.block(root)
        walker.flush()


def _facts(document: HtmlElement) -> Iterator[tuple[str, str]]:
    wanted = {"description": "description", "author": "author", "article:published_time": "date", "date": "date"}
    for meta in document.iter("meta"):
        name = (meta.get("name") or meta.get("property") or "").lower()
        if name in wanted and (content := one_line(meta.get("content") or "")):
            yield wanted[name], content
    for link in document.iter("link"):
        if (link.get("rel") or "").lower() == "canonical" and link.get("href"):
            yield "canonical", link.get("href", "")


class _Walker:
    """Gathers inline text until a block begins or ends, then writes it as whatever block it stands in."""

    def __init__(self, writer: PageWriter) -> None:
        self._writer = writer
        self._inline: list[str] = []
        self._notes: list[str] = []
        self._lists: list[str] = []
        self._mark = ""

    def block(self, element: HtmlElement) -> None:
        tag = element.tag if isinstance(element.tag, str) else ""
        if not tag or _SILENT.fullmatch(tag):
            self._math(element)
        elif tag in _HEADINGS:
            self.flush()
            self._writer.heading(_HEADINGS[tag], _text(element), _anchor(element))
        elif tag == "pre" or _is_code_table(element):
            self.flush()
            self._writer.code(_code(element), _language(element))
        elif tag == "table" and _is_data(element):
            self.flush()
            self._writer.table([[_text(cell) for cell in row.iter("td", "th")] for row in element.iter("tr")])
        elif tag in {"ul", "ol"}:
            self._list(element, "1." if tag == "ol" else "-")
        elif _BLOCKS.fullmatch(tag) or _holds_blocks(element):
            self.flush()
            self._children(element)
            self.flush()
        else:
            self._inline_element(element, tag)

    def flush(self) -> None:
        text = "".join(self._inline)
        self._inline.clear()
        if one_line(text):
            if self._mark:
                self._writer.item(text, len(self._lists) - 1, self._mark)
            else:
                self._writer.prose(text)
            self._mark = ""
        notes, self._notes = self._notes, []
        for note in notes:
            self._writer.prose(note)

    def _children(self, element: HtmlElement) -> None:
        self._inline.append(element.text or "")
        for child in element:
            self.block(child)
            self._inline.append(child.tail or "")

    def _list(self, element: HtmlElement, mark: str) -> None:
        self.flush()
        self._lists.append(mark)
        for child in element:
            number = len(child.xpath("preceding-sibling::li")) + 1 if mark == "1." else 0
            self._mark = f"{number}." if number else mark
            self.block(child)
            self._mark = ""
        self._lists.pop()

    def _inline_element(self, element: HtmlElement, tag: str) -> None:
        if tag == "br":
            self._inline.append("\n")
        elif tag in _NOTES:
            self._notes.append(_text(element))
        elif tag == "math" or "katex" in (element.get("class") or "").split():
            self._inline.append(_tex(element))
        elif tag == "sup" and _is_exponent(element):
            self._inline.append(raised(_text(element)))
        elif tag == "code" and "\n" in (written := _code(element)).strip():
            self.flush()
            self._writer.code(written, _language(element))
        else:
            self._children(element)

    def _math(self, element: HtmlElement) -> None:
        if element.tag == "script" and (element.get("type") or "").startswith("math/tex"):
            mark = "$$" if "display" in (element.get("type") or "") else "$"
            self._inline.append(f"{mark}{one_line(element.text or '')}{mark}")
        elif element.tag == "img" and "math" in (element.get("class") or "").split():
            self._inline.append(f"${one_line(element.get('alt') or '')}$")


def _text(element: HtmlElement) -> str:
    """Return the words as a reader sees them: a line break or a block separates words, inline marks do not."""
    parts: list[str] = []
    for event, node in _events(element):
        if node.tag == "script" and event == "start" and (node.get("type") or "").startswith("math/tex"):
            parts.append(f"${one_line(node.text or '')}$")
        if not isinstance(node.tag, str) or _SILENT.fullmatch(node.tag):
            parts.append((node.tail or "") if event == "end" and node is not element else "")
            continue
        if _BLOCKS.fullmatch(node.tag) or node.tag == "br":
            parts.append(" ")
        if node.tag == "sup" and event == "start" and node is not element and _is_exponent(node):
            parts.append("^")
        parts.append((node.text or "") if event == "start" else (node.tail or "") if node is not element else "")
    return one_line("".join(parts))


def _is_exponent(element: HtmlElement) -> bool:
    """Tell whether this is an exponent: no footnote mark, which is a link, and no letters of an ordinal number."""
    text = _text(element)
    before = element.getprevious()
    holder = element.getparent()
    base = (before.tail if before is not None else holder.text if holder is not None else "") or ""
    if before is not None and not base:
        base = _text(before)
    raisable = re.fullmatch(r"[-+\u2212]?(?:\d{1,3}|[a-zA-Z])", text) is not None
    return raisable and re.search(r"[\w)\]]$", base) is not None and next(element.iter("a"), None) is None


def _events(element: HtmlElement) -> Iterator[tuple[str, HtmlElement]]:
    yield "start", element
    if element.tag == "math" or "katex" in (element.get("class") or "").split():
        element = _as_text(element)
    else:
        for child in element:
            yield from _events(child)
    yield "end", element


def _as_text(element: HtmlElement) -> HtmlElement:
    element.text = _tex(element)
    for child in list(element):
        element.remove(child)
    return element


def _tex(element: HtmlElement) -> str:
    for note in element.iter("annotation"):
        if note.get("encoding") == "application/x-tex":
            return f"${one_line(note.text or '')}$"
    return one_line(str(element.text_content()))


def _anchor(heading: HtmlElement) -> str:
    for element in (heading, *heading.iter("a")):
        if name := element.get("id") or element.get("name"):
            return str(name)
    parent = heading.getparent()
    if parent is not None and parent.tag in {"section", "div"} and parent.index(heading) == 0:
        return str(parent.get("id") or "")
    return ""


def _holds_blocks(element: HtmlElement) -> bool:
    return any(_BLOCKS.fullmatch(node.tag) for node in element.iterdescendants() if isinstance(node.tag, str))


def _is_data(table: HtmlElement) -> bool:
    """Tell whether this is a table of short cells; anything else is layout and is read as blocks."""
    if next(table.iterdescendants("table", "pre", "h1", "h2", "h3", "ul", "ol"), None) is not None:
        return False
    rows = list(table.iter("tr"))
    return len(rows) > 1 and max(sum(1 for _ in row.iterchildren("td", "th")) for row in rows) > 1


def _is_code_table(element: HtmlElement) -> bool:
    """Tell whether the table is a highlighter's, with line numbers beside code."""
    if element.tag != "table":
        return False
    classes = {name for cell in element.iter("td") for name in (cell.get("class") or "").split()}
    return "code" in classes and bool(classes & {"gutter", "linenos"})


def _code(element: HtmlElement) -> str:
    cell = next((cell for cell in element.iter("td") if "code" in (cell.get("class") or "").split()), element)
    return "".join(_code_parts(cell))


def _code_parts(element: HtmlElement) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag == "br":
            yield "\n"
        elif isinstance(child.tag, str) and not _SILENT.fullmatch(child.tag) and not _is_line_number(child):
            yield from _code_parts(child)
            if child.tag in {"div", "p", "li", "tr"} and not (child.text_content() or "").endswith("\n"):
                yield "\n"
        yield child.tail or ""


def _is_line_number(element: HtmlElement) -> bool:
    return bool(
        {"linenos", "lineno", "line-number", "gutter", "linenodiv"} & set((element.get("class") or "").split())
    )


def _language(element: HtmlElement) -> str:
    around: list[HtmlElement] = [element, *element.iter("code")]
    parent = element.getparent()
    while (
        parent is not None
        and len(around) < 6
        and parent.tag in {"div", "figure", "pre", "td", "tr", "tbody", "table"}
    ):
        around.append(parent)
        parent = parent.getparent()
    for node in around:
        names = (
            (node.get("class") or "") + " " + (f"language-{node.get('data-lang')}" if node.get("data-lang") else "")
        )
        for found in _LANGUAGE.finditer(names.lower()):
            if not _NOT_A_LANGUAGE.fullmatch(found[1]):
                return found[1]
        if {"sourcecode", "highlight", "hljs"} & set(names.lower().split()) or node.tag == "code":
            rest = [name for name in names.lower().split() if not _NOT_A_LANGUAGE.fullmatch(name) and name.isalnum()]
            if len(rest) == 1:
                return rest[0]
    return ""
