"""What answers questions: the models and the index."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

from knowledge.library.embed import open_embedder
from knowledge.library.generation import current_folder, index_folder, open_current
from knowledge.reader.model import Reader
from warpmate.doctor.diagnosis import Diagnosis
from warpmate.settings import Settings
from warpmate.wiring.core import model_name


async def models(settings: Settings) -> Sequence[Diagnosis]:
    cache = settings.data_dir / "models"
    embedder = await asyncio.to_thread(open_embedder, model_name(settings), cache=cache)
    await asyncio.to_thread(embedder.queries, ["what is a warp?"])
    await asyncio.to_thread(Reader, cache)
    return [Diagnosis("models", "ok", f"{embedder.spec.model} embeds, the reader reads")]


async def index(settings: Settings) -> Sequence[Diagnosis]:
    if current_folder(index_folder(settings.data_dir)) is None:
        return [Diagnosis("index", "warn", "there is none yet", "warpmate run makes it at its first start")]
    embedder = await asyncio.to_thread(open_embedder, model_name(settings), cache=settings.data_dir / "models")
    generation = open_current(settings.data_dir, expect=embedder.spec)
    try:
        age = datetime.now(UTC) - generation.manifest.created_at
        return [Diagnosis("index", "ok", f"{len(generation)} passages, made {_ago(age.total_seconds())} ago")]
    finally:
        generation.close()


def _ago(seconds: float) -> str:
    return f"{seconds / 86_400:.0f} days" if seconds > 2 * 86_400 else f"{seconds / 3_600:.1f} h"
