"""The answer of arXiv's interface: title, authors and abstract of one paper."""

from __future__ import annotations

from lxml import etree

from indexer.extract.page import Page, PageWriter, one_line
from knowledge.errors import OperatorError

_ATOM = {"a": "http://www.w3.org/2005/Atom"}


class NotAPaper(OperatorError):
    """Raised where arXiv knows no such paper."""


def extract(source: bytes, *, charset: str = "", title: str = "") -> Page:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    entry = etree.fromstring(source, parser).find("a:entry", _ATOM)
    if entry is None or not _said(entry, "summary"):
        raise NotAPaper("arXiv knows no such paper")
    writer = PageWriter(title or _said(entry, "title"))
    writer.heading(1, _said(entry, "title"))
    authors = [one_line(name.text or "") for name in entry.findall("a:author/a:name", _ATOM)]
    writer.facts = {"authors": authors, "date": _said(entry, "published")[:10]}
    writer.prose(", ".join(authors))
    writer.heading(2, "Abstract")
    writer.prose(_said(entry, "summary"))
    return writer.page()


def _said(entry: etree._Element, name: str) -> str:
    return one_line(entry.findtext(f"a:{name}", default="", namespaces=_ATOM))
