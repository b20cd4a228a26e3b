"""What a guild's members do together: its plan, who agreed to be named, what the bot has posted by itself."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "group_plans",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("goal", sa.String(length=100), nullable=False),
        sa.Column("level", sa.String(length=16), nullable=False),
        sa.Column("weeks", sa.JSON(), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("starts_at", TIME, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("guild_id", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_group_plans")),
        sa.UniqueConstraint("guild_id", name=op.f("uq_group_plans_guild_id")),
    )
    op.create_table(
        "named_members",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("member_id", sa.String(length=64), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("guild_id", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_named_members_member_id_members"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_named_members")),
        sa.UniqueConstraint("guild_id", "member_id", name=op.f("uq_named_members_guild_id_member_id")),
    )
    op.create_table(
        "posts",
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("claimed_until", TIME, nullable=False),
        sa.Column("problem", sa.String(length=64), nullable=True),
        sa.Column("message", sa.String(length=32), nullable=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("guild_id", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_posts")),
    )
    for table, column in (
        ("group_plans", "guild_id"), ("named_members", "guild_id"), ("named_members", "member_id"),
        ("posts", "guild_id"),
    ):  # fmt: skip
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.create_index(batch_op.f(f"ix_{table}_{column}"), [column], unique=False)


def downgrade() -> None:
    for table in ("posts", "named_members", "group_plans"):
        op.drop_table(table)
