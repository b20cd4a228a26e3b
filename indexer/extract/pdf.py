"""PDF, read in a process of its own: a hostile file may take its memory or its time, but not ours."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TypedDict

from indexer.extract.page import Page, PageWriter
from knowledge.errors import OperatorError

SECONDS = 60
MEMORY_BYTES = 1 << 30
MOST_PAGES = 600
_MOST_TEXT = 20 << 20


class _Read(TypedDict):
    title: str
    pages: list[str]


class UnreadablePdf(OperatorError):
    """Raised for a PDF that cannot be read; says in one clause why."""


def extract(source: bytes, *, charset: str = "", title: str = "") -> Page:
    """Read a PDF, with one heading per page, so that a passage says where in the document it stands."""
    del charset  # a PDF carries its own
    read = _in_child(source)
    writer = PageWriter(title or read["title"])
    for number, text in enumerate(read["pages"], start=1):
        if text.strip():
            writer.heading(2, f"p. {number}", f"page={number}")
            for paragraph in _paragraphs(text):
                writer.prose(paragraph)
    return writer.page()


def _in_child(source: bytes) -> _Read:
    limits = [str(MEMORY_BYTES), str(SECONDS), str(MOST_PAGES)]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "indexer.extract.pdf_child", *limits],
            input=source,
            capture_output=True,
            timeout=SECONDS + 5,
            check=False,
            env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    except subprocess.TimeoutExpired:
        raise UnreadablePdf(f"the PDF took longer than {SECONDS} s") from None
    if done.returncode != 0 or len(done.stdout) > _MOST_TEXT:
        raise UnreadablePdf("the PDF is damaged, locked or too large")
    read: _Read = json.loads(done.stdout)
    return read


def _paragraphs(text: str) -> list[str]:
    """Return paragraphs: lines joined where a sentence runs on, words that a line's end divided made whole."""
    joined = re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", text)
    return re.split(r"\n[ \t]*\n|(?<=[.!?。！？:：])[ \t]*\n", joined)
