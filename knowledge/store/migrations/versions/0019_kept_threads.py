"""Forum threads that moderators wish to keep, and the messages that their authors agree to."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "kept_threads",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("thread", sa.String(length=32), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("until", TIME, nullable=True),
        sa.Column("resource_id", sa.String(length=200), nullable=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("guild_id", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_kept_threads")),
        sa.UniqueConstraint("guild_id", "thread", name=op.f("uq_kept_threads_guild_id_thread")),
    )
    op.create_table(
        "kept_messages",
        sa.Column("message", sa.String(length=32), nullable=False),
        sa.Column("kept_thread", sa.String(length=26), nullable=False),
        sa.Column("author", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("edited_at", TIME, nullable=True),
        sa.Column("agreed", sa.Boolean(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("guild_id", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["kept_thread"], ["kept_threads.id"], name=op.f("fk_kept_messages_kept_thread_kept_threads"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["author"], ["members.id"], name=op.f("fk_kept_messages_author_members"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("message", name=op.f("pk_kept_messages")),
    )  # fmt: skip
    for table, column in (
        ("kept_threads", "guild_id"), ("kept_messages", "guild_id"), ("kept_messages", "kept_thread"),
        ("kept_messages", "author"),
    ):  # fmt: skip
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.create_index(batch_op.f(f"ix_{table}_{column}"), [column], unique=False)


def downgrade() -> None:
    for table in ("kept_messages", "kept_threads"):
        op.drop_table(table)
