"""Hints that members opened, and problems that they gave up."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "problem_help",
        sa.Column("member_id", sa.String(length=64), nullable=False),
        sa.Column("problem", sa.String(length=64), nullable=False),
        sa.Column("hints", sa.Integer(), nullable=False),
        sa.Column("gave_up_at", TIME, nullable=True),
        sa.Column("at", TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_problem_help_member_id_members"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("member_id", "problem", name=op.f("pk_problem_help")),
    )


def downgrade() -> None:
    op.drop_table("problem_help")
