"""One outbox for announced replies, verdicts and answers to saved questions, instead of a table and three columns."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.engine import Connection

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)
OUTBOX = sa.table(
    "outbox",
    sa.column("kind", sa.String), sa.column("about", sa.String), sa.column("face", sa.String),
    sa.column("owner", sa.String), sa.column("guild_id", sa.String), sa.column("address", sa.JSON),
    sa.column("state", sa.String), sa.column("until", TIME), sa.column("created_at", TIME),
)  # fmt: skip
REPLIES = sa.table(
    "open_replies", sa.column("id", sa.String), sa.column("face", sa.String), sa.column("reply_to", sa.JSON),
    sa.column("until", TIME),
)  # fmt: skip
SUBMISSIONS = sa.table(
    "submissions", sa.column("id", sa.String), sa.column("member_id", sa.String), sa.column("guild_id", sa.String),
    sa.column("reply_to", sa.JSON), sa.column("lang", sa.String), sa.column("created_at", TIME),
)  # fmt: skip
QUESTIONS = sa.table(
    "questions", sa.column("id", sa.String), sa.column("member_id", sa.String), sa.column("guild_id", sa.String),
    sa.column("saved", sa.Boolean), sa.column("told_at", TIME), sa.column("undelivered_at", TIME),
    sa.column("asked_at", TIME),
)  # fmt: skip


def upgrade() -> None:
    op.create_table(
        "outbox",
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("about", sa.String(length=64), nullable=False),
        sa.Column("face", sa.String(length=16), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=True),
        sa.Column("guild_id", sa.String(length=32), nullable=True),
        sa.Column("address", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("until", TIME, nullable=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["members.id"], name=op.f("fk_outbox_owner_members"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("kind", "about", name=op.f("pk_outbox")),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index("ix_outbox_face_kind", ["face", "kind"], unique=False)
        batch_op.create_index(batch_op.f("ix_outbox_guild_id"), ["guild_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_outbox_owner"), ["owner"], unique=False)
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.add_column(sa.Column("lang", sa.String(length=8), nullable=False, server_default="en"))
    _fill_outbox(op.get_bind())
    op.drop_table("open_replies")
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.drop_column("reply_to")
    with op.batch_alter_table("questions", schema=None) as batch_op:
        batch_op.drop_column("told_at")
        batch_op.drop_column("undelivered_at")


def downgrade() -> None:
    op.create_table(
        "open_replies",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("face", sa.String(length=16), nullable=False),
        sa.Column("reply_to", sa.JSON(), nullable=False),
        sa.Column("until", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_open_replies")),
    )
    with op.batch_alter_table("open_replies", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_open_replies_face"), ["face"], unique=False)
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.add_column(sa.Column("reply_to", sa.JSON(), nullable=False, server_default="{}"))
    with op.batch_alter_table("questions", schema=None) as batch_op:
        batch_op.add_column(sa.Column("told_at", TIME, nullable=True))
        batch_op.add_column(sa.Column("undelivered_at", TIME, nullable=True))
    _empty_outbox(op.get_bind())
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.alter_column("reply_to", server_default=None)
        batch_op.drop_column("lang")
    op.drop_table("outbox")


def _fill_outbox(bind: Connection) -> None:
    """Move every open debt to its row; a submission keeps the language of its face."""
    moved = [
        {"kind": "reply", "about": row.id, "face": row.face, "owner": None, "guild_id": None, "address": row.reply_to,
         "state": "open", "until": row.until, "created_at": row.until}
        for row in bind.execute(sa.select(REPLIES))
    ]  # fmt: skip
    for row in bind.execute(sa.select(SUBMISSIONS)).all():
        note = dict(row.reply_to or {})
        bind.execute(
            SUBMISSIONS.update().where(SUBMISSIONS.c.id == row.id).values(lang=str(note.get("lang", "en"))[:8])
        )
        if (face := note.pop("face", None)) and not note.pop("replied", False):
            moved.append(
                {"kind": "verdict", "about": row.id, "face": face, "owner": row.member_id, "guild_id": row.guild_id,
                 "address": note, "state": "open", "until": None, "created_at": row.created_at}
            )  # fmt: skip
    waiting = sa.select(QUESTIONS).where(
        QUESTIONS.c.saved.is_(True), QUESTIONS.c.told_at.is_(None), QUESTIONS.c.member_id.is_not(None)
    )
    moved += [
        {"kind": "answer", "about": row.id, "face": row.member_id.partition(":")[0][:16], "owner": row.member_id,
         "guild_id": row.guild_id, "address": {}, "state": "undelivered" if row.undelivered_at else "open",
         "until": None, "created_at": row.asked_at}
        for row in bind.execute(waiting)
    ]  # fmt: skip
    if moved:
        bind.execute(OUTBOX.insert(), moved)


def _empty_outbox(bind: Connection) -> None:
    """Move every row back; a saved question without one was told."""
    bind.execute(SUBMISSIONS.update().values(reply_to={}))
    bind.execute(QUESTIONS.update().where(QUESTIONS.c.saved.is_(True)).values(told_at=QUESTIONS.c.asked_at))
    for row in bind.execute(sa.select(OUTBOX)).all():
        if row.kind == "reply":
            bind.execute(REPLIES.insert().values(id=row.about, face=row.face, reply_to=row.address, until=row.until))
        elif row.kind == "verdict":
            note = {"face": row.face, **row.address}
            bind.execute(SUBMISSIONS.update().where(SUBMISSIONS.c.id == row.about).values(reply_to=note))
        else:
            closed = row.created_at if row.state == "undelivered" else None
            bind.execute(
                QUESTIONS.update().where(QUESTIONS.c.id == row.about).values(told_at=None, undelivered_at=closed)
            )
