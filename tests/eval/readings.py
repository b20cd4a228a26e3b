"""Print the lists for the requests of readings.jsonl: `python -m tests.eval.readings DATA_DIR`.

Unlike requests.py it opens the whole library, so that wishes are compared by meaning too; the index is made in
DATA_DIR unless it is there. A `grade` in the file is a reader's, of the day of its last change: 2 is a list that one
is glad to get, 1 is right in part, 0 is wrong; `why` says what was amiss. Requests without one say what their list
has to keep to, and how many do is printed at the end:

  first     one of these stands first
  must      each entry is in the list; of an entry with several ids one is enough
  must_not  none of them is
  kinds     every reading is of one of these kinds
  in_lang   every reading is in this language
  most      there are no more readings
  none      there is no reading, and it is said what is missing
  says      ids of the remarks that the list makes
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
    options.add_argument("--wrong", action="store_true", help="only lists that do not keep to what they have to")
    given = options.parse_args()
    asked = [json.loads(line) for line in REQUESTS.read_text(encoding="utf-8").splitlines()]
    seconds, kept = [], []
    async with opened_library(given.data_dir) as library:
        for one in asked:
            began = time.perf_counter()
            found: Recommendation | SafeError
            try:
                found = await library.core.recommender.answer(Scope(), None, one["question"], one["lang"])
            except SafeError as error:
                found = error
            seconds.append(time.perf_counter() - began)
            labelled = "grade" not in one
            amiss = tuple(amiss_with(one, found)) if labelled else ()
            kept += [not amiss] if labelled else []
            if amiss or not given.wrong:
                print(*_lines(one, found, amiss), sep="\n")
    print(f"{len(asked)} requests, p50 {1000 * median(seconds):.0f} ms")
    print(f"of {len(kept)} with labels {sum(kept)} keep to them ({sum(kept) / len(kept):.0%})")


def amiss_with(asked: dict[str, Any], found: Recommendation | SafeError) -> Iterator[str]:
    """What the list does not keep to."""
    if isinstance(found, SafeError):
        if not asked.get("none"):
            yield "refused"
        return
    ids = [item.resource_id for item in found.items]
    said = {remark.id for remark in found.remarks}
    if asked.get("none"):
        if ids or not said & {"remark.missing", "remark.nothing_on"}:
            yield "is not empty" if ids else "does not say what is missing"
        return
    if "first" in asked and not set(ids[:1]) & set(asked["first"]):
        yield f"begins with {ids[0] if ids else 'nothing'}"
    for entry in asked.get("must", ()):
        if not ({entry} if isinstance(entry, str) else set(entry)) & set(ids):
            yield f"lacks {entry}"
    yield from (f"has {name}" for name in asked.get("must_not", ()) if name in ids)
    yield from (
        f"{one.resource_id} is a {one.kind}" for one in found.items if one.kind not in asked.get("kinds", one.kind)
    )
    yield from (
        f"{one.resource_id} is in {one.lang}" for one in found.items if one.lang not in asked.get("in_lang", one.lang)
    )
    if len(ids) > asked.get("most", len(ids)):
        yield f"has {len(ids)}"
    yield from (f"does not say {remark}" for remark in asked.get("says", ()) if not _is_said(remark, said))


def _is_said(remark: str, said: set[str]) -> bool:
    return remark in said or (remark == "remark.missing" and "remark.nothing_on" in said)


def _lines(asked: dict[str, Any], found: Recommendation | SafeError, amiss: tuple[str, ...]) -> Iterator[str]:
    graded = f"; graded {asked['grade']}" if "grade" in asked else ""
    yield f"== {asked['id']} {asked['question']}  ({asked['expect']}{graded})"
    if amiss:
        yield f"   !! {'; '.join(amiss)}"
    if isinstance(found, SafeError):
        yield f"   | {found}"
        return
    yield from (f"   | {remark.text(asked['lang'])}" for remark in found.remarks)
    for item in found.items:
        of_it = f"{item.level[:3]} {item.lang} {item.kind:8} {item.minutes or '-'}"
        yield f"      {item.resource_id:36} {of_it}  {item.why}"


if __name__ == "__main__":
    asyncio.run(main())
