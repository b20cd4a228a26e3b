"""The database: SQLite in a file by default, PostgreSQL by URL; the same tables, migrations and tests.

`open_store(url)` gives a `Store`; every session is opened for a `Scope`, and a session never returns, changes
or adds rows of another guild. The tables stand in `library`, `members`, `questions`, `submissions`, `plans`,
`sign_in` and `outbox`; `tables` imports all of them.
"""

from knowledge.store.engine import Limits, Store, open_store
from knowledge.store.scope import Scope

__all__ = ["Limits", "Scope", "Store", "open_store"]
