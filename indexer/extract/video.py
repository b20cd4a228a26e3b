"""The page of a video: the title and description by its author. Picture and sound are not read."""

from __future__ import annotations

import json
import re

from lxml import html as lxml_html

from indexer.extract.decode import decode
from indexer.extract.page import Page, PageWriter
from knowledge.errors import OperatorError

_DESCRIPTION = re.compile(r'"shortDescription"\s*:\s*("(?:[^"\\]|\\.)*")')
_SITE = re.compile(r"\s*[-_|]\s*(?:YouTube|bilibili|哔哩哔哩(?:_bilibili)?|Vimeo)\s*$", re.IGNORECASE)


class NoDescription(OperatorError):
    """Raised where the page names no video."""


def extract(source: bytes, *, charset: str = "", title: str = "") -> Page:
    text = decode(source, charset)
    document = lxml_html.document_fromstring(text)
    stated = {
        str(meta.get("property") or meta.get("name")): str(meta.get("content") or "")
        for meta in document.iter("meta")
    }
    heading = _SITE.sub("", stated.get("og:title") or document.findtext(".//title") or "")
    if not heading.strip():
        raise NoDescription("the page names no video")
    writer = PageWriter(title or heading)
    writer.heading(1, heading)
    full = _DESCRIPTION.search(text)
    described = json.loads(full[1]) if full else stated.get("og:description") or stated.get("description") or ""
    for paragraph in re.split(r"\n\s*\n", described):
        writer.prose(paragraph)
    return writer.page()
