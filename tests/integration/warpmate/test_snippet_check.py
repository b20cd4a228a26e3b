"""Kernels in pages get a compile verdict, with real compiler, store and pages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import select

from indexer.build import build
from indexer.lists import import_lists
from indexer.snippet_check import Compiler, SnippetReport, check_snippets
from knowledge.content import load_topics
from knowledge.store import Scope, Store
from knowledge.store.library import Snippet
from tests import prepared
from tests.folders import CONTENT
from tests.integration.indexer.library import small_library, write_mirror
from tests.needs import seeds
from warpmate.settings import Settings, read_settings
from warpmate.wiring.compiler import open_compiler

RIGHT = """__global__ void twice(const float* x, float* y, int n) {
    int i = threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}"""
MISSPELT = RIGHT.replace("twice", "thrice").replace("const float* x", "const flaot* x")
PAGES = {
    "good.md": f"# Doubling\n\nA kernel that doubles what it reads, element by element.\n\n```cuda\n{RIGHT}\n```\n",
    "bad.md": f"# Tripling\n\nA kernel with a slip of the pen in its list of parameters.\n\n```py\n{MISSPELT}\n```\n",
    "again.md": f"# Once more\n\nThe same kernel printed on another page of this book.\n\n```cuda\n{RIGHT}\n```\n",
}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"WARPMATE_CONTENT_DIR": str(CONTENT), "WARPMATE_DATA_DIR": str(tmp_path / "data")})


@pytest.fixture
async def compiler(settings: Settings) -> AsyncIterator[Compiler]:
    async with open_compiler(settings) as opened:
        yield opened


async def rows(store: Store) -> dict[str, Snippet]:
    async with store.reading(Scope()) as session:
        return {row.name: row for row in await session.scalars(select(Snippet))}


@pytest.mark.slow
async def test_a_page_with_a_misspelt_kernel_tells_its_reader(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, compiler: Compiler
) -> None:
    told: list[tuple[str, int, int]] = []
    async with small_library(tmp_path, prepared.models(tmp_path_factory)) as library:
        await build(library, mirror=write_mirror(tmp_path / "mirror", PAGES))
        first = await check_snippets(library.store, compiler, 1, lambda *step: told.append(step))
        second = await check_snippets(library.store, compiler, 20)
        third = await check_snippets(library.store, compiler, 20)
        found = await rows(library.store)
    assert first.left == 1
    assert told == [("snippets", 1, 1)]
    assert (first.compiled + second.compiled, first.broken + second.broken) == (1, 1)
    assert third == SnippetReport(0, 0, 0)
    assert (found["twice"].verdict, found["thrice"].verdict) == ("compiled", "compile_error")
    assert found["twice"].verdict_body["compile"]["kernels"][0]["name"] == "twice"
    assert found["thrice"].verdict_body["findings"][0]["message"]["zh"] == "flaot 不是类型；是不是想写 float？"
    assert found["twice"].checked_with == compiler.name


@pytest.mark.slow
@pytest.mark.needs("seeds")
async def test_the_tutorials_kernels_are_judged_and_the_misspelt_one_is_explained(compiler: Compiler) -> None:
    folder = seeds()
    assert folder is not None
    tutorial = [
        one for one in import_lists(sorted(folder.iterdir()), load_topics(CONTENT)).snippets if "AddTwo" in one.code
    ]
    verdicts = [await compiler.compile("one", one.code) for one in tutorial]
    whole = [
        verdict.verdict
        for verdict, printed in zip(verdicts, tutorial, strict=True)
        if "int main" in printed.code and "..." not in printed.code
    ]
    assert len(whole) > 1
    assert set(whole) == {"compiled"}
    broken = [one for one in verdicts if one.verdict == "compile_error"]
    misspelt = [one for one in broken if any("flaot" in finding["message"]["zh"] for finding in one.body["findings"])]
    assert len(misspelt) == 2  # the function alone, and the program that it is part of
    assert all(one.body["findings"] for one in broken)
    assert len(broken) + len(whole) == len(tutorial)
