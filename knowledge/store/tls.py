"""TLS to PostgreSQL, asked for in its address by the names that psql and pg_dump know."""

from __future__ import annotations

import ssl
from typing import Any

from sqlalchemy.engine import URL

from knowledge.errors import StoreError

_UNCHECKED = frozenset({"disable", "allow", "prefer"})
_MODES = (*sorted(_UNCHECKED), "require", "verify-ca", "verify-full")


def without_tls(url: URL) -> tuple[URL, dict[str, Any]]:
    """Return the address without `sslmode` and `sslrootcert`, and what the driver is told instead.

    With an authority the server has to have its certificate, and be who the address names, unless less is asked for.
    """
    asked = {name: str(url.query[name]) for name in ("sslmode", "sslrootcert") if name in url.query}
    if not asked:
        return url, {}
    root = asked.get("sslrootcert")
    mode = asked.get("sslmode", "verify-full")
    if mode not in _MODES:
        raise StoreError(f"WARPMATE_DATABASE_URL: sslmode={mode} is none of {', '.join(_MODES)}")
    return url.difference_update_query(asked), {"ssl": mode if mode in _UNCHECKED else _context(mode, root)}


def _context(mode: str, root: str | None) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=root)
    except OSError as error:
        raise StoreError(f"WARPMATE_DATABASE_URL: sslrootcert={root} cannot be read: {error.strerror}") from None
    context.check_hostname = mode == "verify-full"
    if mode == "require" and root is None:
        context.verify_mode = ssl.CERT_NONE
    return context
