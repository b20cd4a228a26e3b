"""This installation: which warpmate, its settings, its data directory, its content, its database."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Sequence

from sqlalchemy.exc import DBAPIError

from knowledge.content import load_content
from knowledge.store import Store, open_store
from knowledge.store.faults import explain
from knowledge.store.migrate import revisions, standing_revision
from warpmate import datadir
from warpmate.doctor.diagnosis import Diagnosis
from warpmate.edition import checkout, edition
from warpmate.settings import Settings

_LEAST_FREE_GB = 2


async def edition_of(_settings: Settings) -> Sequence[Diagnosis]:
    place = checkout()
    origin = f"from the checkout {place}" if place else "installed"
    return [Diagnosis("warpmate", "ok", f"{edition()}, {origin}, Python {platform.python_version()}")]


async def settings_of(settings: Settings) -> Sequence[Diagnosis]:
    stated = ", ".join(f"WARPMATE_{name.upper()}" for name in sorted(settings.model_fields_set))
    return [Diagnosis("settings", "ok", stated or "all by default")]


async def data(settings: Settings) -> Sequence[Diagnosis]:
    datadir.prepare(settings.data_dir)
    free_gb = shutil.disk_usage(settings.data_dir).free / 1e9
    found = f"{settings.data_dir.absolute()}, {free_gb:.0f} GB free"
    if free_gb < _LEAST_FREE_GB:
        advice = f"leave at least {_LEAST_FREE_GB} GB: an index is written beside the old one"
        return [Diagnosis("data", "warn", found, advice)]
    return [Diagnosis("data", "ok", found)]


async def content(settings: Settings) -> Sequence[Diagnosis]:
    found = load_content(settings.content_dir)
    counts = f"{len(found.notes)} notes, {len(found.resources)} resources, {len(found.problems)} problems"
    return [Diagnosis("content", "ok", counts)]


async def database(settings: Settings) -> Sequence[Diagnosis]:
    """Two lines: does it answer, and are its tables those of this version."""
    async with open_store(settings.store_url) as store:
        found = await _standing(store)
        return [Diagnosis("database", "ok", f"{store.engine.dialect.name} answers"), _migrations(found)]


async def _standing(store: Store) -> str | None:
    try:
        return await standing_revision(store)
    except (TimeoutError, DBAPIError, OSError) as error:
        raise explain(error) or error from None


def _migrations(found: str | None) -> Diagnosis:
    known = revisions()
    if found == known[-1]:
        return Diagnosis("migrations", "ok", f"at revision {found}, the newest")
    if found is not None and found not in known:
        newer = f"revision {found} is of a newer warpmate"
        return Diagnosis("migrations", "bad", newer, "update warpmate, or name another database")
    return Diagnosis(
        "migrations",
        "warn",
        f"at revision {found or 'none'}; this warpmate writes {known[-1]}",
        "the next start brings it there; or now: warpmate db upgrade",
    )
