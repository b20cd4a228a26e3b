"""Which pages the reader may be trained on, laid out as one mirror.

    python -m tests.eval.reader.pages TARGET --mirrors MIRROR... --packages FOLDER

FOLDER holds the unpacked source packages that README.md names. Pages whose licence does not plainly allow it are
left out, so that they are neither asked about nor shown as wrong candidates.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LABELS = Path(__file__).with_name("labels.jsonl.xz")
NOTES = Path(__file__).parents[3] / "content" / "notes"
ALLOWED = frozenset({"own", "MIT", "Apache", "BSD", "CC BY", "CC0"})
_GROUPS = (
    ("NC", re.compile(r"\bNC\b|non-?commercial", re.IGNORECASE)),
    ("SA", re.compile(r"\bSA\b|share-?alike", re.IGNORECASE)),
    ("GPL", re.compile("GPL")),
    ("unstated", re.compile(r"not stated|mixed|unclear|unlicensed|no licen|\bnone\b|\?", re.IGNORECASE)),
    ("own", re.compile(r"^own$")),
    ("Apache", re.compile("Apache")),
    ("MIT", re.compile(r"\bMIT\b")),
    ("BSD", re.compile("BSD")),
    ("CC BY", re.compile(r"CC[ -]BY")),
    ("CC0", re.compile("CC0")),
)
"""What forbids comes first: a licence that names several belongs to its strictest group."""
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Docs:
    """The documentation folders of a source package, and the name that its pages have in the labels."""

    name: str
    package: str
    version: str
    licence: str
    roots: tuple[str, ...] = ("docs",)


PACKAGES = (
    Docs("cython-docs", "cython", "3.3.1", "Apache-2.0"),
    Docs("dask-docs", "dask", "2026.8.0", "BSD-3-Clause"),
    Docs("llama-cpp-docs", "llama-cpp-python", "0.3.36", "MIT", ("vendor/llama.cpp/docs", "")),
    Docs("llm-compressor-docs", "llmcompressor", "0.14.0.1", "Apache-2.0"),
    Docs("mpi4py-docs", "mpi4py", "4.1.2", "BSD-3-Clause"),
    Docs("numba-docs", "numba", "0.68.1", "BSD-2-Clause"),
    Docs("pycuda-docs", "pycuda", "2026.1", "MIT", ("doc",)),
    Docs("pyopencl-docs", "pyopencl", "2026.1.4", "MIT", ("doc",)),
    Docs("tilelang-docs", "tilelang", "0.1.14", "MIT"),
    Docs("tvm-docs", "tilelang", "0.1.14", "Apache-2.0", ("3rdparty/tvm/docs",)),
    Docs("vllm-ascend-docs", "vllm-ascend", "0.23.0.post1", "Apache-2.0"),
    Docs("vllm-docs", "vllm", "0.33.0", "Apache-2.0"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("target", type=Path)
    parser.add_argument("--mirrors", type=Path, nargs="*", default=[])
    parser.add_argument("--packages", type=Path)
    asked = parser.parse_args()
    found = {row["path"]: (row, file) for row, file in of_notes(NOTES)}
    for mirror in asked.mirrors:
        found.update((row["path"], (row, file)) for row, file in of_mirror(mirror))
    if asked.packages:
        named = {page_of(label) for label in read_rows(LABELS)} - found.keys()
        found.update((row["path"], (row, file)) for row, file in of_packages(asked.packages, named))
    lay_out(list(found.values()), asked.target)
    missing = {page_of(label) for label in read_rows(LABELS) if label["licence"] in ALLOWED} - found.keys()
    print(f"{len(found)} pages; {len(missing)} that labels name were not found: {', '.join(sorted(missing)[:5])}")


def group(licence: str) -> str:
    """The group of a licence as a manifest words it; `unstated` where no rule knows it."""
    return next((name for name, pattern in _GROUPS if pattern.search(licence)), "unstated")


def may_train(licence: str) -> bool:
    return group(licence) in ALLOWED


def read_rows(labels: Path) -> list[Row]:
    """The labels with their licence groups; knowledge.ask.labelled_questions reads the other fields."""
    with lzma.open(labels, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def page_of(label: Row) -> str:
    """The page that a label was written from; an unanswerable question has one too."""
    path: str = label["gold"]["path"] if "gold" in label else label["about"]
    return path


def of_mirror(mirror: Path) -> Iterator[tuple[Row, Path]]:
    for line in (mirror / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if may_train(row.get("licence", "")) and (mirror / row["path"]).is_file():
            yield row, mirror / row["path"]


def of_notes(notes: Path) -> Iterator[tuple[Row, Path]]:
    for file in sorted(notes.glob("*/*.md")):
        yield _row(f"notes/{file.parent.name}/{file.name}", file, file.parent.name, "own"), file


def of_packages(folder: Path, named: set[str]) -> Iterator[tuple[Row, Path]]:
    """Those of the named pages that are documentation of an unpacked package; a version that differs is not used."""
    unpacked = {re.sub(r"[-_]+", "-", path.name).lower(): path for path in folder.iterdir() if path.is_dir()}
    for docs in PACKAGES:
        package = unpacked.get(f"{docs.package}-{docs.version}")
        inside = sorted(path for path in named if package and path.startswith(f"{docs.name}/"))
        for path in inside:
            relative = path.removeprefix(f"{docs.name}/")
            files = [package / root / relative for root in docs.roots] if package else []
            for file in filter(Path.is_file, files):
                yield _row(path, file, "en", docs.licence), file
                break


def _row(path: str, file: Path, lang: str, licence: str) -> Row:
    name, _, rest = path.partition("/")
    kind = "rst" if file.suffix == ".rst" else "markdown"
    url = f"https://{name}.invalid/{rest}"
    return {"url": url, "path": path, "title": file.stem, "lang": lang, "kind": kind, "licence": licence}


def lay_out(pages: Sequence[tuple[Row, Path]], target: Path) -> None:
    """A mirror that `warpmate index build --mirror` reads too."""
    for row, file in pages:
        copy = target / row["path"]
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    manifest = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row, _ in pages)
    (target / "manifest.jsonl").write_text(manifest, encoding="utf-8")


if __name__ == "__main__":
    main()
