"""What a resource holds: sections in order, and the code that it prints with the compiler's word on it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import select, update

from indexer.build import BuildSetup, build
from knowledge.library.contents import CodeCheck, Contents, code_checks, contents_of
from knowledge.store import Scope
from knowledge.store.library import Passage, Resource, Snapshot, Snippet
from tests import prepared
from tests.integration.indexer.library import small_library, write_mirror

KERNEL = "__global__ void twice(const flaot* x, float* y) {\n    y[threadIdx.x] = 2 * x[threadIdx.x];\n}"
PAGE = f"""# Doubling

What it means to double every element of an array on the device, and how it is printed.

## The kernel

A kernel that doubles what it reads, with a slip of the pen in its parameters.

```py
{KERNEL}
```

## Further

### Launching

The number of blocks is the number of elements over the block size, rounded up to a whole number.
"""
FINDING = {
    "id": "misspelt-type",
    "severity": "error",
    "line": 1,
    "message": {"en": "flaot is not a type; did you mean float?", "zh": "flaot 不是类型；是不是想写 float？"},
}
LATER = {"id": "undeclared-name", "severity": "error", "line": None, "message": {"en": "Other.", "zh": "其他。"}}


@pytest.fixture
async def library(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[BuildSetup]:
    async with small_library(tmp_path, prepared.models(tmp_path_factory)) as opened:
        await build(opened, mirror=write_mirror(tmp_path / "mirror", {"page.md": PAGE}))
        yield opened


async def of_page(library: BuildSetup, lang: str = "en", scope: Scope | None = None) -> Contents:
    async with library.store.reading(Scope()) as session:
        (resource_id,) = await session.scalars(select(Resource.id))
    return await contents_of(library.store, scope or Scope(), resource_id, lang)


async def judged(library: BuildSetup, verdict: str, body: dict[str, object]) -> None:
    async with library.store.session(Scope.all()) as session:
        (row,) = await session.scalars(select(Snippet))
        row.verdict, row.verdict_body = verdict, body


async def test_the_sections_of_a_page_are_listed_in_order_with_those_that_only_hold_others(
    library: BuildSetup,
) -> None:
    found = await of_page(library)
    assert [(section.depth, section.title) for section in found.sections] == [
        (1, "Doubling"), (2, "The kernel"), (2, "Further"), (3, "Launching"),
    ]  # fmt: skip
    assert found.sections[1].link == "https://example.org/page.md#the-kernel"


async def test_a_printed_kernel_comes_with_its_line_of_description_and_unchecked_until_it_was_compiled(
    library: BuildSetup,
) -> None:
    (printed,) = (await of_page(library)).snippets
    assert printed.code == KERNEL
    assert printed.description == "CUDA kernel twice(const flaot* x, float* y)"
    assert printed.section == "Doubling > The kernel"
    assert (printed.check, printed.check.text("en")) == (CodeCheck(), "")


async def test_a_reader_is_told_what_is_misspelt_and_on_which_line(library: BuildSetup) -> None:
    await judged(library, "compile_error", {"findings": [LATER, FINDING]})
    (printed,) = (await of_page(library)).snippets
    assert printed.check.text("en") == "does not compile: line 1: flaot is not a type; did you mean float?"
    assert printed.check.text("zh") == "无法编译：第 1 行：flaot 不是类型；是不是想写 float？"
    assert await code_checks(library.store, [KERNEL, "other"]) == {KERNEL: printed.check, "other": CodeCheck()}


@pytest.mark.parametrize(
    ("verdict", "says"),
    [
        ("compiled", "compiles as printed"),
        ("compile_error", "does not compile"),
        ("unsupported", ""),
        ("timeout", ""),
    ],
)
async def test_only_the_compilers_own_word_is_passed_on(library: BuildSetup, verdict: str, says: str) -> None:
    await judged(library, verdict, {"findings": []})
    (printed,) = (await of_page(library)).snippets
    assert printed.check.text("en") == says


async def test_a_function_for_the_host_is_not_called_broken_because_the_compiler_is_for_the_device(
    library: BuildSetup,
) -> None:
    host = {"id": "host-function", "severity": "error", "line": 1, "message": {"en": "On the host.", "zh": "主机。"}}
    await judged(library, "compile_error", {"findings": [host]})
    assert (await of_page(library)).snippets[0].check == CodeCheck()
    await judged(library, "compile_error", {"findings": [host, FINDING]})
    assert "flaot" in (await of_page(library)).snippets[0].check.text("en")


async def test_what_a_guild_added_is_seen_by_nobody_else(library: BuildSetup) -> None:
    async with library.store.session(Scope.all()) as session:
        for table in (Resource, Snapshot, Passage):
            await session.execute(update(table).values(guild_id="4711"))
        (resource_id,) = await session.scalars(select(Resource.id))
    assert await contents_of(library.store, Scope(), resource_id) == Contents()
    assert len((await contents_of(library.store, Scope.guild("4711"), resource_id)).snippets) == 1


async def test_of_pages_in_two_languages_the_readers_own_are_shown(library: BuildSetup, tmp_path: Path) -> None:
    chinese = "# 合并访问\n\n一个线程束访问连续的地址时，硬件把这些访问合并成少量的内存事务。\n"
    await build(library, mirror=write_mirror(tmp_path / "mirror", {"page.md": PAGE, "zh.md": chinese}))
    async with library.store.session(Scope()) as session:
        ids = list(await session.scalars(select(Resource.id).order_by(Resource.url)))
        await session.execute(update(Snapshot).values(resource_id=ids[0]))
    assert [section.title for section in (await contents_of(library.store, Scope(), ids[0], "zh")).sections] == [
        "合并访问"
    ]
    assert len((await contents_of(library.store, Scope(), ids[0], "en")).sections) == 4
