"""A source file: cut where its top-level parts end, each part a listing."""

from __future__ import annotations

import re

from indexer.extract.decode import decode
from indexer.extract.page import Page, PageWriter

_TOP_LEVEL_END = re.compile(r"(?<=^\})[ \t]*;?[ \t]*\n(?=\s*\S)", re.MULTILINE)


def extract(source: bytes, *, charset: str = "", title: str = "") -> Page:
    code = decode(source, charset).replace("\r\n", "\n")
    writer = PageWriter(title)
    for part in _TOP_LEVEL_END.split(code):
        writer.code(part, _language(code))
    return writer.page(lang="en")


def _language(code: str) -> str:
    from indexer.lists.snippets import code_language

    return code_language(code) or "text"
