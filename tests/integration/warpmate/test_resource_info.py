"""`warpmate resource info` after a build: what a resource holds, and what the compiler says of its kernels."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import prepared
from tests.integration.indexer.library import write_mirror
from tests.integration.warpmate.cli import Home
from tests.needs import seeds

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
    prepared.give_models(tmp_path_factory, built.folder)
    built.say("index", "build", "--mirror", str(write_mirror(folder / "mirror", {"page.md": PAGE})))
    return built


def test_a_resource_is_shown_with_its_sections_and_the_misspelt_kernel_that_it_prints(home: Home) -> None:
    found = home.json("resource", "info", "doubling")
    assert [section["title"] for section in found["sections"]] == ["Doubling", "The kernel [/of] [bold]a page"]
    (printed,) = found["snippets"]
    assert (printed["name"], printed["check"]["state"], printed["check"]["line"]) == ("twice", "broken", 2)
    assert "flaot" in printed["check"]["message"]["en"]
    assert "flaot" in printed["check"]["message"]["zh"]


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


@pytest.mark.needs("seeds")
def test_the_groups_own_tutorial_is_shown_with_a_verdict_on_every_kernel_that_it_prints(tmp_path: Path) -> None:
    folder = seeds()
    assert folder is not None
    (tutorial,) = (text for path in folder.iterdir() if "AddTwoVectors" in (text := path.read_text("utf-8")))
    home = Home(tmp_path / "data")
    home.say("index", "build", "--mirror", str(write_mirror(tmp_path / "mirror", {"tutorial.md": tutorial})))
    printed = home.json("resource", "info", "CUDA 编程简要介绍")["snippets"]
    assert {one["name"] for one in printed if one["check"]["state"] == "compiles"} == {
        "AddTwoVectors",
        "sigmoidActivation",
    }
    broken = [one["check"] for one in printed if one["check"]["state"] == "broken"]
    assert len(broken) > 3
    assert len(broken) + 4 == len(printed)
    said = {check["message"]["zh"].split("，")[0] for check in broken if check["line"]}
    assert said == {
        "flaot 不是类型；是不是想写 float？",
        "M 在这里没有声明",
        "这里的 ... 表示原文省略了代码",
        "数组参数只有第一维可以不写大小",
    }


def test_an_answer_that_quotes_the_kernel_says_what_is_wrong_with_it(home: Home) -> None:
    shown = home.say("ask", "Show me the code of a kernel that doubles every element of an array")
    assert "__global__ void twice" in shown
    assert "[1] does not compile: line 2: flaot is not a type; did you mean float?" in shown
