"""A small library for tests: real store, real model, pages of the test's own making."""

from __future__ import annotations

import functools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from indexer.build import BuildSetup
from knowledge.library.embed import Embedder, open_embedder
from knowledge.search.wording import wording_of
from tests.shipped_content import shipped_content
from tests.stores import migrated_store

PAGES = {
    "banks.md": "# Bank conflicts\n\nShared memory has 32 banks, and a conflict makes a warp take turns."
    " Padding each row by one word gives every column a bank of its own.\n\n"
    "```cuda\n__global__ void transpose(const float* in, float* out) {\n    __shared__ float tile[32][33];\n}\n```\n",
    "warps.md": "# Warps\n\nA warp is a group of 32 threads that execute the same instruction at the same time. "
    "Divergent branches of one warp are executed one after the other.\n",
    "zh.md": "# 合并访问\n\n一个线程束访问连续的地址时，硬件把这些访问合并成少量的内存事务。"
    "步长越大，浪费的带宽越多。\n",
}


def write_mirror(folder: Path, pages: dict[str, str] = PAGES) -> Path:
    folder.mkdir(exist_ok=True)
    rows = [{"url": f"https://example.org/{path}", "path": path, "kind": "markdown"} for path in pages]
    for path, text in pages.items():
        (folder / path).write_text(text, encoding="utf-8")
    (folder / "manifest.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return folder


@functools.cache
def model(cache: Path) -> Embedder:
    """Opened once in a test process: it remembers nothing of what it was asked."""
    return open_embedder(cache=cache)


@asynccontextmanager
async def small_library(folder: Path, models: Path) -> AsyncIterator[BuildSetup]:
    async with migrated_store("sqlite", folder) as store:
        embedder = model(models)
        yield BuildSetup(store, folder, embedder, wording_of(shipped_content().glossary, embedder))
