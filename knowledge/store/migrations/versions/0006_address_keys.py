"""A key of each resource's address, by which all its spellings find the one row; decisions that contradict go."""

import sqlalchemy as sa
from alembic import op

from knowledge.addresses import key_of

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_RESOURCES = sa.table(
    "resources",
    sa.column("id", sa.String),
    sa.column("url", sa.Text),
    sa.column("address_key", sa.Text),
    sa.column("state", sa.String),
    sa.column("overrides", sa.JSON),
)


def upgrade() -> None:
    with op.batch_alter_table("resources", schema=None) as batch_op:
        batch_op.add_column(sa.Column("address_key", sa.Text(), nullable=True))
        batch_op.create_index(batch_op.f("ix_resources_address_key"), ["address_key"], unique=False)
    connection = op.get_bind()
    rows = connection.execute(sa.select(_RESOURCES.c.id, _RESOURCES.c.url).where(_RESOURCES.c.url.is_not(None)))
    for id_, url in rows.all():
        connection.execute(_RESOURCES.update().where(_RESOURCES.c.id == id_).values(address_key=key_of(url)))
    _mend_approvals(connection)


def _mend_approvals(connection: sa.Connection) -> None:
    """`index add` approved removed resources and left the removal beside it."""
    wanted = sa.select(_RESOURCES.c.id, _RESOURCES.c.overrides).where(_RESOURCES.c.state == "approved")
    for id_, overrides in connection.execute(wanted).all():
        if overrides and "state" in overrides:
            kept = {key: value for key, value in overrides.items() if key != "state"}
            connection.execute(_RESOURCES.update().where(_RESOURCES.c.id == id_).values(overrides=kept))


def downgrade() -> None:
    with op.batch_alter_table("resources", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_resources_address_key"))
        batch_op.drop_column("address_key")
