"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "guilds",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=True),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_guilds")),
    )
    op.create_table(
        "members",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=True),
        sa.Column("preferences", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_members")),
    )
    op.create_table(
        "resources",
        sa.Column("id", sa.String(length=200), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("lang", sa.String(length=8), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("level", sa.String(length=16), nullable=True),
        sa.Column("topics", sa.JSON(), nullable=False),
        sa.Column("prerequisites", sa.JSON(), nullable=False),
        sa.Column("minutes", sa.Integer(), nullable=True),
        sa.Column("summary_en", sa.Text(), nullable=False),
        sa.Column("summary_zh", sa.Text(), nullable=False),
        sa.Column("summary_by", sa.String(length=16), nullable=False),
        sa.Column("origin", sa.String(length=16), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("added_by", sa.String(length=64), nullable=True),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("overrides", sa.JSON(), nullable=False),
        sa.Column("link_state", sa.String(length=16), nullable=False),
        sa.Column("link_failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("duplicate_of", sa.String(length=200), nullable=True),
        sa.Column("translation_of", sa.String(length=200), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("guild_id", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_resources")),
    )
    with op.batch_alter_table("resources", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_resources_added_by"), ["added_by"], unique=False)
        batch_op.create_index(batch_op.f("ix_resources_guild_id"), ["guild_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_resources_state"), ["state"], unique=False)
        batch_op.create_index(
            "uq_resources_guild_url",
            ["guild_id", "url"],
            unique=True,
            sqlite_where=sa.text("guild_id IS NOT NULL"),
            postgresql_where=sa.text("guild_id IS NOT NULL"),
        )
        batch_op.create_index(
            "uq_resources_shared_url",
            ["url"],
            unique=True,
            sqlite_where=sa.text("guild_id IS NULL"),
            postgresql_where=sa.text("guild_id IS NULL"),
        )

    op.create_table(
        "snippets",
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("features", sa.JSON(), nullable=False),
        sa.Column("verdict", sa.String(length=32), nullable=True),
        sa.Column("verdict_body", sa.JSON(), nullable=False),
        sa.Column("checked_with", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("content_hash", name=op.f("pk_snippets")),
    )
    op.create_table(
        "fetches",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("resource_id", sa.String(length=200), nullable=True),
        sa.Column("run", sa.String(length=32), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("guild_id", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["resource_id"], ["resources.id"], name=op.f("fk_fetches_resource_id_resources"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fetches")),
    )
    with op.batch_alter_table("fetches", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_fetches_guild_id"), ["guild_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_fetches_run"), ["run"], unique=False)
        batch_op.create_index("ix_fetches_url_at", ["url", "at"], unique=False)

    op.create_table(
        "member_levels",
        sa.Column("member_id", sa.String(length=64), nullable=False),
        sa.Column("topic", sa.String(length=64), nullable=False),
        sa.Column("level", sa.String(length=16), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_member_levels_member_id_members"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("member_id", "topic", name=op.f("pk_member_levels")),
    )
    op.create_table(
        "questions",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("member_id", sa.String(length=64), nullable=True),
        sa.Column("thread", sa.String(length=64), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("lang", sa.String(length=8), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=False),
        sa.Column("generation", sa.String(length=64), nullable=False),
        sa.Column("follow_up_of", sa.String(length=26), nullable=True),
        sa.Column("saved", sa.Boolean(), nullable=False),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("guild_id", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_questions_member_id_members"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_questions")),
    )
    with op.batch_alter_table("questions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_questions_guild_id"), ["guild_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_questions_member_id"), ["member_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_questions_saved"), ["saved"], unique=False)
        batch_op.create_index(batch_op.f("ix_questions_status"), ["status"], unique=False)
        batch_op.create_index("ix_questions_thread", ["thread", "member_id", "asked_at"], unique=False)

    op.create_table(
        "reading_events",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("member_id", sa.String(length=64), nullable=False),
        sa.Column("item", sa.String(length=200), nullable=False),
        sa.Column("event", sa.String(length=16), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_reading_events_member_id_members"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reading_events")),
    )
    with op.batch_alter_table("reading_events", schema=None) as batch_op:
        batch_op.create_index("ix_reading_events_member_at", ["member_id", "at"], unique=False)

    op.create_table(
        "snapshots",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("resource_id", sa.String(length=200), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("lang", sa.String(length=8), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("source_hash", sa.String(length=64), nullable=False),
        sa.Column("etag", sa.Text(), nullable=True),
        sa.Column("last_modified", sa.Text(), nullable=True),
        sa.Column("meta", sa.JSON(), nullable=False),
        sa.Column("current", sa.Boolean(), nullable=False),
        sa.Column("fetched_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("guild_id", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["resource_id"], ["resources.id"], name=op.f("fk_snapshots_resource_id_resources"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_snapshots")),
    )
    with op.batch_alter_table("snapshots", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_snapshots_content_hash"), ["content_hash"], unique=False)
        batch_op.create_index(batch_op.f("ix_snapshots_current"), ["current"], unique=False)
        batch_op.create_index(batch_op.f("ix_snapshots_guild_id"), ["guild_id"], unique=False)
        batch_op.create_index("ix_snapshots_resource_page", ["resource_id", "path", "fetched_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_snapshots_source_hash"), ["source_hash"], unique=False)

    op.create_table(
        "submissions",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("member_id", sa.String(length=64), nullable=False),
        sa.Column("form", sa.String(length=16), nullable=False),
        sa.Column("problem", sa.String(length=64), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("backend", sa.String(length=16), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("reply_to", sa.JSON(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("guild_id", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_submissions_member_id_members"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submissions")),
    )
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_submissions_guild_id"), ["guild_id"], unique=False)
        batch_op.create_index("ix_submissions_member_created", ["member_id", "created_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_submissions_problem"), ["problem"], unique=False)
        batch_op.create_index(batch_op.f("ix_submissions_state"), ["state"], unique=False)

    op.create_table(
        "feedback",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("question_id", sa.String(length=26), nullable=False),
        sa.Column("member_id", sa.String(length=64), nullable=False),
        sa.Column("helpful", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("reviewed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_feedback_member_id_members"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["question_id"], ["questions.id"], name=op.f("fk_feedback_question_id_questions"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_feedback")),
        sa.UniqueConstraint("question_id", "member_id", name=op.f("uq_feedback_question_id_member_id")),
    )
    with op.batch_alter_table("feedback", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_feedback_member_id"), ["member_id"], unique=False)

    op.create_table(
        "passages",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("snapshot_id", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("headings", sa.JSON(), nullable=False),
        sa.Column("anchor", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("lang", sa.String(length=8), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("meta", sa.JSON(), nullable=False),
        sa.Column("guild_id", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshots.id"], name=op.f("fk_passages_snapshot_id_snapshots"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passages")),
        sa.UniqueConstraint("snapshot_id", "ordinal", name=op.f("uq_passages_snapshot_id_ordinal")),
    )
    with op.batch_alter_table("passages", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_passages_content_hash"), ["content_hash"], unique=False)
        batch_op.create_index(batch_op.f("ix_passages_guild_id"), ["guild_id"], unique=False)

    op.create_table(
        "verdicts",
        sa.Column("submission_id", sa.String(length=26), nullable=False),
        sa.Column("problem", sa.String(length=64), nullable=True),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("backend", sa.String(length=16), nullable=False),
        sa.Column("card", sa.String(length=128), nullable=True),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("guild_id", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submissions.id"],
            name=op.f("fk_verdicts_submission_id_submissions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("submission_id", name=op.f("pk_verdicts")),
    )
    with op.batch_alter_table("verdicts", schema=None) as batch_op:
        batch_op.create_index("ix_verdicts_board", ["problem", "card", "score"], unique=False)
        batch_op.create_index(batch_op.f("ix_verdicts_guild_id"), ["guild_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_verdicts_kind"), ["kind"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("verdicts", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_verdicts_kind"))
        batch_op.drop_index(batch_op.f("ix_verdicts_guild_id"))
        batch_op.drop_index("ix_verdicts_board")

    op.drop_table("verdicts")
    with op.batch_alter_table("passages", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_passages_guild_id"))
        batch_op.drop_index(batch_op.f("ix_passages_content_hash"))

    op.drop_table("passages")
    with op.batch_alter_table("feedback", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_feedback_member_id"))

    op.drop_table("feedback")
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_submissions_state"))
        batch_op.drop_index(batch_op.f("ix_submissions_problem"))
        batch_op.drop_index("ix_submissions_member_created")
        batch_op.drop_index(batch_op.f("ix_submissions_guild_id"))

    op.drop_table("submissions")
    with op.batch_alter_table("snapshots", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_snapshots_source_hash"))
        batch_op.drop_index("ix_snapshots_resource_page")
        batch_op.drop_index(batch_op.f("ix_snapshots_guild_id"))
        batch_op.drop_index(batch_op.f("ix_snapshots_current"))
        batch_op.drop_index(batch_op.f("ix_snapshots_content_hash"))

    op.drop_table("snapshots")
    with op.batch_alter_table("reading_events", schema=None) as batch_op:
        batch_op.drop_index("ix_reading_events_member_at")

    op.drop_table("reading_events")
    with op.batch_alter_table("questions", schema=None) as batch_op:
        batch_op.drop_index("ix_questions_thread")
        batch_op.drop_index(batch_op.f("ix_questions_status"))
        batch_op.drop_index(batch_op.f("ix_questions_saved"))
        batch_op.drop_index(batch_op.f("ix_questions_member_id"))
        batch_op.drop_index(batch_op.f("ix_questions_guild_id"))

    op.drop_table("questions")
    op.drop_table("member_levels")
    with op.batch_alter_table("fetches", schema=None) as batch_op:
        batch_op.drop_index("ix_fetches_url_at")
        batch_op.drop_index(batch_op.f("ix_fetches_run"))
        batch_op.drop_index(batch_op.f("ix_fetches_guild_id"))

    op.drop_table("fetches")
    op.drop_table("snippets")
    with op.batch_alter_table("resources", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_resources_shared_url",
            sqlite_where=sa.text("guild_id IS NULL"),
            postgresql_where=sa.text("guild_id IS NULL"),
        )
        batch_op.drop_index(
            "uq_resources_guild_url",
            sqlite_where=sa.text("guild_id IS NOT NULL"),
            postgresql_where=sa.text("guild_id IS NOT NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_resources_state"))
        batch_op.drop_index(batch_op.f("ix_resources_guild_id"))
        batch_op.drop_index(batch_op.f("ix_resources_added_by"))

    op.drop_table("resources")
    op.drop_table("members")
    op.drop_table("guilds")
