"""Jupyter notebooks: text cells as Markdown, code cells as code, printed output as far as it is text."""

from __future__ import annotations

import json
from typing import Any

from indexer.extract.decode import decode
from indexer.extract.markdown import write_markdown
from indexer.extract.page import Page, PageWriter
from knowledge.errors import OperatorError

_LONGEST_OUTPUT = 2000
_CELL_MAGIC = {
    "%%cu": "cuda",
    "%%cuda": "cuda",
    "%%writefile": "",
    "%%bash": "bash",
    "%%sh": "bash",
    "%%shell": "bash",
}


class NotANotebook(OperatorError):
    """Raised where the file is no notebook."""


def extract(source: bytes, *, charset: str = "", title: str = "") -> Page:
    try:
        book = json.loads(decode(source, charset))
        cells = book["cells"] if "cells" in book else book["worksheets"][0]["cells"]
    except (ValueError, KeyError, IndexError, TypeError):
        raise NotANotebook("it is not a notebook") from None
    writer = PageWriter(title)
    language = _language(book)
    for cell in cells:
        text = _joined(cell.get("source") or cell.get("input"))
        if cell.get("cell_type") == "markdown":
            write_markdown(writer, text)
        elif cell.get("cell_type") == "code":
            writer.code(text, _cell_language(text, language))
            for output in cell.get("outputs") or []:
                writer.code(_printed(output)[:_LONGEST_OUTPUT], "output")
    return writer.page()


def _language(book: dict[str, Any]) -> str:
    about = book.get("metadata", {})
    return str(about.get("kernelspec", {}).get("language") or about.get("language_info", {}).get("name") or "python")


def _cell_language(text: str, language: str) -> str:
    first = text.split("\n", 1)[0].split(" ", maxsplit=1)[0].strip()
    return _CELL_MAGIC.get(first) or language


def _joined(source: Any) -> str:
    return "".join(map(str, source)) if isinstance(source, list) else str(source or "")


def _printed(output: dict[str, Any]) -> str:
    if output.get("output_type") == "stream":
        return _joined(output.get("text"))
    return _joined(output.get("data", {}).get("text/plain")) if output.get("output_type") == "execute_result" else ""
