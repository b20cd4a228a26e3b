"""How long does a build take: full, unchanged, and with one page in a hundred changed?

    WARPMATE_CORPUS=... python bench/index_build.py [runs]

Wall-clock and processor seconds after the model is loaded, medians over the runs; the second kind is what a busy
machine does not falsify.
"""

from __future__ import annotations

import asyncio
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.record import record
from indexer.build import BuildReport, BuildSetup, build
from indexer.classify import Classifier
from knowledge.content.load import load_content
from knowledge.library.embed import open_embedder
from knowledge.search.wording import wording_of
from knowledge.store import open_store
from knowledge.store.migrate import upgrade
from tests.needs import corpus

CONTENT = Path(__file__).parents[1] / "content"
Step = Callable[[], Awaitable[BuildReport]]


async def timed(step: Step) -> tuple[float, float, BuildReport]:
    wall, cpu = time.perf_counter(), _processor_seconds()
    report = await step()
    return time.perf_counter() - wall, _processor_seconds() - cpu, report


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def one_run(mirror: Path, models: Path) -> dict[str, tuple[float, float]]:
    with tempfile.TemporaryDirectory() as scratch:
        data, pages = Path(scratch) / "data", Path(scratch) / "mirror"
        shutil.copytree(mirror, pages)
        data.mkdir()
        embedder = open_embedder(cache=models)
        content = load_content(CONTENT)
        async with open_store(f"sqlite+aiosqlite:///{data / 'warpmate.db'}") as store:
            await upgrade(store)
            library = BuildSetup(
                store=store,
                data_dir=data,
                embedder=embedder,
                wording=wording_of(content.glossary, embedder),
                classifier=Classifier(content.topics),
            )
            full = await timed(lambda: build(library, mirror=pages))
            print(
                f"full: {full[2].seconds}, {full[2].passages} passages, {full[2].embedded} texts embedded", flush=True
            )
            unchanged = await timed(lambda: build(library, mirror=pages))
            _change(pages, share=0.01)
            changed = await timed(lambda: build(library, mirror=pages))
            print(f"1% changed: {changed[2].seconds}, {changed[2].embedded} texts embedded", flush=True)
            assert full[2].published
            assert not unchanged[2].published
            assert changed[2].changed == round(0.01 * full[2].pages)
        return {"full": full[:2], "unchanged": unchanged[:2], "1% changed": changed[:2]}


def _change(pages: Path, share: float) -> None:
    """One sentence more at the end of every hundredth Markdown page."""
    found = sorted(path for path in pages.rglob("*.md") if path.stat().st_size > 2000)
    total = sum(1 for _ in (pages / "manifest.jsonl").open(encoding="utf-8"))
    for path in found[:: len(found) // round(share * total)][: round(share * total)]:
        path.write_text(path.read_text(encoding="utf-8") + "\n\nThis sentence is new.\n", encoding="utf-8")


async def main() -> None:
    mirror = corpus()
    if mirror is None:
        sys.exit("no corpus: set WARPMATE_CORPUS to a folder of pages with a manifest.jsonl")
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with tempfile.TemporaryDirectory() as models:
        open_embedder(cache=Path(models))
        taken = [await one_run(mirror, Path(models)) for _ in range(runs)]
    result = {}
    for step in taken[0]:
        wall, cpu = (statistics.median(run[step][column] for run in taken) for column in (0, 1))
        share = wall / statistics.median(run["full"][0] for run in taken)
        result[step] = {"wall_s": round(wall, 2), "processor_s": round(cpu, 2), "share_of_full": round(share, 4)}
        print(f"{step:12} {wall:8.2f} s wall {cpu:8.2f} s of processor {100 * share:6.1f}% of the full build")
    record("index_build", {"runs": runs, "steps": result})


if __name__ == "__main__":
    asyncio.run(main())
