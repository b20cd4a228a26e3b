"""Plans and review questions; every accepted kernel counts as solved, those of earlier days too."""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)
EVENTS = sa.table(
    "reading_events", sa.column("member_id", sa.String), sa.column("item", sa.String), sa.column("event", sa.String),
    sa.column("at", TIME),
)  # fmt: skip
SUBMISSIONS = sa.table(
    "submissions", sa.column("id", sa.String), sa.column("member_id", sa.String), sa.column("problem", sa.String),
)  # fmt: skip
VERDICTS = sa.table(
    "verdicts", sa.column("submission_id", sa.String), sa.column("kind", sa.String), sa.column("at", TIME),
)  # fmt: skip


def upgrade() -> None:
    op.create_table(
        "plans",
        sa.Column("member_id", sa.String(length=64), nullable=False),
        sa.Column("goal", sa.String(length=100), nullable=False),
        sa.Column("level", sa.String(length=16), nullable=False),
        sa.Column("minutes_a_week", sa.Integer(), nullable=False),
        sa.Column("items", sa.JSON(), nullable=False),
        sa.Column("sittings", sa.JSON(), nullable=False),
        sa.Column("starts_on", sa.Date(), nullable=False),
        sa.Column("resumes_on", sa.Date(), nullable=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_plans_member_id_members"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("member_id", name=op.f("pk_plans")),
    )
    op.create_table(
        "reviews",
        sa.Column("member_id", sa.String(length=64), nullable=False),
        sa.Column("question", sa.String(length=100), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("due", sa.Date(), nullable=True),
        sa.Column("submission_id", sa.String(length=26), nullable=True),
        sa.Column("at", TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_reviews_member_id_members"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_reviews_submission_id_submissions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("member_id", "question", name=op.f("pk_reviews")),
    )  # fmt: skip
    with op.batch_alter_table("reviews", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reviews_submission_id"), ["submission_id"], unique=False)
    _count_what_was_solved(op.get_bind())


def downgrade() -> None:
    op.drop_table("reviews")
    op.drop_table("plans")


def _count_what_was_solved(bind: sa.Connection) -> None:
    """One event a member and problem, at the time of the first accepted kernel, unless the member said so before."""
    accepted = (
        sa.select(SUBMISSIONS.c.member_id, SUBMISSIONS.c.problem, VERDICTS.c.at)
        .join(VERDICTS, VERDICTS.c.submission_id == SUBMISSIONS.c.id)
        .where(VERDICTS.c.kind == "accepted", SUBMISSIONS.c.problem.is_not(None))
        .order_by(VERDICTS.c.at.desc())
    )
    first = {(row.member_id, f"problem:{row.problem}"): _aware(row.at) for row in bind.execute(accepted)}
    said = sa.select(EVENTS.c.member_id, EVENTS.c.item).where(EVENTS.c.event == "solved")
    for known in bind.execute(said):
        first.pop((known.member_id, known.item), None)
    rows = [{"member_id": member, "item": item, "event": "solved", "at": at} for (member, item), at in first.items()]
    if rows:
        bind.execute(EVENTS.insert(), rows)


def _aware(at: datetime) -> datetime:
    """SQLite forgets that times are in UTC."""
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at
