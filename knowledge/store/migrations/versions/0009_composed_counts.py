"""How many answers a language model composed, by place and day."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "composed_counts",
        sa.Column("place", sa.String(length=32), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("place", "day", name=op.f("pk_composed_counts")),
    )


def downgrade() -> None:
    op.drop_table("composed_counts")
