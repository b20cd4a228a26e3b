"""Print the lists for the requests of readings.jsonl, to be graded by eye: `python -m tests.eval.readings DATA_DIR`.

Unlike requests.py it opens the whole library, so that wishes are compared by meaning too; the index is made in
DATA_DIR unless it is there. A grade in the file is of the day of its last change: 2 is a list that one is glad to
get, 1 is right in part, 0 is wrong; `why` says what was amiss.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from knowledge.errors import SafeError
from knowledge.recommend import Recommendation
from knowledge.store import Scope
from tests.eval.ask_library import opened_library

REQUESTS = Path(__file__).with_name("readings.jsonl")


async def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    options.add_argument("data_dir", type=Path)
    given = options.parse_args()
    asked = [json.loads(line) for line in REQUESTS.read_text(encoding="utf-8").splitlines()]
    seconds = []
    async with opened_library(given.data_dir) as library:
        for one in asked:
            began = time.perf_counter()
            found: Recommendation | SafeError
            try:
                found = await library.core.recommender.answer(Scope(), None, one["question"], one["lang"])
            except SafeError as error:
                found = error
            seconds.append(time.perf_counter() - began)
            print(*_lines(one, found), sep="\n")
    print(f"{len(asked)} requests, p50 {1000 * median(seconds):.0f} ms")


def _lines(asked: dict[str, Any], found: Recommendation | SafeError) -> Iterator[str]:
    yield f"== {asked['id']} {asked['question']}  ({asked['expect']}; graded {asked['grade']})"
    if isinstance(found, SafeError):
        yield f"   | {found}"
        return
    yield from (f"   | {remark.text(asked['lang'])}" for remark in found.remarks)
    for item in found.items:
        yield f"      {item.resource_id:42} {item.level[:3]} {item.lang} {item.minutes or '-'}  {item.why}"


if __name__ == "__main__":
    asyncio.run(main())
