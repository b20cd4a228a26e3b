"""Workers on other hosts with their keys, what was set aside, second opinions; cards that a submission asks for."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "workers",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("public_key", sa.String(length=64), nullable=False),
        sa.Column("enrolled_at", TIME, nullable=False),
        sa.Column("revoked_at", TIME, nullable=True),
        sa.Column("paused_at", TIME, nullable=True),
        sa.Column("paused_why", sa.String(length=200), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_workers")),
    )
    op.create_table(
        "set_aside",
        sa.Column("submission_id", sa.String(length=26), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(length=64), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("guild_id", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_set_aside_submission_id_submissions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("submission_id", name=op.f("pk_set_aside")),
    )  # fmt: skip
    op.create_table(
        "second_opinions",
        sa.Column("submission_id", sa.String(length=26), nullable=False),
        sa.Column("worker", sa.String(length=64), nullable=False),
        sa.Column("opinions", sa.JSON(), nullable=False),
        sa.Column("agree", sa.Boolean(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_second_opinions_submission_id_submissions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("submission_id", name=op.f("pk_second_opinions")),
    )  # fmt: skip
    for table, column in (("set_aside", "guild_id"), ("second_opinions", "worker")):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.create_index(batch_op.f(f"ix_{table}_{column}"), [column], unique=False)
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.add_column(sa.Column("cards", sa.String(length=200), server_default="", nullable=False))
    with op.batch_alter_table("verdicts", schema=None) as batch_op:
        batch_op.add_column(sa.Column("worker", sa.String(length=64), server_default="", nullable=False))


def downgrade() -> None:
    with op.batch_alter_table("verdicts", schema=None) as batch_op:
        batch_op.drop_column("worker")
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.drop_column("cards")
    for table in ("second_opinions", "set_aside", "workers"):
        op.drop_table(table)
