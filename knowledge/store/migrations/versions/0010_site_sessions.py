"""Who is signed in on the site, and in which guild they look around."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "site_sessions",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("member_id", sa.String(length=64), nullable=False),
        sa.Column("place", sa.String(length=32), nullable=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("expires_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_site_sessions_member_id_members"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_site_sessions")),
    )
    with op.batch_alter_table("site_sessions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_site_sessions_member_id"), ["member_id"], unique=False)


def downgrade() -> None:
    op.drop_table("site_sessions")
