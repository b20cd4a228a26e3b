"""What boards need of an accepted kernel, beside its verdict: its language, and what was counted of it.

Both follow from source and verdict. They stand in columns of their own because a board shows twenty of thousands, and
must not read the sources and verdicts of all of them.
"""

from __future__ import annotations

import json
from typing import Literal

import sqlalchemy as sa

from worker.language import is_triton

KernelLanguage = Literal["cuda", "triton"]
AT_ONCE = 500
"""Rows of a transaction while older ones are filled in."""

_SUBMISSIONS = sa.table("submissions", sa.column("id"), sa.column("source", sa.Text))
_VERDICTS = sa.table(
    "verdicts",
    sa.column("submission_id"),
    sa.column("kind", sa.String),
    sa.column("body", sa.Text),
    sa.column("language", sa.String),
    sa.column("counted", sa.Text),
)


def language_of(source: str) -> KernelLanguage:
    return "triton" if is_triton(source) else "cuda"


def kernel_facts(source: str, verdict: str) -> tuple[KernelLanguage, str | None]:
    """Return the language and, as JSON, what was counted; None where nothing was."""
    counted = json.loads(verdict).get("counted")
    return language_of(source), json.dumps(counted, separators=(",", ":")) if counted else None


def fill_in(connection: sa.Connection, most: int = AT_ONCE) -> int:
    """Fill in accepted kernels that a version wrote which did not know these columns; return how many it were.

    It names the columns that it needs, so that a migration can call it at any later version.
    """
    unread = sa.and_(_VERDICTS.c.language.is_(None), _VERDICTS.c.kind == sa.literal_column("'accepted'"))
    wanted = (
        sa.select(_VERDICTS.c.submission_id, _SUBMISSIONS.c.source, _VERDICTS.c.body)
        .join(_SUBMISSIONS, _SUBMISSIONS.c.id == _VERDICTS.c.submission_id)
        .where(unread)
        .limit(most)
    )
    rows = connection.execute(wanted).all()
    for id_, source, body in rows:
        language, counted = kernel_facts(source, body)
        mended = _VERDICTS.update().where(_VERDICTS.c.submission_id == id_)
        connection.execute(mended.values(language=language, counted=counted))
    return len(rows)
