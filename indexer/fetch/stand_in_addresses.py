"""Addresses that are read by way of others: a repository by its README and kernels, a paper by its abstract."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import quote

from indexer.fetch.client import Fetched, NotFetched

_GITHUB = re.compile(r"https://github\.com/(?P<owner>[\w.-]+)/(?P<repo>[\w.-]+?)(?:\.git)?/?")
_GITHUB_FILE = re.compile(r"https://github\.com/(?P<owner>[\w.-]+)/(?P<repo>[\w.-]+)/(?:blob|raw)/(?P<rest>.+)")
_ARXIV = re.compile(
    r"https?://(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html)/(?P<id>[\w.\-/]+?)(?:v\d+)?(?:\.pdf)?/?"
)
_MOST_FILES = 30
_LARGEST_FILE = 100_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """One request, with the address and the path under which its page is kept."""

    request_url: str
    url: str
    path: str = ""
    kind: str = ""


class Fetches(Protocol):
    async def fetch(
        self, url: str, *, etag: str | None = None, last_modified: str | None = None
    ) -> Fetched | NotFetched: ...


Recipe = Callable[[Fetches, str], Awaitable[list[Wanted] | NotFetched]]
"""Turns a resource's address into the requests that read it."""


async def pages_of(client: Fetches, url: str) -> list[Wanted] | NotFetched:
    """Return the requests for a resource; usually its own address and nothing else."""
    if match := _GITHUB.fullmatch(url):
        return await _repository(client, match["owner"], match["repo"])
    if match := _GITHUB_FILE.fullmatch(url):
        raw = f"https://raw.githubusercontent.com/{match['owner']}/{match['repo']}/{match['rest']}"
        return [Wanted(raw, url)]
    if match := _ARXIV.fullmatch(url):
        return [Wanted(f"https://export.arxiv.org/api/query?id_list={quote(match['id'])}", url, kind="arxiv")]
    return [Wanted(url, url)]


async def _repository(client: Fetches, owner: str, repo: str) -> list[Wanted] | NotFetched:
    listing = await client.fetch(f"https://api.github.com/repos/{owner}/{repo}/git/trees/HEAD?recursive=1")
    if isinstance(listing, NotFetched):
        return listing
    try:
        entries = json.loads(listing.body)["tree"]
        files = {str(entry["path"]): int(entry.get("size", 0)) for entry in entries if entry.get("type") == "blob"}
    except (ValueError, KeyError, TypeError):
        return NotFetched("failed", "the list of its files cannot be read")
    readme = sorted((path for path in files if re.fullmatch(r"(?i)readme(\.(md|rst|txt))?", path)), key=len)[-1:]
    kernels = sorted(
        path for path, size in files.items() if path.endswith((".cu", ".cuh")) and 0 < size <= _LARGEST_FILE
    )
    wanted = [*readme, *kernels[:_MOST_FILES]]
    return [_file(owner, repo, path) for path in wanted] or NotFetched("failed", "it has neither README nor kernels")


def _file(owner: str, repo: str, path: str) -> Wanted:
    name = quote(path)
    return Wanted(
        request_url=f"https://raw.githubusercontent.com/{owner}/{repo}/HEAD/{name}",
        url=f"https://github.com/{owner}/{repo}/blob/HEAD/{name}",
        path=f"{owner}/{repo}/{path}",
        kind="code" if path.endswith((".cu", ".cuh")) else "rst" if path.lower().endswith(".rst") else "markdown",
    )
