"""A library of three pages: the mirror that it is built from, and its data directory."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests import prepared
from tests.integration.warpmate.cli import Home

PAGES = {
    "coalescing.md": ("en", "Coalesced access", """# Coalesced access

Global memory is read in sectors of 32 bytes. When the 32 threads of a warp read neighbouring floats, the hardware
joins their requests into four sectors, which is called coalescing.

A stride of two elements doubles the number of sectors, and half of every sector is thrown away.
"""),
    "barriers.md": ("en", "Barriers", """# Barriers in a block

Every thread of a block has to reach the same barrier before any of them may pass it. A barrier inside a branch that
only some threads take leaves the others waiting for ever.
"""),
    "bank.md": ("zh", "存储体冲突", """# 存储体冲突

共享内存分成三十二个存储体。同一个线程束里的线程访问同一存储体的不同地址时，这些访问只能依次进行，这就是存储体冲突。

给每一行多加一个元素，就能把同一列的数据错开到不同的存储体。
"""),
}  # fmt: skip
ADDRESS = "https://pages.example.org"


def write_mirror(folder: Path) -> Path:
    rows = []
    for path, (lang, title, text) in PAGES.items():
        (folder / path).write_text(text, encoding="utf-8")
        rows.append({"url": f"{ADDRESS}/{path}", "path": path, "title": title, "lang": lang, "kind": "markdown"})
    (folder / "manifest.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return folder


def published(factory: pytest.TempPathFactory, mirror: Path) -> Home:
    """A copy of the library, which is built once in a test run."""

    def build(folder: Path) -> None:
        built = Home(folder / "data")
        prepared.give_models(factory, built.folder)
        report = built.json("index", "build", "--mirror", str(mirror))
        assert (report["published"], report["pages"], report["changed"], report["failures"]) == (True, 3, 3, [])

    made = prepared.made_once(factory, "three-pages", build)
    return Home(Path(shutil.copytree(made / "data", factory.mktemp("home") / "data")))
