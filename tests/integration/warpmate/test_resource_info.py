"""`warpmate resource info` after a build: what a resource holds, and what the compiler says of its kernels."""

from __future__ import annotations

import pytest

from tests.integration.indexer.library import write_mirror
from tests.integration.warpmate.cli import Home

pytestmark = pytest.mark.slow

PAGE = """# Doubling

What it means to double every element of an array on the device, and how that is printed in a book.

## The kernel [/of] [bold]a page

A kernel that doubles what it reads, with a slip of the pen in its list of parameters.

```py
__global__ void twice(
    const flaot* x, float* y) {
    y[threadIdx.x] = 2 * x[threadIdx.x];
}
```
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    folder = tmp_path_factory.mktemp("home")
    built = Home(folder / "data")
    built.say("index", "build", "--mirror", str(write_mirror(folder / "mirror", {"page.md": PAGE})))
    return built


def test_a_resource_is_shown_with_its_sections_and_the_misspelt_kernel_that_it_prints(home: Home) -> None:
    found = home.json("resource", "info", "doubling")
    assert [section["title"] for section in found["sections"]] == ["Doubling", "The kernel [/of] [bold]a page"]
    (printed,) = found["snippets"]
    assert (printed["name"], printed["check"]["state"], printed["check"]["line"]) == ("twice", "broken", 2)
    assert "flaot" in printed["check"]["en"]
    assert "flaot" in printed["check"]["zh"]


@pytest.mark.parametrize(
    ("lang", "says"),
    [("en", "does not compile: line 2: flaot is not a type"), ("zh", "无法编译：第 2 行：flaot 不是类型")],
)
def test_a_reader_at_a_terminal_is_told_the_same_in_words_whatever_the_page_writes(
    home: Home, lang: str, says: str
) -> None:
    shown = home.run("resource", "info", "doubling", "--lang", lang, COLUMNS="300").stdout
    assert "  The kernel [/of] [bold]a page" in shown
    assert says in shown
