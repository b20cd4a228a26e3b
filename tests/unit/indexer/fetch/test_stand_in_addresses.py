"""What is asked for, to read a resource: a repository by its README and kernels, a paper by its abstract."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from indexer.fetch.client import Fetched, NotFetched
from indexer.fetch.stand_in_addresses import Wanted, pages_of

LISTING = "https://api.github.com/repos/ada/kernels/git/trees/HEAD?recursive=1"


@dataclass(frozen=True, slots=True)
class Pages:
    """Answers with what it was given, and with a failure for all else."""

    bodies: dict[str, bytes]

    async def fetch(
        self, url: str, *, etag: str | None = None, last_modified: str | None = None
    ) -> Fetched | NotFetched:
        body = self.bodies.get(url)
        if body is None:
            return NotFetched("failed", "the server answers 500")
        return Fetched(url, body, "application/json", "", None, None)


def listing(**files: int) -> Pages:
    tree = [{"path": path, "type": "blob", "size": size} for path, size in files.items()]
    return Pages({LISTING: json.dumps({"tree": [*tree, {"path": "src", "type": "tree"}]}).encode()})


async def wanted(client: Pages, url: str) -> list[Wanted]:
    found = await pages_of(client, url)
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("url", ["https://github.com/ada/kernels", "https://github.com/ada/kernels.git"])
async def test_a_repository_is_read_by_its_readme_and_its_kernels(url: str) -> None:
    client = listing(**{"README.md": 900, "src/reduce sum.cu": 400, "src/tile.cuh": 300, "src/main.cpp": 100})
    found = await wanted(client, url)
    assert [(want.path, want.kind) for want in found] == [
        ("ada/kernels/README.md", "markdown"),
        ("ada/kernels/src/reduce sum.cu", "code"),
        ("ada/kernels/src/tile.cuh", "code"),
    ]
    assert found[1].url == "https://github.com/ada/kernels/blob/HEAD/src/reduce%20sum.cu"
    assert found[1].request_url == "https://raw.githubusercontent.com/ada/kernels/HEAD/src/reduce%20sum.cu"


async def test_of_a_huge_repository_only_so_many_kernels_are_asked_for_and_none_that_is_generated() -> None:
    many = {f"k{number:03}.cu": 100 for number in range(200)}
    found = await wanted(
        listing(**many, **{"a_generated.cu": 5_000_000, "b_empty.cu": 0}), "https://github.com/ada/kernels"
    )
    assert [want.path for want in found] == [f"ada/kernels/k{number:03}.cu" for number in range(30)]


@pytest.mark.parametrize(
    ("client", "reason"),
    [
        (Pages({}), "the server answers 500"),
        (Pages({LISTING: b"<html>limit reached</html>"}), "the list of its files cannot be read"),
        (Pages({LISTING: b'{"message": "Not Found"}'}), "the list of its files cannot be read"),
        (Pages({LISTING: b"[1, 2]"}), "the list of its files cannot be read"),
        (listing(**{"setup.py": 10}), "it has neither README nor kernels"),
    ],
)
async def test_a_repository_that_cannot_be_read_says_why(client: Pages, reason: str) -> None:
    found = await pages_of(client, "https://github.com/ada/kernels/")
    assert isinstance(found, NotFetched)
    assert found.reason == reason


async def test_a_file_of_a_repository_is_asked_for_raw() -> None:
    url = "https://github.com/ada/kernels/blob/main/src/tile.cuh"
    (found,) = await wanted(Pages({}), url)
    assert found == Wanted("https://raw.githubusercontent.com/ada/kernels/main/src/tile.cuh", url)


@pytest.mark.parametrize(
    "url",
    [
        "https://arxiv.org/abs/2205.14135",
        "https://arxiv.org/pdf/2205.14135v2.pdf",
        "http://www.arxiv.org/html/2205.14135v1",
    ],
)
async def test_a_paper_is_read_by_its_abstract_whatever_form_its_address_names(url: str) -> None:
    (found,) = await wanted(Pages({}), url)
    assert found == Wanted("https://export.arxiv.org/api/query?id_list=2205.14135", url, kind="arxiv")


@pytest.mark.parametrize(
    "url", ["https://example.org/a", "https://github.com/ada", "https://github.com/ada/kernels/issues/3"]
)
async def test_any_other_page_is_asked_for_as_it_is(url: str) -> None:
    assert await wanted(Pages({}), url) == [Wanted(url, url)]
