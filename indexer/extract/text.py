"""Plain text: paragraphs parted by empty lines."""

from __future__ import annotations

import re

from indexer.extract.decode import decode
from indexer.extract.page import Page, PageWriter


def extract(source: bytes, *, charset: str = "", title: str = "") -> Page:
    writer = PageWriter(title)
    for paragraph in re.split(r"\n[ \t]*\n", decode(source, charset).replace("\r\n", "\n")):
        writer.prose(paragraph)
    return writer.page()
