"""Faults of the database's surroundings, told in one line instead of a traceback."""

from __future__ import annotations

import errno

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection

from knowledge.errors import StoreError

_TOLD = {
    "disk is full": "the disk is full; free some space, nothing that was stored is lost",
    "readonly database": "the database file may not be written; check its owner and permissions",
    "unable to open database": "the database file cannot be opened; check WARPMATE_DATA_DIR and its permissions",
    "file is not a database": "the database file is not an SQLite database; move it away or restore a backup",
    "malformed": "the database file is damaged; restore a backup (docs/operations.md)",
    "database is locked": "the database is held by another process; try again",
    "connection refused": "the database server does not answer; start it or check WARPMATE_DATABASE_URL",
    "connect call failed": "the database server does not answer; start it or check WARPMATE_DATABASE_URL",
    "database does not answer": "the database server does not answer; start it or check WARPMATE_DATABASE_URL",
    "starting up": "the database server is starting; try again in a moment",
    "recovery mode": "the database server is starting; try again in a moment",
    "shutting down": "the database server is ending; try again in a moment",
    "connection was closed": "the connection to the database server broke off; try again",
    "connection is closed": "the connection to the database server broke off; try again",
    "connection reset": "the connection to the database server broke off; try again",
    "connection_lost": "the connection to the database server broke off; try again",
    "terminating connection": "the connection to the database server broke off; try again",
    "no space left": "the disk of the database server is full; free some space, nothing that was stored is lost",
    "certificate verify failed": "the certificate of the database server is not trusted; look at sslrootcert",
    "rejected ssl upgrade": "the database server speaks no TLS, which sslmode in WARPMATE_DATABASE_URL asks for",
    "no encryption": "the database server wants TLS; add sslmode=verify-full to WARPMATE_DATABASE_URL",
    "password authentication failed": "the database server refused the password in WARPMATE_DATABASE_URL",
    "statement timeout": "the database took longer than WARPMATE_DATABASE_TIMEOUT_S allows; try again later",
    "queuepool limit": "all WARPMATE_DATABASE_CONNECTIONS were in use for too long; try again",
    "too many clients": "the database server takes no more connections; lower WARPMATE_DATABASE_CONNECTIONS",
    "lock timeout": "a table is in use for longer than a migration waits; try again",
    "does not exist": "the database named in WARPMATE_DATABASE_URL does not exist; create it first",
}


def explain(error: BaseException) -> StoreError | None:
    """The safe error for a known fault, found anywhere in the chain of causes; None for anything else."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        if isinstance(current, OSError) and current.errno == errno.ENOSPC:
            return StoreError(_TOLD["disk is full"])
        if isinstance(current, DBAPIError | NoConnection | OSError):
            told = next((line for sign, line in _TOLD.items() if sign in str(current).lower()), None)
            if told:
                return StoreError(told)
        current = current.__cause__ or current.__context__
    return None
