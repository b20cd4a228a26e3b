"""The sentences of this folder, and questions of the field beside them."""

from __future__ import annotations

import hashlib
import json
import lzma
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, cast

from knowledge.ask.intents import Intent

HERE = Path(__file__).parent
OF_READER = HERE.parent / "reader" / "labels.jsonl.xz"


class Said(NamedTuple):
    intent: Intent
    text: str


def to_learn() -> Iterator[Said]:
    for file in sorted(HERE.glob("*.toml")):
        if not file.name.startswith("held."):
            yield from _read(file)


def kept_aside() -> Iterator[Said]:
    """By another voice, written when those to learn from were finished."""
    for file in sorted(HERE.glob("held.*.toml")):
        yield from _read(file)


def labelled(*, to_learn: bool) -> Iterator[str]:
    """Answerable questions of the reader: one half, by a digest of their words, to learn from."""
    with lzma.open(OF_READER, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            digest = hashlib.sha256(row["question"].encode()).digest()
            if row["cell"] != "none" and (digest[0] % 2 == 0) == to_learn:
                yield row["question"]


def _read(file: Path) -> Iterator[Said]:
    for intent, lines in tomllib.loads(file.read_text(encoding="utf-8")).items():
        yield from (Said(cast("Intent", intent), line) for line in lines.strip().split("\n"))
