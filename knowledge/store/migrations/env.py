"""Alembic's entry: runs on the connection that `knowledge.store.migrate` hands over."""

from alembic import context

from knowledge.store.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite cannot alter columns in place
    compare_type=True,
    transaction_per_migration=context.config.attributes["connection"].dialect.name == "postgresql",
)
with context.begin_transaction():
    context.run_migrations()
