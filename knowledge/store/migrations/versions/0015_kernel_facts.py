"""What boards show of a kernel, beside its verdict; counts of past days, which stay when their rows are deleted."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("verdicts", schema=None) as batch_op:
        batch_op.add_column(sa.Column("language", sa.String(length=8), nullable=True))
        batch_op.add_column(sa.Column("counted", sa.Text(), nullable=True))
    op.create_table(
        "daily_counts",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("what", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("day", "what", "kind", name=op.f("pk_daily_counts")),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("holder", sa.String(length=64), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
    )


def downgrade() -> None:
    op.drop_table("leases")
    op.drop_table("daily_counts")
    with op.batch_alter_table("verdicts", schema=None) as batch_op:
        batch_op.drop_column("counted")
        batch_op.drop_column("language")
