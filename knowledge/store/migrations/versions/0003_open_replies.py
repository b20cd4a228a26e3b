"""Replies that were announced and not given yet."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "open_replies",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("face", sa.String(length=16), nullable=False),
        sa.Column("reply_to", sa.JSON(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_open_replies")),
    )
    with op.batch_alter_table("open_replies", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_open_replies_face"), ["face"], unique=False)


def downgrade() -> None:
    op.drop_table("open_replies")
