"""Kernels in pages get a compile verdict, with real compiler, store and pages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import select

from indexer.build import build
from indexer.lists import import_lists
from knowledge.store import Scope, Store
from knowledge.store.library import Snippet
from knowledge.submit.form import decide
from tests.integration.indexer.library import small_library, write_mirror
from tests.needs import seeds
from warpmate.settings import Settings, read_settings
from warpmate.snippet_check import Bench, Checked, check_snippets, open_bench
from worker.protocol import Job, Kind

CONTENT = Path(__file__).parents[3] / "content"
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
async def bench(settings: Settings) -> AsyncIterator[Bench]:
    async with open_bench(settings) as opened:
        yield opened


async def rows(store: Store) -> dict[str, Snippet]:
    async with store.reading(Scope()) as session:
        return {row.name: row for row in await session.scalars(select(Snippet))}


@pytest.mark.slow
async def test_a_page_with_a_misspelt_kernel_tells_its_reader(tmp_path: Path, bench: Bench) -> None:
    told: list[tuple[str, int, int]] = []
    async with small_library(tmp_path, tmp_path / "models") as library:
        await build(library, mirror=write_mirror(tmp_path / "mirror", PAGES))
        first = await check_snippets(library.store, bench, 1, lambda *step: told.append(step))
        second = await check_snippets(library.store, bench)
        third = await check_snippets(library.store, bench)
        found = await rows(library.store)
    assert first.left == 1
    assert told == [("snippets", 1, 1)]
    assert (first.compiled + second.compiled, first.broken + second.broken) == (1, 1)
    assert third == Checked(0, 0, 0)
    assert (found["twice"].verdict, found["thrice"].verdict) == ("compiled", "compile_error")
    assert found["twice"].verdict_body["compile"]["kernels"][0]["name"] == "twice"
    assert found["thrice"].verdict_body["findings"][0]["message"]["zh"] == "flaot 不是类型；是不是想写 float？"
    assert found["twice"].checked_with == bench.name


@pytest.mark.slow
@pytest.mark.needs("seeds")
async def test_the_tutorials_kernels_are_judged_and_the_misspelt_one_is_explained(bench: Bench) -> None:
    folder = seeds()
    assert folder is not None
    tutorial = [one for one in import_lists(sorted(folder.iterdir())).snippets if "AddTwo" in one.code]
    verdicts = [await bench.judged(Job("one", decide(one.code, None), one.code)) for one in tutorial]
    whole = [
        verdict.verdict
        for verdict, printed in zip(verdicts, tutorial, strict=True)
        if "int main" in printed.code and "..." not in printed.code
    ]
    assert len(whole) > 1
    assert set(whole) == {Kind.COMPILED}
    broken = [one for one in verdicts if one.verdict is Kind.COMPILE_ERROR]
    misspelt = [one for one in broken if any("flaot" in finding.message["zh"] for finding in one.findings)]
    assert len(misspelt) == 2  # the function alone, and the program that it is part of
    assert all(one.findings for one in broken)
    assert len(broken) + len(whole) == len(tutorial)
