"""Indexes that the queries want once there are a million submissions; then what boards show of older kernels."""

from typing import Any

from alembic import op

from knowledge.store.base import only_where
from knowledge.store.migrations.online import create_index, drop_index
from knowledge.submit.kernel_facts import fill_in

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

INDEXES: tuple[tuple[str, str, list[str], dict[str, Any]], ...] = (
    ("ix_submissions_unfinished", "submissions", ["id"], only_where("state <> 'done'")),
    ("ix_verdicts_counted", "verdicts", ["problem", "guild_id", "at"], only_where("counted IS NOT NULL")),
    ("ix_verdicts_at", "verdicts", ["at", "kind"], {}),
    ("ix_verdicts_unread", "verdicts", ["submission_id"], only_where("language IS NULL AND kind = 'accepted'")),
    ("ix_questions_guild_asked", "questions", ["guild_id", "asked_at"], {}),
    ("ix_questions_asked", "questions", ["asked_at", "status"], {}),
    ("ix_feedback_unhelpful", "feedback", ["question_id"], only_where("helpful IS false")),
    ("ix_feedback_unreviewed", "feedback", ["at"], only_where("helpful IS false AND reviewed_at IS NULL")),
    ("ix_site_sessions_expires_at", "site_sessions", ["expires_at"], {}),
    ("ix_outbox_kind_state", "outbox", ["kind", "state", "owner"], {}),
)


def upgrade() -> None:
    for name, table, columns, options in INDEXES:
        create_index(name, table, columns, **options)
    connection = op.get_bind()
    while fill_in(connection):
        pass


def downgrade() -> None:
    for name, table, _, _ in reversed(INDEXES):
        drop_index(name, table)
